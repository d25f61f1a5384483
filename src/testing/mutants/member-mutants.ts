/** Members that are gone, that are there twice, that stand or are called otherwise. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { leavesGap, looksAlike } from './licences.js';
import { type Operator, operator } from './mutant.js';
import { callOtherwise, renameEverywhere } from './rename-member.js';
import { quote } from './rewording.js';
import type { MemberView, SquadView } from './squad-view.js';

export const memberMutants: readonly Operator[] = [
  operator(
    'entry-not-first',
    1,
    'The entry has changed places with another member.',
    function* (view) {
      const [first, ...rest] = view.members;
      for (const other of rest) {
        // The order of the others means nothing, and two that say the same are one as good as another.
        if (first?.index !== 0 || looksAlike(first, other)) continue;
        const half = put(view.squad, first.at, other.value);
        yield { squad: put(half, other.at, first.value), at: other.at, text: quote(other.name) };
      }
    },
  ),

  operator('entry-last', 1, 'The entry stands behind all others.', function* (view) {
    const [first, second] = view.members;
    if (first?.index !== 0 || second?.index !== 1 || looksAlike(first, second)) return;
    const rotated = [...view.memberList.slice(1), first.value];
    const squad = put(view.squad, view.membersAt, rotated);
    yield { squad, at: first.at, text: quote(first.name) };
  }),

  operator('member-dropped', 2, 'A member is gone, its handoffs are not.', function* (view) {
    for (const { at, name } of plural(view)) {
      yield { squad: drop(view.squad, at), at, text: quote(name) };
    }
  }),

  operator('member-cut-out', 2, 'A member and all handoffs to it are gone.', function* (view) {
    for (const { at, name } of plural(view)) {
      const squad = withoutHandoffsTo(view, name);
      yield { squad: drop(squad, at), at, text: quote(name) };
    }
  }),

  operator('member-doubled', 7, 'A member is there twice under one name.', function* (view) {
    for (const member of view.members) {
      if (member.name === '') continue;
      yield { squad: withMember(view, member.value), at: member.at, text: quote(member.name) };
    }
  }),

  operator('member-copied', 2, 'A member is there again under another name.', function* (view) {
    for (const member of view.members) {
      if (member.name === '') continue;
      // Nobody hands off to the copy, which is one assistant more than there must be.
      const value = renamed(view, member);
      yield { squad: withMember(view, value), at: member.at, text: quote(member.name) };
    }
  }),

  operator('member-renamed', 7, 'A member has a name that no handoff knows.', function* (view) {
    for (const { assistantAt, name } of view.members) {
      // A name that nothing leads to is free.
      if (!view.destinations.some(({ target }) => target === name)) continue;
      const at = `${assistantAt}/name`;
      yield { squad: put(view.squad, at, view.source.word), at, text: quote(name) };
    }
  }),

  operator('member-nameless', 8, 'A member has no name.', function* (view) {
    for (const { assistantAt, name } of view.members) {
      if (name === '') continue;
      yield { squad: drop(view.squad, `${assistantAt}/name`), at: assistantAt, text: quote(name) };
    }
  }),

  operator('name-too-long', 8, 'A member is called by a long name everywhere.', function* (view) {
    for (const member of view.members) {
      if (member.name === '') continue;
      const name = `${member.name} ${view.source.word.repeat(9)}`;
      yield { squad: renameEverywhere(view, member, name), at: member.at, text: quote(name) };
    }
  }),

  operator(
    'names-swapped',
    3,
    'Two members have each other’s name, their handoffs have not.',
    function* (view) {
      for (const [index, one] of view.members.entries()) {
        for (const other of view.members.slice(index + 1)) {
          if (one.name === '' || other.name === '' || looksAlike(one, other)) continue;
          // Some handoff leads to the wrong one; two that are offered for the same do not.
          if (!isMisled(view, one.name, other.name)) continue;
          const half = put(view.squad, `${one.assistantAt}/name`, other.name);
          const squad = put(half, `${other.assistantAt}/name`, one.name);
          yield { squad, at: one.at, text: `${quote(one.name)} and ${quote(other.name)}` };
        }
      }
    },
  ),
];

/** Whether a handoff is missed where each of two names means what the other meant. */
function isMisled(view: SquadView, one: string, other: string): boolean {
  const swapped = (name: string) => (name === one ? other : name === other ? one : name);
  return view.members.some(({ destinations }) => {
    const after = destinations.map((it) => ({ ...it, target: swapped(it.target) }));
    return destinations.some((it) => leavesGap(view, it, after));
  });
}

/** Tools that lead nowhere else go with their destinations. */
function withoutHandoffsTo({ squad, tools }: SquadView, name: string): JsonObject {
  let left = squad;
  // From the last to the first, so that places stay what they are.
  for (const { at, destinations } of tools.toReversed()) {
    const leading = destinations.filter(({ target }) => target === name);
    if (leading.length === 0) continue;
    const isOnly = leading.length === destinations.length;
    for (const place of isOnly ? [at] : leading.map((it) => it.at).reverse()) {
      left = drop(left, place);
    }
  }
  return left;
}

/** Members, where there is more than one. */
function plural({ members }: SquadView): readonly MemberView[] {
  return members.length > 1 ? members : [];
}

function withMember({ squad, memberList, membersAt }: SquadView, member: JsonObject): JsonObject {
  return put(squad, membersAt, [...memberList, member]);
}

function renamed({ source }: SquadView, member: MemberView): JsonObject {
  const prompt = callOtherwise(member, member.name, source.word);
  const value = put(member.value, '/assistant/name', source.word);
  return put(value, '/assistant/model/messages/0/content', prompt);
}
