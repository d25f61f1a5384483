/** Small workflows in which nearly every node has to do with one of three variables. */
import fc from 'fast-check';
import type { SpecCapture, SpecNode, SpecWorkflow } from '../../../src/testing/spec-workflow.js';

const names = ['x', 'y', 'z'] as const;

/** What a node does; bits of the numbers stand for the variables. */
interface Part {
  readonly kind: number;
  readonly captures: number;
  readonly reads: number;
  readonly responses: number;
  readonly isGlobal: boolean;
  readonly entry: number;
}

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly condition: number;
}

/** Three bits, each seldom set. */
const seldom = fc.tuple(fc.nat(7), fc.nat(7)).map(([one, other]) => one & other);
const rarely = fc.nat(4).map((number) => number === 4);

const parts: fc.Arbitrary<Part> = fc.record({
  kind: fc.nat(9),
  captures: seldom,
  reads: seldom,
  responses: seldom,
  isGlobal: rarely,
  entry: fc.nat(11),
});

export function denseWorkflow(maxNodes = 9): fc.Arbitrary<SpecWorkflow> {
  const arc = fc.record({ from: fc.nat(), to: fc.nat(), condition: fc.nat(11) });
  return fc
    .record({
      nodes: fc.array(parts, { minLength: 2, maxLength: maxNodes, size: 'max' }),
      arcs: fc.array(arc, { minLength: 1, maxLength: 2 * maxNodes, size: 'max' }),
      prompt: fc.nat(15),
    })
    .map(({ nodes, arcs, prompt }) => ({
      name: 'Dense',
      ...(prompt < 3 ? { globalPrompt: `Be kind. {{${names[prompt]}}}` } : {}),
      nodes: nodes.map(nodeOf),
      edges: arcs.map((it) => edgeOf(it, nodes.length)),
    }));
}

function nodeOf({ kind, captures, reads, responses, isGlobal, entry }: Part, at: number): SpecNode {
  const texts = listBits(reads).map((name) => `{{${name}}}`);
  const extractVariables = listBits(captures).map(
    (name): SpecCapture => ({ name, type: 'string', description: `the ${name} of ${at}` }),
  );
  const node: SpecNode = {
    id: `n${at}`,
    type: kind === 9 && at > 0 ? 'endCall' : kind > 6 && at > 0 ? 'apiRequest' : 'conversation',
    systemPrompt: `Do ${at}. ${texts.join(' ')}`,
  };
  if (isGlobal && at > 0)
    Object.assign(node, { isGlobal, condition: conditionOf(entry, `g${at}`) });
  if (node.type === 'endCall') return node;
  node.extractVariables = extractVariables;
  if (node.type === 'conversation') return node;
  const responseVariables = listBits(responses).map((name) => ({
    name,
    type: 'string' as const,
    description: name,
    path: `data.${name}`,
  }));
  const headers = { Authorization: 'Bearer sample' };
  const url = `https://api.example.com/${at}`;
  return { ...node, url, method: 'GET', headers, responseVariables };
}

function edgeOf({ from, to, condition }: Arc, size: number) {
  const ends = { from: `n${from % size}`, to: `n${to % size}` };
  return { ...ends, condition: conditionOf(condition, `c${from % size}${to % size}`) };
}

/** Mostly plain; else one that reads a variable, or an expression. */
function conditionOf(number: number, text: string): string {
  const name = names[number % 3]!;
  if (number < 6) return text;
  return number < 9 ? `${text} and {{${name}}} fits` : `${name} == '${text}'`;
}

function listBits(bits: number): string[] {
  return names.filter((_, at) => (bits & (1 << at)) !== 0);
}
