/** Tools that the source has in the platform's own words are carried as they are. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, verify } from '../../src/index.js';
import {
  answer,
  assistantsOf,
  compiled,
  crossings,
  exported,
  type Fields,
  flow,
  promptOf,
  told,
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

/** Two branches, so that three assistants come out. */
const branching = (left: object, right: object = {}, intake: object = capture('guest')) =>
  exported({ intake: { ...intake, isStart: true }, left, right }, branches);

/** By assistant its tools, handoffs aside, and the ids of tools. */
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

describe.each(['squad', 'vapi'] as const)('given tools, in target %s', (target) => {
  const all = { target, dynamicVariables: ['guest'] };
  const { server, ...others } = lookup;
  const ending = { type: 'endCall', messages: [{ type: 'request-start', content: 'Bye.' }] };
  const api = { type: 'apiRequest', name: 'hours', url: 'https://a.example/', method: 'POST' };
  const number = { type: 'number', number: '+12025550123', message: 'One moment.' };
  const transfer = { type: 'transferCall', destinations: [number] };

  it.each<[string, object, Fields]>([
    [
      'stand word for word with the assistant of their node, and nowhere else',
      branching({ tools: [lookup, keypad] }),
      { intake: [], left: [lookup, keypad], right: [] },
    ],
    [
      'stand by id where the platform keeps them, each once',
      branching({ toolIds: ['t-2', 't-1', 't-2'] }, { toolIds: ['t-1'] }),
      { intake: [], left: ['t-2', 't-1'], right: ['t-1'] },
    ],
    [
      'stand with every assistant where the tool node is global',
      exported({ intake: {}, left: {}, right: {}, press: node(keypad, global) }, branches),
      { intake: [keypad], left: [keypad], right: [keypad] },
    ],
    [
      'are one where two nodes of an assistant have the same',
      exported({ a: { tools: [lookup, keypad] }, b: { tools: [{ server, ...others }] } }, 'a > b'),
      { a: [lookup, keypad] },
    ],
    [
      'end the call where the source says how',
      exported({ a: { tools: [ending] }, end: { type: 'hangup', prompt: null } }, 'a > end'),
      { a: [ending] },
    ],
    [
      'are requests and transfers too, about which nothing is asked',
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

  it('are called by their name, or by their step where only their id is known', () => {
    const nodes = {
      a: {},
      press: node(keypad),
      'Find a table': { type: 'tool', toolId: 't-1', prompt: null },
    };
    const workflow = exported(nodes, 'a > press | press > Find a table');
    const callsOf = (options: object) =>
      promptOf(compiled(workflow, { ...all, ...options })).match(/- Call .*/g);
    expect(callsOf({})).toEqual(['- Call dtmf.', '- Call the tool of step 3.']);
    expect(told(compile(workflow, all), 'shape/unnamed')).toEqual([
      'shape/unnamed-tool /nodes/2/toolId',
    ]);
    const toolNames = { 't-1': { name: 'find_table' } };
    expect(callsOf({ toolNames })).toEqual(['- Call dtmf.', '- Call find_table.']);
  });

  it('cannot have one name and do different things in one assistant', () => {
    const other = { ...lookup, server: { url: 'https://other.example.com/' } };
    const clash = exported({ a: { tools: [lookup] }, b: { tools: [other] } }, 'a > b');
    const fault = 'lower/tools-of-one-name /nodes/1/tools/0 /nodes/0/tools/0';
    expect(told(compile(clash, all), 'lower/')).toEqual([fault]);
    // Nor that of a tool that an answer asks for.
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
  ])('are refused where the target would refuse them: %o', (tool, place) => {
    const result = compile(exported({ a: { tools: [tool] } }), { target });
    expect(told(result, 'lower/')).toEqual([`lower/refused-tool /nodes/0/tools/0${place}`]);
  });
});

describe('variables of given tools', () => {
  const seat = { prompt: 'Seat at {{table}}.' };
  const data = (workflow: object) =>
    told(compiled(workflow), 'data/').map((it) => it.split(' ')[0]);

  it('of a talk node count as supplied, and may be overwritten by a plan, which is told', () => {
    expect(data(branching({ tools: [setting] }, seat, {}))).toEqual([]);
    const intake = { ...capture('table'), tools: [setting] };
    expect(data(branching(seat, {}, intake))).toEqual(['data/mixed-source']);
  });

  it('read by a tool are asked for on entry to its node, cross to it, and can be renamed', () => {
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

it('are told of in the ledger', () => {
  const workflow = branching({ tools: [keypad], toolIds: ['t'] });
  const { ledger } = compiled(workflow, { target: 'vapi' });
  const model = '/members/1/assistant/model';
  const entries = ledger.filter(({ kind }) => kind === 'tool');
  expect(entries.map(({ at, status, outputs }) => [at, status, ...outputs])).toEqual([
    ['/nodes/1/tools/0', 'converted', `${model}/tools/0`],
    ['/nodes/1/toolIds/0', 'converted', `${model}/toolIds/0`],
  ]);
});

it('says no more than 1,000 characters, in target vapi', () => {
  const messages = [{ type: 'request-failed', content: 'word '.repeat(201) }];
  const api = { type: 'apiRequest', url: 'https://a.example/', method: 'GET', credentialId: 'c' };
  const nodes = { a: {}, b: node({ ...keypad, messages }), c: node({ ...api, messages }) };
  const workflow = exported(nodes, 'a > b | b > c');
  const places = (target: 'squad' | 'vapi') => told(compile(workflow, { target }), 'shape/wrong');
  expect(places('vapi')).toEqual([
    'shape/wrong-type /nodes/1/tool/messages/0/content',
    'shape/wrong-type /nodes/2/tool/messages/0/content',
  ]);
  expect(places('squad')).toEqual([]);
});

it('ask for no value of what is an argument of their own', () => {
  const form = { type: 'object', properties: { order: { type: 'string' } } };
  const api = { type: 'apiRequest', url: 'https://a.example/{{order}}', method: 'GET', body: form };
  const fixed = { parameters: [{ key: 'label', value: 'Order {{order}}' }] };
  const named = { ...lookup, function: { name: 'lookup', parameters: form }, ...fixed };
  for (const tool of [api, named]) {
    const { status, questions } = compile(exported({ a: { tools: [tool] } }));
    expect([status, questions]).toEqual(['complete', []]);
  }
});
