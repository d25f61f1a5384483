/**
 * Which reads a definition reaches, and which can be met before any.
 *
 * One backward search per read, which stops at definitions: it says whether a definition reaches
 * the read, and whether a walk from the start comes to it without one. Where a definition dominates
 * the read there is nothing to search for, which is how most reads are. A global node is entered
 * from everywhere, so a search that comes to one need not go on: any definition reaches it, and
 * unless the start itself defines the variable, the caller may come to it first.
 */
import { buildPredecessors, buildSuccessors } from '../graph/adjacency.js';
import { createDominance, type Dominates } from '../graph/dominators.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';
import { definingNodes, isEnteredUnset } from './liveness.js';

export interface ReadReach {
  /** Whether some definition reaches the read. */
  readonly reached: boolean;
  /** The shortest walk from the start to the read without a definition; null where there is none. */
  readonly unsetWalk: readonly NodeIndex[] | null;
}

/** A read of a variable on entry to a node, by its texts, or on leaving it, by a condition. */
export interface Read {
  readonly node: NodeIndex;
  readonly at: 'entry' | 'exit';
}

/** Looks at reads of the graph, one at a time. */
export function createReadTracer(graph: FlowGraph): (variable: Variable, read: Read) => ReadReach {
  const dominates = createCallDominance(graph);
  return (variable, read) => {
    const defining = definingNodes(variable);
    for (const node of defining) {
      const isBefore = node !== read.node || read.at === 'exit';
      if (isBefore && dominates(node, read.node)) return { reached: true, unsetWalk: null };
    }
    return searchBackwards(graph, variable, defining, read);
  };
}

/** Dominance over calls: every global node can be entered straight from the start. */
function createCallDominance(graph: FlowGraph): Dominates {
  const { successors, globals, start } = graph;
  const nodeCount = successors.offsets.length - 1;
  const sources: number[] = globals.map(() => start);
  const targets: number[] = [...globals];
  for (const from of graph.order) {
    for (let slot = successors.offsets[from]!; slot < successors.offsets[from + 1]!; slot += 1) {
      sources.push(from);
      targets.push(successors.targets[slot]!);
    }
  }
  const arcs = { sources, targets, edges: targets };
  const next = buildSuccessors(nodeCount, arcs);
  return createDominance(next, buildPredecessors(nodeCount, arcs), start);
}

function searchBackwards(
  graph: FlowGraph,
  variable: Variable,
  defining: ReadonlySet<NodeIndex>,
  read: Read,
): ReadReach {
  const { offsets, targets } = graph.predecessors;
  const next = new Map<NodeIndex, NodeIndex | null>([[read.node, null]]);
  const queue: NodeIndex[] = [read.node];
  let reached = false;
  let shortest: readonly NodeIndex[] | null = null;
  let lastWorth = Number.POSITIVE_INFINITY;
  const offer = (walk: readonly NodeIndex[]): void => {
    // What is in the queue by now is as near as this, and may still be the start itself.
    if (shortest === null) lastWorth = queue.length - 1;
    if (shortest === null || walk.length < shortest.length) shortest = walk;
  };

  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head]!;
    if (node === graph.start) offer(walkFrom(node, next));
    if (graph.workflow.nodes[node]!.global !== null) {
      if (!isEnteredUnset(graph, node, variable)) reached = true;
      else {
        reached ||= defining.size > 0;
        if (!defining.has(graph.start)) offer([graph.start, ...walkFrom(node, next)]);
      }
    }
    if (reached && head >= lastWorth) break;
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const before = targets[slot]! as NodeIndex;
      if (defining.has(before)) reached = true;
      else if (!next.has(before)) {
        next.set(before, node);
        queue.push(before);
      }
    }
  }
  return { reached, unsetWalk: shortest };
}

function walkFrom(node: NodeIndex, next: ReadonlyMap<NodeIndex, NodeIndex | null>): NodeIndex[] {
  const walk: NodeIndex[] = [];
  for (let at: NodeIndex | null = node; at !== null; at = next.get(at) ?? null) walk.push(at);
  return walk;
}
