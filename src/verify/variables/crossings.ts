/**
 * Which variables cross with which passage, and which captures reach it.
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
import type { CallOrder } from './call-order.js';
import { type Candidate, groupWays, listCandidates } from './candidates.js';
import { hasAliases, noteReads } from './derived.js';
import { listDead, type Outcome, settleByWalks, settleUnlessSet } from './edge-crossings.js';
import { reachInside } from './inner-reach.js';
import { append } from './lists.js';
import { type BackwardFlow, findLiveThroughGlobals, turnRound } from './liveness.js';
import type { Variable } from './sites.js';

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
  owners: Pick<Owners, 'of' | 'soleOwner'>,
  passages: readonly Passage[],
): Crossings {
  if (passages.length === 0) return nothingCrosses;
  const order = graph.callOrder();
  const ground = { graph, order, backward: turnRound(order), owners, passages };
  const plain = cross(ground, variables);
  return hasAliases(variables) ? deriveAliases(ground, variables, plain) : plain;
}

const nothing: readonly Crossing[] = [];
const nothingCrosses: Crossings = { of: () => nothing };

interface Ground {
  readonly graph: SourceGraph;
  readonly order: CallOrder;
  readonly backward: BackwardFlow;
  readonly owners: Pick<Owners, 'of' | 'soleOwner'>;
  readonly passages: readonly Passage[];
}

/**
 * With what the aliases that cross read. That can make further aliases cross, so variables that are
 * read anew are looked at again; each round has a read that no round before had.
 */
function deriveAliases(
  ground: Ground,
  variables: ReadonlyMap<string, Variable>,
  plain: Crossings,
): Crossings {
  const { graph, owners, passages } = ground;
  const reading = new Map(variables);
  const known = new Map<Passage, Set<string>>();
  const byPassage = new Map(passages.map((it) => [it, new Map<string, Crossing>()]));
  for (let crossings = plain; ; ) {
    const carried = passages.flatMap((it) =>
      crossings.of(it).map((crossing) => [it, crossing] as const),
    );
    for (const [passage, crossing] of carried) {
      byPassage.get(passage)!.set(crossing.variable.name, crossing);
    }
    const changed = noteReads(graph, owners, reading, carried, known);
    if (changed.size === 0) break;
    crossings = cross(ground, changed);
  }
  const lists = new Map<Passage, Crossing[]>();
  for (const [passage, crossings] of byPassage) {
    const list = [...crossings.values()];
    putInOrder(list);
    lists.set(passage, list);
  }
  return { of: (passage) => lists.get(passage) ?? nothing };
}

/** What crosses as far as the variables themselves say what reads them. */
function cross(
  { graph, order, backward, owners, passages }: Ground,
  variables: ReadonlyMap<string, Variable>,
): Crossings {
  const candidates = listCandidates(variables, owners, groupWays(passages));
  const throughGlobals = findLiveThroughGlobals(
    graph,
    backward,
    candidates.map(({ variable }) => variable),
  );
  const isAnywhere = ({ variable }: Candidate) =>
    variable.inGlobalPrompt || throughGlobals.has(variable);
  const anywhere = candidates.filter(isAnywhere);
  const others = candidates.filter((it) => !isAnywhere(it));

  const outcome: Outcome = { found: new Map(), wanted: new Map() };
  for (const candidate of anywhere) settleUnlessSet(candidate, outcome);
  settleByWalks(others, backward, outcome);
  reachInside({ graph, order, owners }, outcome.wanted);
  for (const list of outcome.found.values()) if (list.length > 1) putInOrder(list);
  const isGlobal = ({ edge }: Passage) => edge === null;
  const toGlobals = passages.some(isGlobal) ? listToGlobals(anywhere, others) : () => nothing;
  const along = (passage: Passage) => outcome.found.get(passage) ?? nothing;
  return { of: (passage) => (passage.edge === null ? toGlobals(passage) : along(passage)) };
}

function putInOrder(crossings: Crossing[]): void {
  crossings.sort((one, other) => one.variable.rank - other.variable.rank);
}

/** What crosses to global nodes: whatever the member captures and anybody can read there. */
function listToGlobals(
  candidates: readonly Candidate[],
  others: readonly Candidate[],
): Crossings['of'] {
  const carried = new Map<number, Crossing[]>();
  const barred = new Map<NodeIndex, Set<Variable>>();
  for (const { variable, homes } of candidates) {
    for (const { ways, sites } of homes) {
      const captures = sites.map(({ capture }) => capture);
      if (ways.isLeftAnywhere) append(carried, ways.member, { variable, captures });
    }
    for (const node of [...listDead(variable), ...variable.givenTo]) {
      const variables = barred.get(node);
      if (variables === undefined) barred.set(node, new Set([variable]));
      else variables.add(variable);
    }
  }
  const derived = listReadOnTheWay([...candidates, ...others]);
  return (passage) => {
    const all = carried.get(passage.member) ?? nothing;
    const not = barred.get(passage.to);
    const open = not === undefined ? all : all.filter(({ variable }) => !not.has(variable));
    const more = derived.get(passage) ?? nothing;
    return more.length === 0
      ? open
      : [...new Map([...open, ...more].map((it) => [it.variable, it])).values()];
  };
}

/** What aliases read on the way to a global node, wherever that leads. */
function listReadOnTheWay(candidates: readonly Candidate[]): Map<Passage, Crossing[]> {
  const read = new Map<Passage, Crossing[]>();
  for (const { variable, homes } of candidates) {
    for (const passage of variable.handedOn) {
      if (passage.edge !== null || variable.givenTo.includes(passage.to)) continue;
      for (const { ways, sites } of homes) {
        const captures = sites.map(({ capture }) => capture);
        if (ways.member === passage.member) append(read, passage, { variable, captures });
      }
    }
  }
  return read;
}
