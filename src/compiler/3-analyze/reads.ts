/**
 * What can happen between the definitions of a variable and its reads.
 *
 * In: the flow graph. Out, for each variable: where it is live, which of its reads a definition
 * reaches, and which reads a call can reach before any definition. Example: in start → (ask, skip)
 * → bye, where ask captures what bye reads, the walk start → skip → bye reaches the read too early.
 *
 * Where a definition dominates a read, the variable is set. Walks to all other reads first pass a
 * node that dominates every definition and every such read, without a definition before it. Floods
 * between this node and the reads decide the rest, so a variable costs no more than the part of the
 * graph between its definitions and its reads.
 */
import { computeDominators, type Dominators } from '../../graph/dominators.js';
import { computeComponents } from '../../graph/partitions.js';
import { findWalk, flood, reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type Liveness,
  type ReadReview,
  replacingNodes,
  type Variable,
  type VariableFlow,
} from '../ir/variables.js';

/** Nodes that set the variable by a capture or by a tool's response. */
function definingNodes({ captures, responses }: Variable): ReadonlySet<NodeIndex> {
  return new Set([...captures.map(({ node }) => node), ...responses]);
}

/** Returns true if the tool that decides about entering the global node sets the variable. */
function isSetOnEntering(graph: FlowGraph, global: NodeIndex, { name }: Variable): boolean {
  const condition = graph.workflow.nodes[global]!.global?.condition;
  return condition?.call?.variables.includes(name) === true;
}

/**
 * A call walks from a root to the start, and to any other global node at any time. So this graph
 * adds nodes to the flow graph: a hub that every node leads to, and behind the hub a step into each
 * global node, whose tool may set variables. Of the arcs into the hub only the root's is stored, as
 * the others add nothing, except where nothing but a global node could lead back to it.
 */
function analyzeCalls(graph: FlowGraph) {
  const { globals, start, workflow } = graph;
  const hub = graph.successors.length;
  const entryStep = (at: number) => hub + 1 + at;
  const root = entryStep(globals.length);
  const successors = [
    ...graph.successors,
    globals.map((_, at) => entryStep(at)),
    ...globals.map((node) => [node]),
    [start, hub],
  ];
  const predecessors = reverse(successors);
  const dominators = computeDominators(successors, root);
  const behindHub = flood<number>([hub], (node) => successors[node]!);
  const { of, members } = computeComponents(successors);
  /** On a cycle of several nodes. */
  const isOnCycle = (node: number) => members[of[node]!]!.length > 1;
  const isExit = (node: NodeIndex) => workflow.nodes[node]!.role === 'exit';
  /** Whether a call that enters the global node cannot leave it, except to an exit. */
  const isLast = (node: NodeIndex) =>
    graph.successors[node]!.every(isExit) && globals.every((it) => it === node || isExit(it));
  /** The nodes on entry to which the variable can be set, and those where it can be unset. */
  const trace = (variable: Variable, nodes: readonly NodeIndex[]) => {
    const captured = definingNodes(variable);
    const defining = new Set<number>(captured);
    for (const [at, global] of globals.entries()) {
      if (isSetOnEntering(graph, global, variable)) defining.add(entryStep(at));
    }
    // Any definition may precede the hub; unless the start has one, none may precede it as well.
    const isHubSet = defining.size > 0;
    if (captured.has(start)) defining.add(hub);

    const asked = nodes.filter((node) => dominators.immediate[node] !== -1);
    const behind = findDominated(dominators, defining, asked);
    const open = asked.filter((node) => !behind.has(node));
    if (open.length === 0) return { set: behind, unset: new Set<number>() };
    const isAbove = createAbove(dominators, [...open, ...defining]);
    const isOpen = (node: number) => !defining.has(node);
    const between = flood<number>(open, (node) => predecessors[node]!.filter(isOpen), isAbove);
    const reachFrom = (from: (node: number) => boolean) =>
      flood<number>(
        [...between].filter(from),
        (node) => successors[node]!.filter((next) => between.has(next)),
        (node) => defining.has(node),
      );
    const cycles = new Set([...defining].filter(isOnCycle).map((node) => of[node]!));
    const isSetAt = (node: number): boolean => {
      if (predecessors[node]!.some((before) => defining.has(before))) return true;
      if (isHubSet && node === hub) return true;
      // Walks return to the node from behind it on a cycle or through the hub.
      return isAbove(node) && (cycles.has(of[node]!) || (isHubSet && behindHub.has(node)));
    };
    const set = new Set([...behind, ...reachFrom(isSetAt)]);
    const [only] = captured.size > 1 ? [] : [...captured].filter(isLast);
    if (only !== undefined && !isSetOnEntering(graph, only, variable)) set.delete(only);
    return { set, unset: reachFrom(isAbove) };
  };
  return { dominators, trace };
}

/** The nodes that some other node among `given` dominates. */
function findDominated(
  { first, last }: Dominators,
  given: ReadonlySet<number>,
  nodes: readonly number[],
): Set<number> {
  const dominated = new Set<number>();
  const visited = [...new Set([...given, ...nodes])].filter((node) => first[node] !== -1);
  let end = -1;
  for (const node of visited.sort((one, other) => first[one]! - first[other]!)) {
    if (first[node]! <= end) dominated.add(node);
    else if (given.has(node)) end = last[node]!;
  }
  return dominated;
}

/** Returns a test of whether a node dominates all of the given ones. */
function createAbove({ first, last }: Dominators, given: readonly number[]) {
  const visited = given.map((node) => first[node]!).filter((at) => at !== -1);
  const low = visited.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const high = visited.reduce((one, other) => Math.max(one, other), -1);
  return (node: number): boolean => first[node]! <= low && high <= last[node]!;
}

/**
 * Where a variable is live: some walk from there reads it before its value is replaced. A flood
 * backwards from the reads stops there and at nodes before `place` in topological order. Every node
 * except an exit can step to every other global node, so a variable that is live on entry to one of
 * these is live on leaving all the others.
 */
export function createLiveness(graph: FlowGraph): Omit<VariableFlow, 'variables'> {
  const { of } = computeComponents(graph.successors);
  const afterGlobals = flood(graph.globals, (node) => graph.successors[node]!);
  const liveFrom = (variable: Variable, place: number): Liveness => {
    const { readEverywhere, globalReads } = variable;
    const replacing = replacingNodes(variable);
    const onLeaving = variable.conditionReads.filter((node) => !replacing.has(node));
    const reads = [...variable.reads, ...onLeaving];
    const search = (from: readonly NodeIndex[], isInside: (node: NodeIndex) => boolean) =>
      flood(from, (node) =>
        graph.predecessors[node]!.filter((it) => isInside(it) && !replacing.has(it)),
      );
    const live = search(reads, (node) => of[node]! >= place);
    const isAfter = (node: NodeIndex) => afterGlobals.has(node);
    const beyond = search(reads.filter(isAfter), isAfter);
    const isGiven = (node: NodeIndex) => isSetOnEntering(graph, node, variable);
    const isEntered = (node: NodeIndex) =>
      globalReads.includes(node) || (beyond.has(node) && !isGiven(node));
    const isReadBeyond = graph.globals.some(isEntered);
    if (!readEverywhere && !isReadBeyond) return { at: (node) => live.has(node), only: live };
    const goesOn = (node: NodeIndex) => graph.workflow.nodes[node]!.role !== 'exit';
    const isOpen = (node: NodeIndex) => goesOn(node) && !replacing.has(node);
    // If one global node leads to a read, all others do through it.
    const entered = graph.globals.filter((it) => isEntered(it) || (isOpen(it) && !isGiven(it)));
    const isJump = (node: NodeIndex) =>
      isReadBeyond && isOpen(node) && entered.some((global) => global !== node);
    const isNext = (node: NodeIndex) =>
      live.has(node) || isJump(node) || (readEverywhere && goesOn(node));
    const at = (node: NodeIndex) =>
      isNext(node) || (isOpen(node) && graph.successors[node]!.some(isNext));
    return { at, only: null };
  };
  return { placeOf: (node) => of[node]!, liveFrom };
}

/**
 * The variables whose reads need attention: a question for reads that no definition reaches, a
 * warning for reads that a walk can reach before the variable is set. `supplied` are the variables
 * that are set from the start.
 */
export function reviewReads(
  graph: FlowGraph,
  { variables }: Pick<VariableFlow, 'variables'>,
  supplied: ReadonlySet<string>,
): ReadReview[] {
  const calls = analyzeCalls(graph);
  const findUnsetWalk = createUnsetWalks(graph, calls.dominators);
  return [...variables.values()].flatMap((variable) => {
    // A tool may set it at any time, so nothing can be said about its reads.
    if (variable.offers.length > 0 || supplied.has(variable.name)) return [];
    const isSetSomewhere = isSet(variable);
    if (!isSetSomewhere && builtInVariables.has(variable.name)) return [];
    const capturing = new Set(variable.captures.map(({ node }) => node));
    const responding = new Set(variable.responses);
    const onLeaving = (nodes: readonly NodeIndex[]) => nodes.filter((it) => !responding.has(it));
    // A node's texts may name what the node itself captures: "ask for {{name}}".
    const isOpen = (node: NodeIndex) => !capturing.has(node);
    const texts = [...variable.reads, ...onLeaving(variable.aliasReads)].filter(isOpen);
    const conditions = onLeaving(variable.conditionReads).filter(isOpen);
    const readers = [...texts, ...conditions];
    const { set, unset } = calls.trace(variable, readers);
    if (isSetSomewhere && readers.every((it) => set.has(it) && !unset.has(it))) return [];
    const isUnreached = (node: NodeIndex) => !set.has(node);
    const nodes = readers.filter((it) => set.has(it) && unset.has(it));
    const review: ReadReview = {
      variable,
      unreached: {
        texts: new Set(texts.filter(isUnreached)),
        conditions: new Set(conditions.filter(isUnreached)),
        // A read at a global node is only in question if nothing sets the variable anywhere.
        globals: new Set(isSetSomewhere ? [] : variable.globalReads),
        globalPrompt: variable.readEverywhere && !isSetSomewhere,
      },
      maybeUnset: nodes,
      unsetWalk: nodes.length === 0 ? [] : findUnsetWalk(variable, nodes),
    };
    return hasUnreached(review) || nodes.length > 0 ? [review] : [];
  });
}

/** Of a long walk only so many nodes are printed at each end. */
const shown = 8;

/**
 * Finds a shortest walk that reaches one of the reads before any definition; of a long walk, whose
 * middle is not printed, the first and the last nodes.
 */
function createUnsetWalks(graph: FlowGraph, dominators: Dominators) {
  const { start, globals, successors, predecessors, workflow } = graph;
  /** Per node a shortest walk from the start: its first nodes, and the node before the last. */
  const shortest = new Map<NodeIndex, { opening: NodeIndex[]; before: NodeIndex | null }>();
  shortest.set(start, { opening: [start], before: null });
  for (const [node, { opening }] of shortest) {
    for (const next of node === start ? [...successors[node]!, ...globals] : successors[node]!) {
      if (shortest.has(next)) continue;
      const longer = opening.length < shown ? [...opening, next] : opening;
      shortest.set(next, { opening: longer, before: node });
    }
  }
  return (variable: Variable, reads: readonly NodeIndex[]): readonly NodeIndex[] => {
    const defining = definingNodes(variable);
    // Every walk first passes a node that dominates all of these, without a definition before it.
    const isAbove = createAbove(dominators, [...reads, ...defining]);
    const before = (node: NodeIndex) => {
      const isGlobal = workflow.nodes[node]!.global !== null;
      const isOpen = isGlobal && !isSetOnEntering(graph, node, variable);
      const all = isOpen ? [...predecessors[node]!, start] : predecessors[node]!;
      return all.filter((it) => !defining.has(it));
    };
    const isGoal = (node: NodeIndex) => node === start || isAbove(node);
    const [above, ...below] = findWalk(reads, before, isGoal)!.reverse();
    const ending: NodeIndex[] = [];
    let at: NodeIndex | null = above!;
    for (; at !== null && ending.length < shown; at = shortest.get(at)!.before) ending.unshift(at);
    return [...(at === null ? [] : shortest.get(at)!.opening), ...ending, ...below];
  };
}
