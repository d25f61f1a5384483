/**
 * Which reads a definition reaches, and which can be met before any.
 *
 * One backward search per read, which stops at definitions: it says whether a definition reaches
 * the read, and whether a walk from the start comes to it without one. A global node is entered
 * from everywhere, so a search that comes to one need not go on: any definition reaches it, and
 * unless the start itself defines the variable, the caller may come to it first.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';
import { definingNodes } from './liveness.js';

export interface ReadReach {
  /** Whether some definition reaches the read. */
  readonly reached: boolean;
  /** The shortest walk from the start to the read without a definition; null where there is none. */
  readonly unsetWalk: readonly NodeIndex[] | null;
}

/** Looks at the read of a variable on entry to a node (`entry`) or on leaving it (`exit`). */
export function traceRead(
  graph: FlowGraph,
  variable: Variable,
  read: { readonly node: NodeIndex; readonly at: 'entry' | 'exit' },
): ReadReach {
  const defining = definingNodes(variable);
  if (read.at === 'exit' && defining.has(read.node)) return { reached: true, unsetWalk: null };
  const next = new Map<NodeIndex, NodeIndex | null>([[read.node, null]]);
  const queue: NodeIndex[] = [read.node];
  let reached = false;
  let unsetWalk: NodeIndex[] | null = null;

  for (let head = 0; head < queue.length && !(reached && unsetWalk !== null); head += 1) {
    const node = queue[head]!;
    if (node === graph.start) unsetWalk ??= walkFrom(node, next);
    if (graph.workflow.nodes[node]!.global !== null) {
      reached ||= defining.size > 0;
      if (!defining.has(graph.start)) unsetWalk ??= [graph.start, ...walkFrom(node, next)];
    }
    for (const before of predecessorsOf(graph, node)) {
      if (defining.has(before)) reached = true;
      else if (!next.has(before)) {
        next.set(before, node);
        queue.push(before);
      }
    }
  }
  return { reached, unsetWalk };
}

function walkFrom(node: NodeIndex, next: ReadonlyMap<NodeIndex, NodeIndex | null>): NodeIndex[] {
  const walk: NodeIndex[] = [];
  for (let at: NodeIndex | null = node; at !== null; at = next.get(at) ?? null) walk.push(at);
  return walk;
}

function predecessorsOf(graph: FlowGraph, node: NodeIndex): NodeIndex[] {
  const { offsets, targets } = graph.predecessors;
  return Array.from(targets.subarray(offsets[node]!, offsets[node + 1]!)) as NodeIndex[];
}
