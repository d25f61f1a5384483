/**
 * Crossways: the ways that share a destination.
 *
 * Edges from one node to the same assistant do, and so do the ways to the global nodes of one
 * assistant; what the platform judges stays apart from what the model judges.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Owners } from './owners.js';
import type { Passage } from './passages.js';
import type { Ground } from './walks/ground.js';
import { nameOf, type Sentences } from './walks/sentences.js';

export interface Crossway {
  /** Its number among all of them. */
  readonly index: number;
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
  if (passages.length === 0) return [];
  const groups: Passage[][] = [];
  const known = new Map<number, Passage[]>();
  const keyOf = numberGroups(ground, owners);
  for (const passage of passages) {
    if (passage.target === null) continue;
    const key = keyOf(passage, passage.target);
    const group = known.get(key);
    if (group !== undefined) {
      group.push(passage);
      continue;
    }
    const alone = [passage];
    groups.push(alone);
    known.set(key, alone);
  }
  return groups.map((together, index) => {
    const { member, from, target, condition } = together[0]!;
    return {
      index,
      member,
      from: from === null ? null : owners.standsFor(from),
      target: target!,
      isGuarded: condition?.routing === 'guard',
      isStrict: ground.prompts[member]!.steps.length > 0,
      passages: together,
      parts: partsOf(ground, sentences, together),
    };
  });
}

/** What the description says for all of these ways, each part once. */
function partsOf(
  ground: Ground,
  sentences: Sentences,
  passages: readonly Passage[],
): readonly string[] {
  if (passages.length === 1) return [partOf(ground, sentences, passages[0]!)];
  return [...new Set(passages.map((it) => partOf(ground, sentences, it)))];
}

/** A number for what the ways of a group have in common. */
function numberGroups(
  { squad, representative }: Ground,
  owners: Owners,
): (passage: Passage, target: number) => number {
  const [nodes, members] = [representative.length, squad.members.length];
  // A node with one owner stands for that; one with several does with each of them.
  const shared = new Map<number, number>();
  const numberShared = (key: number): number => {
    const number = shared.get(key) ?? shared.size;
    shared.set(key, number);
    return number;
  };
  const numberLeft = (member: number, from: NodeIndex | null): number => {
    if (from === null) return nodes + member;
    const left = owners.standsFor(from);
    if (owners.soleOwner(from) !== null) return left;
    return nodes + members + numberShared(left * members + member);
  };
  return ({ member, from, condition }, target) => {
    const way = numberLeft(member, from) * members + target;
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
