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
  const groups = new Map<string, Passage[]>();
  for (const passage of passages) {
    const { member, from, target, condition } = passage;
    if (target === null) continue;
    const left = from === null ? 'global' : owners.standsFor(from);
    const key = `${member} ${left} ${target} ${condition?.routing === 'guard'}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [passage]);
    else known.push(passage);
  }
  return [...groups.values()].map((together) => {
    const { member, from, target, condition } = together[0]!;
    return {
      member,
      from: from === null ? null : owners.standsFor(from),
      target: target!,
      isGuarded: condition?.routing === 'guard',
      isStrict: ground.prompts[member]!.steps.length > 0,
      passages: together,
      parts: [...new Set(together.map((it) => partOf(ground, sentences, it)))],
    };
  });
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
