/**
 * Documents of both dialects with odd content, and the answers and options to go with them. Most
 * can be read, so that the later phases see them, too.
 */
import fc from 'fast-check';
import type { Json } from '../../src/index.js';
import { choosing, settle } from '../../src/testing.js';

type Some = fc.Arbitrary<unknown>;
type Table = Readonly<Record<string, readonly [often: number, value: Some]>>;

const of = (...values: readonly unknown[]): Some => fc.constantFrom(...values);
const some = (item: Some, maxLength = 2): Some => fc.array(item, { maxLength });
const either = (...all: readonly Some[]): Some => fc.oneof(...all);
/** Once in three thousand times something that cannot be read. */
const mostly = (usual: Some, odd: Some) =>
  fc.oneof({ arbitrary: usual, weight: 3000 }, { arbitrary: odd, weight: 1 });
const junk = of(null, 0, 1.5, true, '', 'x', [], {}, [1], { toString: 1 }, ['x', 'x']);

/** An object; each field is there so many times in ten. */
function object(fields: Table): Some {
  const members = Object.entries(fields).map(([key, [often, value]]) => {
    const given = fc.record({ at: fc.integer({ min: 1, max: 10 }), value: mostly(value, junk) });
    return given.map(({ at, value: it }) => (at > 10 - often ? [[key, it] as const] : []));
  });
  return fc.tuple(...members).map((all) => Object.fromEntries(all.flat()));
}

const plain = ['a', 'b', 'c', 'x', 'y'];
const odd = [
  ...['_plan', 'workflowId', 'toString', 'x-y', '1', 'x'.repeat(50), 'Step 1', 'é', 'destination'],
  ...['x == 1', "x == 'y'", 'x && y', ' ', 'true', 'end the call', 'call', 'handoff_to_b', 'a.b'],
  ...["it's", '$', '<b>', 'a b', 'endCall', 'messages'],
];
const name = mostly(
  of(...plain, ...plain, ...odd),
  of('__proto__', 'constructor', '{{x}}', '\ud83d', ''),
);
const pieces = [
  ...['', ' ', 'Talk.', 'Ask?', 'Use {{x}}.', '{{y}}', '{{_plan}}', '{{a}}{{b}}', '{{toString}}'],
  ...[
    '{% if x %}a{% endif %}',
    '{{ x | upcase }}',
    '{{ x.b[0] }}',
    "x == 'a'",
    'x == 1 && y',
    '!x',
  ],
  ...['true', 'false', 'end the call', 'a'.repeat(1200), '{{customer.number}}', '<x>', 'If: x'],
  ...['{% assign x = y %}', '{% for x in y %}{{x}}{% endfor %}', 'Say: "x"', 'workflowId'],
];
const joined = fc.tuple(fc.constantFrom(...pieces), fc.constantFrom(...pieces));
const text = mostly(
  either(
    of('Talk.', 'Use {{x}}.', "x == 'a'"),
    of(...pieces),
    joined.map((all) => all.join(' ')),
  ),
  of('{{x', '{% raw %}{{x}}{% endraw %}'),
);

const type = of(...['string', 'number', 'integer', 'boolean', 'array', 'object', 'null', 'date']);
const schema = (depth: number): Some =>
  object({
    type: [8, either(type, of(['string', 'null']), of('object'))],
    description: [2, text],
    enum: [1, some(of('a', 'b', 1, null, ''))],
    required: [2, either(some(name), of(['x', 'x'], 'x', {}, [1]))],
    ...Object.fromEntries(
      ['default', 'const', 'value', 'title', 'pattern'].map((key) => [key, [1, text] as const]),
    ),
    minLength: [1, of(1, 'x')],
    format: [1, of('email', 'zip')],
    anyOf: [1, of([{ type: 'string' }, { type: 'null' }], [{}], 'x')],
    $ref: [1, of('#/$defs/a')],
    ...(depth > 0 && {
      properties: [
        6,
        fc.dictionary(name as fc.Arbitrary<string>, schema(depth - 1), { maxKeys: 3 }),
      ],
      items: [1, schema(depth - 1)],
    }),
  });
const values = fc.dictionary(name as fc.Arbitrary<string>, either(text, junk), { maxKeys: 3 });
const payload = either(schema(2), values);
const url = of(
  ...['https://a.example/{{x}}', 'https://a.example', '{{x}}', 'ftp://x', ''],
  ...['https://a.example/{{_plan}}?k={{y}}', 'https://a.example/{{ x | upcase }}'],
);
const number = of('+12025550123', '1', '', 'x'.repeat(50), '{{x}}', 'sip:a@b', '555-SUPPORT');
const template = either(text, of('{{ $.a }}', '{{ $[0] }}', '{{ $ }}', '{{tool.response.a}}'));
const alias = object({ key: [10, either(of('k'), name)], value: [10, template] });
const variable = object({
  name: [10, name],
  type: [10, of('string', 'number', 'boolean')],
  description: [6, text],
  enum: [2, some(of('a', 'b', ''))],
});
const plan = object({
  schema: [6, schema(2)],
  output: [2, some(variable)],
  aliases: [4, some(alias)],
});
const message = object({ type: [8, of('request-start', 'request-failed')], content: [8, text] });
const destination = object({
  type: [9, of('number', 'number', 'sip')],
  number: [8, number],
  sipUri: [2, of('sip:a@b', 'x', '{{x}}')],
  message: [4, text],
  description: [2, text],
  extension: [1, of('1', '12345678901')],
  transferPlan: [2, object({ mode: [7, of('blind-transfer', 'x')], message: [3, text] })],
});
const request: Table = {
  url: [8, url],
  method: [8, of('GET', 'POST', 'PATCH')],
  headers: [3, payload],
  body: [5, payload],
};
const tool = object({
  ...request,
  type: [10, of('function', 'function', 'apiRequest', 'transferCall', 'endCall', 'dtmf', 'query')],
  name: [2, name],
  function: [6, object({ name: [10, of('f', 'g', 'f g')], parameters: [5, schema(2)] })],
  destinations: [3, some(destination, 3)],
  messages: [2, some(message)],
  parameters: [2, some(object({ key: [9, name], value: [9, text] }))],
  variableExtractionPlan: [4, plan],
  server: [1, object({ url: [9, url] })],
});
const model = object({
  provider: [10, of('openai', 'x')],
  model: [10, of('m')],
  tools: [1, some(tool)],
});
const settings: Table = {
  model: [1, model],
  voice: [1, of({ provider: 'x', workflowId: 'y' }, {})],
};
const carried: Table = { metadata: [1, values], hooks: [1, of([], [{ on: 'x' }])] };
const assistant = object({ model: [9, model], firstMessage: [2, text], ...carried });

const specNode = object({
  ...{ ...request, ...settings },
  type: [10, of('conversation', 'conversation', 'gather', 'apiRequest', 'transferCall', 'endCall')],
  name: [2, name],
  firstMessage: [3, text],
  systemPrompt: [6, text],
  isGlobal: [3, of(true, false)],
  condition: [3, text],
  extractVariables: [4, some(variable)],
  destination: [3, number],
  transferPlan: [2, object({ message: [8, text] })],
  responseVariables: [3, some(object({ name: [10, of('k', 'x')], path: [10, of('a', '$.x[0]')] }))],
});
const exportNode = object({
  ...{ ...request, ...settings },
  type: [9, of('conversation', 'conversation', 'tool', 'tool', 'gather', 'apiRequest', 'transfer')],
  prompt: [6, text],
  messagePlan: [2, object({ firstMessage: [8, text] })],
  isStart: [1, of(true)],
  globalNodePlan: [2, object({ enabled: [10, of(true, false)], enterCondition: [7, text] })],
  variableExtractionPlan: [4, plan],
  output: [2, schema(2)],
  tool: [5, tool],
  tools: [2, some(tool)],
  toolId: [2, name],
  assistantId: [1, of('saved')],
  assistant: [1, assistant],
  destination: [2, destination],
});
const condition = either(
  text,
  text.map((prompt) => ({ type: 'ai', prompt })),
  text.map((liquid) => ({ type: 'logic', liquid })),
  of(undefined, {}, { type: 'failed' }),
);

function documentOf(node: Some, key: string, top: Table): Some {
  const ids = fc.uniqueArray(name, { minLength: 5, maxLength: 5 });
  const ends = fc.array(fc.tuple(fc.nat(4), fc.nat(4), condition), { maxLength: 7 });
  const nodes = fc.array(either(node, node, of({ type: 'conversation' })), {
    minLength: 1,
    maxLength: 5,
  });
  return fc
    .tuple(either(fc.constant(plain), ids), nodes, ends, object(top))
    .map(([given, all, edges, more]) => {
      const idOf = (at: number) => (given as string[])[at % all.length];
      return {
        ...(more as object),
        nodes: all.map((it, at) => ({ [key]: idOf(at), ...(it as object) })),
        edges: edges.map(([from, to, said]) => {
          const isText = key === 'id' && typeof said === 'object';
          return { from: idOf(from), to: idOf(to), condition: isText ? undefined : said };
        }),
      };
    });
}
const top: Table = { name: [8, name], globalPrompt: [1, text], ...settings };
const documents = either(
  documentOf(specNode, 'id', top),
  documentOf(exportNode, 'name', { ...top, ...carried }),
);

const options = object({
  target: [9, of('squad', 'vapi', 'vapi')],
  handoffTools: [3, of('grouped', 'separate')],
  boundary: [3, of('branch', 'tools')],
  context: [2, of({ type: 'none' }, { type: 'lastNMessages', maxMessages: 2 })],
  memberOverrides: [1, either(object(carried), of({ a: 1 }, { voice: { provider: 'x' } }))],
  names: [2, fc.dictionary(of(...plain) as fc.Arbitrary<string>, name, { maxKeys: 2 })],
  dynamicVariables: [2, some(name)],
  criticalVariables: [4, some(name)],
});
const policies = object({
  'logical-condition': [1, of('extract', 'prose', 'guard')],
  'undefined-variable': [4, of('caller')],
  'missing-auth': [5, of('none')],
  'critical-variable': [1, of('best-effort')],
});

/** Values of answers by choice, where a schema of the choice allows odd ones. */
const given = fc.record({
  tool: object({ tool: [10, name] }),
  number,
  sip: of('sip:a@b', 'x'),
  request: object({ ...request, url: [10, url], method: [10, of('GET', 'POST')] }),
  when: object({ condition: [10, text] }),
  header: object({ header: [10, either(of('X-Key'), name)], secret: [10, name] }),
  credential: object({ credentialId: [10, name] }),
});
const numbers = fc.array(fc.nat(9999), { minLength: 3, maxLength: 8 });

/** A document, and what its questions are answered with. */
export const oddCases = fc.record({ document: documents, options, policies, given, numbers });

type OddCase = typeof oddCases extends fc.Arbitrary<infer Case> ? Case : never;

/** One value in three is the one that the schema of the choice suggests. */
export function settleOddly({ document, numbers: drawn, ...it }: OddCase) {
  const values = it.given as Readonly<Record<string, unknown>>;
  const answers = { policies: it.policies as Record<string, string> };
  return settle(document, { ...(it.options as object), answers }, (question) => {
    const answer = choosing(drawn)(question);
    const isOdd = answer.value !== undefined && (drawn[0]! + question.id.length) % 3 > 0;
    const value = isOdd ? values[answer.choice] : undefined;
    return value === undefined ? answer : { ...answer, value: value as Json };
  });
}
