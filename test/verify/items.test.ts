/** The items of the checklist: their evidence, and special cases of each. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions, JsonObject } from '../../src/index.js';
import { settle } from '../../src/testing.js';
import {
  type Any,
  captures,
  compile,
  exported,
  flow,
  request,
  says,
  sketch,
  tableOf,
  withRoles,
} from '../compiler/build.js';
import { clinic, damaged, replaced, verdict } from './squads.js';

/** The clinic with fields added to one node. */
const clinicWith = (id: string, more: object) => ({
  ...clinic,
  nodes: clinic.nodes.map((node) => (node.id === id ? { ...node, ...more } : node)),
});

describe('the evidence of an item', () => {
  const names = ['greeting', 'scheduling', 'billing', 'operator'];
  const everywhere = { isGlobal: true, condition: 'is angry' };
  it.each<[string, number, object, string[]]>([
    [
      'the entry',
      1,
      clinic,
      ['The call starts at “greeting”, which belongs to the first member, “greeting”.'],
    ],
    [
      'a global transfer',
      5,
      clinicWith('desk', everywhere),
      names.flatMap((it) => [
        ...(it === 'scheduling' ? ['“scheduling” has the tool of “lookup”.'] : []),
        `“${it}” has the tool of “desk”.`,
      ]),
    ],
    ['no ending', 6, sketch('a'), ['No endCall or hangup node can be reached.']],
    [
      'names',
      7,
      clinic,
      [
        'The names of the members are unique: 4 assistants.',
        'Every handoff names a member: 5 destinations.',
      ],
    ],
  ])('covers %s', (_, item, workflow, texts) => {
    expect(verdict(workflow, compile(workflow).output).facts(item)).toEqual(texts);
  });

  it('gives the place of a workflowId in the workflow itself', () => {
    const carrying = clinicWith('lookup', { body: { workflowId: 'w1' } });
    const [first, second] = verdict(carrying, compile(carrying).output).facts(9);
    expect(first).toContain('`squadc callers`');
    expect(second).toContain('The workflow itself contains a workflowId here');
    const more = '"name":"billing" => "name":"billing","workflowId":"x"';
    expect(replaced(carrying, more).items).toEqual([9]);
    const called = { ...clinic, name: 'workflowId' };
    const crossing = flow(
      { a: captures('workflowId'), b: says('workflowId {{workflowId}}'), c: 'C.' },
      'a > b: workflowId | a > c',
    );
    const settings = { analysisPlan: { structuredDataPlan: { schema: { workflowId: 1 } } } };
    const inline = exported({
      a: {
        ...{ type: 'assistant', prompt: null },
        assistant: { model: { provider: 'openai', model: 'm' }, ...settings },
      },
    });
    for (const workflow of [called, crossing, inline]) {
      expect(compile(workflow, { target: 'vapi' }).status).toBe('complete');
    }
  });
});

describe('a squad holds', () => {
  const roles = {
    same: { name: 'Fetch', url: 'https://api.example.com/same' },
    silent: { systemPrompt: '' },
    gathers: { type: 'gather' },
    line: { systemPrompt: undefined, firstMessage: 'One moment.' },
    global: { isGlobal: true, condition: 'at any time' },
  };

  it.each(
    tableOf(`
    if its start is a tool || t > a: x | t > b: y
    if its start has no text || o > a: x | o > b: y || o silent
    if only walk order distinguishes equal tools of the same name || a > b | b > t1: 1 | c > t2: 2 | c > t1: 1 | b > c: 3 | t2 > b: 4 || t1 same, t2 same
    if every assistant that leads to a line says it || a > b: x | a > c: y | b > l | c > l | l > d || l line
    if only their position distinguishes nodes without text || t1 > t2 | t2 > a | a > t4 | t4 > b | t3 > c | t3 > d | a > t5 | a > t6 | t5 > h || a silent, b gathers silent, d silent, h gathers silent, t3 global
    `),
  )('%s', (_, edges = '', given = '') => {
    const answers = { policies: { 'cyclic-stages': 'keep-split' } };
    expect(compile(sketch(edges, withRoles(given, roles)), { answers }).status).toBe('complete');
  });

  it('if its openings list the conditions of an entry in walk order', () => {
    const edges = 'a > b | b > a | c > a | a > d: c | d > c: d | t > b | s';
    const workflow = sketch(edges, { t: { isGlobal: true, condition: 'asks for t' } });
    const start = { 'ambiguous-start:workflow': { choice: 'node', value: 's' } };
    const { questions } = compile(workflow, { answers: { answers: start } });
    const value = [
      ['a', 'd'],
      ['b', 'c'],
    ];
    const groups = questions.map(({ id }) => [id, { choice: 'group', value }]);
    const answers = { ...start, ...Object.fromEntries(groups) };
    expect(compile(workflow, { answers: { answers } }).status).toBe('complete');
  });
});

describe('item 3', () => {
  const block = (but: string, step = 1) =>
    `At any time${but}\\n- If: asks for g\\n  Then: go to step ${step}.\\n`;
  it.each([
    ['from itself', 'g', 'g.\\n', `g.\\n\\n${block('')}`],
    ['from all steps', 'g > b', block(' but in step 1'), block('')],
    ['from another step', 'g > b', block(' but in step 1'), block(' but in step 2')],
    ['from no other step', 'g > b', `\\n${block(' but in step 1')}`, ''],
    ['from the tool that it is', 'g', block(' but in step 2', 2), block('', 2), request()],
  ])('lets a global node be entered from others only: %s', (_, edges, from, to, more = {}) => {
    const workflow = sketch(`a | ${edges}`, { g: more });
    for (const target of ['squad', 'vapi'] as const) {
      expect(replaced(workflow, ' => ', { target }).holds).toBe(true);
      expect(replaced(workflow, `${from} => ${to}`, { target }).holds).toBe(false);
    }
  });

  it('distinguishes guarded handoffs to global nodes from unguarded ones', () => {
    const workflow = sketch('a | g > h | h > g', {
      g: { isGlobal: true, condition: "v == 'x'" },
      h: { isGlobal: true, condition: 'asks for h' },
    });
    const policies = { 'logical-condition': 'guard', 'cyclic-stages': 'consolidate' };
    const options: CompileOptions = {
      target: 'vapi',
      answers: { policies },
      dynamicVariables: ['v'],
    };
    const turned = '"assistantName":"g" => "assistantName":"h"';
    expect(replaced(workflow, turned, options).items).toContain(3);
  });

  it('is open while a condition that is marked as logical has no answer', () => {
    const judged = (type: string) => {
      const workflow = exported({ ask: {}, gold: {}, other: {} }, [
        { from: 'ask', to: 'gold', condition: { type, prompt: 'vip' } },
        { from: 'ask', to: 'other', condition: { type: 'ai', prompt: 'anything else' } },
      ]);
      const options = { dynamicVariables: ['vip'] };
      const answers = { policies: { 'logical-condition': 'prose' } } as const;
      const { output } = compile(workflow, { ...options, answers });
      const { verdict: judged, items, open } = verdict(workflow, output, options);
      return [judged, items, open];
    };
    for (const type of ['logic', 'liquid']) expect(judged(type)).toEqual(['undecided', [], [3]]);
    expect(judged('ai')).toEqual(['holds', [], []]);
  });
});

describe('item 5', () => {
  it.each([
    ['different tools twice', 'a > t1: x | a > t2: y | t1 > b | t2 > c', {}, 2],
    [
      'equal tools once',
      'a > t1: x | a > t2: y | a > c: z | t1 > b | t2 > b',
      { url: 'https://api.example.com/same' },
      1,
    ],
  ])('expects %s', (_, edges, same, count) => {
    const workflow = sketch(edges, { t1: same, t2: same });
    expect(verdict(workflow, compile(workflow).output).facts(5)).toHaveLength(count);
  });

  it('accepts any name of a tool in a squad that squadc did not make', () => {
    const text = JSON.stringify(damaged('squad', 'apiRequest name = "find"'))
      .replace(/(You are taking over a call in progress)[^\\]*\\n(?=Your first)/, '')
      .replace('Call lookup', 'Call find');
    expect(verdict(clinic, JSON.parse(text)).items).not.toContain(5);
  });

  const all = 'disputes the bill; or is lost; or late; or is angry';
  const without = 'otherwise, when done with scheduling; or is angry';
  const busy = {
    ...clinicWith('desk', { isGlobal: true, condition: 'is angry' }),
    edges: [
      ...clinic.edges,
      { from: 'billing', to: 'desk', condition: 'is lost; or late' },
      { from: 'scheduling', to: 'desk' },
    ],
  };
  it.each([
    [`${all} => is angry; or is lost; or late; or disputes the bill`, []],
    [`${all} => disputes the bill; or is lost; or late`, [5]],
    [`${all} => disputes the bill; or is angry; or late`, [5]],
    [`${all} => ${all}; or is bored`, [5]],
    [`${all} => ${all}; or is angry`, [5]],
    [`${without} => is angry`, [5]],
    [`${without} => when done with billing; or is angry`, [5]],
  ])('compares the conditions of a transfer: %s', (damage, items) => {
    expect(replaced(busy, damage).items).toEqual(items);
  });

  const tiers = sketch("ask > bronze: tier == 'b' | ask > other: anything else", {
    ask: captures('tier'),
  });
  const [question] = compile(tiers).questions;
  const answer = { choice: 'tool', value: { tool: 'Look up!' } };
  const parameters = '"parameters":[{"key":"tier","value":"gold"}]';
  it.each([
    [' => ', []],
    ['Gives the  => Takes the ', [5]],
    ['"name":"Look_up => "name":"find', [3, 5]],
    ['{{ $.tier }} => {{ $.name }}', [5]],
    [`"type":"function" => "type":"function",${parameters}`, [5]],
    ['"type":"function" => "type":"function","server":{"url":"https://api.example.com"}', []],
  ])('compares a custom tool: %s', (damage, items) => {
    for (const target of ['squad', 'vapi'] as const) {
      const options = { target, answers: { answers: { [question!.id]: answer } } };
      expect(replaced(tiers, damage, options).items).toEqual(items);
    }
  });
});

describe('item 6', () => {
  const wordy = flow(
    {
      start: 'Be kind, then end the call\nNever end the call first.',
      'the one to end the call': 'Ask what they want.',
      other: says('Do the work of other.'),
      bye: { type: 'hangup', systemPrompt: 'Say thanks, then end the call' },
    },
    [
      'start > other: then end the call',
      'start > the one to end the call: wants to end the call',
      'other > bye: asks to end the call',
      'other > bye: then end the call',
    ],
  );
  const first = 'Never end the call first.\\n';
  it.each([
    [' => ', true],
    ['that, end the call.\\n => that, go on.\\n', false],
    [`${first} => ${first}Now end the call.\\n`, false],
  ])('does not take a text of the source for the end of a call: %j', (damage, holds) => {
    expect(replaced(wordy, damage).holds).toBe(holds);
  });
});

describe('item 7', () => {
  it('requires the names that an option gives', () => {
    const { items, texts } = verdict(clinic, damaged('squad'), { names: { billing: 'Accounts' } });
    expect(items).toEqual([7]);
    expect(texts).toContain(
      'The assistant that begins with “billing” is called “billing”, but an option says “Accounts”.',
    );
  });

  it.each(['Accounts', 'x'.repeat(41), 'two\nlines', 'operator', 'é', ' a '])(
    'accepts the name that the compiler derives from %j',
    (billing) => expect(compile(clinic, { names: { billing } }).status).toBe('complete'),
  );

  it('means the node that the assistant begins with, be it a global one', () => {
    const nodes = {
      a: 'A.',
      b: '',
      c: '',
      y: { ...says('Y.'), isGlobal: true, condition: 'help' },
    };
    const workflow = flow(nodes, 'b > c | y > a');
    for (const names of [{ c: 'Last' }, { y: 'Help' }]) {
      const options = { names, answers: { policies: { 'global-returns': 'consolidate' } } };
      expect(settle(workflow, options).result.status).toBe('complete');
    }
  });

  it('does not check the assistants that a hook of the workflow names', () => {
    const destination = { type: 'assistant', assistantName: 'night desk' };
    const hooks = [{ on: 'call.ending', do: [{ type: 'transfer', destination }] }];
    const workflow = exported({ a: {}, b: {}, c: {} }, 'a > b: one | a > c: two', { hooks });
    expect(compile(workflow, { target: 'vapi' }).status).toBe('complete');
  });

  it('recognizes saved assistants by their ids and by the names in their overrides', () => {
    const { squad } = damaged('squad') as Any;
    const withMember = (member: JsonObject, damage = ' => ') =>
      replaced(clinic, damage, {}, { squad: { members: squad.members.with(2, member) } });
    const saved = { assistantId: 'b-1' };
    const named = { ...saved, assistantOverrides: { name: 'billing' } };
    expect(withMember(saved).texts).toContain(
      'A handoff of “greeting” names “billing”, but no member has that name.',
    );
    const byId = '"assistantName":"billing" => "assistantId":"b-1"';
    expect(withMember(saved, byId).items).toEqual([3]);
    expect(withMember(named).items).toEqual([]);
    expect(withMember({}).texts).toContain(
      'A member has neither a name nor the id of a saved assistant.',
    );
  });
});
