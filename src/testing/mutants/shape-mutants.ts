/** Documents that do not have the shape any more, and messages that are not the instructions. */
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { put, renameKey, withoutKey } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { hasOwnWords, waysOf } from './prompt-view.js';
import { quote } from './rewording.js';
import { listOf, type MemberView, objectOf, type SquadView, type ToolView } from './squad-view.js';

export const shapeMutants: readonly Operator[] = [
  operator('unknown-key', 8, 'A key stands where no other key may stand.', function* (view) {
    for (const [what, at, value] of closedPlaces(view)) {
      const more = { ...value, [view.source.word]: true };
      const squad = at === '' ? more : put(view.squad, at, more);
      yield { squad, at, text: what };
    }
  }),

  operator('key-misspelt', 8, 'A key that must or may be there is misspelt.', function* (view) {
    for (const [what, at, value] of closedPlaces(view)) {
      for (const key of Object.keys(value)) {
        const squad = renameKey(view.squad, child(at, key), `${key}s`);
        yield { squad, at, text: `${key}s in ${what}` };
      }
    }
  }),

  operator(
    'system-role-changed',
    8,
    'The instructions are said by somebody else.',
    function* (view) {
      for (const { messages, at, name } of conversations(view)) {
        for (const role of ['user', 'assistant']) {
          const squad = put(view.squad, `${at}/0`, { ...objectOf(messages[0]), role });
          yield { squad, at, text: `${role} in ${quote(name)}` };
        }
      }
    },
  ),

  operator('system-message-second', 8, 'Another message stands before it.', function* (view) {
    for (const { messages, at, name } of conversations(view)) {
      for (const role of ['user', 'system']) {
        const squad = put(view.squad, at, [{ role, content: 'Be brief.' }, ...messages]);
        yield { squad, at, text: `${role} in ${quote(name)}` };
      }
    }
  }),

  operator('system-message-dropped', 8, 'An assistant has no instructions.', function* (view) {
    for (const { messages, at, name } of conversations(view)) {
      yield { squad: put(view.squad, at, messages.slice(1)), at, text: quote(name) };
    }
  }),

  operator('system-message-emptied', 'walk', 'An assistant is told nothing.', function* (view) {
    for (const { prompt, promptAt, name } of view.members) {
      // A prompt in which no step says anything has nothing to lose.
      if (!prompt.steps.some((step) => hasOwnWords(prompt, step))) continue;
      yield { squad: put(view.squad, promptAt, ''), at: promptAt, text: quote(name) };
    }
  }),

  operator('other-target', 8, 'The document has the shape of the other target.', function* (view) {
    if (!tellsItsTarget(view)) return;
    const { squad, wrapped } = view;
    if (wrapped) yield { squad: objectOf(squad['squad']), at: '', text: 'vapi' };
    else yield { squad: { squad: withoutKey(squad, 'name') }, at: '', text: 'squad' };
  }),

  operator('members-missing', 8, 'The squad has no members.', function* (view) {
    const { squad, membersAt } = view;
    yield { squad: put(squad, membersAt, []), at: membersAt, text: 'no member' };
  }),

  operator('member-without-assistant', 8, 'A member holds no assistant.', function* (view) {
    for (const { at, value, name } of view.members) {
      if (value['assistant'] === undefined) continue;
      const squad = put(view.squad, at, withoutKey(value, 'assistant'));
      yield { squad, at, text: quote(name) };
    }
  }),
];

/**
 * Whether something in the document is wrong in the other target: the key of the overrides, plain
 * headers, how a call ends, what only the platform's tools have. A document without any of this is
 * right in either.
 */
function tellsItsTarget({ squad, wrapped, members, tools }: SquadView): boolean {
  const root = wrapped ? objectOf(squad['squad']) : squad;
  if (Object.hasOwn(root, wrapped ? 'memberOverrides' : 'membersOverrides')) return true;
  const hasHeaders = ({ value }: ToolView) => Object.keys(objectOf(value['headers'])).length > 0;
  if (tools.some(hasHeaders)) return true;
  const ends = ({ prompt }: MemberView) => waysOf(prompt).some(({ kind }) => kind === 'end');
  if (wrapped) return members.some(ends);
  return tools.some(({ type, value }) => {
    const own = type === 'handoff' ? value['messages'] : value['rejectionPlan'];
    return type === 'endCall' || own !== undefined;
  });
}

type Place = readonly [what: string, at: JsonPointer, value: JsonObject];

/** Objects whose keys are all known: the others are open to settings. */
function* closedPlaces(view: SquadView): Iterable<Place> {
  yield ['document', '', view.squad];
  if (view.wrapped) yield ['squad', '/squad', objectOf(view.squad['squad'])];
  for (const { at, value } of view.members) yield ['member', at, value];
  for (const { at, value, type } of view.tools) {
    yield [type, at, value];
    if (type === 'transferCall') {
      for (const [index, destination] of listOf(value['destinations']).entries()) {
        yield ['transfer destination', `${at}/destinations/${index}`, objectOf(destination)];
      }
    }
    const { aliases } = objectOf(value['variableExtractionPlan']);
    for (const [index, alias] of listOf(aliases).entries()) {
      yield ['alias', `${at}/variableExtractionPlan/aliases/${index}`, objectOf(alias)];
    }
  }
  for (const { at, value, schema, schemaAt } of view.destinations) {
    yield ['destination', at, value];
    const context = value['contextEngineeringPlan'];
    if (isJsonObject(context)) yield ['context', `${at}/contextEngineeringPlan`, context];
    const plan = value['variableExtractionPlan'];
    if (isJsonObject(plan)) yield ['plan', `${at}/variableExtractionPlan`, plan];
    if (schema !== null) yield ['schema', schemaAt, schema];
  }
}

function conversations({ members }: SquadView) {
  return members.flatMap(({ assistant, assistantAt, name }) => {
    const messages: readonly Json[] = listOf(objectOf(assistant['model'])['messages']);
    return messages.length === 0 ? [] : [{ messages, at: `${assistantAt}/model/messages`, name }];
  });
}
