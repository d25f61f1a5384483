/**
 * Which reads a definition reaches, and which can be met before any.
 *
 * A backward search per read, which stops at definitions, says whether a definition reaches the
 * read and whether a walk from the start comes to it without one. Most reads need no more than the
 * dominators: where a definition dominates the read it is always set, and where the only definition
 * does not, some walk goes around it. The walk itself is looked for when somebody wants to see it.
 *
 * A global node is entered from everywhere: any definition reaches it, and unless the start itself
 * defines the variable, the caller may come to it first.
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
  /** Whether a walk from the start comes to the read without a definition. */
  readonly unset: boolean;
  /** The shortest such walk; null where there is none. */
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
      if (isBefore && dominates(node, read.node)) return alwaysSet;
    }
    const isGiven = graph.globals.some((node) => !isEnteredUnset(graph, node, variable));
    const known = defining.size === 1 && !isGiven ? true : null;
    const { reached, unset } = searchBackwards(graph, variable, defining, read, known);
    return {
      reached,
      unset,
      get unsetWalk() {
        return unset ? findShortestWalk(graph, variable, defining, read) : null;
      },
    };
  };
}

const alwaysSet: ReadReach = { reached: true, unset: false, unsetWalk: null };

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

/** Searches until both answers are there; `known` is whether the variable can be unset, if known. */
function searchBackwards(
  graph: FlowGraph,
  variable: Variable,
  defining: ReadonlySet<NodeIndex>,
  read: Read,
  known: boolean | null,
): { reached: boolean; unset: boolean } {
  let reached = false;
  let unset = known === true;
  // A tool that a call needs on its way into one global node sets the variable for the others too.
  const isSetSomewhere =
    defining.size > 0 || graph.globals.some((node) => !isEnteredUnset(graph, node, variable));
  visitBackwards(graph, defining, read, {
    visit: (node) => {
      if (node === graph.start) unset = true;
      if (graph.workflow.nodes[node]!.global === null) return reached && unset;
      if (!isEnteredUnset(graph, node, variable)) reached = true;
      else {
        reached ||= isSetSomewhere;
        unset ||= !defining.has(graph.start);
      }
      return reached && unset;
    },
    meet: () => {
      reached = true;
      return unset;
    },
  });
  return { reached, unset };
}

/** The shortest walk from the start to the read that meets no definition. */
function findShortestWalk(
  graph: FlowGraph,
  variable: Variable,
  defining: ReadonlySet<NodeIndex>,
  read: Read,
): readonly NodeIndex[] | null {
  let viaGlobal: readonly NodeIndex[] | null = null;
  let fromStart: readonly NodeIndex[] | null = null;
  visitBackwards(graph, defining, read, {
    visit: (node, walk) => {
      if (node === graph.start) fromStart = walk();
      // Through a global node the walk is one step longer than one that begins here.
      const isOpen =
        graph.workflow.nodes[node]!.global !== null && isEnteredUnset(graph, node, variable);
      if (isOpen && !defining.has(graph.start)) viaGlobal ??= [graph.start, ...walk()];
      return fromStart !== null || (viaGlobal !== null && walk().length >= viaGlobal.length);
    },
    meet: () => false,
  });
  return fromStart ?? viaGlobal;
}

interface BackwardVisitor {
  /** A node that does not define the variable; true ends the search. */
  readonly visit: (node: NodeIndex, walk: () => readonly NodeIndex[]) => boolean;
  /** A definition that leads to what was visited; true ends the search. */
  readonly meet: () => boolean;
}

/** Visits, nearest first, the nodes from which the read can be reached without a definition. */
function visitBackwards(
  graph: FlowGraph,
  defining: ReadonlySet<NodeIndex>,
  read: Read,
  { visit, meet }: BackwardVisitor,
): void {
  const { offsets, targets } = graph.predecessors;
  const next = new Int32Array(offsets.length - 1).fill(unvisited);
  next[read.node] = isRead;
  const queue: NodeIndex[] = [read.node];
  for (let head = 0; head < queue.length; head += 1) {
    const node = queue[head]!;
    if (visit(node, () => walkFrom(node, next))) return;
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const before = targets[slot]! as NodeIndex;
      if (defining.has(before)) {
        if (meet()) return;
      } else if (next[before] === unvisited) {
        next[before] = node;
        queue.push(before);
      }
    }
  }
}

const unvisited = -2;
const isRead = -1;

function walkFrom(node: NodeIndex, next: Int32Array): NodeIndex[] {
  const walk: NodeIndex[] = [];
  for (let at: number = node; at !== isRead; at = next[at]!) walk.push(at as NodeIndex);
  return walk;
}
