/** What is put into a squad that its source knows nothing of, as a table over the places for it. */
import { isJsonObject, type Json, type JsonObject } from '../../src/compiler/ir/json.js';
import type { Mutation, Operator } from './operators.js';
import { append, isSame, listOf, objectOf, put, type Value, type View, valueAt } from './parts.js';

/**
 * Where it is put: the kind of the values that get it, and the key below them; without a key the value
 * itself is replaced, and `+` is one more element. What is put there may be null: no damage.
 */
type Row = readonly [
  name: string,
  item: number | null,
  into: RegExp | string,
  key: string,
  what: (view: View, value: JsonObject, part: Value) => Json | null,
  isNew?: true,
];

const line = ({ word }: View): string => `Here is the ${word}.`;
const model = (content: string): JsonObject => {
  return { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content }] };
};
const inTarget =
  (wanted: View['target'], what: Json, key?: string): Row[4] =>
  ({ target }, value) =>
    target === wanted && (key === undefined || value[key]) ? what : null;
/** A description that holds conditions of the source and nothing else, with more words. */
const widened =
  (more: (view: View) => string): Row[4] =>
  (view, _, { value, quotes }) =>
    quotes.length > 0 && quotes.every(({ isSource }) => isSource) ? `${value}${more(view)}` : null;

/** A variable that does not cross there: one of the source's, or a new one. */
function stranger(view: View, at: string): string {
  const destination = at.replace(/\/variableExtractionPlan.*/, '');
  const tool = objectOf(valueAt(view.squad, destination.replace(/\/destinations\/\d+$/, '')));
  const known = JSON.stringify([valueAt(view.squad, destination)!, tool['function'] ?? null]);
  const names = view.workflow.matchAll(/"name":"(\w+)","type":"(?:string|number|boolean)"/g);
  return [...names].map(([, name]) => name!).find((it) => !known.includes(`"${it}"`)) ?? view.word;
}

/** The schema with one property more. */
function withProperty(schema: JsonObject, name: string): JsonObject {
  const properties = {
    ...objectOf(schema['properties']),
    [name]: { type: 'string', description: name },
  };
  return { type: 'object', ...schema, properties, required: [...listOf(schema['required']), name] };
}

const destination = 'handoff/destinations/-';
const plan = `${destination}/variableExtractionPlan`;
const closed =
  /^(?:members\/-|handoff|apiRequest|transferCall|function|handoff\/destinations\/-|.*\/variableExtractionPlan|.*\/aliases\/-)$/;

/** Settings that change what a caller hears or how a call ends. */
const settings: readonly (readonly [key: string, Json])[] = [
  ['endCallMessage', 'Off you go.'],
  ['endCallPhrases', ['hello']],
  ['endCallFunctionEnabled', true],
  ['hooks', [{ on: 'customer.speech.timeout', do: [{ type: 'say', exact: 'Still there?' }] }]],
];
const overrides: readonly (readonly [key: string, Json])[] = [
  ['firstMessage', 'Here is the zebra.'],
  ['model', { provider: 'openai', model: 'gpt-1' }],
  ['model', model('Sing.')],
  ['variableValues', { zebra: 'striped', full_name: 'Nobody', alpha: 'wrong' }],
  ['tools:append', [{ type: 'endCall' }]],
];

const rows: readonly Row[] = [
  [
    'a silent assistant says a line first',
    null,
    'assistant',
    'firstMessage',
    (view, { firstMessage }) => (firstMessage ? null : line(view)),
  ],
  [
    'an assistant waits instead of saying its line',
    null,
    'assistant',
    'firstMessageMode',
    inTarget('vapi', 'assistant-waits-for-user', 'firstMessage'),
  ],
  [
    'a mode silences a line',
    null,
    'assistant',
    'firstMessageMode',
    inTarget('squad', 'assistant-waits-for-user', 'firstMessage'),
    true,
  ],
  [
    'a destination offered for one more reason',
    3,
    `${destination}/description`,
    '',
    widened(({ word }) => `; or the caller mentions a ${word}`),
  ],
  [
    'a condition widened',
    3,
    `${destination}/description`,
    '',
    widened(() => ', or anything else'),
    true,
  ],
  [
    'a destination to its own assistant',
    3,
    `${destination}/assistantName`,
    '',
    ({ names }, _, { member }) => names[member] ?? null,
  ],
  [
    'a plan that nobody reads',
    4,
    destination,
    'variableExtractionPlan',
    (view, value, { at }) =>
      value['variableExtractionPlan'] ? null : { schema: withProperty({}, stranger(view, at)) },
  ],
  [
    'one more property in a plan',
    4,
    `${plan}/schema`,
    '',
    (view, value, { at }) => withProperty(value, stranger(view, at)),
  ],
  [
    'an alias that overwrites what crosses',
    4,
    plan,
    'aliases',
    ({ word }, { schema, aliases }) => {
      const [key = ''] = Object.keys(objectOf(objectOf(schema)['properties']));
      return /^[a-z]\w{0,39}$/i.test(key) ? [...listOf(aliases), { key, value: word }] : null;
    },
  ],
  [
    'other values that a variable may have',
    4,
    `${plan}/schema/properties/-`,
    'enum',
    ({ word }, { type, enum: values }) =>
      type === 'string' ? [...listOf(values), word, `${word}s`] : null,
  ],
  ['an illegal key of an alias', 8, /aliases\/-\/key$/, '', (_, __, { value }) => `1 ${value}`],
  [
    'an argument that nobody reads',
    4,
    'handoff/function/parameters',
    '',
    ({ word }, value) => withProperty(value, word),
  ],
  [
    'a parameter that the model may give',
    5,
    'function/function/parameters/properties',
    'zebra',
    () => ({ type: 'string' }),
  ],
  [
    'a tool that no node needs',
    5,
    'assistant/model',
    'tools/+',
    ({ word }) => ({
      type: 'apiRequest',
      name: word,
      url: `https://${word}.example.com/`,
      method: 'DELETE',
    }),
  ],
  [
    'an end-call tool where no call ends',
    5,
    'assistant/model',
    'tools/+',
    (_, value) => (JSON.stringify(value).includes('"type":"endCall"') ? null : { type: 'endCall' }),
  ],
  [
    'a handoff without a reason in the source',
    3,
    'assistant/model',
    'tools/+',
    (view, value, { member }) => {
      const known = JSON.stringify(value);
      const isOther = (name: string, index: number): boolean =>
        index !== member && !known.includes(`"assistantName":${JSON.stringify(name)}`);
      const assistantName = view.names.find(isOther);
      if (assistantName === undefined) return null;
      const description = `the caller mentions a ${view.word}`;
      const contextEngineeringPlan = { type: 'all' };
      const offered = { type: 'assistant', assistantName, description, contextEngineeringPlan };
      const silent = view.target === 'vapi' ? { messages: [] } : {};
      return { type: 'handoff', destinations: [offered], ...silent };
    },
  ],
  [
    'a message before the instructions',
    null,
    'assistant/model/messages',
    '',
    (_, __, { value }) => [{ role: 'system', content: 'Be brief.' }, ...listOf(value)],
  ],
  ['a key where no other key may stand', 8, closed, 'zebra', () => true],
  ['a workflowId', 9, 'assistant/model', 'workflowId', ({ word }) => `${word}-1`],
  ['all assistants say another line', null, 'root', 'overrides/firstMessage', line],
  [
    'all assistants are told something else',
    null,
    'root',
    'overrides/model',
    (view) => model(line(view)),
  ],
  [
    'an override has another first line',
    null,
    'members/-',
    'assistantOverrides/firstMessage',
    line,
  ],
  [
    'an override has another prompt',
    null,
    'members/-',
    'assistantOverrides/model',
    (view, _, { member }) =>
      // A prompt in which no step says anything has nothing to lose.
      view.lines.some((each) => each.member === member && /instruction|say|capture/.test(each.kind))
        ? model(line(view))
        : null,
  ],
  ...overrides.map(
    ([key, value]): Row => [
      `a destination overrides ${key}`,
      null,
      destination,
      `assistantOverrides/${key}`,
      inTarget('vapi', value),
      true,
    ],
  ),
  ...settings.map(
    ([key, value]): Row => [
      `an assistant has ${key}`,
      null,
      'assistant',
      key,
      (_, own) => (own[key] === undefined ? value : null),
      true,
    ],
  ),
  [
    'a handoff says a line and ends the call',
    null,
    'handoff',
    'messages',
    inTarget('vapi', [
      { type: 'request-start', content: 'Goodbye.', endCallAfterSpokenEnabled: true },
    ]),
    true,
  ],
  [
    'a handoff function is described away',
    null,
    'handoff/function/description',
    '',
    () => 'Never call this.',
    true,
  ],
];

export const inventionOperators: readonly Operator[] = rows.map(
  ([name, item, into, key, what, isNew]) => ({
    name,
    item,
    ...(isNew && { isNew }),
    *mutate(view): Iterable<Mutation> {
      const isPlace = ({ kind }: Value): boolean =>
        typeof into === 'string' ? kind === into : into.test(kind);
      const root = view.membersAt.replace(/\/members$/, '');
      const shared = view.target === 'squad' ? 'memberOverrides' : 'membersOverrides';
      const whole = { kind: 'root', at: root, value: view.squad, key: '', member: -1, quotes: [] };
      for (const part of into === 'root' ? [whole] : view.values.filter(isPlace)) {
        const made = what(view, objectOf(part.value), part);
        const path = key.replace(/^overrides/, shared).replace('zebra', view.word);
        const at = key === '' ? part.at : `${part.at}/${path}`;
        if (made === null || isSame(valueAt(view.squad, at), made)) continue;
        const isElement = at.endsWith('/+');
        const squad = isElement
          ? append(view.squad, at.slice(0, -2), made)
          : within(view, at, made);
        yield { squad, at: part.at, kind: '' };
      }
    },
  }),
);

/** Puts the value there, and an object around it where there is none. */
function within({ squad }: View, at: string, value: Json): JsonObject {
  const holder = at.slice(0, at.lastIndexOf('/'));
  const there = valueAt(squad, holder);
  const isHeld = holder === '' || isJsonObject(there) || Array.isArray(there);
  return put(isHeld ? squad : put(squad, holder, {}), at, value);
}
