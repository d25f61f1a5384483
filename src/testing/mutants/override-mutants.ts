/**
 * Settings that undo what the assistants say: overrides are applied over the assistants, so a line
 * or a prompt in them takes the place of theirs.
 */
import { child } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { hasOwnWords } from './prompt-view.js';
import { quote } from './rewording.js';
import { type MemberView, objectOf, type SquadView } from './squad-view.js';

export const overrideMutants: readonly Operator[] = [
  operator('overrides-speak', 'walk', 'All assistants say another line first.', function* (view) {
    yield* overrideAll(view, 'firstMessage', () => lineOf(view));
  }),

  operator(
    'overrides-instruct',
    'walk',
    'All assistants are told something else.',
    function* (view) {
      yield* overrideAll(view, 'model', (member) => modelOf(view, member));
    },
  ),

  operator(
    'member-override-speaks',
    'walk',
    'An override has another first line.',
    function* (view) {
      yield* overrideOne(view, 'firstMessage', () => lineOf(view));
    },
  ),

  operator(
    'member-override-instructs',
    'walk',
    'An override has another prompt.',
    function* (view) {
      // A prompt in which no step says anything has nothing to lose.
      const telling = view.members.filter(({ prompt }) =>
        prompt.steps.some((step) => hasOwnWords(prompt, step)),
      );
      yield* overrideOne({ ...view, members: telling }, 'model', (member) => modelOf(view, member));
    },
  ),

  operator(
    'opening-muted',
    'walk',
    'An assistant waits instead of saying its line.',
    function* (view) {
      // Who speaks first is a setting of the platform's; the other shape knows nothing of it.
      if (view.wrapped) return;
      for (const { assistantAt, opening } of view.members) {
        if (opening === '') continue;
        const at = `${assistantAt}/firstMessageMode`;
        yield { squad: put(view.squad, at, 'assistant-waits-for-user'), at, text: quote(opening) };
      }
    },
  ),
];

/** No member says or is told this, so that it always takes the place of something else. */
function lineOf({ source }: SquadView): string {
  return `Here is the ${source.word}.`;
}

function modelOf(view: SquadView, { assistant }: MemberView): JsonObject {
  const { provider = 'openai', model = 'gpt-4o' } = objectOf(assistant['model']);
  return { provider, model, messages: [{ role: 'system', content: lineOf(view) }] };
}

type Part = (member: MemberView) => JsonObject | string;

function* overrideAll(view: SquadView, key: string, part: Part) {
  const [first] = view.members;
  const name = view.wrapped ? 'memberOverrides' : 'membersOverrides';
  const at = child(view.rootAt, name);
  const root = view.wrapped ? objectOf(view.squad['squad']) : view.squad;
  const given = objectOf(root[name]);
  if (first === undefined || Object.hasOwn(given, key)) return;
  yield { squad: put(view.squad, at, { ...given, [key]: part(first) }), at, text: key };
}

function* overrideOne(view: SquadView, key: string, part: Part) {
  for (const member of view.members) {
    const at = `${member.at}/assistantOverrides`;
    const given = objectOf(member.value['assistantOverrides']);
    const squad = put(view.squad, at, { ...given, [key]: part(member) });
    yield { squad, at, text: quote(member.name) };
  }
}
