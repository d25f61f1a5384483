/**
 * What crosses along edges: settled variable by variable where that is cheap, else in blocks.
 *
 * A passage that leads to where a variable is live carries it when a capture of the member reaches
 * the node that is left. Where that node itself has the latest word, nothing has to be searched.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Passage } from '../passages.js';
import { type Candidate, type Home, latestAt, listLatest, type Ways } from './candidates.js';
import type { Crossing } from './crossings.js';
import type { Wanted } from './inner-reach.js';
import { append } from './lists.js';
import { type BackwardFlow, livenessOf } from './liveness.js';
import { type Block, type Fact, propagate } from './propagation.js';
import { listSetting, type Variable } from './sites.js';

export interface Outcome {
  /** By passage along an edge. */
  readonly found: Map<Passage, Crossing[]>;
  /** What is left to be searched inside of members. */
  readonly wanted: Map<number, Wanted[]>;
}

/** Settles a variable that is live on entry to every node, but for some that set it. */
export function settleUnlessSet(candidate: Candidate, outcome: Outcome): void {
  const dead = listDead(candidate.variable);
  const { handedOn } = candidate.variable;
  const isWanted = (way: Passage) => !dead.has(way.to) || handedOn.includes(way);
  for (const home of candidate.homes) {
    const { edges } = home.ways;
    settle(candidate, home, dead.size === 0 ? edges : edges.filter(isWanted), outcome);
  }
}

/** Nodes that set the variable before anything reads it. */
export function listDead(variable: Variable): ReadonlySet<NodeIndex> {
  if (variable.inGlobalPrompt) return new Set();
  const dead = new Set(listSetting(variable));
  for (const node of variable.entryReads) dead.delete(node);
  return dead;
}

/** Settles variables that are live where a walk along edges leads to a read. */
export function settleByWalks(
  candidates: readonly Candidate[],
  backward: BackwardFlow,
  outcome: Outcome,
): void {
  const facts: Live[] = [];
  for (const candidate of candidates) {
    if (isPlain(candidate, backward)) settlePlain(candidate, outcome);
    else facts.push(factOf(candidate, backward));
  }
  if (facts.length > 0)
    propagate(backward.flow(), facts, (block) => settleBlock(block, backward, outcome));
}

interface Live extends Fact {
  readonly candidate: Candidate;
}

function factOf(candidate: Candidate, backward: BackwardFlow): Live {
  let last = -1;
  for (const { ways } of candidate.homes) {
    for (const { to } of ways.edges) last = Math.max(last, backward.placeOf(to));
  }
  return { ...livenessOf(candidate.variable, backward, last), candidate };
}

/** So many passages are looked at one by one. */
const few = 8;

/** Whether reads on entry tell all: nothing beyond the ends of the passages can make it live. */
function isPlain(candidate: Candidate, backward: BackwardFlow): boolean {
  const { entryReads, exitReads, handedOn } = candidate.variable;
  if (handedOn.length > 0) return false;
  let count = 0;
  for (const { ways } of candidate.homes) {
    count += ways.edges.length;
    if (count > few) return false;
    for (const { to } of ways.edges) {
      if (latestAt(candidate, to) !== undefined || entryReads.includes(to)) continue;
      const reach = backward.reachOf(to);
      if (isUpTo(reach, entryReads, backward) || isUpTo(reach, exitReads, backward)) return false;
    }
  }
  return true;
}

/** Whether one of the nodes stands in the backward line up to the place. */
function isUpTo(reach: number, nodes: readonly NodeIndex[], { placeOf }: BackwardFlow): boolean {
  for (const node of nodes) if (placeOf(node) <= reach) return true;
  return false;
}

function settlePlain(candidate: Candidate, outcome: Outcome): void {
  const { entryReads } = candidate.variable;
  for (const home of candidate.homes) {
    const { edges } = home.ways;
    const leaving = leadInto(edges, entryReads) ? edges : listInto(edges, entryReads);
    settle(candidate, home, leaving, outcome);
  }
}

function leadInto(passages: readonly Passage[], nodes: readonly NodeIndex[]): boolean {
  for (const { to } of passages) if (!nodes.includes(to)) return false;
  return true;
}

function listInto(passages: readonly Passage[], nodes: readonly NodeIndex[]): readonly Passage[] {
  return passages.filter(({ to }) => nodes.includes(to));
}

function settleBlock(
  { facts, holds }: Block<Live>,
  { placeOf }: BackwardFlow,
  outcome: Outcome,
): void {
  const asked = new Map<Ways, Asked[]>();
  facts.forEach(({ candidate }, bit) => {
    for (const home of candidate.homes) {
      append(asked, home.ways, { bit: 1 << bit, candidate, home });
    }
  });
  const handedOn = listHandedOn(facts);
  for (const [ways, all] of asked) {
    const mask = all.reduce((word, { bit }) => word | bit, 0);
    const live = new Map<Asked, Passage[]>();
    for (const passage of ways.edges) {
      const word = (holds[placeOf(passage.to)]! | (handedOn.get(passage) ?? 0)) & mask;
      if (word === 0) continue;
      for (const it of all) if ((word & it.bit) !== 0) append(live, it, passage);
    }
    for (const [{ candidate, home }, leaving] of live) settle(candidate, home, leaving, outcome);
  }
}

/** A variable that a member captures, with its bit in the block. */
interface Asked {
  readonly bit: number;
  readonly candidate: Candidate;
  readonly home: Home;
}

/** The passages with an alias that reads one of the variables, with the bits of these. */
function listHandedOn(facts: readonly Live[]): Map<Passage, number> {
  const bits = new Map<Passage, number>();
  facts.forEach(({ candidate }, bit) => {
    for (const passage of candidate.variable.handedOn) {
      bits.set(passage, (bits.get(passage) ?? 0) | (1 << bit));
    }
  });
  return bits;
}

/** Looks for what reaches these passages of a member, which lead to where the variable is live. */
function settle(
  candidate: Candidate,
  home: Home,
  leaving: readonly Passage[],
  outcome: Outcome,
): void {
  const { variable } = candidate;
  let open: Map<NodeIndex, Passage[]> | null = null;
  // The ways out of one node carry the same.
  let crossing: Crossing | null = null;
  for (const passage of leaving) {
    const own = latestAt(candidate, passage.from!);
    if (own === undefined) {
      open ??= new Map();
      append(open, passage.from!, passage);
    } else if (own !== null) {
      if (crossing === null || crossing.captures[0] !== own) {
        crossing = { variable, captures: [own] };
      }
      append(outcome.found, passage, crossing);
    }
  }
  if (open !== null) searchInside(candidate, home, open, outcome);
}

/** Leaves to be searched what reaches these nodes of a member. */
function searchInside(
  { variable, latest }: Candidate,
  { ways, sites }: Home,
  open: ReadonlyMap<NodeIndex, readonly Passage[]>,
  { found, wanted }: Outcome,
): void {
  append(wanted, ways.member, {
    variable,
    latest: latest ?? listLatest(variable),
    sites,
    from: [...open.keys()],
    found: (from, captures) => {
      const crossing: Crossing = { variable, captures };
      for (const passage of open.get(from)!) append(found, passage, crossing);
    },
  });
}
