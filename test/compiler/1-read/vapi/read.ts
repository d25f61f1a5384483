/** Documents of the platform's dialect, read; the tests say only what they are about. */
import { expect } from 'vitest';
import { parseWorkflow } from '../../../../src/compiler/1-read/parse-workflow.js';
import type { Workflow, WorkflowNode } from '../../../../src/compiler/ir/workflow.js';

const talk = { name: 'talk', type: 'conversation', prompt: 'Talk.' };

export interface Told {
  readonly workflow: Workflow | null;
  /** Codes and places of all that is told, the dialect aside. */
  readonly told: readonly string[];
}

export function readNodes(nodes: readonly object[], edges: readonly object[] = []): Told {
  return readDocument({ name: 'W', nodes, edges });
}

export function readDocument(document: unknown): Told {
  const { workflow, diagnostics } = parseWorkflow(document);
  const others = diagnostics.filter(({ code }) => code !== 'shape/dialect');
  return { workflow, told: others.map(({ code, at }) => `${code} ${at}`) };
}

/** The only node of a document, which is read without a word. */
export function readNode(node: object): WorkflowNode {
  const { workflow, told } = readNodes([{ ...talk, ...node }]);
  expect(told).toEqual([]);
  return workflow!.nodes[0]!;
}

/** The conditions of the edges that one edge comes to, which is read without a word. */
export function readWays(edge: object) {
  const other = { ...talk, name: 'other' };
  const { workflow, told } = readNodes([talk, other], [{ from: 'talk', to: 'other', ...edge }]);
  expect(told).toEqual([]);
  return workflow!.edges.map(({ condition }) => condition);
}
