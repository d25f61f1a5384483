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
import { createSentences, type Sentences } from './sentences.js';
import type { Difference, Landing, Visit } from './visit.js';

export interface Exploration {
  /** In the order of the search. */
  readonly visits: readonly Visit[];
  readonly differences: readonly Difference[];
  /** Nodes whose assistant was chosen because it speaks of the same things. */
  readonly likened: ReadonlySet<NodeIndex>;
  readonly notPlaced: readonly NodeIndex[];
  /** What squadc says where the source gives no condition. */
  readonly sentences: Sentences;
}

export function explore(ground: Ground): Exploration {
  const differences: Difference[] = [];
  const note = (difference: Difference): void => void differences.push(difference);
  const finder = createFinder(ground);
  const likeness = createLikeness(ground);
  const openings = createOpenings(ground);
  const arrivals = createArrivals(ground, finder);
  const said: OwnSentence[] = [];
  const reception = createReception(ground, arrivals, openings, note, said);
  const isKnown = new Uint8Array(ground.squad.members.length);
  const guests = createGuests(ground);

  const depart = (visit: Visit): void => {
    const { member, step } = visit;
    const { saved, unseen } = ground.squad.members[member]!;
    // What a saved assistant says, and where it hands off to, is not to be seen.
    if (unseen) return;
    // What can happen at any time is the same at every step.
    const isNew = isKnown[member] === 0;
    isKnown[member] = 1;
    if (step === 0) {
      const { own, globals } = saved
        ? departSaved(ground, finder, arrivals, reception, note, visit)
        : departLoosely(ground, finder, likeness, reception, note, visit);
      for (const landing of own) guests.come(landing, visit);
      if (isNew) for (const landing of globals) guests.come(landing, visit);
      return;
    }
    arrivals.claim(visit, visit.node);
    const own = departByStep(ground, reception, note, visit);
    const globals = isNew ? departAtAnyTime(ground, reception, note, visit) : [];
    for (const landing of own) guests.come(landing, visit);
    for (const landing of globals) guests.come(landing, visit);
  };

  const start = reception.startAt();
  if (start !== null) guests.add({ node: ground.graph.start, ...start, parent: null, way: null });
  const notPlaced: NodeIndex[] = [];
  const lost = ground.graph.reachable.values();
  let next = 0;
  do {
    for (; next < guests.visits.length; next += 1) depart(guests.visits[next]!);
  } while (findLost(ground, finder, lost, guests, notPlaced));
  const { visits } = guests;
  const sentences = createSentences(ground, visits);
  return {
    visits,
    differences: [
      ...differences,
      ...openings.review(),
      ...findIdleSteps(ground, visits),
      ...findWrongSentences(ground, sentences, said),
    ],
    likened: likeness.used,
    notPlaced,
    sentences,
  };
}

/** The visits so far, each pair of node and position once. */
interface Guests {
  readonly visits: readonly Visit[];
  readonly isPlaced: (node: NodeIndex) => boolean;
  readonly add: (visit: Visit) => void;
  readonly come: (landing: Landing, from: Visit) => void;
}

function createGuests({ graph, representative, positionCount, numberOf }: Ground): Guests {
  const visits: Visit[] = [];
  // Most nodes are met at one position; the others' further ones are in the set.
  const first = new Int32Array(graph.workflow.nodes.length).fill(nowhere);
  const further = new Set<number>();
  const isNew = (node: NodeIndex, position: number): boolean => {
    if (first[node] === position) return false;
    if (first[node] === nowhere) {
      first[node] = position;
      return true;
    }
    const known = further.size;
    return further.add(node * positionCount + position).size > known;
  };
  const add = (visit: Visit): void => {
    if (isNew(visit.node, numberOf(visit.member, visit.step))) visits.push(visit);
  };
  return {
    visits,
    add,
    isPlaced: (node) => first[representative[node]!] !== nowhere,
    come: ({ way, member, step }, parent) => {
      // Equal nodes are one node: what is seen of one is seen of all.
      add({ node: representative[way.to]! as NodeIndex, member, step, parent, way });
    },
  };
}

const nowhere = -1;

/** Puts the next node that no call has come to where its texts stand; false where none is left. */
function findLost(
  { graph }: Ground,
  finder: Finder,
  nodes: Iterator<NodeIndex>,
  guests: Guests,
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
    guests.add({ node, ...position, parent: null, way: null });
    return true;
  }
  return false;
}
