/** Additions to a squad that its workflow does not contain, and damage to whole members. */
import type { Json, JsonObject } from '../../src/index.js';
import { append, change, drop, isSame, listOf, objectOf, put, textOf, valueAt } from '../json.js';
import type { Operator } from './operators.js';
import { type Part, promptAt, type View } from './parts.js';
import { edited, headings, stepOf } from './verbs.js';

/**
 * The kind of parts that get the value, and the key below them. Without a key the part itself is
 * replaced, and `+` adds an element. A function may return null: no damage.
 */
type Row = readonly [
  into: string,
  key: string,
  what: Json | ((view: View, value: JsonObject, part: Part) => Json | null),
];

const line = ({ word }: View): string => `Here is the ${word}.`;
const model = (content: string): JsonObject => {
  return { provider: 'openai', model: 'gpt-4o', messages: [{ role: 'system', content }] };
};
/** Beside a prompt that squadc did not write, a description may say more. */
const widened =
  (more: (view: View) => string): Row[2] =>
  (view, _, { text, at }) =>
    text === '' || at.includes('/tools:append/') ? null : text + more(view);

/** The schema with one more property: a variable that is not carried there, or a new one. */
function withProperty(view: View, schema: JsonObject, at: string): Json {
  const tool = /^.*\/tools(?::append)?\/\d+/.exec(at)?.[0] ?? '';
  const known = JSON.stringify(valueAt(view.squad, tool) ?? null);
  const names = view.workflow.matchAll(/"name":"(\w+)","type":"(?:string|number|boolean)"/g);
  const strangers = [...names].map(([, name]) => name!).filter((it) => !known.includes(`"${it}"`));
  const name = strangers[0] ?? view.word;
  const more = { ...objectOf(schema['properties']), [name]: { type: 'string', description: name } };
  const required = [...listOf(schema['required']), name];
  return { type: 'object', ...schema, properties: more, required };
}

/** A handoff to a member that no handoff leads to. */
function handoff({ names, word, target }: View, value: JsonObject, { member }: Part): Json | null {
  const known = JSON.stringify(value);
  const assistantName = names.find(
    (name, index) => index !== member && !known.includes(`"assistantName":${JSON.stringify(name)}`),
  );
  if (!assistantName) return null;
  const description = `the caller mentions a ${word}`;
  const contextEngineeringPlan = { type: 'all' };
  const offered = { type: 'assistant', assistantName, description, contextEngineeringPlan };
  const silent = target === 'vapi' ? { messages: [] } : {};
  return { type: 'handoff', destinations: [offered], ...silent };
}

const goodbye = { type: 'request-start', content: 'Goodbye.', endCallAfterSpokenEnabled: true };
const deleting = { type: 'apiRequest', url: 'https://zebra.example.com/', method: 'DELETE' };
const silence = { on: 'customer.speech.timeout', do: [{ type: 'say', exact: 'Still there?' }] };
const consent = { type: 'verbal', message: 'This call is recorded.' };
const destination = 'handoff/destinations/-';
const plan = `${destination}/variableExtractionPlan`;

const rows: readonly Row[] = [
  ['assistant', 'firstMessage', (view, { firstMessage }) => (firstMessage ? null : line(view))],
  [
    'assistant',
    'firstMessageMode',
    (_, { firstMessage }) => (firstMessage ? 'assistant-waits-for-user' : null),
  ],
  ['assistant', 'endCallMessage', 'Off you go.'],
  ['assistant', 'endCallPhrases', ['hello']],
  ['assistant', 'endCallFunctionEnabled', true],
  ['assistant', 'hooks', [silence]],
  [
    'assistant',
    'server',
    // It answers the tools that have none of their own.
    (_, { model }) =>
      listOf(objectOf(model ?? null)['tools']).some((it) => {
        const { type, server } = objectOf(it);
        return type === 'function' && server === undefined;
      })
        ? { url: 'https://zebra.example.com/' }
        : null,
  ],
  ['assistant', 'compliancePlan', { recordingConsentPlan: consent }],
  ['assistant', 'monitorPlan', { controlEnabled: true }],
  ['assistant', 'credentialIds', ['zebra']],
  ['assistant/model/messages/-', 'name', 'zebra'],
  ['assistant/model/messages/-', 'contents', ['zebra']],
  ['assistant/model/messages/-', 'tool_calls', []],
  ['transferCall/destinations/-', 'numberE164CheckEnabled', false],
  ['assistant/model', 'workflowId', 'zebra-1'],
  ['assistant/model', 'tools/+', { ...deleting, name: 'zebra' }],
  [
    'assistant/model',
    'tools/+',
    (_, value) => (JSON.stringify(value).includes('"type":"endCall"') ? null : { type: 'endCall' }),
  ],
  ['assistant/model', 'tools/+', handoff],
  [
    'assistant/model/messages',
    '',
    (_, __, { value }) => [{ role: 'system', content: 'Be brief.' }, ...listOf(value)],
  ],
  ['handoff', 'messages', [goodbye]],
  ['handoff/function/description', '', 'Never call this.'],
  ['handoff/function/parameters', '', (view, value, { at }) => withProperty(view, value, at)],
  [`${destination}/description`, '', widened(({ word }) => `; or the caller mentions a ${word}`)],
  [`${destination}/description`, '', widened(() => ', or anything else')],
  [`${destination}/assistantName`, '', ({ names }, _, { member }) => names[member] || null],
  [
    destination,
    'variableExtractionPlan/schema',
    (view, value, { at }) => (value['variableExtractionPlan'] ? null : withProperty(view, {}, at)),
  ],
  [`${plan}/schema`, '', (view, value, { at }) => withProperty(view, value, at)],
  [
    plan,
    'aliases',
    ({ word }, { schema, aliases }) => {
      const [key = ''] = Object.keys(objectOf(objectOf(schema)['properties']));
      return /^[a-z]\w{0,39}$/i.test(key) ? [...listOf(aliases), { key, value: word }] : null;
    },
  ],
  [
    `${plan}/schema/properties/-`,
    'enum',
    ({ word }, { type, enum: values }) => (type === 'string' ? [...listOf(values), word] : null),
  ],
  [`${plan}/aliases/-/key`, '', (_, __, { text }) => `1 ${text}`],
  [destination, 'assistantOverrides/firstMessage', line],
  [destination, 'assistantOverrides/model', model('Sing.')],
  [destination, 'assistantOverrides/variableValues', { full_name: 'Nobody', alpha: 'wrong' }],
  [destination, 'assistantOverrides/tools:append', [{ type: 'endCall' }]],
  ['members/-', 'assistantOverrides/firstMessage', line],
  ['members/-', 'assistantOverrides/model', model('Sing.')],
  ['', 'overrides/firstMessage', line],
  ['', 'overrides/model', model('Sing.')],
];

const putIn = rows.map(
  ([into, key, what]): Operator => ({
    name: `${key || 'more'} invented`,
    kinds: into,
    on: (kind) => kind === into,
    *edit(view, part) {
      const { squad, target } = view;
      const made = typeof what === 'function' ? what(view, objectOf(part.value), part) : what;
      const [root, shared] =
        target === 'squad' ? ['/squad', 'memberOverrides'] : ['', 'membersOverrides'];
      const path = key.replace(/^overrides/, shared);
      const at = `${into === '' ? root : part.at}${key && '/'}${path.replace(/\/\+$/, '')}`;
      if (made === null || isSame(valueAt(squad, at), made)) return;
      yield path.endsWith('+') ? append(squad, at, made) : put(squad, at, made);
    },
  }),
);

type Handoff = { readonly destinations?: readonly object[] };
type Others = Readonly<Record<string, readonly [on: string, Operator['edit']]>>;

/** Tags that leave nothing of a text, or something else. */
const hiding: readonly (readonly [before: string, after: string])[] = [
  ['{% comment %}', '{% endcomment %}'],
  ['{% if false %}', '{% endif %}'],
  ['{% capture zebra %}', '{% endcapture %}'],
];

function* hidden(view: View, part: Part): Iterable<JsonObject> {
  for (const [before, after] of hiding)
    yield edited(view.squad, part.at, [part, `${before}${part.text}${after}`]);
}

const others: Others = {
  'hidden by tags': ['line instruction', hidden],
  'hidden by tags as well': ['line say', hidden],
  'replaced by an assignment': [
    'line instruction',
    function* ({ squad }, { at, text }) {
      const name = /\{\{\s*(\w+)\s*\}\}/.exec(text)?.[1];
      if (name === undefined) return;
      const start = { start: 0, end: 0 };
      yield edited(squad, at, [start, `{% assign ${name} = "zebra" %}`]);
    },
  ],
  'with an invented way': [
    'line heading',
    function* (view, heading) {
      const { end } = stepOf(view, heading).at(-1)!;
      const reason = `- when the caller mentions a ${view.word}`;
      const steps = headings(view).filter(({ member }) => member === heading.member);
      const ways = steps.map(({ step }) => `go to step ${step}`);
      for (const way of ['then end the call', ...ways])
        yield edited(view.squad, heading.at, [{ start: end, end }, `${reason}, ${way}\n`]);
    },
  ],
  'lost with its step': [
    'line heading',
    function* (view, heading) {
      const { end } = stepOf(view, heading).at(-1)!;
      yield edited(view.squad, heading.at, [{ start: heading.start, end }, '']);
    },
  ],
  'cut out with all handoffs to it': [
    'members/-',
    function* ({ squad, names }, { at, member }) {
      yield JSON.parse(JSON.stringify(drop(squad, at)), (key, value) => {
        if (key === 'tools')
          return value.filter((each: Handoff) => each.destinations?.length !== 0);
        const isOther = (each: JsonObject) => each['assistantName'] !== names[member];
        return key === 'destinations' ? value.filter(isOther) : value;
      }) as JsonObject;
    },
  ],
  'there again under another name': [
    'members/-',
    function* ({ squad, membersAt, names, word }, { value, member }) {
      const name = names[member]!;
      if (name === '') return;
      const renamed = put({ it: value }, '/it/assistant/name', word);
      const copy = change(renamed, promptAt('/it'), (prompt) =>
        textOf(prompt).replace(`"${name}" of`, `"${word}" of`),
      );
      yield append(squad, membersAt, copy['it']!);
    },
  ],
  'first in the place of another': [
    'members/-',
    function* ({ squad, membersAt }, { at, key, value }) {
      if (key === '0') return;
      yield put(drop(squad, at), membersAt, [
        value,
        ...listOf(valueAt(drop(squad, at), membersAt)),
      ]);
    },
  ],
  'one of several reasons lost': [
    'handoff/destinations/-/description',
    function* ({ squad }, { at, text, quotes }) {
      for (const { start, end } of quotes.length > 1 ? quotes : []) {
        const left = text.slice(0, start) + text.slice(end);
        const joined = left.replace(/^; or |; or $/, '').replace('; or ; or ', '; or ');
        if (!joined.includes(text.slice(start, end))) yield put(squad, at, joined);
      }
    },
  ],
  'an id': [
    'handoff/destinations/-',
    function* ({ squad, word }, { at, value }) {
      const { assistantName, ...rest } = objectOf(value);
      if (assistantName !== undefined) yield put(squad, at, { ...rest, assistantId: word });
    },
  ],
  'made before its parts': [
    `${plan}/aliases`,
    function* ({ squad }, { at, value }) {
      const list = listOf(value);
      for (const [index, alias] of list.entries()) {
        const { key, value: text } = objectOf(alias);
        const read = /\{\{\s*(\w+)\s*\}\}/.exec(textOf(text))?.[1];
        const part = list.slice(0, index).find((each) => objectOf(each)['key'] === read);
        // Of two that read each other, neither comes first.
        if (part !== undefined && !textOf(objectOf(part)['value']).includes(`{{${key}}}`))
          yield put(squad, at, [alias, ...list.filter((each) => each !== alias)]);
      }
    },
  ],
};

export const inventions: readonly Operator[] = [
  ...putIn,
  ...Object.entries(others).map(([name, [on, edit]]) => ({
    name,
    kinds: on,
    on: (kind: string) => kind === on,
    edit,
  })),
];
