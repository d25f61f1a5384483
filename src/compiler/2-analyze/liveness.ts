/**
 * Where a variable is live: some walk from there reads it before it is set again.
 *
 * A backward search from the reads that stops at definitions, so that it costs no more than the
 * range in which the variable is live. Every node that a call can go on from can step to every
 * global node: what is live on entry to one is live on leaving all the others.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';

export function computeLiveIn(graph: FlowGraph, variable: Variable): Uint8Array {
  const live = new Uint8Array(graph.workflow.nodes.length);
  const defining = definingNodes(variable);
  const pending: NodeIndex[] = [];
  const hasGlobals = graph.globals.length > 0;
  let everywhere = false;
  const canGoOn = (node: NodeIndex) => graph.workflow.nodes[node]!.role !== 'exit';

  const enter = (node: NodeIndex): void => {
    if (live[node] === 1) return;
    live[node] = 1;
    pending.push(node);
  };
  const leave = (node: NodeIndex): void => {
    if (!defining.has(node)) enter(node);
  };
  const leaveAll = (): void => {
    if (everywhere) return;
    everywhere = true;
    for (const node of graph.order) if (canGoOn(node)) leave(node);
  };

  if (variable.readEverywhere) for (const node of graph.order.filter(canGoOn)) enter(node);
  for (const node of variable.reads) enter(node);
  for (const node of variable.conditionReads) leave(node);
  if (variable.globalReads.length > 0) leaveAll();
  const { offsets, targets } = graph.predecessors;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (hasGlobals && isEnteredUnset(graph, node, variable)) leaveAll();
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      leave(targets[slot]! as NodeIndex);
    }
  }
  return live;
}

/** Whether a step to a global node leaves the variable as it was: no tool sets it on the way. */
export function isEnteredUnset(graph: FlowGraph, node: NodeIndex, variable: Variable): boolean {
  const { global } = graph.workflow.nodes[node]!;
  return global !== null && global.condition?.call?.variables.includes(variable.name) !== true;
}

/** Nodes that set the variable, by a capture or by a tool's response. */
export function definingNodes(variable: Variable): ReadonlySet<NodeIndex> {
  return new Set([...variable.captures.map((site) => site.node), ...variable.responses]);
}
