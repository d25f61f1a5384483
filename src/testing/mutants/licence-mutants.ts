/** Handoffs that the source does not allow. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { insert } from './edit.js';
import { alternativesOf, isAtAnyTime, memberOf } from './licences.js';
import { type Operator, operator } from './mutant.js';
import { quote } from './rewording.js';
import { isSame, type MemberView, type SquadView } from './squad-view.js';
import { handoffTool, withTool } from './tool-list.js';

export const licenceMutants: readonly Operator[] = [
  operator('destination-doubled', 3, 'A destination is there twice.', function* (view) {
    for (const destination of view.destinations) {
      const { at, value, target } = destination;
      if (isAtAnyTime(view, destination) || !standsForOne(view, destination)) continue;
      yield { squad: insert(view.squad, at, value), at, text: `to ${quote(target)}` };
    }
  }),

  operator('second-at-any-time', 3, 'A handoff to a global node is there twice.', function* (view) {
    for (const destination of view.destinations) {
      const { at, value, target } = destination;
      if (!isAtAnyTime(view, destination) || !standsForOne(view, destination)) continue;
      const member = memberOf(view, destination);
      const tool = handoffTool(toolOf(member, destination), value);
      const squad = withTool(view.squad, member, tool);
      yield { squad, at, text: `to ${quote(target)}` };
    }
  }),

  operator('licence-invented', 3, 'A handoff has no reason in the source.', function* (view) {
    const description = `the caller mentions a ${view.source.word}`;
    for (const [from, to] of strangers(view)) {
      const destination = {
        type: 'assistant',
        assistantName: to.name,
        description,
        contextEngineeringPlan: { type: 'all' },
      };
      const tool = handoffTool(from.tools[0]?.value ?? {}, destination);
      const text = `${quote(from.name)} to ${quote(to.name)}`;
      yield { squad: withTool(view.squad, from, tool), at: from.at, text };
    }
  }),

  operator('licence-borrowed', 3, 'An assistant has the handoff of another one.', function* (view) {
    for (const [from, to] of strangers(view)) {
      for (const destination of view.destinations) {
        if (destination.target !== to.name) continue;
        const tool = handoffTool(
          toolOf(memberOf(view, destination), destination),
          destination.value,
        );
        const text = `${quote(from.name)} to ${quote(to.name)}`;
        yield { squad: withTool(view.squad, from, tool), at: from.at, text };
      }
    }
  }),
];

/**
 * Whether the destination stands for one edge or global node, so that a second one stands for none:
 * it has one alternative, and the source no more reasons of these words than the assistant has
 * destinations.
 */
function standsForOne(view: SquadView, destination: SquadView['destinations'][number]): boolean {
  const alternatives = alternativesOf(view, destination);
  const [{ text, isCondition } = { text: '', isCondition: false }] = alternatives;
  if (alternatives.length !== 1) return false;
  if (!isCondition) return isWording(view, text);
  const equal = memberOf(view, destination).destinations.filter((it) =>
    isSame(it.description, destination.description),
  );
  return view.source.countOf(text) <= equal.length;
}

/** Whether the words are the compiler's own, and stand for one edge or global node at most. */
function isWording({ source }: SquadView, text: string): boolean {
  if (/^when the caller needs /.test(text)) return source.openGlobals === 1;
  return /^(?:otherwise, )?(?:after collecting|when done with) /.test(text) && !source.forksOpenly;
}

/** Pairs of members where the first hands off to the second in no way. */
function* strangers({ members }: SquadView): Iterable<readonly [MemberView, MemberView]> {
  for (const from of members) {
    const known = new Set(from.destinations.map(({ target }) => target));
    for (const to of members) {
      if (to !== from && to.name !== '' && !known.has(to.name)) yield [from, to];
    }
  }
}

function toolOf({ tools }: MemberView, { toolAt }: { readonly toolAt: string }): JsonObject {
  return tools.find(({ at }) => at === toolAt)?.value ?? {};
}
