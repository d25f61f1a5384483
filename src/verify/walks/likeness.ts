/**
 * Which assistant speaks of the same things as a node: for squads in which the texts were reworded.
 *
 * A word that few assistants use says more than one that all use; one that very many use says
 * nothing. What is found so is a guess, and is reported as one.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { WorkflowNode } from '../../compiler/ir/workflow.js';
import type { Ground } from './ground.js';

export interface Likeness {
  /** The member, of these or of all, that is most like the node; null where none is. */
  readonly closest: (node: WorkflowNode, members: readonly number[] | 'all') => number | null;
  /** Nodes for which a member was found so. */
  readonly used: () => ReadonlySet<NodeIndex>;
}

/** Less than this is chance. */
const enough = 1;
/** A word that more members use tells them no more apart, and would cost too much to follow. */
const common = 200;

/** By word, the members that use it. */
type Users = ReadonlyMap<string, readonly number[]>;

export function createLikeness(ground: Ground): Likeness {
  let users: Users | null = null;
  let used: Set<NodeIndex> | null = null;
  return {
    used: () => used ?? none,
    closest: (node, members) => {
      users ??= listUsers(ground);
      const scores = scoreMembers(users, ground.squad.members.length, wordsIn(textsOf(node)));
      const best = chooseBest(
        scores,
        members === 'all' ? [...scores.keys()].sort(byNumber) : members,
      );
      if (best !== null) {
        used ??= new Set();
        used.add(node.index);
      }
      return best;
    },
  };
}

const none: ReadonlySet<NodeIndex> = new Set();

function scoreMembers(users: Users, count: number, words: ReadonlySet<string>) {
  const scores = new Map<number, number>();
  for (const word of words) {
    const members = users.get(word) ?? [];
    if (members.length > common) continue;
    const weight = 1 + Math.log(count / members.length);
    for (const member of members) scores.set(member, (scores.get(member) ?? 0) + weight);
  }
  return scores;
}

/** The first of those with the highest score. */
function chooseBest(scores: ReadonlyMap<number, number>, members: readonly number[]) {
  let best: number | null = null;
  for (const member of members) {
    const score = scores.get(member) ?? 0;
    if (score >= enough && score > (best === null ? 0 : scores.get(best)!)) best = member;
  }
  return best;
}

/** What each member says, and what is said of it where others hand off to it. */
function listUsers({ squad }: Ground): Users {
  const texts = squad.members.map(({ name, prompt, firstMessage }) => [
    name ?? '',
    prompt,
    firstMessage ?? '',
  ]);
  for (const { leadsTo, description } of squad.destinations) {
    if (leadsTo !== null) texts[leadsTo]?.push(description);
  }
  const users = new Map<string, number[]>();
  texts.forEach((all, member) => {
    for (const word of wordsIn(all)) {
      const known = users.get(word);
      if (known === undefined) users.set(word, [member]);
      else known.push(member);
    }
  });
  return users;
}

function textsOf(node: WorkflowNode): string[] {
  const { id, name, firstMessage, systemPrompt, captures } = node;
  return [
    id,
    name ?? '',
    firstMessage?.value ?? '',
    systemPrompt?.value ?? '',
    ...captures.flatMap((it) => [it.name, it.description?.value ?? it.alias?.value ?? '']),
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

function byNumber(one: number, other: number): number {
  return one - other;
}
