/**
 * A walk through workflow and squad at once: from the start, along every way of the source, to
 * where the squad takes it.
 *
 * In: the ground. Out: which assistants own which nodes, where every way leads, and what the squad
 * does otherwise. Method: breadth first over pairs of a node and a position in the squad, each pair
 * once, so that a difference is found on a shortest call that shows it. Every walk of the source is
 * a path through these pairs: where no pair differs, no walk does. Nodes that no way leads to any
 * more are looked for by their texts, so that one fault does not hide the rest. Guarantees: linear
 * in the pairs, of which a faithful squad has one for each node that an assistant owns.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { createArrivals } from './arrivals.js';
import { departAtAnyTime, departByStep } from './depart.js';
import { departLoosely } from './depart-loosely.js';
import { departSaved } from './depart-saved.js';
import { createFinder, type Finder } from './finder.js';
import type { Ground } from './ground.js';
import { createLikeness } from './likeness.js';
import { createOpenings } from './openings.js';
import { createReception } from './reception.js';
import { findIdleSteps, findWrongSentences, type OwnSentence } from './review.js';
import type { Difference, Landing, Visit } from './visit.js';

export interface Exploration {
  /** In the order of the search. */
  readonly visits: readonly Visit[];
  /** Where the ways from a visit lead, those to exits aside. */
  readonly landings: ReadonlyMap<Visit, readonly Landing[]>;
  /** By member, where the global nodes are for it; undefined for one that no call comes to. */
  readonly globalLandings: readonly (readonly Landing[] | undefined)[];
  readonly differences: readonly Difference[];
  /** Nodes that no way leads to and that were found by their texts. */
  readonly astray: readonly NodeIndex[];
  /** Nodes whose assistant was chosen because it speaks of the same things. */
  readonly likened: ReadonlySet<NodeIndex>;
  readonly notPlaced: readonly NodeIndex[];
}

export function explore(ground: Ground): Exploration {
  const differences: Difference[] = [];
  const note = (difference: Difference): void => void differences.push(difference);
  const finder = createFinder(ground);
  const likeness = createLikeness(ground);
  const openings = createOpenings(ground);
  const arrivals = createArrivals(ground, finder);
  const sentences: OwnSentence[] = [];
  const reception = createReception(ground, arrivals, openings, note, sentences);
  const landings = new Map<Visit, readonly Landing[]>();
  const globalLandings: (readonly Landing[])[] = [];
  const guests = createGuests(ground);

  const depart = (visit: Visit): void => {
    const { member, step } = visit;
    const { saved, unseen } = ground.squad.members[member]!;
    // What a saved assistant says, and where it hands off to, is not to be seen.
    if (unseen) return;
    const isNew = globalLandings[member] === undefined;
    if (saved && step === 0) {
      const { own, globals } = departSaved(ground, finder, arrivals, reception, note, visit);
      landings.set(visit, own);
      if (isNew) globalLandings[member] = globals;
    } else if (step === 0) {
      const { own, globals } = departLoosely(ground, finder, likeness, reception, note, visit);
      landings.set(visit, own);
      if (isNew) globalLandings[member] = globals;
    } else {
      arrivals.claim(visit, visit.node);
      landings.set(visit, departByStep(ground, reception, note, visit));
      if (isNew) globalLandings[member] = departAtAnyTime(ground, reception, note, visit);
    }
    for (const landing of landings.get(visit) ?? []) guests.come(landing, visit);
    if (isNew) for (const landing of globalLandings[member]!) guests.come(landing, visit);
  };

  const start = reception.startAt();
  if (start !== null) guests.add({ node: ground.graph.start, ...start, parent: null, way: null });
  const astray: NodeIndex[] = [];
  const notPlaced: NodeIndex[] = [];
  const lost = ground.graph.reachable.values();
  let next = 0;
  do {
    for (; next < guests.visits.length; next += 1) depart(guests.visits[next]!);
  } while (findLost(ground, finder, lost, guests, astray, notPlaced));
  const { visits } = guests;
  return {
    visits,
    landings,
    globalLandings,
    differences: [
      ...differences,
      ...openings.review(),
      ...findIdleSteps(ground, visits),
      ...findWrongSentences(ground, visits, sentences),
    ],
    astray,
    likened: likeness.used,
    notPlaced,
  };
}

/** The visits so far, each pair of node and position once. */
interface Guests {
  readonly visits: readonly Visit[];
  readonly isPlaced: (node: NodeIndex) => boolean;
  readonly add: (visit: Visit) => void;
  readonly come: (landing: Landing, from: Visit) => void;
}

function createGuests({ graph, prompts, representative }: Ground): Guests {
  const visits: Visit[] = [];
  const seen = new Set<number>();
  const placed = new Uint8Array(graph.workflow.nodes.length);
  const bases: number[] = [];
  let count = 0;
  for (const { steps } of prompts) {
    bases.push(count);
    count += steps.length + 1;
  }
  const add = (visit: Visit): void => {
    const key = visit.node * count + bases[visit.member]! + visit.step;
    if (seen.has(key)) return;
    seen.add(key);
    placed[visit.node] = 1;
    visits.push(visit);
  };
  return {
    visits,
    add,
    isPlaced: (node) => placed[representative[node]!] === 1,
    come: ({ way, member, step }, parent) => {
      // Equal nodes are one node: what is seen of one is seen of all.
      add({ node: representative[way.to]! as NodeIndex, member, step, parent, way });
    },
  };
}

/** Puts the next node that no call has come to where its texts stand; false where none is left. */
function findLost(
  { graph }: Ground,
  finder: Finder,
  nodes: Iterator<NodeIndex>,
  guests: Guests,
  astray: NodeIndex[],
  notPlaced: NodeIndex[],
): boolean {
  for (let next = nodes.next(); next.done !== true; next = nodes.next()) {
    const node = next.value;
    if (guests.isPlaced(node) || graph.nodeAt(node).role === 'exit') continue;
    const [position] = finder(graph.nodeAt(node));
    if (position === undefined) {
      notPlaced.push(node);
      continue;
    }
    astray.push(node);
    guests.add({ node, ...position, parent: null, way: null });
    return true;
  }
  return false;
}
