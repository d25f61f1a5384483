/**
 * Crossways: the ways that share a destination.
 *
 * Edges from one node to the same assistant do, and so do the ways to the global nodes of one
 * assistant; what the platform judges stays apart from what the model judges.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Owners } from './owners.js';
import type { Passage } from './passages.js';
import { append } from './variables/lists.js';
import type { Ground } from './walks/ground.js';
import { nameOf, type Sentences } from './walks/sentences.js';

export interface Crossway {
  readonly member: number;
  /** The node that is left; null for the ways to global nodes. */
  readonly from: NodeIndex | null;
  readonly target: number;
  readonly isGuarded: boolean;
  /** Whether the assistant's prompt is squadc's, so that the description holds no other words. */
  readonly isStrict: boolean;
  readonly passages: readonly Passage[];
  /** What the description says, each part once. */
  readonly parts: readonly string[];
}

/** Ways to a node that no single assistant owns are in none; they fail as handoffs. */
export function groupPassages(
  ground: Ground,
  owners: Owners,
  sentences: Sentences,
  passages: readonly Passage[],
): Crossway[] {
  const groups = new Map<number, Passage[]>();
  const keyOf = numberGroups(ground, owners);
  for (const passage of passages) {
    if (passage.target !== null) append(groups, keyOf(passage, passage.target), passage);
  }
  return Array.from(groups.values(), (together): Crossway => {
    const { member, from, target, condition } = together[0]!;
    const parts = together.map((it) => partOf(ground, sentences, it));
    return {
      member,
      from: from === null ? null : owners.standsFor(from),
      target: target!,
      isGuarded: condition?.routing === 'guard',
      isStrict: ground.prompts[member]!.steps.length > 0,
      passages: together,
      parts: parts.length === 1 ? parts : [...new Set(parts)],
    };
  });
}

/** A number for what the ways of a group have in common. */
function numberGroups(
  { squad, representative }: Ground,
  owners: Owners,
): (passage: Passage, target: number) => number {
  const pairs = new Map<number, number>();
  return ({ member, from, condition }, target) => {
    const ends = member * squad.members.length + target;
    const pair = pairs.get(ends) ?? pairs.size;
    pairs.set(ends, pair);
    const left = from === null ? representative.length : owners.standsFor(from);
    const way = pair * (representative.length + 1) + left;
    return 2 * way + (condition?.routing === 'guard' ? 1 : 0);
  };
}

/** What the description says for one way. */
function partOf(ground: Ground, sentences: Sentences, passage: Passage): string {
  const { member, from, condition, edge, target } = passage;
  if (condition !== null) return condition.value;
  if (from === null || edge === null) {
    return `when the caller needs ${nameOf(ground.squad.members[target!]!)}`;
  }
  const otherwise = ground.waysFrom(from).some((it) => it.condition !== null);
  return sentences.of(member, { otherwise }, true);
}
