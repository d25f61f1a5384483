/**
 * Which assistant speaks of the same things as a node: for squads in which the texts were reworded.
 *
 * A word that few assistants use says more than one that all use. What is found so is a guess, and
 * is reported as one.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import type { Ground } from './ground.js';

export interface Likeness {
  /** The member among these that is most like the node; null where none is. */
  readonly closest: (node: WorkflowNode, members: Iterable<number>) => number | null;
  /** Nodes for which a member was found so. */
  readonly used: ReadonlySet<NodeIndex>;
}

/** Less than this is chance. */
const enough = 1;

export function createLikeness(ground: Ground): Likeness {
  let words: readonly ReadonlySet<string>[] | null = null;
  let frequency: ReadonlyMap<string, number> = new Map();
  const used = new Set<NodeIndex>();
  const prepare = (): readonly ReadonlySet<string>[] => {
    if (words !== null) return words;
    words = listWords(ground);
    frequency = countMembers(words);
    return words;
  };
  return {
    used,
    closest: (node, members) => {
      const all = prepare();
      const own = wordsIn(textsOf(node));
      let best: { member: number; score: number } | null = null;
      for (const member of members) {
        const score = scoreOf(own, all[member]!, frequency, all.length);
        if (score >= enough && score > (best?.score ?? 0)) best = { member, score };
      }
      if (best !== null) used.add(node.index);
      return best?.member ?? null;
    },
  };
}

function scoreOf(
  own: ReadonlySet<string>,
  other: ReadonlySet<string>,
  frequency: ReadonlyMap<string, number>,
  count: number,
): number {
  let score = 0;
  for (const word of own) {
    if (other.has(word)) score += 1 + Math.log(count / (frequency.get(word) ?? 1));
  }
  return score;
}

/** What each member says, and what is said of it where others hand off to it. */
function listWords({ squad }: Ground): Set<string>[] {
  const texts = squad.members.map(({ name, prompt, firstMessage }) => [
    name ?? '',
    prompt,
    firstMessage ?? '',
  ]);
  for (const { leadsTo, description } of squad.destinations) {
    if (leadsTo !== null) texts[leadsTo]?.push(description);
  }
  return texts.map(wordsIn);
}

function countMembers(words: readonly ReadonlySet<string>[]): Map<string, number> {
  const count = new Map<string, number>();
  for (const set of words) for (const word of set) count.set(word, (count.get(word) ?? 0) + 1);
  return count;
}

function textsOf(node: WorkflowNode): string[] {
  const { id, name, firstMessage, systemPrompt, captures } = node;
  return [
    id,
    name ?? '',
    firstMessage?.value ?? '',
    systemPrompt?.value ?? '',
    ...captures.flatMap((it) => [it.name, it.description?.value ?? '']),
  ];
}

/** Words of four letters and more, by their first six: "schedule" and "scheduling" are alike. */
function wordsIn(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]{4,}/gu)) {
      words.add(word.slice(0, 6));
    }
  }
  return words;
}
