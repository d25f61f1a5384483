/**
 * What crosses along edges: settled variable by variable where that is cheap, else in blocks.
 *
 * A passage that leads to where a variable is live carries it when a capture of the member reaches
 * the node that is left. Where that node itself has the latest word, nothing has to be searched.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Passage } from '../passages.js';
import type { Candidate, Ways } from './candidates.js';
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
  for (const ways of candidate.homes.keys()) {
    const { handedOn } = candidate.variable;
    const isWanted = (way: Passage) => !dead.has(way.to) || handedOn.includes(way);
    const leaving = dead.size === 0 ? ways.edges : ways.edges.filter(isWanted);
    settle(candidate, ways, leaving, outcome);
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
  propagate(backward.flow, facts, (block) => settleBlock(block, backward, outcome));
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
  const { entryReads, exitReads, handedOn } = variable;
  if (handedOn.length > 0) return false;
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
  const handedOn = listHandedOn(facts);
  for (const [ways, mask] of masks) {
    const live = new Map<Live, Passage[]>();
    for (const passage of ways.edges) {
      let word = (holds[placeOf(passage.to)]! | (handedOn.get(passage) ?? 0)) & mask;
      for (; word !== 0; word &= word - 1) {
        append(live, facts[31 - Math.clz32(word & -word)]!, passage);
      }
    }
    for (const [{ candidate }, leaving] of live) settle(candidate, ways, leaving, outcome);
  }
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
    latest,
    sites: homes.get(ways)!,
    from: [...open.keys()],
    found: (from, captures) => {
      const crossing: Crossing = { variable, captures };
      for (const passage of open.get(from)!) append(found, passage, crossing);
    },
  });
}
