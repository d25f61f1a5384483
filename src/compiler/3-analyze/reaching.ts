/**
 * Which reads a definition reaches, and which can be met before any.
 *
 * Most reads stand shortly behind a definition, on the one way that leads there. Most others need
 * no more than the dominators: where a definition dominates the read it is always
 * set, and where the only definition does not, some walk goes around it. Else a backward search
 * from the read, which stops at definitions, says whether one of them reaches it and whether a walk
 * from the start comes to it without one. A variable that is read so often that its searches cost
 * more than a pass over the graph gets that pass instead. The walk itself is looked for when
 * somebody wants to see it.
 *
 * A global node is entered from everywhere: any definition reaches it, and unless the start itself
 * defines the variable, the caller may come to it first.
 */
import { buildPredecessors, buildSuccessors } from '../../graph/adjacency.js';
import { computeComponents } from '../../graph/components.js';
import { createDominance, type Dominates } from '../../graph/dominators.js';
import { type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';
import { type BackwardSearch, createBackwardSearch, type Read } from './backward-search.js';
import { type Spread, spreadForward } from './forward-spread.js';
import { definingNodes, isEnteredUnset } from './liveness.js';

export interface ReadReach {
  /** Whether some definition reaches the read. */
  readonly reached: boolean;
  /** Whether a walk from the start comes to the read without a definition. */
  readonly unset: boolean;
  /** The shortest such walk; null where there is none. */
  readonly unsetWalk: () => readonly NodeIndex[] | null;
}

const alwaysSet: ReadReach = { reached: true, unset: false, unsetWalk: () => null };

/** What the variables of a graph share; each is made when the first read needs it. */
interface Scene {
  readonly graph: FlowGraph;
  readonly dominates: Dominates;
  readonly search: BackwardSearch;
  /** Whether no walk leads from the one node to the other, where that is seen at a glance. */
  readonly isBehind: (node: NodeIndex, other: NodeIndex) => boolean;
}

/**
 * Looks at reads of the graph, best one variable after the other. `patience` is what searches for
 * one variable may cost, in nodes.
 */
export function createReadTracer(
  graph: FlowGraph,
  patience: number = graph.order.length + graph.workflow.edges.length,
): (variable: Variable, read: Read) => ReadReach {
  let scene: Scene | null = null;
  let last: { readonly variable: Variable; readonly trace: (read: Read) => ReadReach } | null =
    null;
  return (variable, read) => {
    if (isSetShortlyBefore(graph, variable, read)) return alwaysSet;
    if (last?.variable !== variable) {
      scene ??= createScene(graph);
      last = { variable, trace: createVariableTracer(scene, variable, patience) };
    }
    return last.trace(read);
  };
}

/** How far a glance goes back, and how many definitions it takes in. */
const glance = { nodes: 8, definitions: 4 };

/**
 * Whether the one way to the read, as far back as a glance goes, comes through a definition: seen
 * without dominators, which cost a look at the whole graph, and without any memory.
 */
function isSetShortlyBefore(graph: FlowGraph, variable: Variable, { node, at }: Read): boolean {
  const { captures, responses } = variable;
  if (captures.length + responses.length > glance.definitions) return false;
  if (at === 'exit' && defines(variable, node)) return true;
  const { offsets, targets } = graph.predecessors;
  let here = node;
  for (let step = 0; step < glance.nodes; step += 1) {
    const isEntry = here === graph.start || (graph.kinds[here]! & Kind.global) !== 0;
    const slot = offsets[here]!;
    if (isEntry || offsets[here + 1]! - slot !== 1) return false;
    here = targets[slot]! as NodeIndex;
    if (defines(variable, here)) return true;
  }
  return false;
}

function defines({ captures, responses }: Variable, node: NodeIndex): boolean {
  for (let at = 0; at < captures.length; at += 1) if (captures[at]!.node === node) return true;
  return responses.includes(node);
}

function createScene(graph: FlowGraph): Scene {
  let dominance: Dominates | null = null;
  let searching: BackwardSearch | null = null;
  let components: Int32Array | null = null;
  return {
    graph,
    dominates: (one, other) => {
      dominance ??= createCallDominance(graph);
      return dominance(one, other);
    },
    search: (...given) => {
      searching ??= createBackwardSearch(graph);
      return searching(...given);
    },
    isBehind: (node, other) => {
      components ??= computeComponents(graph.successors).of;
      return components[node]! < components[other]!;
    },
  };
}

function createVariableTracer(
  scene: Scene,
  variable: Variable,
  patience: number,
): (read: Read) => ReadReach {
  const { graph, dominates } = scene;
  const defining = definingNodes(variable);
  let spent = 0;
  let everywhere: Spread | null = null;
  const isAlwaysSet = ({ node, at }: Read): boolean => {
    spent += defining.size;
    for (const before of defining) {
      if ((before !== node || at === 'exit') && dominates(before, node)) return true;
    }
    return false;
  };
  return (read) => {
    if (spent > patience) everywhere ??= spreadForward(graph, variable, defining);
    if (everywhere !== null) return toReach(scene, variable, read, reachOf(everywhere, read));
    if (isAlwaysSet(read)) return alwaysSet;
    const { reached, unset, visited } = searchBackwards(scene, variable, defining, read);
    spent += visited;
    return toReach(scene, variable, read, { reached, unset });
  };

  function reachOf({ set, unset }: Spread, { node, at }: Read): Reach {
    if (at === 'exit' && defining.has(node)) return alwaysSet;
    return { reached: set[node] === 1, unset: unset[node] === 1 };
  }
}

type Reach = Pick<ReadReach, 'reached' | 'unset'>;

function toReach(
  { graph }: Scene,
  variable: Variable,
  read: Read,
  { reached, unset }: Reach,
): ReadReach {
  return {
    reached,
    unset,
    unsetWalk: () => (unset ? findShortestWalk(graph, variable, read) : null),
  };
}

/** Dominance over calls: every global node can be entered straight from the start. */
function createCallDominance(graph: FlowGraph): Dominates {
  const { successors, predecessors, globals, start } = graph;
  if (globals.length === 0) return createDominance(successors, predecessors, start);
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

/** Searches until both answers are there. */
function searchBackwards(
  { graph, search, isBehind }: Scene,
  variable: Variable,
  defining: ReadonlySet<NodeIndex>,
  read: Read,
): Reach & { readonly visited: number } {
  const isOpen = (node: NodeIndex) => isEnteredUnset(graph, node, variable);
  const isGiven = !graph.globals.every(isOpen);
  // A tool that a call needs on its way into one global node sets the variable for the others too.
  const isSetSomewhere = defining.size > 0 || isGiven;
  const [only, ...others] = defining;
  const isAround = only !== undefined && others.length === 0 && !isGiven;
  let reached = false;
  let unset = isAround;
  const visited = search(defining, read, {
    visit: (node) => {
      if (node === graph.start) unset = true;
      if ((graph.kinds[node]! & Kind.global) === 0) return reached && unset;
      if (!isOpen(node)) reached = true;
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
    // All that is left to find is the way from the only definition.
    isUseless: isAround && graph.globals.length === 0 ? (node) => isBehind(only, node) : null,
  });
  return { reached, unset, visited };
}

/** The shortest walk from the start to the read that meets no definition. */
function findShortestWalk(
  graph: FlowGraph,
  variable: Variable,
  read: Read,
): readonly NodeIndex[] | null {
  const defining = definingNodes(variable);
  let viaGlobal: readonly NodeIndex[] | null = null;
  let fromStart: readonly NodeIndex[] | null = null;
  createBackwardSearch(graph)(defining, read, {
    visit: (node, walk) => {
      if (node === graph.start) fromStart = walk();
      // Through a global node the walk is one step longer than one that begins here.
      const isOpen = isEnteredUnset(graph, node, variable);
      if (isOpen && !defining.has(graph.start)) viaGlobal ??= [graph.start, ...walk()];
      return fromStart !== null || (viaGlobal !== null && walk().length >= viaGlobal.length);
    },
    meet: () => false,
  });
  return fromStart ?? viaGlobal;
}
