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

/** For each node 1 where the variable is live on entry to it, else 0; good until the next call. */
export type LiveIn = (variable: Variable) => Uint8Array;

/** The variable's range, for one variable only. */
export function computeLiveIn(graph: FlowGraph, variable: Variable): Uint8Array {
  return createLiveIn(graph)(variable);
}

/** One variable's range after the other's, in the same memory: there may be as many as nodes. */
export function createLiveIn(graph: FlowGraph): LiveIn {
  const { kinds, order, predecessors } = graph;
  const { offsets, targets } = predecessors;
  const live = new Uint8Array(kinds.length);
  const defining = new Uint8Array(kinds.length);
  /** The nodes that are live, in the order in which they were found. */
  const found: NodeIndex[] = [];
  let everywhere = false;

  return (variable) => {
    for (let at = 0; at < found.length; at += 1) live[found[at]!] = 0;
    found.length = 0;
    everywhere = false;
    markDefining(variable, 1);
    enterReads(variable);
    search(variable);
    markDefining(variable, 0);
    return live;
  };

  function markDefining({ captures, responses }: Variable, mark: 0 | 1): void {
    for (let at = 0; at < captures.length; at += 1) defining[captures[at]!.node] = mark;
    for (let at = 0; at < responses.length; at += 1) defining[responses[at]!] = mark;
  }

  function enterReads({ readEverywhere, reads, conditionReads, globalReads }: Variable): void {
    if (readEverywhere) for (const node of order) if (canGoOn(node)) enter(node);
    for (let at = 0; at < reads.length; at += 1) enter(reads[at]!);
    for (let at = 0; at < conditionReads.length; at += 1) leave(conditionReads[at]!);
    if (globalReads.length > 0) leaveAll();
  }

  function search(variable: Variable): void {
    const hasGlobals = graph.globals.length > 0;
    for (let at = 0; at < found.length; at += 1) {
      const node = found[at]!;
      if (hasGlobals && isEnteredUnset(graph, node, variable)) leaveAll();
      const end = offsets[node + 1]!;
      for (let slot = offsets[node]!; slot < end; slot += 1) leave(targets[slot]! as NodeIndex);
    }
  }

  function canGoOn(node: NodeIndex): boolean {
    return (kinds[node]! & Kind.exit) === 0;
  }

  function enter(node: NodeIndex): void {
    if (live[node] === 1) return;
    live[node] = 1;
    found.push(node);
  }

  function leave(node: NodeIndex): void {
    if (live[node] === 0 && defining[node] === 0) enter(node);
  }

  function leaveAll(): void {
    if (everywhere) return;
    everywhere = true;
    for (const node of order) if (canGoOn(node)) leave(node);
  }
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
