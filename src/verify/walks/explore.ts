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
import { claim, claimNothing } from './arrivals.js';
import { departAtAnyTime, departByStep } from './depart.js';
import { departLoosely } from './depart-loosely.js';
import { departSaved } from './depart-saved.js';
import { createFinder } from './finder.js';
import type { Ground } from './ground.js';
import { createGuests } from './guests.js';
import { createLikeness } from './likeness.js';
import { createOpenings } from './openings.js';
import { startAt } from './reception.js';
import { findIdleSteps, findWrongSentences } from './review.js';
import { createSentences, type Sentences } from './sentences.js';
import type { Difference, Visit } from './visit.js';
import type { Walk } from './walk.js';

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
  const walk: Walk = {
    ground,
    finder: createFinder(ground),
    likeness: createLikeness(ground),
    openings: createOpenings(ground),
    claims: claimNothing(ground.positionCount),
    guests: createGuests(ground),
    isEntered: new Array<boolean>(ground.squad.members.length).fill(false),
    differences: [],
    sentences: [],
  };
  const { guests, differences, openings, likeness } = walk;
  const start = startAt(walk);
  if (start !== null) {
    const { member, step } = start;
    guests.add({ node: ground.graph.start, member, step, parent: null, way: null });
  }
  const notPlaced = walkAll(walk);
  const { visits } = guests;
  const sentences = createSentences(ground, guests);
  openings.review(differences);
  findIdleSteps(walk);
  findWrongSentences(walk, sentences);
  return { visits, differences, likened: likeness.used(), notPlaced, sentences };
}

/** From visit to visit; returns the nodes that no call has come to and whose texts are nowhere. */
function walkAll(walk: Walk): NodeIndex[] {
  const { guests, isEntered } = walk;
  const notPlaced: NodeIndex[] = [];
  let next = 0;
  let searched = 0;
  do {
    for (; next < guests.visits.length; next += 1) {
      const visit = guests.visits[next]!;
      // What can happen at any time is the same at every step.
      const isNew = !isEntered[visit.member]!;
      isEntered[visit.member] = true;
      depart(walk, visit, isNew);
    }
    searched = placeNext(walk, searched, notPlaced);
  } while (next < guests.visits.length);
  return notPlaced;
}

/** Goes all ways of the visit; `isNew`: those that can be gone at any time as well. */
function depart(walk: Walk, visit: Visit, isNew: boolean): void {
  const { saved, unseen } = walk.ground.squad.members[visit.member]!;
  // What a saved assistant says, and where it hands off to, is not to be seen.
  if (unseen) return;
  if (visit.step > 0) {
    claim(walk, visit, visit.node);
    departByStep(walk, visit);
    if (isNew) departAtAnyTime(walk, visit);
    return;
  }
  const { own, globals } = saved ? departSaved(walk, visit) : departLoosely(walk, visit);
  for (const landing of own) walk.guests.come(landing.way, landing, visit);
  if (isNew) for (const landing of globals) walk.guests.come(landing.way, landing, visit);
}

/**
 * Puts the next node that no call has come to where its texts stand. Returns how many nodes have
 * been looked at.
 */
function placeNext(
  { ground: { graph }, finder, guests }: Walk,
  searched: number,
  notPlaced: NodeIndex[],
): number {
  const { order } = graph;
  for (let at = searched; at < order.length; at += 1) {
    const node = order[at]!;
    if (guests.isPlaced(node) || graph.nodeAt(node).role === 'exit') continue;
    const [position] = finder(graph.nodeAt(node));
    if (position === undefined) {
      notPlaced.push(node);
      continue;
    }
    guests.add({ node, ...position, parent: null, way: null });
    return at + 1;
  }
  return order.length;
}
