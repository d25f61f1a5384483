/**
 * On which ways an assistant comes to its tools: what a guard of the tool has to leave open.
 *
 * In: a region. Out: for each of its request nodes and exits the conditions under which the
 * assistant calls the tool; null where nothing is said that the platform could refuse. All nodes
 * that end the call share one tool.
 *
 * Example: where one edge leads to a transfer when `tier == 'gold'` and another without a
 * condition, the ways are that condition and null, and the platform cannot refuse the transfer.
 */
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Condition, ToolCall } from '../ir/workflow.js';
import { endsCall } from './features.js';

/** One way to a tool, and where the source has it. */
export interface ToolWay {
  readonly condition: Condition | null;
  readonly at: JsonPointer;
}

export interface ToolWays {
  /** The ways to the tool of a request or transfer node. */
  readonly to: (node: NodeIndex) => readonly ToolWay[];
  /** The ways on which the assistant ends the call; none where it cannot. */
  readonly toEnd: readonly ToolWay[];
}

/** What is to be said of the ways where no condition of the workflow is guarded. */
export const waysWithoutGuards: ToolWays = { to: () => [], toEnd: [] };

export function listToolWays(graph: FlowGraph, map: RegionMap, region: Region): ToolWays {
  const { nodes, edges } = graph.workflow;
  const ways = new Map<NodeIndex, ToolWay[]>();
  for (const step of region.steps) {
    const { condition, at } = edges[step.edge]!;
    if (step.kind !== 'handoff') append(ways, step.to, { condition, at: condition?.at ?? at });
  }
  for (const node of graph.globals) {
    const { global, at } = nodes[node]!;
    const condition = global?.condition ?? null;
    append(ways, node, { condition, at: condition?.at ?? at });
  }
  // What comes from another assistant has begun already, under a condition that was met there.
  for (const node of region.entries) append(ways, node, { condition: null, at: nodes[node]!.at });
  for (const { node, at } of region.nodes.flatMap((it) => listCalls(graph, region, it))) {
    if (node !== null) append(ways, standsFor(map, node), { condition: null, at });
  }
  const ends = [...ways].filter(([node]) => endsCall(nodes[node]!));
  return { to: (node) => ways.get(node) ?? [], toEnd: ends.flatMap(([, all]) => all) };
}

/** Calls of a node; what the conditions of global nodes need comes with the first. */
export function listCalls(
  { workflow, globals }: FlowGraph,
  region: Region,
  index: NodeIndex,
): readonly ToolCall[] {
  const { calls } = workflow.nodes[index]!;
  if (index !== region.first || globals.length === 0) return calls;
  const conditions = globals.map((it) => workflow.nodes[it]!.global?.condition ?? null);
  return [...calls, ...conditions.flatMap((condition) => condition?.call ?? [])];
}

/** The equal node whose tool a node has. */
export function standsFor({ representative }: RegionMap, node: NodeIndex): NodeIndex {
  return representative[node]! as NodeIndex;
}

/** Whether the assistant can end the call by itself. */
export function canEndCall(graph: FlowGraph, { steps }: Region): boolean {
  return (
    steps.some(({ kind, to }) => kind === 'exit' && endsCall(graph.workflow.nodes[to]!)) ||
    graph.globals.some((node) => endsCall(graph.workflow.nodes[node]!))
  );
}
