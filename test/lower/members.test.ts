/** Names and settings of assistants, squads that would be too large, and the ledger. */
import { describe, expect, it } from 'vitest';
import {
  type Any,
  answer,
  assistantsOf,
  captures,
  compile,
  compiled,
  end,
  flow,
  promptOf,
  request,
  says,
  sketch,
  told,
  toolsOf,
  transfer,
  verify,
} from '../compiler/build.js';

const vapi = { target: 'vapi' } as const;
const saysTwo = { a: 'A', b: 'B' };

describe('names of assistants', () => {
  /** One assistant per node, with these names. */
  function named(names: readonly string[]) {
    const list = names.map((name, at) => [`n${at}`, { ...says(`${at}`), name }]);
    const edges = names.map((_, at) => `s > n${at}: ${at}`);
    return compiled(flow({ s: 'Start', ...Object.fromEntries(list) }, edges));
  }
  const long = 'Collect the details of the appointment and confirm them';

  it.each([
    ['are made unique', ['Ü 🙂', 'a', 'A', 'a', 'a 2'], ['Ü 🙂', 'a', 'A-2', 'a-3', 'a 2']],
    ['contain no line breaks and no Liquid', ['{{a}}\n b{%c%}', '{{}}'], ['a b%c', 'assistant']],
    ['have at most 40 characters', [long, 'b'], ['Collect the details of the appointment', 'b']],
    [
      'have at most 40 characters including a number',
      ['x'.repeat(40), 'x'.repeat(40)],
      ['x'.repeat(40), `${'x'.repeat(38)}-2`],
    ],
  ])('%s', (_, wanted, given) => {
    const result = named(wanted);
    const names = assistantsOf(result).map(({ name }) => name);
    expect(names.slice(1)).toEqual(given);
    const renamed = wanted.flatMap((it, at) => (it === given[at] ? [] : `/nodes/${at + 1}/name`));
    expect(told(result, 'lower/')).toEqual(renamed.map((at) => `lower/renamed ${at}`));
  });

  it('come from the option, by the first talk node of an assistant', () => {
    const result = compile(flow(saysTwo, 'a > b'), { names: { a: 'Desk', b: 'Never' } });
    expect(assistantsOf(result).map(({ name }) => name)).toEqual(['Desk']);
    expect(told(result)).toEqual(['api/unknown-node /names/b']);
  });
});

describe('names of tools', () => {
  it('are legal, unique among all assistants, and shared by equal nodes', () => {
    const r1 = request({ name: 'Find {order}!' });
    const r2 = request({ name: 'find order', url: 'https://api.example.com/y' });
    const edges = 's > a: a | s > b: b | a > r1: now | a > r2: later | b > r1: now';
    const result = compiled(flow({ s: 'S', ...saysTwo, r1, r2 }, edges));
    const names = (index: number) => toolsOf(result, index).flatMap(({ name }) => name ?? []);
    expect([names(1), names(2)]).toEqual([['Find_order', 'find_order-2'], ['Find_order']]);
  });

  it('are unique for handoffs too', () => {
    const nodes = { s: 'S', r: request({ name: 'handoff_to_a' }), ...saysTwo };
    const result = compiled(flow(nodes, 's > r: x | s > a: y | s > b: z'), vapi);
    const functions = toolsOf(result).flatMap((tool) => tool.function?.name ?? []);
    expect(functions).toEqual(['handoff_to_a_2', 'handoff_to_b']);
  });
});

describe('an assistant with several entries', () => {
  const answers = { policies: { 'cyclic-stages': 'consolidate' } } as const;
  const own = 'a > b: asks about b | b > a: asks about a';
  const edges = `s > a: is a customer | s > b | s > c: likes riddles | ${own}`;
  const workflow = flow({ s: 'S', c: 'C', ...saysTwo }, edges);
  const contexts = [
    ...(['all', 'none', 'userAndAssistantMessages', 'previousAssistantMessages'] as const),
    'lastNMessages',
  ] as const;
  const options = contexts.flatMap((type) =>
    (['squad', 'vapi'] as const).map((target) => {
      const context = type === 'lastNMessages' ? { type, maxMessages: 4 } : { type };
      return [type, target, { answers, target, context, handoffTools: 'grouped' }] as const;
    }),
  );

  it.each(options)(
    'has a handoff for each, with the context %s in target %s',
    (type, target, it) => {
      const result = compiled(workflow, it);
      const isNamed = target === 'vapi';
      const functions = toolsOf(result).flatMap((tool) => tool.function?.name ?? []);
      expect(functions).toEqual(isNamed ? ['handoff_to_a', 'handoff_to_a_2', 'handoff_to_c'] : []);
      expect(toolsOf(result)).toHaveLength(isNamed ? 3 : 1);
      expect(promptOf(result, 1)).toContain(
        '- If: is a customer\n  Then: begin at step 1.\n' +
          '- If none of these, when done with s: is a customer; or likes riddles\n' +
          '  Then: begin at step 2.\n',
      );
      const isShown = isNamed && type === 'all';
      const warning = 'lower/entry-by-words /nodes/2 /edges/0 /edges/1';
      expect(told(result, 'lower/')).toEqual(isShown ? [] : [warning]);
      expect(verify(workflow, result.output, it).holds).toBe(true);
    },
  );

  it.each([
    ['the same condition', ': go on', ': go on', true],
    ['no condition', '', '', true],
    ['conditions of their own', ': go on', ': begin again', false],
    ['a condition or none', ': go on', '', false],
  ])('is warned of where handoffs to two of them have %s', (_, first, second, isAlike) => {
    const edges = `s > a: 1 | s > b: 2 | a > x${first} | b > y${second} | x > y: 3 | y > a: 4 | y > b: 5`;
    const workflow = flow({ s: 'S', ...saysTwo, x: 'X', y: 'Y' }, edges);
    const [question] = compile(workflow, vapi).questions;
    const value = [
      ['a', 'b'],
      ['x', 'y'],
    ];
    const answers = { answers: { [question!.id]: { choice: 'group', value } } };
    const result = compiled(workflow, { ...vapi, answers });
    const warning = 'lower/entry-by-words /nodes/3 /edges/2 /edges/3';
    expect(told(result, 'lower/')).toEqual(isAlike ? [warning] : []);
  });

  it.each([
    ['of which one is the start', 'a > b: 1 | a > c: 2 | b > a | b > d: 3'],
    ['of which one has a loop', 'a > b: 1 | a > c: 2 | b > a | a > a: 4'],
    ['in a cycle', 's > a | a > b: 1 | a > c: 2 | b > a | b > d: 3'],
  ])('has one for each of equal nodes %s', (_, edges) => {
    const s = edges.startsWith('s') ? { s: 'S' } : {};
    const twins = 'x > b: 1 | x > c: 2 | y > x | y > d: 3 | c > y';
    const workflow = flow(
      { ...s, ...saysTwo, c: 'C', d: 'D', x: 'A', y: 'B' },
      `${edges} | ${twins}`,
    );
    const value = [
      ['a', 'c', 'x'],
      ['b', 'y'],
    ];
    const chosen = compile(workflow, vapi).questions.map(({ id, kind }) => [
      id,
      kind === 'cyclic-stages' ? { choice: 'group', value } : { choice: 'node', value: 'a' },
    ]);
    const answers = { answers: Object.fromEntries(chosen) };
    expect(compiled(workflow, { ...vapi, answers }).status).toBe('complete');
  });

  it('is refuted if a handoff is for two of them', () => {
    const given = { answers, target: 'vapi' } as const;
    const { output }: Any = compiled(workflow, given);
    const [first, second] = output.members[0].assistant.model.tools;
    first.destinations.push(...second.destinations);
    output.members[0].assistant.model.tools.splice(1, 1);
    const { holds, diagnostics } = verify(workflow, output, given);
    const messages = diagnostics.map(({ message }) => message).join('\n');
    expect([holds, messages]).toEqual([false, expect.stringContaining('share a tool')]);
  });

  it('has a handoff for each of two global nodes', () => {
    const g = { ...says('G'), isGlobal: true, condition: 'asks for g' };
    const h = { ...says('H'), isGlobal: true, condition: 'asks for h' };
    const policies = { 'global-returns': 'consolidate' } as const;
    const result = compiled(flow({ s: 'S', g, h }, 'g > h | h > g'), {
      target: 'vapi',
      answers: { policies: { ...policies, ...answers.policies } },
    });
    const functions = toolsOf(result).flatMap((tool) => tool.function?.name ?? []);
    expect(functions).toEqual(['handoff_to_g', 'handoff_to_g_2']);
  });
});

describe('settings', () => {
  const [one, two] = ['1', '2'].map((voiceId) => ({ voice: { provider: 'p', voiceId } }));

  it.each([
    ['of the workflow are shared', {}, one, {}, '1', ',,'],
    ['of a node override those of the workflow', two, one, {}, '', '2,1,1'],
    ['of the option override all others', two, one, { memberOverrides: two! }, '2', ',,'],
    ['that do not exist are not invented', {}, {}, {}, '', ',,'],
  ])('%s', (_, node, more, options, shared, own) => {
    const nodes = { s: { ...says('S'), ...node }, ...saysTwo };
    const result = compiled(flow(nodes, 's > a: 1 | s > b: 2', more), options);
    const { memberOverrides }: Any = (result.output as Any).squad;
    const voices = assistantsOf(result).map(({ voice }) => voice?.voiceId ?? '');
    expect([memberOverrides?.voice.voiceId ?? '', voices.join()]).toEqual([shared, own]);
  });

  it('of the model come from the option, else the workflow, else the default', () => {
    const [own, other] = ['x', 'y'].map((provider) => ({ model: { provider, model: 'm' } }));
    const modelOf = (more: object, options = {}) =>
      assistantsOf(compiled(flow({ s: 'S' }, '', { ...more }), options))[0].model;
    expect(modelOf({})).toMatchObject({ provider: 'openai', model: 'gpt-4o' });
    expect(modelOf(own!)).toMatchObject(own!.model);
    expect(modelOf(own!, other)).toMatchObject(other!.model);
  });
});

describe('a squad much larger than its source', () => {
  const list = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at));
  const many = (name: string, count: number, make: (at: number) => string | object) =>
    Object.fromEntries(list(count, (at) => [`${name}${at}`, make(at)]));
  const talks = { s: 'S', ...many('b', 200, (at) => `B ${at}`) };
  const edges = list(200, (at) => `s > b${at}: ${at}`);
  const tools = many('t', 200, () => request());
  const calls = [...list(200, (at) => `b${at} > t0`), ...list(199, (at) => `t${at} > t${at + 1}`)];
  const calling = (...ends: string[]) =>
    flow({ ...talks, ...tools, x: 'X', y: 'Y' }, [...edges, ...calls, ...ends]);

  it('is rejected if many assistants call many tools, but not if one assistant does', () => {
    const tooMany = compile(calling('t199 > x: 1', 't199 > y: 2'));
    expect([tooMany.output, ...told(tooMany, 'lower/too')]).toEqual([
      null,
      expect.stringMatching(/^lower\/too-large/),
    ]);
    const other = compile(flow({ s: 'S' })).output;
    const { diagnostics } = verify(calling('t199 > x: 1', 't199 > y: 2'), other);
    expect(told({ diagnostics })).toEqual(told(tooMany, 'lower/too'));
    expect(told(compile(calling('t199 > x', 's > y: y')), 'lower/too')).toEqual([]);
  });
});

const workflow = flow(
  {
    a: { firstMessage: 'Hi.', systemPrompt: 'A', ...captures('x') },
    b: 'Same {{x}}',
    c: 'Same {{x}}',
    t: transfer({ transferPlan: { message: 'Soon.' } }),
    stop: end,
    lost: { systemPrompt: 'Lost.', ...captures('y') },
    found: 'Found.',
    d: { systemPrompt: 'D', url: 'x' },
  },
  'a > b: 1 | a > c: 2 | b > t | c > t | a > stop: 3 | stop > a | lost > found: 4 | found > lost: 5 | a > d: 6',
  { globalPrompt: 'Be kind.', voice: { voiceId: 'v' }, version: 2 },
);
const result = compiled(workflow);
const prompt = '/assistant/model/messages/0/content';
const destination = '/assistant/model/tools/0/destinations/0';

/** Place, kind, status, reason, and the outputs by member; rows without outputs do not check them. */
const ledger = `
/nodes/0 | node | converted | | 0
/nodes/0/firstMessage | line | converted | | 0/assistant/firstMessage
/nodes/0/systemPrompt | instruction | converted | | 0${prompt}
/nodes/0/extractVariables/0 | variable | converted |
/nodes/2 | node | folded | equal to b | 1
/nodes/2/systemPrompt | instruction | folded | equal to b | 1${prompt}
/nodes/3 | node | folded | exit of the assistants before it | 1
/nodes/3/transferPlan/message | transfer-message | folded | exit of the assistants before it
/nodes/5 | node | dropped | unreachable |
/nodes/5/extractVariables/0 | variable | dropped | unreachable |
/edges/0 | edge | converted | | 0${destination}
/edges/0/condition | condition | converted | | 0${prompt} 0${destination}/description
/edges/2 | edge | converted | | 1/assistant/model/tools/0
/edges/3 | edge | folded | same step as /edges/2
/edges/4 | edge | converted | | 0${prompt}
/edges/5 | edge | dropped | leaves an exit |
/edges/6 | edge | dropped | unreachable |
/globalPrompt | instruction | converted | | 0${prompt} 1${prompt} 2${prompt}
/nodes/7/url | field | dropped | squadc does not use this field |
/version | field | dropped | squadc does not use this field |`;

describe('the ledger', () => {
  const rows = ledger.trim().split('\n');
  it('gives the place of a text that an answer changed', () => {
    const nodes = { a: { systemPrompt: 'A', ...captures('name') }, b: 'Greet {{nmae}}.' };
    const { ledger: all } = compiled(flow(nodes, 'a > b'), {
      answers: { answers: { 'undefined-variable:nmae': { choice: 'rename', value: 'name' } } },
    });
    const entry = all.find(({ at }) => at === '/nodes/1/systemPrompt');
    expect(entry?.outputs).toEqual([`/squad/members/0${prompt}`]);
  });

  it('drops the condition of a global node that no other node leads to', () => {
    const { ledger: all } = compiled(sketch('g'), answer('ambiguous-start:workflow', 'node', 'g'));
    const entry = all.find(({ kind }) => kind === 'condition');
    expect(entry).toMatchObject({ status: 'dropped', reason: 'no other node', outputs: [] });
  });

  it.each(rows.map((row) => row.split(/ ?\| ?/)))('lists %s: the %s was %s', (...row) => {
    const [at, kind, status, reason, places] = row;
    const found = result.ledger.find((it) => it.at === at)!;
    expect([found.kind, found.status, found.reason ?? '']).toEqual([kind, status, reason]);
    if (places === undefined) return;
    const members = places.split(' ').filter(Boolean);
    expect(found.outputs).toEqual(members.map((place) => `/squad/members/${place}`));
  });

  it.each([
    [{}, 'converted', ['/squad/memberOverrides/voice/voiceId']],
    [{ memberOverrides: { voice: { voiceId: 'w' } } }, 'dropped', []],
  ])('shows whether an option overrides a setting: %j', (options, status, outputs) => {
    const found = compiled(workflow, options).ledger.find(({ at }) => at === '/voice');
    expect(found).toMatchObject({ kind: 'setting', status, outputs });
  });
});
