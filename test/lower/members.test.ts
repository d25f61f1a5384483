/** Settings of members, saved assistants, and squads that would be too large. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  type Any,
  assistantsOf,
  codesOf,
  compiled,
  flow,
  request,
  toolsOf,
  transfer,
} from './squads.js';

const [one, two] = [
  { provider: 'p', voiceId: '1' },
  { provider: 'p', voiceId: '2' },
];
const vapi = { target: 'vapi' } as const;

describe('settings', () => {
  const voices = (s: object, more: object = {}, options: object = {}) => {
    const { output, ...result } = compiled(
      flow({ s: { systemPrompt: 'S', ...s }, a: 'A', b: 'B' }, 's > a: 1 | s > b: 2', more),
      options,
    );
    const { memberOverrides }: Any = (output as Any).squad;
    const own = assistantsOf({ output, ...result }).map(({ voice }) => voice?.voiceId ?? '');
    return [memberOverrides?.voice.voiceId ?? '', own.join()];
  };

  it.each([
    ['of the workflow are shared', {}, { voice: one }, {}, ['1', ',,']],
    [
      'of a node are its own, the others’ the workflow’s',
      { voice: two },
      { voice: one },
      {},
      ['', '2,1,1'],
    ],
    [
      'of the option go before all',
      { voice: two },
      { voice: one },
      { memberOverrides: { voice: two } },
      ['2', ',,'],
    ],
    ['that are nowhere are not made up', {}, {}, {}, ['', ',,']],
  ])('%s', (_, node, workflow, options, expected) => {
    expect(voices(node, workflow, options)).toEqual(expected);
  });

  it('of the model come from option, workflow, default, in this order', () => {
    const [own, other] = [
      { provider: 'x', model: 'y' },
      { provider: 'a', model: 'b' },
    ];
    const modelOf = (more: object, options = {}) =>
      assistantsOf(compiled(flow({ s: 'S' }, '', more), options))[0].model;
    expect(modelOf({})).toMatchObject({ provider: 'openai', model: 'gpt-4o' });
    expect(modelOf({ model: own })).toMatchObject(own);
    expect(modelOf({ model: own }, { model: other })).toMatchObject(other);
  });

  it('say in target vapi how an assistant opens', () => {
    const result = compiled(
      flow({ s: { firstMessage: 'Hi.' }, a: 'A', b: 'B' }, 's > a: 1 | s > b: 2'),
      vapi,
    );
    const silent = 'assistant-speaks-first-with-model-generated-message';
    expect(assistantsOf(result).map((it) => [it.firstMessage, it.firstMessageMode])).toEqual([
      ['Hi.', undefined],
      ['', silent],
      ['', silent],
    ]);
  });
});

describe('a saved assistant', () => {
  const saved = { type: 'assistant', assistantId: 'asst-1' };
  const nodes = { a: { type: 'conversation', prompt: 'A' }, s: saved };
  const talk = { type: 'conversation', prompt: 'B' };

  it('is a member by its id, and is given in target vapi the tools of its ways', () => {
    const result = compiled(
      flow(
        { ...nodes, b: talk, t: { ...transfer(), type: 'transfer' } },
        'a > s | s > b: more | s > t: a person',
      ),
      vapi,
    );
    expect(assistantsOf(result)[1].assistantId).toBe('asst-1');
    expect(toolsOf(result, 1).map((it) => [it.type, it.destinations[0].description])).toEqual([
      ['handoff', 'more'],
      ['transferCall', 'a person'],
    ]);
  });

  const [c, u, e] = [{ ...talk, prompt: 'C' }, saved, { type: 'hangup' }];

  it.each([
    ['a way, in target squad', { b: talk }, 's > b', 'squad', 'lower/saved-as-it-is /edges/1'],
    ['when to end the call', { e }, 's > e: bored', 'vapi', 'lower/saved-needs-prompt /edges/1'],
    [
      'two ways on at two places',
      { u, b: talk, c },
      'a > u | s > b | u > c',
      'vapi',
      'lower/saved-twice /nodes/1',
    ],
  ] as const)('cannot be told %s', (_, more, edges, target, code) => {
    const result = compile(flow({ ...nodes, ...more } as never, `a > s | ${edges}`), { target });
    expect(codesOf(result, 'lower/saved')).toEqual([code]);
  });
});

describe('a squad that would grow with a product', () => {
  const list = <T>(count: number, make: (at: number) => T) =>
    Array.from({ length: count }, (_, at) => make(at));
  const talks = (count: number) => Object.fromEntries(list(count, (at) => [`b${at}`, `B ${at}`]));
  const ways = list(200, (at) => `s > b${at}: ${at}`);
  const global = (at: number) => ({
    systemPrompt: `G ${at}`,
    isGlobal: true,
    condition: `asks ${at}`,
  });
  const globals = Object.fromEntries(list(100, (at) => [`g${at}`, global(at)]));
  const tools = Object.fromEntries(list(200, (at) => [`t${at}`, request()]));
  const calls = [...list(200, (at) => `b${at} > t0`), ...list(199, (at) => `t${at} > t${at + 1}`)];
  const calling = (...ends: string[]) =>
    flow(
      { s: 'S', ...talks(200), ...tools, x: 'X', y: 'Y' },
      [...ways, ...calls, ...ends].join(' | '),
    );

  it.each([
    [
      'by global nodes',
      flow({ s: 'S', ...talks(200), ...globals }, ways.join(' | ')),
      ['lower/too-large /nodes/201'],
    ],
    ['by tools that many call', calling('t199 > x: 1', 't199 > y: 2'), ['lower/too-large ']],
    ['but not by tools that one assistant has', calling('t199 > x'), []],
  ])('is refused before it is built, %s', (_, workflow, codes) => {
    const result = compile(workflow, { dynamicVariables: ['key'] });
    expect(codesOf(result, 'lower/too')).toEqual(codes);
    if (codes.length > 0) expect([result.status, result.output]).toEqual(['invalid', null]);
  });
});
