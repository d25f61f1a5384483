/**
 * Which variables cross with which passage, and which captures reach it (DESIGN section 4, "Plan").
 *
 * In: the graph, its variables, which members own which nodes, and the ways that lead out of
 * members. Out: for each of these the variables that it has to carry: those that some walk inside
 * the member captures, that no tool sets after that, and that are live where the passage leads.
 *
 * Liveness is asked for at the ends of passages only, and which captures reach a passage only where
 * its end wants one; both are bit vectors over a window of the graph (see propagation.ts). What is
 * live through global nodes is live wherever the member leads, and needs no search.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import type { Owners } from '../owners.js';
import type { Passage } from '../passages.js';
import type { SourceGraph } from '../source-graph.js';
import { orderCalls } from './call-order.js';
import { type Candidate, groupWays, listCandidates, type Ways } from './candidates.js';
import { reachInside, type Wanted } from './inner-reach.js';
import { append } from './lists.js';
import { type BackwardFlow, findLiveThroughGlobals, livenessOf, turnRound } from './liveness.js';
import { type Block, type Fact, propagate } from './propagation.js';
import { listSetting, type Variable } from './sites.js';

/** A variable that crosses, with the captures that reach the passage. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly Capture[];
}

export interface Crossings {
  /** What crosses with the passage, one of those that were given; in the order of the variables. */
  readonly of: (passage: Passage) => readonly Crossing[];
}

export function computeCrossings(
  graph: SourceGraph,
  variables: ReadonlyMap<string, Variable>,
  owners: Pick<Owners, 'of'>,
  passages: readonly Passage[],
): Crossings {
  const order = orderCalls(graph);
  const backward = turnRound(order);
  const candidates = listCandidates(variables, owners, groupWays(passages));
  const crossing = candidates.map(({ variable }) => variable);
  const throughGlobals = findLiveThroughGlobals(graph, backward, crossing);
  const isAnywhere = ({ variable }: Candidate) =>
    variable.inGlobalPrompt || throughGlobals.has(variable);

  const anywhere = candidates.filter(isAnywhere);
  const outcome: Outcome = { found: new Map(), wanted: new Map() };
  for (const candidate of anywhere) settleUnlessSet(candidate, outcome);
  const facts: Live[] = [];
  for (const candidate of candidates) {
    if (isAnywhere(candidate)) continue;
    if (isPlain(candidate, backward)) settlePlain(candidate, outcome);
    else facts.push(factOf(candidate, backward));
  }
  propagate(backward.flow, facts, (block) => settleBlock(block, backward, outcome));
  reachInside({ graph, order, owners }, outcome.wanted);

  const toGlobals = listToGlobals(anywhere);
  const inOrder = (list: Crossing[]) =>
    list.sort((one, other) => one.variable.rank - other.variable.rank);
  for (const list of outcome.found.values()) if (list.length > 1) inOrder(list);
  return {
    of: (passage) =>
      passage.edge === null ? toGlobals(passage) : (outcome.found.get(passage) ?? nothing),
  };
}

const nothing: readonly Crossing[] = [];

interface Outcome {
  /** By passage along an edge. */
  readonly found: Map<Passage, Crossing[]>;
  /** What is left to be searched inside of members. */
  readonly wanted: Map<number, Wanted[]>;
}

/** Settles a variable that is live on entry to every node, but for some that set it. */
function settleUnlessSet(candidate: Candidate, outcome: Outcome): void {
  const dead = listDead(candidate.variable);
  for (const ways of candidate.homes.keys()) {
    const leaving = dead.size === 0 ? ways.edges : ways.edges.filter(({ to }) => !dead.has(to));
    settle(candidate, ways, leaving, outcome);
  }
}

/** Nodes that set the variable before anything reads it. */
function listDead(variable: Variable): ReadonlySet<NodeIndex> {
  if (variable.inGlobalPrompt) return new Set();
  const dead = new Set(listSetting(variable));
  for (const node of variable.entryReads) dead.delete(node);
  return dead;
}

interface Live extends Fact {
  readonly candidate: Candidate;
}

function factOf(candidate: Candidate, backward: BackwardFlow): Live {
  let last = -1;
  for (const { edges } of candidate.homes.keys()) {
    for (const { to } of edges) last = Math.max(last, backward.placeOf(to));
  }
  return { ...livenessOf(candidate.variable, backward, last), candidate };
}

/** So many passages are looked at one by one. */
const few = 8;

/** Whether reads on entry tell all: nothing beyond the ends of the passages can make it live. */
function isPlain({ variable, homes, latest }: Candidate, backward: BackwardFlow): boolean {
  const { entryReads, exitReads } = variable;
  let count = 0;
  for (const { edges } of homes.keys()) {
    count += edges.length;
    if (count > few) return false;
    for (const { to } of edges) {
      if (latest.has(to) || entryReads.includes(to)) continue;
      const leadsTo = backward.behind(to);
      if (entryReads.some(leadsTo) || exitReads.some(leadsTo)) return false;
    }
  }
  return true;
}

function settlePlain(candidate: Candidate, outcome: Outcome): void {
  const { entryReads } = candidate.variable;
  for (const ways of candidate.homes.keys()) {
    const leaving = ways.edges.filter(({ to }) => entryReads.includes(to));
    settle(candidate, ways, leaving, outcome);
  }
}

function settleBlock(
  { facts, holds }: Block<Live>,
  { placeOf }: BackwardFlow,
  outcome: Outcome,
): void {
  const masks = new Map<Ways, number>();
  facts.forEach(({ candidate }, bit) => {
    for (const ways of candidate.homes.keys()) {
      masks.set(ways, (masks.get(ways) ?? 0) | (1 << bit));
    }
  });
  for (const [ways, mask] of masks) {
    const live = new Map<Live, Passage[]>();
    for (const passage of ways.edges) {
      let word = holds[placeOf(passage.to)]! & mask;
      for (; word !== 0; word &= word - 1) {
        append(live, facts[31 - Math.clz32(word & -word)]!, passage);
      }
    }
    for (const [{ candidate }, leaving] of live) settle(candidate, ways, leaving, outcome);
  }
}

/** Looks for what reaches these passages of a member, which lead to where the variable is live. */
function settle(
  { variable, homes, latest }: Candidate,
  ways: Ways,
  leaving: readonly Passage[],
  { found, wanted }: Outcome,
): void {
  const open = new Map<NodeIndex, Passage[]>();
  for (const passage of leaving) {
    const from = passage.from!;
    const own = latest.get(from);
    if (own === undefined) append(open, from, passage);
    else if (own !== null) append(found, passage, { variable, captures: [own] });
  }
  if (open.size === 0) return;
  append(wanted, ways.member, {
    variable,
    sites: homes.get(ways)!,
    from: [...open.keys()],
    found: (from, captures) => {
      const crossing: Crossing = { variable, captures };
      for (const passage of open.get(from)!) append(found, passage, crossing);
    },
  });
}

/** What crosses to global nodes: whatever the member captures and anybody can read there. */
function listToGlobals(candidates: readonly Candidate[]): Crossings['of'] {
  const carried = new Map<number, Crossing[]>();
  const barred = new Map<NodeIndex, Set<Variable>>();
  for (const { variable, homes } of candidates) {
    for (const [{ member, isLeftAnywhere }, sites] of homes) {
      const captures = sites.map(({ capture }) => capture);
      if (isLeftAnywhere) append(carried, member, { variable, captures });
    }
    for (const node of [...listDead(variable), ...variable.givenTo]) {
      const variables = barred.get(node);
      if (variables === undefined) barred.set(node, new Set([variable]));
      else variables.add(variable);
    }
  }
  return ({ member, to }) => {
    const all = carried.get(member) ?? nothing;
    const not = barred.get(to);
    return not === undefined ? all : all.filter(({ variable }) => !not.has(variable));
  };
}
