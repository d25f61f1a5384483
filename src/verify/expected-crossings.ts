/**
 * What has to cross with the passages of a squad (section 4 of the design).
 *
 * In: the graph, its variables, which members own which nodes, and the passages. Out: for each of
 * these the variables that some walk inside the member captures, that no tool sets after that, and
 * that are live where the passage leads; with the captures that can be the latest word.
 *
 * It is a walk over pairs of a node and a variable, one variable at a time: from its reads backwards
 * until something sets it, which tells where it is live, and from its captures forwards inside their
 * member, through nodes where it is live. Both are kept between the captures and the reads by the
 * places of the nodes in a topological order, so what is captured and read nearby costs no more than
 * that. The steps from every node to every global node are no arcs: a variable that is live on entry
 * to a global node is live wherever a call can go on.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Capture, Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { append, groupBy } from '../graph/lists.js';
import { computeComponents } from '../graph/partitions.js';
import { flood } from '../graph/walks.js';
import type {
  CaptureSite,
  Crossing,
  Crossings,
  Owners,
  Passage,
  SourceGraph,
  Variable,
  Variables,
} from './expected.js';
import { reachFromGlobals } from './expected-graph.js';

interface Scene {
  readonly graph: SourceGraph;
  readonly owners: Pick<Owners, 'of'>;
  /** The place of a node's component in topological order: no walk comes back to an earlier one. */
  readonly rank: readonly number[];
  readonly afterGlobals: ReadonlySet<NodeIndex>;
  /** Passages by the member that they leave, and by the node that they lead to. */
  readonly outOf: ReadonlyMap<number, readonly Passage[]>;
  readonly into: ReadonlyMap<NodeIndex, readonly Passage[]>;
}

export function computeCrossings(
  graph: SourceGraph,
  variables: Variables,
  owners: Pick<Owners, 'of'>,
  passages: readonly Passage[],
): Crossings {
  const found = new Map<Passage, Crossing[]>();
  const scene = {
    graph,
    owners,
    rank: computeComponents(graph.successors).of,
    afterGlobals: reachFromGlobals(graph),
    outOf: groupBy(passages, ({ member }) => member),
    into: groupBy(passages, ({ to }) => to),
  };
  const handedOn = listHandedOn(scene, variables);
  for (const variable of variables.values()) {
    for (const [passage, captures] of cross(scene, variable, handedOn.get(variable.name))) {
      append(found, passage, { variable, captures });
    }
  }
  return { of: (passage) => found.get(passage) ?? [] };
}

/**
 * By variable, the passages at which an alias that crosses reads it. What an alias reads may be an
 * alias itself, and cross by that; no passage reads a variable for the first time twice.
 */
function listHandedOn(scene: Scene, variables: Variables): Map<string, Set<Passage>> {
  const handedOn = new Map<string, Set<Passage>>();
  const isDerived = ({ captures }: Variable) =>
    captures.some(({ capture }) => capture.alias !== undefined);
  const open = new Set([...variables.values()].filter(isDerived));
  for (const variable of open) {
    open.delete(variable);
    for (const [passage, captures] of cross(scene, variable, handedOn.get(variable.name))) {
      for (const { name } of derivedBy(captures)?.uses ?? []) {
        const known = handedOn.get(name) ?? new Set();
        handedOn.set(name, known);
        if (known.has(passage)) continue;
        known.add(passage);
        const read = variables.get(name);
        if (read !== undefined && isDerived(read)) open.add(read);
      }
    }
  }
  return handedOn;
}

/** The alias among captures that reach one passage; null where some of them are found out. */
export function derivedBy(captures: readonly Capture[]): Text | null {
  if (captures.some(({ alias }) => alias === undefined)) return null;
  return captures[0]?.alias ?? null;
}

/** What is found out among them, or at the node of an alias that refines what it is called by. */
export function foundOut(
  { workflow }: SourceGraph,
  name: string,
  captures: readonly Capture[],
): readonly Capture[] {
  const alias = derivedBy(captures);
  if (alias === null) return captures.filter((it) => it.alias === undefined);
  if (!alias.uses.some((use) => use.name === name)) return [];
  const home = workflow.nodes.find((node) => node.captures.includes(captures[0]!));
  const own = home?.captures.filter((it) => it.name === name && it.alias === undefined) ?? [];
  return own.slice(-1);
}

/** What is the latest word on leaving the nodes that set a variable; null where that is a response. */
type Latest = ReadonlyMap<NodeIndex, Capture | null>;

/** The passages that carry the variable, with the captures that reach each of them. */
function cross(
  scene: Scene,
  variable: Variable,
  handedOn: ReadonlySet<Passage> = new Set(),
): [Passage, readonly Capture[]][] {
  const { owners, outOf, into } = scene;
  const latest = new Map<NodeIndex, Capture | null>();
  for (const { node, capture } of variable.captures) latest.set(node, capture);
  for (const node of variable.responses) latest.set(node, null);
  const homes = new Map<number, CaptureSite[]>();
  for (const site of variable.captures) {
    if (latest.get(site.node) === null) continue;
    for (const member of owners.of(site.node)) if (outOf.has(member)) append(homes, member, site);
  }
  if (homes.size === 0) return [];

  const live = findLive(scene, variable, latest, handedOn);
  const near = live.nodes
    ? [...[...live.nodes].flatMap((node) => into.get(node) ?? []), ...handedOn]
    : [...homes.keys()].flatMap((member) => outOf.get(member)!);
  const leaving = near.filter((passage) => {
    const { member, edge, to } = passage;
    const isGiven = edge === null && variable.givenTo.includes(to);
    return homes.has(member) && !isGiven && (handedOn.has(passage) || live.at(to));
  });
  return [...groupBy(new Set(leaving), ({ member }) => member)].flatMap(([member, passages]) => {
    const sites = homes.get(member)!;
    const isSearched = passages.some(({ from }) => from !== null && !latest.has(from));
    const isLive = (node: NodeIndex) => live.at(node) && !latest.has(node);
    const inside = isSearched ? reachInside(scene, variable, isLive, member, sites) : null;
    return passages.flatMap((passage): [Passage, readonly Capture[]][] => {
      const { from } = passage;
      // To a global node the call goes from anywhere.
      if (from === null) return [[passage, sites.map(({ capture }) => capture)]];
      const own = latest.get(from);
      const found = own === undefined ? inside!.get(from) : own && [own];
      return found ? [[passage, found]] : [];
    });
  });
}

interface Live {
  /** Whether some walk that enters the node reads the variable before it is set again. */
  readonly at: (node: NodeIndex) => boolean;
  /** Where it is, but for what comes before all captures; null where it is almost everywhere. */
  readonly nodes: ReadonlySet<NodeIndex> | null;
}

function findLive(
  { graph, rank, afterGlobals, owners }: Scene,
  variable: Variable,
  latest: Latest,
  handedOn: ReadonlySet<Passage>,
): Live {
  if (variable.inGlobalPrompt) return { at: () => true, nodes: null };
  const left = [...handedOn].flatMap(({ from, member }) =>
    from === null ? graph.order.filter((node) => owners.of(node).has(member)) : [from],
  );
  const onLeaving = [...variable.exitReads, ...left].filter((node) => !latest.has(node));
  const reads = new Set([...variable.entryReads, ...onLeaving]);
  const search = (isInside: (node: NodeIndex) => boolean): Set<NodeIndex> => {
    const isOpen = (node: NodeIndex) => isInside(node) && !latest.has(node);
    return flood([...reads].filter(isInside), (node) => graph.predecessors[node]!.filter(isOpen));
  };
  const beyond = search((node) => afterGlobals.has(node));
  const isEntered = ({ index }: WorkflowNode) =>
    beyond.has(index) && !variable.givenTo.includes(index);
  if (variable.globalReads.length > 0 || graph.globals.some(isEntered)) {
    return { at: (node) => reads.has(node) || !latest.has(node), nodes: null };
  }
  const first = variable.captures.reduce((min, { node }) => Math.min(min, rank[node]!), Infinity);
  const nodes = search((node) => rank[node]! >= first);
  return { at: (node) => nodes.has(node), nodes };
}

/**
 * By node of the member, the captures that can be the latest word on entry to it. A walk inside
 * follows edges, and steps from any node to the member's own global nodes.
 */
function reachInside(
  { graph: { successors, globals, nodeAt }, owners }: Scene,
  { givenTo }: Variable,
  isLive: (node: NodeIndex) => boolean,
  member: number,
  sites: readonly CaptureSite[],
): ReadonlyMap<NodeIndex, readonly Capture[]> {
  const isOpen = (node: NodeIndex) =>
    owners.of(node).has(member) && isLive(node) && nodeAt(node).role !== 'exit';
  const returns = globals.map(({ index }) => index).filter((node) => !givenTo.includes(node));
  const reaching = new Map<NodeIndex, Capture[]>();
  for (const { node, capture } of sites) {
    const seeds = [...successors[node]!, ...returns].filter(isOpen);
    const reached = flood(seeds, (it) => successors[it]!.filter(isOpen));
    for (const it of reached) append(reaching, it, capture);
  }
  return reaching;
}
