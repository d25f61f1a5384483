/** Features of exports: tools as the platform writes them, and variables that are derived from others. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  type Any,
  answer,
  assistantsOf,
  compile,
  compiled,
  crossings,
  destinationsOf,
  exported,
  type Fields,
  flow,
  promptOf,
  told,
  verify,
} from './build.js';

const parameters = { type: 'object', properties: {} };
const lookup = {
  type: 'function',
  async: false,
  function: { name: 'lookup', description: 'Finds {{guest}}.', parameters },
  server: { url: 'https://desk.example.com/lookup' },
};
const keypad = { type: 'dtmf', messages: [] };
const setting = {
  ...lookup,
  function: { name: 'lookup', parameters },
  variableExtractionPlan: { aliases: [{ key: 'table', value: '{{ $.table }}' }] },
};
const capture = (name: string) => ({
  variableExtractionPlan: { output: [{ title: name, type: 'string', description: name }] },
});
const node = (tool: object, more: Fields = {}) => ({ type: 'tool', tool, prompt: null, ...more });
const global = { globalNodePlan: { enabled: true, enterCondition: 'a menu answers' } };
const branches = 'intake > left: the left | intake > right: the right';

/** Two branches, which give three assistants. */
const branching = (left: object, right: object = {}, intake: object = capture('guest')) =>
  exported({ intake: { ...intake, isStart: true }, left, right }, branches);

/** By assistant, its tools without handoffs, and its tool ids. */
function held(workflow: object, options: CompileOptions): Fields {
  const result = compiled(workflow, options);
  expect(verify(workflow, result.output, options).holds).toBe(true);
  return Object.fromEntries(
    assistantsOf(result).map(({ name, model: { tools = [], toolIds = [] } }) => {
      const others = tools.filter(({ type }: Fields) => type !== 'handoff');
      return [name, [...others, ...toolIds]];
    }),
  );
}

describe.each(['squad', 'vapi'] as const)('tools of an export, in target %s', (target) => {
  const all = { target, dynamicVariables: ['guest'] };
  const { server, ...others } = lookup;
  const ending = { type: 'endCall', messages: [{ type: 'request-start', content: 'Bye.' }] };
  const api = { type: 'apiRequest', name: 'hours', url: 'https://a.example/', method: 'POST' };
  const number = { type: 'number', number: '+12025550123', message: 'One moment.' };
  const transfer = { type: 'transferCall', destinations: [number] };

  it.each<[string, object, Fields]>([
    [
      'are copied unchanged to the assistant of their node, and to no other',
      branching({ tools: [lookup, keypad] }),
      { intake: [], left: [lookup, keypad], right: [] },
    ],
    [
      'stay ids if the platform stores them, each once',
      branching({ toolIds: ['t-2', 't-1', 't-2'] }, { toolIds: ['t-1'] }),
      { intake: [], left: ['t-2', 't-1'], right: ['t-1'] },
    ],
    [
      'are copied to every assistant if the tool node is global',
      exported({ intake: {}, left: {}, right: {}, press: node(keypad, global) }, branches),
      { intake: [keypad], left: [keypad], right: [keypad] },
    ],
    [
      'appear once if two nodes of an assistant have the same',
      exported({ a: { tools: [lookup, keypad] }, b: { tools: [{ server, ...others }] } }, 'a > b'),
      { a: [lookup, keypad] },
    ],
    [
      'can be the tool that ends the call',
      exported({ a: { tools: [ending] }, end: { type: 'hangup', prompt: null } }, 'a > end'),
      { a: [ending] },
    ],
    [
      'can be requests and transfers, which raise no questions',
      branching({ tools: [api, transfer] }),
      {
        intake: [],
        left: [expect.objectContaining(api), expect.objectContaining(transfer)],
        right: [],
      },
    ],
  ])('%s', (_, workflow, expected) => {
    expect(held(workflow, all)).toEqual(expected);
  });

  it('are called by their name, or by their node if only their id is known', () => {
    const nodes = {
      a: {},
      press: node(keypad),
      'Find a table': { type: 'tool', toolId: 't-1', prompt: null },
    };
    const workflow = exported(nodes, 'a > press | press > Find a table');
    const callsOf = (options: object) =>
      promptOf(compiled(workflow, { ...all, ...options })).match(/- Call .*/g);
    expect(callsOf({})).toEqual(['- Call dtmf.', '- Call the tool for “Find a table”.']);
    expect(told(compile(workflow, all), 'shape/unnamed')).toEqual([
      'shape/unnamed-tool /nodes/2/toolId',
    ]);
    const toolNames = { 't-1': { name: 'find_table' } };
    expect(callsOf({ toolNames })).toEqual(['- Call dtmf.', '- Call find_table.']);
  });

  it('cannot have the same name in one assistant if they differ', () => {
    const other = { ...lookup, server: { url: 'https://other.example.com/' } };
    const clash = exported({ a: { tools: [lookup] }, b: { tools: [other] } }, 'a > b');
    const fault = 'lower/tools-of-one-name /nodes/1/tools/0 /nodes/0/tools/0';
    expect(told(compile(clash, all), 'lower/')).toEqual([fault]);
    // Neither with a tool that an answer asks for.
    const asked = flow({ a: { tools: [lookup] }, b: 'B' }, "a > b: table == '1'");
    const open = { ...all, dynamicVariables: ['guest', 'table'] };
    const { id } = compile(asked, open).questions[0]!;
    const found = compile(asked, { ...open, ...answer(id, 'tool', { tool: 'lookup' }) });
    expect(told(found, 'lower/tools')).toEqual([
      expect.stringMatching(/^lower\/tools-of-one-name \/nodes\/0\/tools\/0 \//),
    ]);
  });

  it.each([
    [{ type: 'dtfm' }, '/type'],
    [{ type: 'query', name: 'a\n- Call b.' }, '/name'],
    [{ type: 'function', function: { name: 'a b' } }, '/function/name'],
    [{ type: 'transferCall', destinations: [{ type: 'assistant' }] }, '/destinations/0/type'],
  ])('are rejected if the target would reject them: %o', (tool, place) => {
    const result = compile(exported({ a: { tools: [tool] } }), { target });
    expect(told(result, 'lower/')).toEqual([`lower/refused-tool /nodes/0/tools/0${place}`]);
  });
});

describe('variables of an export’s tools', () => {
  const seat = { prompt: 'Seat at {{table}}.' };
  const data = (workflow: object) =>
    told(compiled(workflow), 'data/').map((it) => it.split(' ')[0]);

  it('count as supplied, with a warning if a plan may overwrite them', () => {
    expect(data(branching({ tools: [setting] }, seat, {}))).toEqual([]);
    const intake = { ...capture('table'), tools: [setting] };
    expect(data(branching(seat, {}, intake))).toEqual(['data/mixed-source']);
  });

  it('are read on entry to the tool’s node: they are asked about, carried and renamed', () => {
    const workflow = exported({ a: { tools: [lookup] } });
    const id = 'undefined-variable:guest';
    expect(compile(workflow).questions.map((question) => question.id)).toEqual([id]);
    const renamed = answer(id, 'rename', 'caller');
    const [tool] = held(workflow, { dynamicVariables: ['caller'], ...renamed })['a'] as Fields[];
    expect(tool).toMatchObject({ function: { description: 'Finds {{caller}}.' } });
    const crossing = crossings(compiled(branching({ tools: [lookup] })));
    expect(crossing).toEqual(['intake > left: guest']);
  });
});

it('tools of an export are listed in the ledger', () => {
  const workflow = branching({ tools: [keypad], toolIds: ['t'] });
  const { ledger } = compiled(workflow, { target: 'vapi' });
  const model = '/members/1/assistant/model';
  const entries = ledger.filter(({ kind }) => kind === 'tool');
  expect(entries.map(({ at, status, outputs }) => [at, status, ...outputs])).toEqual([
    ['/nodes/1/tools/0', 'converted', `${model}/tools/0`],
    ['/nodes/1/toolIds/0', 'converted', `${model}/toolIds/0`],
  ]);
});

it('messages of tools may have at most 1,000 characters in target vapi', () => {
  const messages = [{ type: 'request-failed', content: 'word '.repeat(201) }];
  const api = { type: 'apiRequest', url: 'https://a.example/', method: 'GET', credentialId: 'c' };
  const nodes = { a: {}, b: node({ ...keypad, messages }), c: node({ ...api, messages }) };
  const workflow = exported(nodes, 'a > b | b > c');
  const places = (target: 'squad' | 'vapi') => told(compile(workflow, { target }), 'lower/refused');
  expect(places('vapi')).toEqual([
    'lower/refused-tool /nodes/1/tool/messages/0/content',
    'lower/refused-tool /nodes/2/tool/messages/0/content',
  ]);
  expect(places('squad')).toEqual([]);
});

describe('a schema is read freely, and what the target cannot hold is described', () => {
  const schemas = [
    { type: 'string', minLength: 1 },
    { type: 'string', default: '', examples: ['a'] },
    { anyOf: [{ type: 'string' }, { type: 'null' }], required: ['a', 'a'] },
    { $ref: '#/$defs/mail', const: 'a', $defs: {} },
    { type: 'array', items: { value: 1, enum: [] }, format: 'mail' },
    {},
  ];
  const api = { type: 'apiRequest', url: 'https://a.example/', method: 'GET', credentialId: 'c' };
  it.each(schemas)('%j', (part) => {
    const schema = { type: 'object', properties: { mail: part }, required: ['mail', 'mail'] };
    const found = { ...capture('guest'), extractVariables: { mail: { properties: { part } } } };
    const asking = node({ ...api, variableExtractionPlan: { schema } });
    for (const target of ['squad', 'vapi'] as const) {
      compiled(exported({ a: {}, b: { ...api, prompt: null, output: schema } }, 'a > b'), {
        target,
      });
      const result = compiled(exported({ a: found, b: asking }, 'a > b'), { target });
      compiled(branching({ prompt: 'To {{mail}}.' }, {}, found), { target });
      if (target === 'vapi' && 'minLength' in part) {
        const sent = JSON.stringify(result.output);
        expect(sent).toContain('"mail":{"description":"(minLength: 1)","type":"string"}');
      }
    }
  });

  it('a required name is needed once, also beside what the model fills in', () => {
    const body = { type: 'object', properties: { n: { type: 'string' } }, required: ['n', 'n'] };
    const url = 'https://a.example/{{guest}}';
    const called = { name: 'lookup', parameters: body };
    const given = { ...lookup, function: called, parameters: [{ key: 'to', value: '{{guest}}!' }] };
    for (const target of ['squad', 'vapi'] as const) {
      for (const tool of [{ ...api, url, body }, { ...api, body, name: 'n' }, given]) {
        compiled(exported({ a: capture('guest'), b: node(tool) }, 'a > b'), { target });
      }
    }
  });
});

it('tools read their own arguments without a question', () => {
  const form = { type: 'object', properties: { order: { type: 'string' } } };
  const api = { type: 'apiRequest', url: 'https://a.example/{{order}}', method: 'GET', body: form };
  const fixed = { parameters: [{ key: 'label', value: 'Order {{order}}' }] };
  const named = { ...lookup, function: { name: 'lookup', parameters: form }, ...fixed };
  for (const tool of [api, named]) {
    const { status, questions } = compile(exported({ a: { tools: [tool] } }));
    expect([status, questions]).toEqual(['complete', []]);
  }
});

const vapi = { target: 'vapi' } as const;
const full = { key: 'full', value: '{{first}} {{last}}' };

/** A node that captures these variables, `first last`, and derives others from them. */
function talk(prompt: string, names = '', aliases: readonly object[] = []): Fields {
  const found = names.split(' ').filter(Boolean);
  const entries = found.map((name) => [name, { type: 'string', description: `the ${name}` }]);
  const schema = { type: 'object', properties: Object.fromEntries(entries) };
  const variableExtractionPlan = {
    ...(found.length > 0 && { schema }),
    ...(aliases.length > 0 && { aliases }),
  };
  return { prompt, variableExtractionPlan };
}

/** A desk with two successors. */
const desk = (names: string, aliases: readonly object[], booking: string) =>
  exported(
    { desk: talk('Ask who calls.', names, aliases), booking, other: 'Help.' },
    'desk > booking: wants a room | desk > other: wants something else',
  );

const planOf = (workflow: object, options: CompileOptions = vapi) =>
  destinationsOf(compiled(workflow, options))[0].variableExtractionPlan;

describe('an alias that is read in another assistant', () => {
  const workflow = desk('first last', [full], 'Book for {{full}}.');

  it('is never an argument, even if it is critical', () => {
    const options: CompileOptions = { ...vapi, pass: 'arguments' };
    expect(planOf(workflow, options)).toEqual({ aliases: [full] });
    const critical = { ...options, criticalVariables: ['full'] };
    const [question] = compile(workflow, critical).questions;
    expect(question?.choices.map(({ key }) => key)).toEqual(['tool', 'best-effort']);
    const answers = { policies: { 'critical-variable': 'best-effort' } };
    expect(planOf(workflow, { ...critical, answers })).toEqual({ aliases: [full] });
  });
});

describe('the value of an alias', () => {
  const greeting = { key: 'greeting', value: 'Dear {{full}}' };

  it.each<[string, object, string[]]>([
    [
      'can read another alias, which comes first',
      desk('first last', [greeting, full], 'Say {{greeting}}.'),
      ['desk > booking: first,last=full=greeting'],
    ],
    [
      'can read a capture of the same name',
      desk('first', [{ key: 'first', value: '{{first | upcase}}' }], 'Book for {{first}}.'),
      ['desk > booking: first=first'],
    ],
  ])('%s', (_, workflow, expected) => {
    expect(crossings(compiled(workflow, vapi))).toEqual(expected);
  });
});

describe('an alias with a conflict', () => {
  it.each<[string, Fields, string, Any[] | undefined]>([
    ['gives way to a capture on another walk', talk('Ask for it.', 'full'), 'full', undefined],
    [
      'is the first of those with the same key',
      talk('Turn it round.', '', [{ key: 'full', value: '{{last}}, {{first}}' }]),
      'first last',
      [full],
    ],
  ])('%s', (_, two, names, aliases) => {
    const hub = talk('Ask what is wanted.', 'first last');
    const one = talk('Make it up.', '', [full]);
    const workflow = exported(
      { hub: { ...hub, isStart: true }, one, two, booking: 'Book for {{full}}.', bye: 'Bye.' },
      'hub > one: new | hub > two: known | one > hub: again | two > hub: again | hub > booking: book | hub > bye: done',
    );
    const answers = { policies: { 'cyclic-stages': 'consolidate' } };
    const { schema, aliases: made } = planOf(workflow, { ...vapi, answers });
    expect([Object.keys(schema.properties).join(' '), made]).toEqual([names, aliases]);
  });
});
