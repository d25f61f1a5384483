/**
 * Where a variable is live: some walk from there reads it before it is set again.
 *
 * A backward search from the reads that stops at definitions, so that it costs no more than the
 * range in which the variable is live. Every node that a call can go on from can step to every
 * global node: what is live on entry to one is live on leaving all the others.
 */
import { type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';

/** The range that was asked for last; one variable's after the other's, in the same memory. */
export interface LiveRange {
  /** For each node, 1 where the variable is live on entry to it. */
  readonly live: Uint8Array;
  /** The nodes that are marked so, in the order in which they were found. */
  readonly found: NodeIndex[];
}

export function createLiveRange(nodeCount: number): LiveRange {
  return { live: new Uint8Array(nodeCount), found: [] };
}

/** The variable's range: for each node 1 or 0, until `range` is used for another variable. */
export function computeLiveIn(
  graph: FlowGraph,
  variable: Variable,
  range: LiveRange = createLiveRange(graph.workflow.nodes.length),
): Uint8Array {
  const { live, found } = range;
  for (const node of found) live[node] = 0;
  found.length = 0;
  const defining = definingNodes(variable);
  let everywhere = false;
  const canGoOn = (node: NodeIndex) => (graph.kinds[node]! & Kind.exit) === 0;

  const enter = (node: NodeIndex): void => {
    if (live[node] === 1) return;
    live[node] = 1;
    found.push(node);
  };
  const leave = (node: NodeIndex): void => {
    if (live[node] === 0 && !defining.has(node)) enter(node);
  };
  const leaveAll = (): void => {
    if (everywhere) return;
    everywhere = true;
    for (const node of graph.order) if (canGoOn(node)) leave(node);
  };

  if (variable.readEverywhere) for (const node of graph.order) if (canGoOn(node)) enter(node);
  for (const node of variable.reads) enter(node);
  for (const node of variable.conditionReads) leave(node);
  if (variable.globalReads.length > 0) leaveAll();
  const hasGlobals = graph.globals.length > 0;
  const { offsets, targets } = graph.predecessors;
  for (let at = 0; at < found.length; at += 1) {
    const node = found[at]!;
    if (hasGlobals && isEnteredUnset(graph, node, variable)) leaveAll();
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) leave(targets[slot]! as NodeIndex);
  }
  return live;
}

/** Whether a step to a global node leaves the variable as it was: no tool sets it on the way. */
export function isEnteredUnset(graph: FlowGraph, node: NodeIndex, variable: Variable): boolean {
  if ((graph.kinds[node]! & Kind.global) === 0) return false;
  const { global } = graph.workflow.nodes[node]!;
  return global?.condition?.call?.variables.includes(variable.name) !== true;
}

/** Nodes that set the variable, by a capture or by a tool's response. */
export function definingNodes({ captures, responses }: Variable): ReadonlySet<NodeIndex> {
  const defining = new Set<NodeIndex>();
  for (const { node } of captures) defining.add(node);
  for (const node of responses) defining.add(node);
  return defining;
}
