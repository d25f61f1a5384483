/**
 * The variables that have to cross the handoffs of a squad (section 4 of the design).
 *
 * In: the graph, its variables, which members own which nodes, and the handoffs. Out: for each
 * handoff the variables that some walk inside the member captures, that no tool sets after that,
 * and that are live where the handoff leads; with the captures that can reach it. A capture may
 * fail, so it ends nothing: only a tool's response or a derived value does.
 *
 * The method is a walk over pairs of a node and a variable, one variable at a time: from its reads
 * backwards until something replaces it, which shows where it is live, and from its captures
 * forwards inside their member, through nodes where it is live. Both stay between the captures and
 * the reads in topological order, so a variable that is captured and read nearby costs no more than
 * that. The steps from every node to every other global node are no arcs: a variable that is live on
 * entry to a global node is live wherever else a call can continue.
 */
import { listVariables as listSites } from '../../compiler/3-analyze/variables.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { describe } from '../../compiler/ir/prompt.js';
import { synthesized, traced } from '../../compiler/ir/provenance.js';
import type { PlanProperty } from '../../compiler/ir/squad-ir.js';
import {
  aliasAmong,
  type CaptureSite,
  replacingNodes,
  type Variable as VariableSites,
} from '../../compiler/ir/variables.js';
import type { Capture, WorkflowEdge } from '../../compiler/ir/workflow.js';
import { append, groupBy } from '../../graph/lists.js';
import { findWalk, flood } from '../../graph/walks.js';
import { canonicalJson } from '../../text/json.js';
import { type Handoff, memo, type Owners, reachFromGlobals, type SourceGraph } from './source.js';

/** Where a variable is set and read. */
export interface Variable extends VariableSites {
  /** Global nodes that, except along edges, are entered only after a tool has set it. */
  readonly givenTo: readonly NodeIndex[];
}

/** By name, in walk order. */
export type Variables = ReadonlyMap<string, Variable>;

export function listVariables(graph: SourceGraph): Variables {
  const given = new Map<string, NodeIndex[]>();
  for (const { index, global } of graph.globalNodes) {
    for (const name of new Set(global!.condition?.call?.variables)) append(given, name, index);
  }
  const sites = [...listSites(graph)];
  return new Map(sites.map(([name, it]) => [name, { ...it, givenTo: given.get(name) ?? [] }]));
}

/** A variable that has to cross, with the captures that reach the handoff. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly CaptureSite[];
}

/** The variables of one of the given handoffs, in their order. */
export type Crossings = (handoff: Handoff) => readonly Crossing[];

interface CrossingInput {
  readonly graph: SourceGraph;
  readonly owners: Owners;
  readonly afterGlobals: ReadonlySet<NodeIndex>;
  /** Handoffs by the member that they leave, and by the node that they lead to. */
  readonly outOf: ReadonlyMap<number, readonly Handoff[]>;
  readonly into: ReadonlyMap<NodeIndex, readonly Handoff[]>;
}

export function computeCrossings(
  graph: SourceGraph,
  variables: Variables,
  owners: Owners,
  handoffs: readonly Handoff[],
): Crossings {
  const outOf = groupBy(handoffs, ({ member }) => member);
  const into = groupBy(handoffs, ({ to }) => to);
  const input = { graph, owners, afterGlobals: reachFromGlobals(graph), outOf, into };
  const found = new Map<Variable, ReturnType<typeof cross>>();
  /** By variable, the handoffs at which an alias that crosses reads it. */
  const readAtHandoff = new Map<string, Set<Handoff>>();
  const open = new Set(variables.values());
  for (const variable of open) {
    open.delete(variable);
    const crossing = cross(input, variable, readAtHandoff.get(variable.name) ?? new Set());
    found.set(variable, crossing);
    for (const [handoff, captures] of crossing) {
      for (const { name } of aliasAmong(captures)?.capture.alias?.uses ?? []) {
        const known = readAtHandoff.get(name) ?? new Set();
        if (known.has(handoff)) continue;
        readAtHandoff.set(name, known.add(handoff));
        open.add(variables.get(name)!);
      }
    }
  }
  const crossings = new Map<Handoff, Crossing[]>();
  for (const variable of variables.values()) {
    for (const [handoff, captures] of found.get(variable)!) {
      append(crossings, handoff, { variable, captures });
    }
  }
  return (handoff) => crossings.get(handoff) ?? [];
}

/** The handoffs that carry the variable, with the captures that reach each of them. */
function cross(
  input: CrossingInput,
  variable: Variable,
  readAtHandoff: ReadonlySet<Handoff>,
): ReadonlyMap<Handoff, readonly CaptureSite[]> {
  const { owners, outOf, into } = input;
  const responding = new Set(variable.responses);
  const last = new Map(variable.captures.map((site) => [site.node, site]));
  const homes = new Map<number, CaptureSite[]>();
  for (const site of last.values()) {
    for (const member of responding.has(site.node) ? [] : owners.of(site.node)) {
      if (outOf.has(member)) append(homes, member, site);
    }
  }
  const carrying = new Map<Handoff, readonly CaptureSite[]>();
  if (homes.size === 0) return carrying;

  const replaced = replacingNodes(variable);
  const live = findLive(input, variable, replaced, readAtHandoff);
  const isLive = (node: NodeIndex) => live.at(node) && !replaced.has(node);
  const inside = memo((member: number) =>
    reachInside(input, variable, isLive, member, homes.get(member)!),
  );
  const near =
    live.nodes === null
      ? [...homes.keys()].flatMap((member) => outOf.get(member)!)
      : [...[...live.nodes].flatMap((node) => into.get(node) ?? []), ...readAtHandoff];
  for (const handoff of near) {
    const { member, from, to, edge } = handoff;
    if (!homes.has(member) || (edge === null && variable.givenTo.includes(to))) continue;
    if (!readAtHandoff.has(handoff) && !live.at(to)) continue;
    const all = homes.get(member)!;
    // A call can go to a global node from anywhere.
    const captures = from === null ? all : all.filter((site) => inside(member)(site, from));
    if (captures.length > 0) carrying.set(handoff, captures);
  }
  return carrying;
}

interface Live {
  /** Whether some walk that enters the node reads the variable before its value is replaced. */
  readonly at: (node: NodeIndex) => boolean;
  /** Where it is live, except before all captures; null if almost everywhere. */
  readonly nodes: ReadonlySet<NodeIndex> | null;
}

function findLive(
  { graph, afterGlobals, owners }: CrossingInput,
  variable: Variable,
  replaced: ReadonlySet<NodeIndex>,
  readAtHandoff: ReadonlySet<Handoff>,
): Live {
  if (variable.readEverywhere) return { at: () => true, nodes: null };
  const reads = new Set(variable.reads);
  const readOnLeaving = (node: NodeIndex): void => {
    if (!replaced.has(node)) reads.add(node);
  };
  variable.conditionReads.forEach(readOnLeaving);
  for (const { from, member } of readAtHandoff) {
    if (from !== null) readOnLeaving(from);
    else graph.order.filter((node) => owners.of(node).has(member)).forEach(readOnLeaving);
  }
  const search = (isInside: (node: NodeIndex) => boolean): Set<NodeIndex> => {
    const isOpen = (node: NodeIndex) => isInside(node) && !replaced.has(node);
    return flood([...reads].filter(isInside), (node) => graph.predecessors[node]!.filter(isOpen));
  };
  const { givenTo, globalReads } = variable;
  const beyond = search((node) => afterGlobals.has(node));
  const isEntered = (node: NodeIndex) =>
    globalReads.includes(node) || (beyond.has(node) && !givenTo.includes(node));
  if (graph.globals.some(isEntered)) {
    const goesOn = (node: NodeIndex) => !replaced.has(node) && graph.nodeAt(node).role !== 'exit';
    // From a global node that reads nothing itself, a call goes on to the one that does.
    const entered = graph.globals.filter(
      (node) => isEntered(node) || (goesOn(node) && !givenTo.includes(node)),
    );
    const isJump = (node: NodeIndex) => goesOn(node) && entered.some((it) => it !== node);
    const isNext = (node: NodeIndex) => reads.has(node) || isJump(node);
    const at = (node: NodeIndex) =>
      isNext(node) || (goesOn(node) && graph.successors[node]!.some(isNext));
    return { at, nodes: null };
  }
  // No walk returns to an earlier component.
  const rank = graph.components.of;
  const first = variable.captures.reduce((min, { node }) => Math.min(min, rank[node]!), Infinity);
  const nodes = search((node) => rank[node]! >= first);
  return { at: (node) => nodes.has(node), nodes };
}

/**
 * Tests whether a capture of the member can still hold when a node is left. A walk inside follows
 * edges, and steps from any node to the member's other global nodes.
 */
function reachInside(
  { graph: { successors, globals, nodeAt }, owners }: CrossingInput,
  { givenTo }: Variable,
  isLive: (node: NodeIndex) => boolean,
  member: number,
  sites: readonly CaptureSite[],
): (site: CaptureSite, node: NodeIndex) => boolean {
  const isOpen = (node: NodeIndex) =>
    isLive(node) && owners.of(node).has(member) && nodeAt(node).role !== 'exit';
  const returns = globals.filter((node) => !givenTo.includes(node) && isOpen(node));
  const reached = new Map(
    sites.map(({ node }) => {
      const others = returns.filter((it) => it !== node);
      const seeds = [...successors[node]!.filter(isOpen), ...others];
      const along = flood(seeds, (it) => successors[it]!.filter(isOpen));
      return [node, along.add(node)] as const;
    }),
  );
  return ({ node }, at) => reached.get(node)!.has(at);
}

/** What the model is asked for: as in the captures, if they agree. */
export function propertyOf(name: string, found: readonly Capture[]): PlanProperty {
  const [first, ...others] = found as [Capture, ...Capture[]];
  const isOne = others.every(({ type }) => type === first.type);
  const isAlike = others.every(
    (it) =>
      canonicalJson(it.details?.value ?? null) === canonicalJson(first.details?.value ?? null),
  );
  const texts = found.flatMap(({ description }) => description ?? []);
  const isListed = isOne && found.every((it) => it.enum !== null);
  return {
    name,
    type: isOne ? first.type : 'string',
    description: texts.length > 0 ? describe(texts) : traced(name, synthesized('variable-name')),
    enum: isListed ? [...new Set(found.flatMap((it) => it.enum ?? []))] : null,
    details: isOne && isAlike ? first.details : null,
    captures: found.map(({ at }) => at),
  };
}

/** A node that a call reaches by an edge; null for the start and for a step to a global node. */
interface Visited {
  readonly node: NodeIndex;
  readonly edge: WorkflowEdge | null;
}

/**
 * The shortest call that shows what a handoff of a member loses: from the start to a capture of the
 * variable, on inside the member, through the handoff, and to the first read, before anything
 * replaces the value; later captures fail. Null if there is none. Only the first place of a phase
 * goes on to the global nodes, since the others are no nearer, which makes the search linear.
 */
export function findWitness(
  graph: SourceGraph,
  owners: Owners,
  variable: Variable,
  handoffs: readonly Handoff[],
): readonly Visited[] | null {
  const member = handoffs[0]?.member ?? 0;
  const taken = new Set(handoffs.map(({ edge, to }) => `${edge?.index} ${to}`));
  const captured = new Set(variable.captures.map(({ node }) => node));
  const responding = new Set(variable.responses);
  const [reads, conditionReads] = [new Set(variable.reads), new Set(variable.conditionReads)];
  const goesOn = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit';
  const replaced = replacingNodes(variable);

  // A place is a node in a phase: before the relevant capture, inside after it, after the handoff.
  const size = graph.workflow.nodes.length;
  const [before, inside, after] = [0, 1, 2];
  const nodeIn = (place: number) => (place % size) as NodeIndex;
  const isRead = (place: number): boolean => {
    const node = nodeIn(place);
    if (place < after * size) return false;
    if (variable.readEverywhere || reads.has(node)) return true;
    const isJudged = conditionReads.has(node) || variable.globalReads.some((it) => it !== node);
    return goesOn(node) && !replaced.has(node) && isJudged;
  };
  const cameBy = new Map<number, WorkflowEdge | null>([[graph.start, null]]);
  const left = new Set<number>();
  const stepsFrom = (place: number): number[] => {
    const [node, reached] = [nodeIn(place), Math.floor(place / size)];
    if (!goesOn(node) || (replaced.has(node) && reached !== before)) return [];
    const isLatest = captured.has(node) && !responding.has(node) && owners.of(node).has(member);
    const phases = isLatest && reached === before ? [before, inside] : [reached];
    return phases.flatMap((phase) => {
      const land = (to: NodeIndex, edge: WorkflowEdge | null): number[] => {
        const isLeft = phase === inside && !owners.of(to).has(member);
        if (isLeft && !taken.has(`${edge?.index} ${to}`)) return [];
        const next = (isLeft ? after : phase) * size + to;
        if (!cameBy.has(next)) cameBy.set(next, edge);
        return [next];
      };
      // A tool on the way sets the variable again.
      const isOpen = (to: NodeIndex) =>
        to !== node && (phase === before || !variable.givenTo.includes(to));
      const globals = left.has(phase) ? [] : graph.globals.filter(isOpen);
      left.add(phase);
      const along = graph.leaving[node]!.flatMap((edge) => land(edge.to, edge));
      return [...along, ...globals.flatMap((to) => land(to, null))];
    });
  };
  const walk = findWalk([graph.start as number], stepsFrom, isRead);
  return walk?.map((place) => ({ node: nodeIn(place), edge: cameBy.get(place) ?? null })) ?? null;
}
