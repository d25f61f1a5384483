/**
 * What comes out for two workflows, file by file (UPDATE_GOLDENS=1 writes the files anew), how few
 * the calls are, and which values make a call follow its walk.
 *
 * An expectation is a claim that the output is right: read the difference before it is committed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { toMarkdown } from '../../src/scenarios/markdown.js';
import { toSimulationScenario } from '../../src/scenarios/simulation.js';
import { squadc } from '../cli/fake-io.js';
import { type Any, captures, end, flow, type Nodes, request } from '../compiler/build.js';
import { compareFiles, wantsUpdate, writeFiles } from '../golden/compare.js';
import { platformFaults } from '../json.js';
import { planned } from './plans.js';

const folders = {
  'worked-pattern': 'golden/worked-pattern',
  delivery: 'test/scenarios/delivery',
} as const;

function scenariosOf(folder: string) {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const options = existsSync(join(folder, 'options.json')) ? read('options.json') : {};
  const plan = planned(read('input.json'), options)!;
  const scenarios = plan.scripts.map((each) =>
    toSimulationScenario(each, plan.scripts.length, plan.tools),
  );
  return { plan, scenarios };
}

it.each(Object.entries(folders))('the test calls for %s are as expected', (name, folder) => {
  const { plan, scenarios } = scenariosOf(folder);
  const files = new Map([
    ['scenarios.json', `${JSON.stringify(scenarios, null, 2)}\n`],
    ['scenarios.md', toMarkdown(plan)],
  ]);
  const expected = join('test/scenarios/expected', name);
  if (wantsUpdate(process.env)) writeFiles(expected, files);
  compareFiles(expected, files);
});

/** What the platform's reference says of a scenario, as far as squadc writes one. */
const scenarioSchema = closed({
  name: { type: 'string', maxLength: 80 },
  instructions: { type: 'string', minLength: 1 },
  evaluations: {
    type: 'array',
    minItems: 1,
    items: closed({
      structuredOutput: closed({
        name: { type: 'string', maxLength: 40 },
        schema: {
          ...closed({ type: { enum: ['string', 'number', 'integer', 'boolean'] } }),
          properties: { type: {}, description: { type: 'string' }, enum: { type: 'array' } },
        },
      }),
      comparator: { enum: ['=', '!=', '>', '<', '>=', '<='] },
      value: { type: ['string', 'number', 'boolean'] },
    }),
  },
  targetOverrides: closed({ variableValues: { type: 'object' } }),
  toolMocks: {
    type: 'array',
    items: closed({ toolName: { type: 'string' }, result: { type: 'string' } }),
  },
});

function closed(properties: Readonly<Record<string, object>>): object {
  const isOptional = (key: string) => ['targetOverrides', 'toolMocks'].includes(key);
  const required = Object.keys(properties).filter((key) => !isOptional(key));
  return { type: 'object', properties, required, additionalProperties: false };
}

it('every scenario has the fields that the platform knows, and no other', () => {
  const check = new Ajv2020({ strict: false }).compile(scenarioSchema);
  const scenarios = Object.values(folders).flatMap((each) => scenariosOf(each).scenarios);
  for (const scenario of scenarios)
    expect(check(scenario), JSON.stringify(check.errors)).toBe(true);
  expect(check({ ...scenarios[0], toolMock: [] })).toBe(false);
});

describe('squadc scenarios', () => {
  const run = async (flags: string) => {
    const stdin = readFileSync(`${folders.delivery}/input.json`, 'utf8');
    const { exitCode, out, err } = await squadc(
      `scenarios - --accept-proposals --policy logical-condition=prose --policy undefined-variable=caller ${flags}`,
      { stdin },
    );
    return { exitCode, err, said: exitCode === 0 ? JSON.parse(out) : null };
  };

  it('mocks every tool that acts for real, unless --live', async () => {
    const { said } = await run('--target vapi');
    const named = said.map(({ toolMocks }: { toolMocks: { toolName: string }[] }) =>
      toolMocks.map(({ toolName }) => toolName),
    );
    expect(named).toEqual(said.map(() => ['look_up', 'transferCall']));
    expect(JSON.stringify((await run('--target vapi --live')).said)).not.toContain('toolMocks');
  });

  it('writes every request of a run, in order, as the platform takes them', async () => {
    const { said } = await run('--target vapi --format bundle');
    const names = said.map(({ name }: { name: string }) => name.replace(/ \d+$/, ''));
    expect([...new Set(names)]).toEqual(['personality', 'scenario', 'simulation', 'suite', 'run']);
    const bodies = new Map<string, Any>(said.map(({ name, body }: Any) => [name, body]));
    const evaluations = bodies.get('scenario 1').evaluations;
    for (const { structuredOutput } of evaluations) {
      expect(platformFaults(structuredOutput, 'CreateStructuredOutputDTO')).toEqual([]);
    }
    const { targetOverrides = {} } = bodies.get('scenario 1');
    expect(platformFaults(targetOverrides, 'AssistantOverrides')).toEqual([]);
    const { assistant } = bodies.get('personality');
    expect(platformFaults(assistant, 'CreateAssistantDTO')).toEqual([]);
    expect(platformFaults(bodies.get('run').target.squad)).toEqual([]);
    // What a request refers to has been sent before.
    for (const [at, { body }] of said.entries()) {
      const ids = JSON.stringify({ ...body, target: null }).match(/(?<="<)[a-z]+(?: \d+)?(?=>")/g);
      const earlier = said.slice(0, at).map(({ name }: { name: string }) => name);
      for (const id of ids ?? []) expect(earlier).toContain(id);
    }
  });

  it('needs a squad of the platform for a run', async () => {
    expect(await run('--target squad --format bundle')).toMatchObject({ exitCode: 1 });
  });
});

describe('a plan of calls', () => {
  const asked = { isGlobal: true, condition: 'asks' };
  const branch = 'a > b: 1 | a > c: 2';
  const global = { g: { systemPrompt: 'G', ...asked } };

  /** A conversation for each letter of the edges that `more` does not have. */
  function drawn(edges: string, more: Record<string, object> = {}) {
    const names = edges.match(/\b[a-z]\b/g) ?? ['a'];
    const nodes = Object.fromEntries(names.map((name) => [name, name.toUpperCase()]));
    return flow({ ...nodes, ...more }, edges);
  }

  it.each<[string, Parameters<typeof drawn>, ends: string]>([
    ['one node', [''], 'stops'],
    ['a chain', ['a > b | b > c'], 'stops'],
    ['a diamond', [`${branch} | b > d | c > d`], 'stops stops'],
    [
      'two diamonds',
      [`${branch} | b > d | c > d | d > e: 1 | d > f: 2 | e > g | f > g`],
      'stops stops',
    ],
    ['a cycle that can be left', ['s > a | a > b: 1 | b > a: 2 | a > c: 3'], 'stops'],
    ['a cycle that cannot', ['s > a | a > b: 1 | b > a: 2'], 'endless'],
    ['a cycle, when all is covered', ['a > c: 1 | a > b: 2 | b > a: 3'], 'stops stops'],
    ['a global node that leads nowhere', ['a > b', global], 'stops'],
    ['a global node alone', ['', { a: { systemPrompt: 'A', ...asked } }], 'stops'],
    ['a global node that leads back', ['a > b | g > b', global], 'stops'],
    [
      'a global exit beside an exit',
      ['a > x', { x: end, g: { ...end, ...asked } }],
      'endCall endCall',
    ],
  ])('has few calls for %s, and each goes on to an end', (_, sketch, ends) => {
    const policies = { 'global-returns': 'keep-split', 'cyclic-stages': 'consolidate' };
    const answers = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };
    const plan = planned(drawn(...sketch), { answers: { policies, answers } });
    expect(plan?.scripts.map(({ end: how }) => how).join(' ')).toBe(ends);
  });

  it('is refused if the calls would have millions of steps', async () => {
    const names = Array.from({ length: 1400 }, (_, at) => `n${at}`);
    const chain = names.slice(1).map((to, at) => ({ from: names[at], to }));
    const back = names.map((condition) => ({ from: 'n1399', to: 'n1', condition }));
    const nodes = names.map((id) => ({ id, type: 'conversation', systemPrompt: id }));
    const stdin = JSON.stringify({ name: 'long', nodes, edges: [...chain, ...back] });
    const { exitCode, err } = await squadc('scenarios - --policy cyclic-stages=consolidate', {
      stdin,
    });
    expect([exitCode, err]).toEqual([1, expect.stringContaining('would have millions of steps')]);
  });

  it('leaves out aliases, but not the values that they are derived from', () => {
    const schema = { type: 'object', properties: { first: { type: 'string' } } };
    const aliases = [
      { key: 'full', value: '{{first}} of {{company}}' },
      { key: 'first', value: '{{first | upcase}}' },
    ];
    const desk = { name: 'desk', type: 'conversation', isStart: true, prompt: 'Ask who calls.' };
    const booking = { name: 'booking', type: 'conversation', prompt: 'For {{full}}, {{first}}.' };
    const derived = {
      name: 'Desk',
      nodes: [{ ...desk, variableExtractionPlan: { schema, aliases } }, booking],
      edges: [{ from: 'desk', to: 'booking', condition: { type: 'ai', prompt: 'wants a room' } }],
    };
    const { scripts } = planned(derived, { dynamicVariables: ['company'] })!;
    const said = scripts.flatMap(({ turns }) => turns.flatMap(({ says }) => says));
    expect(said.map(({ capture: { name, alias } }) => [name, alias])).toEqual([
      ['first', undefined],
    ]);
    expect(scripts.map(({ supplied }) => [...supplied.keys()])).toEqual([['company']]);
  });
});

describe('a call follows its walk', () => {
  const choosing = (name: string, ...choices: string[]) => ({
    extractVariables: [{ name, type: 'string', description: name, enum: choices }],
  });
  const left = [{ name: 'left', path: 'stock.left' }];

  /** Of each call what is said, given, and there from the beginning; and where it ends. */
  it.each<[why: string, nodes: Nodes, edges: string[], calls: string[]]>([
    [
      'by a choice that the words of the walk name',
      { ask: choosing('wish', 'a table', 'delivery'), in: 'x', out: 'y' },
      ['ask > in: books a table', 'ask > out: wants Delivery, now'],
      ['wish=a table, in', 'wish=delivery, out'],
    ],
    [
      'by no choice that only another edge names',
      { ask: choosing('wish', 'table', 'delivery'), table: 'x', van: 'y' },
      ['ask > table: sits down', 'ask > van: has it brought'],
      ['wish=table, table', 'wish=delivery, van'],
    ],
    [
      'by the choice of the first step that needs one',
      { ask: choosing('wish', 'a table', 'delivery'), mid: 'x', in: 'y', out: 'z' },
      ['ask > mid: wants delivery', 'mid > in: no, a table', 'mid > out'],
      ['wish=delivery, in', 'wish=delivery, out'],
    ],
    [
      'by no choice of a step that only avoids one',
      { ask: choosing('wish', 'a table', 'delivery'), mid: 'x', in: 'y', out: 'z' },
      ['ask > mid', 'ask > out: a table', 'mid > in: wants a table'],
      ['wish=a table, in', 'wish=a table, out'],
    ],
    [
      'by expressions that are true, and those of other edges false',
      { ask: captures('age: number', 'member: boolean'), old: 'x', young: 'y', rest: 'z' },
      ['ask > old: age >= 65', 'ask > young: age < 18 && member == false', 'ask > rest'],
      ['age=65, member=true, old', 'age=3, member=false, young', 'age=3, member=true, rest'],
    ],
    [
      'by conditions of other edges that are false where an edge has none',
      { ask: captures('member: boolean'), in: 'x', rest: 'y' },
      ['ask > in: member == true', 'ask > rest'],
      ['member=true, in', 'member=false, rest'],
    ],
    [
      'by values that change from visit to visit',
      { ask: captures('code: number'), again: 'Say so.', in: 'x' },
      ['ask > again: code != 7', 'again > ask', 'ask > in: code == 7'],
      ['code=3, code=7, in'],
    ],
    [
      'by values that fit what the variable is called',
      { ask: captures('email', 'firstName', 'weird_thing') },
      [],
      ['email=ada@example.com, firstName=Ada, weird_thing=the blue one, ask'],
    ],
    [
      'by what a tool gives, in values or else in words',
      { hello: 'Hi.', stock: request({ responseVariables: left }), yes: 'x', no: 'y' },
      ['hello > stock', 'stock > yes: left > 5', 'stock > no: it is sold out'],
      [
        'stock: {"stock":{"left":6}}, yes',
        'stock: {"stock":{"left":"sample left"},"outcome":"it is sold out"}, no',
      ],
    ],
    [
      'by what it begins with',
      { hello: 'Hi {{who}}, it is {{now}}.', gold: 'x', other: 'y' },
      ["hello > gold: tier == 'gold'", 'hello > other'],
      ['who:=sample who, tier:=gold, gold', 'who:=sample who, tier:=sample tier, other'],
    ],
  ])('%s', (_, nodes, edges, calls) => {
    const policies = { 'logical-condition': 'prose', 'undefined-variable': 'caller' };
    const plan = planned(flow(nodes, edges), { answers: { policies } })!;
    const shown = plan.scripts.map(({ turns, mocks, supplied }) =>
      [
        ...turns.flatMap(({ says }) => says.map((each) => `${each.capture.name}=${each.value}`)),
        ...mocks.map(({ tool, result }) => `${tool}: ${result}`),
        ...[...supplied].map(([name, value]) => `${name}:=${value}`),
        turns.at(-1)!.node.id,
      ].join(', '),
    );
    expect(shown).toEqual(calls);
  });
});

/** What the caller says for a number, a text and two booleans; formulas of several levels decide nothing. */
it.each<[condition: string, said: string]>([
  ['n == 5', '5 the blue one true true'],
  ['n != 3', '4 the blue one true true'],
  ['n > 4 && n <= 5', '5 the blue one true true'],
  ['n < 3 || t == "abc"', '2 the blue one true true'],
  ['!a and n <= 3', '3 the blue one false true'],
  ['!a and (n == 1 or n > 9)', '3 the blue one true true'],
  ['t contains "b" and n >= 9', '9 the blue one true true'],
  ['t > 3 or n < 3', '2 the blue one true true'],
  ['{{ n }} == 5', '5 the blue one true true'],
  ['n.a == 5', '3 the blue one true true'],
  ['{{ n | plus: 1 }} == 6', '3 the blue one true true'],
  ['{% if n == 5 %}true{% endif %}', '3 the blue one true true'],
])('for the condition %s a caller says %s', (condition, said) => {
  const nodes = { ask: captures('n: number', 't', 'a: boolean', 'b: boolean'), in: 'x' };
  const answers = { policies: { 'logical-condition': 'prose', 'undefined-variable': 'caller' } };
  const { scripts } = planned(flow(nodes, [`ask > in: ${condition}`]), { answers })!;
  expect(scripts[0]!.turns[0]!.says.map(({ value }) => value).join(' ')).toBe(said);
});

it.each<[paths: string[], result: string]>([
  [['a.b[1]', 'a.c'], '{"a":{"b":[null,"sample x"],"c":"sample y"}}'],
  [['[1].id', 'a'], '[null,{"id":"sample x"}]'],
  [['a', '$.a.b'], '{"a":{"b":"sample y"}}'],
  [['a.b', 'a'], '{"a":{"b":"sample x"}}'],
  [['a[0]', 'a.b'], '{"a":["sample x"]}'],
  [['a', '$.a'], '{"a":"sample x"}'],
  [['$.__proto__.a', 'constructor'], '{"__proto__":{"a":"sample x"},"constructor":"sample y"}'],
  [['a[1000]', 'a | upcase'], '{"x":"sample x","y":"sample y"}'],
  [[`${'a.'.repeat(300)}a`, '- a -'], '{"x":"sample x","y":"sample y"}'],
])('a response has its values at %j', (paths, result) => {
  const aliases = paths.map((path, at) => ({ key: 'xy'[at], value: `{{${path}}}` }));
  const tool = { type: 'apiRequest', name: 'stock', variableExtractionPlan: { aliases } };
  const nodes = [
    { name: 'hello', type: 'conversation', prompt: 'Hi.' },
    { name: 'ask', type: 'tool', tool: { ...tool, url: 'https://example.com', method: 'GET' } },
  ];
  const { scripts } = planned({ name: 'it', nodes, edges: [{ from: 'hello', to: 'ask' }] })!;
  expect(scripts[0]!.mocks.map((mock) => mock.result)).toEqual([result]);
});

it('a capture with the name of an evaluation gets another name', () => {
  const nodes = { ask: captures('ended_as_expected') };
  const [script] = planned(flow(nodes))!.scripts;
  const { evaluations } = toSimulationScenario(script!, 1, []);
  const names = evaluations.map(({ structuredOutput }) => structuredOutput.name);
  expect(new Set(names).size).toBe(3);
});

it('each of two equal requests gets the response of their tool', () => {
  const nodes = { ask: 'Ask.', one: request(), two: request(), bye: 'Bye.' };
  const edges = ['ask > one: 1', 'ask > two: 2', 'one > bye', 'two > bye'];
  const { scripts } = planned(flow(nodes, edges))!;
  expect(scripts.map(({ mocks }) => mocks.length)).toEqual([1, 1]);
});
