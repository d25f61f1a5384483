/** Settings of the assistants and of all members. */
import { child } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../../compiler/ir/json.js';
import { drop, put, renameKey } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { quote } from './rewording.js';
import { objectOf, type SquadView, textOf } from './squad-view.js';

export const settingMutants: readonly Operator[] = [
  operator(
    'overrides-misspelt',
    8,
    'The settings of all members stand under a wrong key.',
    function* (view) {
      const { wrapped, rootAt, squad } = view;
      const key = overridesKey(view);
      if (rootOf(view)[key] === undefined) return;
      const at = child(rootAt, key);
      for (const name of [wrapped ? 'membersOverrides' : 'memberOverrides', 'memberOverride']) {
        yield { squad: renameKey(squad, at, name), at, text: name };
      }
    },
  ),

  operator('setting-dropped', 'walk', 'A voice or another setting is gone.', function* (view) {
    for (const { at, key } of settings(view)) {
      yield { squad: drop(view.squad, at), at, text: quote(key) };
    }
  }),

  operator('setting-changed', 'walk', 'A voice or another setting is another.', function* (view) {
    for (const { at, key, value } of settings(view)) {
      yield { squad: put(view.squad, at, otherThan(value, view)), at, text: quote(key) };
    }
  }),

  operator('model-changed', 'walk', 'An assistant has another model.', function* (view) {
    for (const { at, field, name } of models(view)) {
      const squad = put(view.squad, at, view.source.word);
      yield { squad, at, text: `${field} of ${quote(name)}` };
    }
  }),

  operator('workflow-id-planted', 9, 'The squad names a workflowId.', function* (view) {
    const planted = `${view.source.word}-1`;
    for (const { assistantAt, assistant, at } of view.members) {
      if (!isJsonObject(assistant['model'])) continue;
      yield { squad: put(view.squad, `${assistantAt}/workflowId`, planted), at, text: 'assistant' };
      const place = `${assistantAt}/model/workflowId`;
      yield { squad: put(view.squad, place, planted), at, text: 'model' };
    }
    for (const { at, type, value } of view.tools) {
      if (type !== 'apiRequest' || value['body'] === undefined) continue;
      const body = { type: 'object', properties: { workflowId: { type: 'string' } } };
      yield { squad: put(view.squad, `${at}/body`, body), at, text: 'request' };
    }
  }),
];

/** The key of the settings of all members, in the shape that the squad has. */
function overridesKey({ wrapped }: SquadView): string {
  return wrapped ? 'memberOverrides' : 'membersOverrides';
}

function rootOf({ wrapped, squad }: SquadView) {
  return wrapped ? objectOf(squad['squad']) : squad;
}

/** Parts of an assistant that are no settings. */
const ownParts: ReadonlySet<string> = new Set([
  ...['name', 'firstMessage', 'firstMessageMode', 'model'],
]);

/** Settings of assistants and of all members; none is a default, so each was asked for. */
function settings(view: SquadView): { at: string; key: string; value: Json }[] {
  const shared = child(view.rootAt, overridesKey(view));
  const list = (holder: Json | undefined, at: string) =>
    Object.entries(objectOf(holder)).map(([key, value]) => ({ at: child(at, key), key, value }));
  return [
    ...list(rootOf(view)[overridesKey(view)], shared),
    ...view.members.flatMap(({ assistant, assistantAt }) =>
      list(assistant, assistantAt).filter(({ key }) => !ownParts.has(key)),
    ),
  ];
}

function otherThan(value: Json, { source }: SquadView): Json {
  if (!isJsonObject(value)) return source.word;
  const key = ['voiceId', 'model', 'provider'].find((it) => Object.hasOwn(value, it));
  return { ...value, [key ?? source.word]: source.word };
}

/** Provider and model where the workflow itself names them; a default is nobody's wish. */
function* models({ members, source }: SquadView) {
  for (const { assistant, assistantAt, name } of members) {
    const model = objectOf(assistant['model']);
    for (const field of ['provider', 'model']) {
      if (!source.models.has(textOf(model[field]))) continue;
      yield { at: `${assistantAt}/model/${field}`, field, name };
    }
  }
}
