/**
 * Which reads a definition reaches, and which a call can come to before any.
 *
 * In: the flow graph. Out: an answer for the reads of one variable after the other. Where a
 * definition dominates a read the variable is set. Walks to all other reads come first to a node
 * that dominates every definition and every such read, and are free of definitions until then; so
 * floods between this node and the reads say the rest, and no variable costs more than the part of
 * the graph that lies between its definitions and its reads.
 */
import { computeDominators, type Dominators } from '../../graph/dominators.js';
import { computeComponents } from '../../graph/partitions.js';
import { type Adjacency, findWalk, flood, reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variables.js';

/**
 * The flow graph as calls walk it: from a root to the start, and to any global node at any time. So
 * there are more nodes: a hub that all nodes lead to, and behind it for each global node the step
 * into it, as the tool that decides about it can set variables. Of the arcs into the hub only the
 * root's is in the graph: what can have come before it is known without looking.
 */
export interface Calls {
  readonly graph: FlowGraph;
  /** The start; none where only what follows a step into a global node is of interest. */
  readonly starts: readonly NodeIndex[];
  readonly hub: number;
  /** What a walk from the hub can come to. */
  readonly behindHub: ReadonlySet<number>;
  readonly successors: Adjacency;
  readonly predecessors: Adjacency;
  readonly dominators: Dominators;
  /** For each node the cycle of nodes that it is on with others; null where it is on none. */
  readonly cycleOf: readonly (number | null)[];
}

export function traceCalls(graph: FlowGraph, starts: readonly NodeIndex[]): Calls {
  const hub = graph.successors.length;
  const steps = graph.globals.map((_, at) => hub + 1 + at);
  const root = hub + 1 + steps.length;
  const entered = graph.globals.map((node) => [node]);
  const successors = [...graph.successors, steps, ...entered, [...starts, hub]];
  const { of, members } = computeComponents(successors);
  return {
    graph,
    starts,
    hub,
    behindHub: flood([hub], (node) => successors[node]!),
    successors,
    predecessors: reverse(successors),
    dominators: computeDominators(successors, root),
    cycleOf: of.map((component) => (members[component]!.length > 1 ? component : null)),
  };
}

/** Nodes that set the variable, by a capture or by a tool's response. */
export function definingNodes({ captures, responses }: Variable): ReadonlySet<NodeIndex> {
  return new Set([...captures.map(({ node }) => node), ...responses]);
}

/** Whether a tool that decides if a global node is entered sets the variable. */
function isSetOnTheWayTo(graph: FlowGraph, global: NodeIndex, { name }: Variable): boolean {
  const condition = graph.workflow.nodes[global]!.global?.condition;
  return condition?.call?.variables.includes(name) === true;
}

/** Of the nodes that are asked for, those on entry to which the variable can be set, or unset. */
export interface Reaching {
  readonly set: ReadonlySet<number>;
  readonly unset: ReadonlySet<number>;
}

export function traceReads(calls: Calls, variable: Variable, reads: Iterable<NodeIndex>): Reaching {
  const { graph, starts, hub, behindHub, successors, predecessors, dominators, cycleOf } = calls;
  const captured = definingNodes(variable);
  const defining = new Set<number>(captured);
  for (const [at, global] of graph.globals.entries()) {
    if (isSetOnTheWayTo(graph, global, variable)) defining.add(hub + 1 + at);
  }
  // Any definition may have come before the hub, and unless the start has one also none.
  const isHubSet = defining.size > 0;
  if (starts.some((node) => captured.has(node))) defining.add(hub);

  const isBehindOne = createCover(dominators, defining);
  const asked = [...reads].filter((node) => dominators.immediate[node] !== -1);
  const open = asked.filter((node) => !isBehindOne(node));
  const isAbove = createAbove(dominators, [...open, ...defining]);
  const isOpen = (node: number) => !defining.has(node);
  const between = flood<number>(open, (node) => predecessors[node]!.filter(isOpen), isAbove);
  const walkOn = (from: Iterable<number>) =>
    flood(
      from,
      (node) => successors[node]!.filter((next) => between.has(next)),
      (node) => defining.has(node),
    );
  const cycles = new Set([...defining].map((node) => cycleOf[node]));
  const isSetAt = (node: number): boolean => {
    if (predecessors[node]!.some((before) => defining.has(before))) return true;
    if (isHubSet && node === hub) return true;
    // What lies behind the node comes back to it on a cycle, or through the hub.
    const isOnCycle = cycleOf[node] !== null && cycles.has(cycleOf[node]!);
    return isAbove(node) && (isOnCycle || (isHubSet && behindHub.has(node)));
  };
  return {
    set: new Set([...asked.filter(isBehindOne), ...walkOn([...between].filter(isSetAt))]),
    unset: walkOn([...between].filter(isAbove)),
  };
}

/** More nodes of a walk are not printed, neither of its beginning nor of its end. */
const printed = 8;

/** A shortest walk from the start to a node. */
interface ShortestWalk {
  /** Its first nodes, as many as anybody prints. */
  readonly opening: readonly NodeIndex[];
  /** The node before the last; null at the start. */
  readonly before: NodeIndex | null;
}

export type ShortestWalks = ReadonlyMap<NodeIndex, ShortestWalk>;

export function findShortestWalks({ start, globals, successors }: FlowGraph): ShortestWalks {
  const shortest = new Map<NodeIndex, ShortestWalk>([[start, { opening: [start], before: null }]]);
  for (const [node, { opening }] of shortest) {
    for (const next of node === start ? [...successors[node]!, ...globals] : successors[node]!) {
      if (shortest.has(next)) continue;
      const longer = opening.length < printed ? [...opening, next] : opening;
      shortest.set(next, { opening: longer, before: node });
    }
  }
  return shortest;
}

/**
 * A shortest walk on which one of the reads is come to before any definition; of a long one, whose
 * middle nobody prints, the first and the last nodes.
 */
export function findUnsetWalk(
  { graph, dominators }: Calls,
  shortest: ShortestWalks,
  variable: Variable,
  reads: readonly NodeIndex[],
): readonly NodeIndex[] {
  const { start, predecessors, workflow } = graph;
  const defining = definingNodes(variable);
  // Every walk comes first to a node above all, and is free of definitions until then.
  const isAbove = createAbove(dominators, [...reads, ...defining]);
  const before = (node: NodeIndex) => {
    const isOpen = workflow.nodes[node]!.global !== null && !isSetOnTheWayTo(graph, node, variable);
    const all = isOpen ? [...predecessors[node]!, start] : predecessors[node]!;
    return all.filter((it) => !defining.has(it));
  };
  const isGoal = (node: NodeIndex) => node === start || isAbove(node);
  const [above, ...below] = findWalk(reads, before, isGoal)!.reverse();
  const lead: NodeIndex[] = [];
  let at: NodeIndex | null = above!;
  for (; at !== null && lead.length < printed; at = shortest.get(at)!.before) lead.unshift(at);
  return [...(at === null ? [] : shortest.get(at)!.opening), ...lead, ...below];
}

/** Whether another of the given nodes dominates a node. */
function createCover(
  { first, last }: Dominators,
  given: Iterable<number>,
): (node: number) => boolean {
  // Those that no other one dominates, in the order of the visit: apart, so that one can be found.
  const outer: number[] = [];
  const reached = [...given].filter((node) => first[node] !== -1);
  for (const node of reached.sort((one, other) => first[one]! - first[other]!)) {
    if (outer.length === 0 || last[outer.at(-1)!]! < first[node]!) outer.push(node);
  }
  return (node) => {
    let [low, high] = [0, outer.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (first[outer[middle]!]! < first[node]!) low = middle + 1;
      else high = middle;
    }
    return low > 0 && first[node]! <= last[outer[low - 1]!]!;
  };
}

/** Whether a node dominates all of the given ones. */
function createAbove(
  { first, last }: Dominators,
  given: readonly number[],
): (node: number) => boolean {
  let low = Number.POSITIVE_INFINITY;
  let high = -1;
  for (const node of given) {
    if (first[node] === -1) continue;
    low = Math.min(low, first[node]!);
    high = Math.max(high, first[node]!);
  }
  return (node) => first[node]! <= low && high <= last[node]!;
}
