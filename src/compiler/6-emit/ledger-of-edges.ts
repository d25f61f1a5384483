/** Ledger entries of edges and of their conditions. */

import { append } from '../../graph/lists.js';
import type { LeftOutEdge } from '../ir/flow-graph.js';
import type { EdgeIndex, JsonPointer, NodeIndex } from '../ir/ids.js';
import type { LedgerEntry } from '../ir/result.js';
import { conditionKey, type WorkflowEdge } from '../ir/workflow.js';
import type { Fate, LedgerInput } from './ledger.js';

export function entriesOfEdges(
  input: LedgerInput,
  where: (at: JsonPointer) => JsonPointer[],
): LedgerEntry[] {
  const { graph } = input;
  const placed = placeSteps(input);
  const leftOut = new Map(graph.leftOut.map((it) => [it.edge, it]));
  const byPlace = new Map(graph.workflow.edges.map((edge) => [edge.at, edge]));
  return graph.workflow.edges.flatMap((edge): LedgerEntry[] => {
    const fate = fateOf(leftOut.get(edge.index), edge);
    return [{ at: edge.at, kind: 'edge', ...fate }, ...entryOfCondition(edge, fate, where)];
  });

  function fateOf(left: LeftOutEdge | undefined, edge: WorkflowEdge): Fate {
    if (left === undefined) return fateOfStep(input, placed, edge);
    if (left.reason !== 'copy') {
      return { status: 'dropped', reason: reasons[left.reason], outputs: [] };
    }
    // Nobody was asked about the condition of a copy; it shares the fate of the edge it repeats.
    const { outputs } = fateOfStep(input, placed, byPlace.get(left.of ?? '') ?? edge);
    return { status: 'folded', reason: `same step as ${left.of}`, outputs };
  }
}

const reasons = { unreachable: 'unreachable', 'leaves-exit': 'leaves an exit' } as const;

/** Where each step of a region stands, by what it does: its ends and its condition. */
function placeSteps({ graph, map, assembled }: LedgerInput) {
  const outputs = new Map<string, JsonPointer[]>();
  const edges = new Map<string, EdgeIndex>();
  for (const region of map.regions) {
    const member = assembled.memberAt(region.index);
    for (const step of region.steps) {
      const key = keyOf(step.from, step.to, graph.workflow.edges[step.edge]!);
      const tools = assembled.notes().placements.edges.get(step.edge) ?? [];
      const own = tools.filter((at) => at.startsWith(`${member}/`));
      const { assistant } = graph.workflow.nodes[step.from]!;
      // Where no tool of its own says it, a saved assistant is the only place there is.
      const prompt = assistant?.savedAs ? member : `${member}/assistant/model/messages/0/content`;
      const places = own.length > 0 ? own : [prompt];
      for (const at of places) append(outputs, key, at);
      edges.set(key, step.edge);
    }
  }
  return { outputs, edges };
}

/** An edge that another one stands for, of an equal node or to one, is folded into that one. */
function fateOfStep(
  { graph, map }: LedgerInput,
  { outputs, edges }: ReturnType<typeof placeSteps>,
  edge: WorkflowEdge,
): Fate {
  const from = map.representative[edge.from]! as NodeIndex;
  const to = map.representative[edge.to]! as NodeIndex;
  const key = keyOf(from, to, edge);
  const places = outputs.get(key) ?? [];
  const standsFor = edges.get(key);
  if (standsFor === undefined || standsFor === edge.index) {
    return { status: 'converted', outputs: places };
  }
  const { at } = graph.workflow.edges[standsFor]!;
  return { status: 'folded', reason: `same step as ${at}`, outputs: places };
}

function entryOfCondition(
  { condition }: WorkflowEdge,
  fate: Fate,
  where: (at: JsonPointer) => JsonPointer[],
): LedgerEntry[] {
  if (condition === null) return [];
  const own = where(condition.at);
  const outputs = own.length > 0 && fate.status === 'converted' ? own : fate.outputs;
  return [{ at: condition.at, kind: 'condition', ...fate, outputs }];
}

function keyOf(from: NodeIndex, to: NodeIndex, edge: WorkflowEdge): string {
  return `${from} ${to} ${conditionKey(edge.condition)}`;
}
