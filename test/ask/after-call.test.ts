/** What a workflow reports after a call: when a squad can lose it, and how it is reported then. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, type JsonObject, verify } from '../../src/index.js';
import {
  type Any,
  captures,
  end,
  exported,
  type Fields,
  flow,
  type Nodes,
  request,
  says,
  told,
  variable,
} from '../compiler/build.js';
import { append, change, drop, put } from '../json.js';

const id = 'values-after-call:workflow';
const at = '/membersOverrides/artifactPlan/structuredOutputs/0';
const asked = (nodes: Nodes, edges: string, options: CompileOptions = {}) =>
  compile(flow(nodes, edges), { target: 'vapi', ...options }).questions.find((it) => it.id === id);
const reporting = { [id]: { choice: 'structured-output' } };
const reported = (workflow: unknown, expected = 'holds') => {
  const answers = { answers: reporting };
  const result = compile(workflow, { target: 'vapi', answers });
  const { verdict } = verify(workflow, result.output, { target: 'vapi', answers });
  expect([result.status, verdict]).toEqual(['complete', expected]);
  return result.output as Any;
};

const x = { ...says('Ask for x.'), ...captures('x') };
const saysX = says('You said {{x}}.');
const repeatsX = says('Was it {{x}}?');
const setsX = request({ responseVariables: [{ name: 'x', path: 'x' }] });
const anywhere = { isGlobal: true, condition: 'asks for help' };

describe('a capture that a call can lose', () => {
  it.each<[string, Nodes, string, string[]]>([
    ['nothing reads', { a: x, z: end }, 'a > z', ['x']],
    ['only its own assistant reads', { a: x, b: saysX, z: end }, 'a > b | b > z', ['x']],
    ['every walk carries', { a: x, b: saysX, c: repeatsX }, 'a > b: one | a > c: two', []],
    [
      'one walk carries and another loses',
      { a: x, b: saysX, c: says('C.') },
      'a > b: one | a > c: two',
      ['x'],
    ],
    [
      'one walk carries and another ends',
      { a: x, b: saysX, c: repeatsX, z: end },
      'a > b: one | a > c: two | a > z: three',
      ['x'],
    ],
    ['a tool sets afterwards', { a: x, b: setsX, z: end }, 'a > b | b > z', []],
    [
      'a tool of the next assistant sets afterwards',
      { a: x, b: says('B.'), c: says('C.'), d: setsX },
      'a > b: one | a > c: two | b > d | c > d',
      [],
    ],
    [
      'a tool sets afterwards on one walk only',
      { a: x, b: says('B.'), c: says('C.'), d: setsX },
      'a > b: one | a > c: two | b > d',
      ['x'],
    ],
    [
      'is captured again, which may fail',
      { a: x, b: x, c: says('C.'), d: saysX, e: repeatsX },
      'a > b: one | a > c: two | b > d: one | b > e: two',
      ['x'],
    ],
    [
      'a global node finds out',
      { a: says('A.'), g: { ...x, ...anywhere }, z: end },
      'a > z',
      ['x'],
    ],
    [
      'a call that ends anywhere has',
      { a: x, b: saysX, c: repeatsX, z: { ...end, ...anywhere } },
      'a > b: one | a > c: two',
      ['x'],
    ],
    ['is no capture', { a: says('A.'), b: setsX, z: end }, 'a > b | b > z', []],
  ])('is asked about where it is one that %s', (_, nodes, edges, names) => {
    for (const options of [{}, { pass: 'arguments' } as const]) {
      const question = asked(nodes, edges, options);
      const named = [...(question?.text.matchAll(/“(.+?)”/g) ?? [])].map(([, name]) => name);
      expect(named).toEqual(names);
      expect(question?.proposal ?? null).toBe(names.length > 0 ? 'structured-output' : null);
    }
  });

  it('is not asked about if only an alias loses its value', () => {
    const alias = { variableExtractionPlan: { aliases: [{ key: 'label', value: '{{ now }}!' }] } };
    const aliased = exported({ a: { ...says('A.'), ...alias } });
    expect(compile(aliased).questions).toEqual([]);
  });

  it('is one warning of the target squad, which has no place for it', () => {
    const workflow = flow({ a: { ...says('A.'), ...captures('x', 'y') }, z: end }, 'a > z');
    const result = compile(workflow, { target: 'squad' });
    const places = ['/nodes/0/extractVariables/0', '/nodes/0/extractVariables/1'];
    const code = 'data/lost-after-call';
    const found = result.diagnostics.filter((it) => it.code === code);
    expect(found.map((it) => [it.at, ...it.related])).toEqual([places]);
    expect(found[0]?.message).toContain('“x” and “y”');
    expect(result.questions).toEqual([]);
  });

  it('is said to be best effort if it must never be missing', () => {
    const options: CompileOptions = { target: 'vapi', criticalVariables: ['x'] };
    const codes = (choice: string) => {
      const answers = { answers: { [id]: { choice } } };
      return told(compile(flow({ a: x }), { ...options, answers }))[1];
    };
    expect(codes('structured-output')).toBe('data/best-effort /criticalVariables');
    expect(codes('none')).toBe('api/unread-variable /criticalVariables');
  });
});

describe('values that are reported after the call', () => {
  const plan = { variable: 'urgency', enum: ['today', 'this week'] };
  const desk = flow(
    {
      take: { extractVariables: [variable('name'), variable('urgency', { enum: plan.enum })] },
      more: { ...says('Repeat {{name}}.'), ...captures('calls: number') },
      z: end,
    },
    'take > more | more > z',
  );
  const output = (squad: Any, index = 0) =>
    squad.membersOverrides.artifactPlan.structuredOutputs[index];

  it('are all captures, in one output, which sees the whole call', () => {
    const squad = reported(desk);
    const { properties } = output(squad).schema;
    expect(Object.keys(properties)).toEqual(['name', 'urgency', 'calls']);
    expect(properties.urgency).toMatchObject({ type: 'string', enum: plan.enum });
    expect(properties.calls.type).toBe('number');
    expect(squad.membersOverrides.artifactPlan.fullMessageHistoryEnabled).toBe(true);
  });

  it.each<[string, (squad: JsonObject) => JsonObject]>([
    ['property is missing', (it) => drop(it, `${at}/schema/properties/urgency`)],
    ['property is added', (it) => put(it, `${at}/schema/properties/more`, { type: 'string' })],
    ['type differs', (it) => change(it, `${at}/schema/properties/calls/type`, () => 'string')],
    ['choice is missing', (it) => drop(it, `${at}/schema/properties/urgency/enum/0`)],
    [
      'description differs',
      (it) => put(it, `${at}/schema/properties/name/description`, 'its name'),
    ],
    ['output is missing', (it) => drop(it, at)],
    ['output is added', (it) => append(it, at.slice(0, -2), { name: 'b', schema: {} })],
    [
      'history is not whole',
      (it) => drop(it, '/membersOverrides/artifactPlan/fullMessageHistoryEnabled'),
    ],
  ])('are refuted if a %s', (_, damage) => {
    const options = { target: 'vapi', answers: { answers: reporting } } as const;
    const { verdict, diagnostics } = verify(desk, damage(reported(desk)), options);
    expect(verdict).toBe('fails');
    expect(diagnostics.map(({ code }) => code)).toContain('check/setting-differs');
  });

  it('leave a squad undecided, whichever it does, until somebody answers', () => {
    const without = compile(desk, {
      target: 'vapi',
      answers: { policies: { 'values-after-call': 'none' } },
    });
    for (const squad of [reported(desk), without.output]) {
      expect(verify(desk, squad).verdict).toBe('undecided');
    }
  });

  const own = { name: 'mood', type: 'ai', schema: { type: 'string' } };
  const take = (more: Fields) => exported({ take: captured, more: {} }, 'take > more', more);
  const captured = {
    variableExtractionPlan: { output: [{ title: 'x', type: 'string', description: 'x' }] },
  };

  it('keep what the source says about its outputs and the history', () => {
    const taken = { ...own, name: 'captured_values' };
    const artifactPlan = { structuredOutputs: [own, taken], fullMessageHistoryEnabled: false };
    const squad = reported(take({ artifactPlan }));
    const { fullMessageHistoryEnabled, structuredOutputs } = squad.membersOverrides.artifactPlan;
    expect(structuredOutputs.map(({ name }: Any) => name)).toEqual([
      ...['mood', 'captured_values', 'captured_values_2'],
    ]);
    expect(fullMessageHistoryEnabled).toBe(false);
  });

  it('stand with each assistant if one has a plan of its own or is a saved one', () => {
    const inline = {
      type: 'assistant',
      prompt: null,
      assistant: { name: 'own', artifactPlan: { structuredOutputs: [own] } },
    };
    const saved = { type: 'assistant', prompt: null, assistantId: 'asst-7' };
    for (const [node, names, verdict] of [
      [inline, ['mood', 'captured_values'], 'holds'],
      // What a saved assistant says is not known.
      [saved, null, 'undecided'],
    ] as const) {
      const squad = reported(exported({ take: captured, next: node }, 'take > next'), verdict);
      expect(squad.membersOverrides?.artifactPlan).toBeUndefined();
      const [first, second] = squad.members;
      expect(first.assistant.artifactPlan.structuredOutputs).toHaveLength(1);
      const outputs = second.assistant?.artifactPlan.structuredOutputs ?? null;
      expect(outputs?.map(({ name }: Any) => name) ?? null).toEqual(names);
      expect(second.assistantOverrides?.artifactPlan).toBeUndefined();
    }
  });
});
