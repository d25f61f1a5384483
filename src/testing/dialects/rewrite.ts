/**
 * A workflow of the specification's shape, rewritten as another dialect would hold it.
 *
 * In: a workflow as the generators make it. Out: a document that means the same, and with `asRead`
 * the workflow of the specification's shape that it equals: compiled with the same answers, both
 * give the same squad to the byte. Numbers draw among forms that mean the same: an edge without a
 * condition has none or an empty one, a list of choices is empty or missing.
 */
import { startCandidates } from '../source.js';
import { nth, type SpecEdge, type SpecWorkflow, wheel } from '../spec-workflow.js';
import { fitTo } from './as-read.js';
import { exportCondition, taskCondition } from './conditions.js';
import {
  type BareDialect,
  type DialectName,
  type Draw,
  dialects,
  drawing,
  positionOf,
  present,
  type Written,
} from './dialect.js';
import { type ExportStyle, exportNode } from './export-nodes.js';
import { taskNode } from './task-nodes.js';

/** The workflow as this dialect holds it. */
export function rewriteAs(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): Written {
  const bare = bareDialect(dialect, numbers);
  const document = write[bare](asRead(workflow, dialect, numbers), drawing(numbers));
  return dialect === 'wrapped' ? { workflow: document } : document;
}

/** What a reader finds in `rewriteAs` of the same three, written in the specification's shape. */
export function asRead(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): SpecWorkflow {
  return fitTo(workflow, bareDialect(dialect, numbers), drawing(numbers));
}

const bareDialects = dialects.filter((name) => name !== 'wrapped');

/** What stands in the box. */
function bareDialect(dialect: DialectName, numbers: readonly number[]): BareDialect {
  return dialect === 'wrapped' ? wheel(bareDialects, numbers[0] ?? 0) : dialect;
}

type Write = (workflow: SpecWorkflow, draw: Draw) => Written;

const write: Readonly<Record<BareDialect, Write>> = {
  export: writeExport({ captures: 'list', keyedBy: 'name' }),
  schema: writeExport({ captures: 'schema', keyedBy: 'name' }),
  response: (workflow, draw) => ({
    id: '6f1c2a52-1111-4222-8333-944455556666',
    orgId: 'a7d0c1b2-1111-4222-8333-944455556666',
    createdAt: '2025-06-01T09:30:00.000Z',
    updatedAt: '2025-06-02T10:00:00.000Z',
    ...writeExport({ captures: 'list', keyedBy: 'id' })(workflow, draw),
  }),
  tasks: writeTasks,
};

/** The only node that can be the start, by its position; undefined where that is left open. */
function onlyStart(workflow: SpecWorkflow): number | undefined {
  const candidates = startCandidates(workflow);
  return candidates.length === 1 ? candidates[0] : undefined;
}

function writeExport(style: ExportStyle): Write {
  return (workflow, draw) => {
    const start = onlyStart(workflow);
    const nodes = workflow.nodes.map((node, index) =>
      exportNode(node, index, index === start, style, draw),
    );
    const edges = workflow.edges.map((edge, index) => ({
      ...endsOf(edge, style),
      ...present({ condition: exportCondition(edge.condition, index, draw), note: edge.note }),
      metadata: positionOf(index),
    }));
    return { ...workflow, nodes, edges };
  };
}

function endsOf({ from, to }: SpecEdge, { keyedBy }: ExportStyle): Written {
  return keyedBy === 'id' ? { source: from, target: to } : { from, to };
}

/** A node that does nothing leads to the start; the first node is not always where a call begins. */
function writeTasks(workflow: SpecWorkflow, draw: Draw): Written {
  const nodes = workflow.nodes.map((node, index) => taskNode(node, index, draw));
  const edges: Written[] = workflow.edges.map(({ from, to, condition, note }, index) =>
    present({ from, to, condition: taskCondition(condition, index, draw), note }),
  );
  const start = onlyStart(workflow);
  if (start === undefined) return { ...workflow, nodes, edges };
  const id = freeId(workflow);
  const way = { from: id, to: nth(workflow.nodes, start).id };
  return { ...workflow, nodes: [{ id, type: 'start' }, ...nodes], edges: [way, ...edges] };
}

function freeId({ nodes }: SpecWorkflow): string {
  let id = 'start';
  while (nodes.some((node) => node.id === id)) id += '!';
  return id;
}
