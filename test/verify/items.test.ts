/** Each item of the checklist: its evidence, and squads that are right or wrong in special ways. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, type JsonObject, verify } from '../../src/index.js';
import { check, clinic, damaged, given, judge } from './clinic.js';
import { asks, check as checkSmall, flow, squadOf, talk, tool } from './small.js';

/** The clinic with other fields at one of its nodes. */
const clinicWith = (id: string, more: JsonObject) => ({
  ...clinic,
  nodes: clinic.nodes.map((node) => (node['id'] === id ? { ...node, ...more } : node)),
});

/** What is said of the squad that the compiler makes, with one text of it for another. */
function judged(workflow: object, options: CompileOptions, from = '', to = '') {
  const text = JSON.stringify(compile(workflow, { ...given, ...options }).output);
  expect(text).toContain(from);
  const squad: unknown = JSON.parse(text.replace(from, () => to));
  return judge(verify(workflow, squad, { ...given, ...options }));
}

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
      'handoffs',
      3,
      clinic,
      [
        'The condition “wants an appointment” describes the handoff from “greeting” to “scheduling”.',
        'The condition “asks about a bill” describes the handoff from “greeting” to “billing”.',
        ...['greeting', 'scheduling', 'billing'].map(
          (it) =>
            `The condition “the caller asks for a human” describes the handoff from “${it}” to “operator”.`,
        ),
      ],
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
    [
      'a global ending',
      6,
      clinicWith('bye', everywhere),
      names.map((it) => `The prompt of “${it}” says when to end the call, and what to say first.`),
    ],
    [
      'no ending',
      6,
      { name: 'One', nodes: [talk('a')], edges: [] },
      ['No endCall or hangup node can be reached.'],
    ],
    [
      'names',
      7,
      clinic,
      [
        'The names of the members are unique: 4 assistants.',
        'Every handoff names a member: 5 destinations.',
      ],
    ],
  ])('is given for %s', (_, item, workflow, texts) => {
    const { holds, checklist } = verify(workflow, compile(workflow, given).output, given);
    expect(holds).toBe(true);
    expect(checklist[item - 1]!.evidence.map(({ text }) => text)).toEqual(texts);
  });

  it('says where the workflow itself names a workflowId', () => {
    const carrying = clinicWith('lookup', { body: { workflowId: 'w1' } });
    const { checklist } = verify(carrying, compile(carrying, given).output, given);
    const texts = checklist[8]!.evidence.map(({ text }) => text);
    expect(texts[0]).toContain('`squadc callers`');
    expect(texts[1]).toContain('The workflow itself contains a workflowId here');
    expect(
      judged(carrying, {}, '"name":"billing"', '"name":"billing","workflowId":"x"').items,
    ).toEqual([9]);
  });
});

describe('item 7', () => {
  it('leaves whom a hook of the workflow calls to the workflow', () => {
    const nodes = ['a', 'b', 'c'].map((name) => ({ name, type: 'conversation', prompt: name }));
    const edge = (to: string) => ({ from: 'a', to, condition: { type: 'ai', prompt: to } });
    const destination = { type: 'assistant', assistantName: 'night desk' };
    const hooks = [{ on: 'call.ending', do: [{ type: 'transfer', destination }] }];
    const workflow = { name: 'H', nodes, edges: [edge('b'), edge('c')], hooks };
    expect(compile(workflow, { target: 'vapi' }).status).toBe('complete');
  });
});

describe('item 1', () => {
  it.each<[string, JsonObject]>([
    ['a tool', tool('open')],
    ['one that says nothing', { id: 'open', type: 'conversation' }],
  ])('holds for a start that is %s', (_, open) => {
    const small = { ...flow('a b', 'open>a: x, open>b: y'), nodes: [open, talk('a'), talk('b')] };
    expect(checkSmall(small, squadOf(small)).failing).toEqual([]);
  });
});

describe('item 3', () => {
  it('tells guarded ways to global nodes from the others', () => {
    const nodes = [
      talk('a'),
      talk('g', { isGlobal: true, condition: "v == 'x'" }),
      talk('h', { isGlobal: true, condition: 'asks for h' }),
    ];
    const edges = [
      { from: 'g', to: 'h' },
      { from: 'h', to: 'g' },
    ];
    const policies = { 'logical-condition': 'guard', 'cyclic-stages': 'consolidate' };
    const given = { target: 'vapi', answers: { policies } } as const;
    const options = { ...given, dynamicVariables: ['v'] };
    const workflow = { name: 'G', nodes, edges };
    expect(judged(workflow, options)).toMatchObject({ holds: true, said: [] });
    expect(judged(workflow, options, '"assistantName":"g"', '"assistantName":"h"').items).toContain(
      3,
    );
  });
});

describe('the opening of a prompt', () => {
  it('names what leads to an entry in the order of a walk, whichever step it leaves', () => {
    const small = flow('n0 n1 n2 n7 t! s', 'n0>n1, n1>n0, n2>n0, n0>n7: c, n7>n2: d, t>n1', {
      t: { isGlobal: true, condition: 'asks for t' },
    });
    const start = { 'ambiguous-start:workflow': { choice: 'node', value: 's' } };
    const [question = ''] = checkSmall(
      small,
      { squad: { members: [] } },
      { answers: { answers: start } },
    )
      .faults(2)
      .flatMap((text) => /The question “(cyclic.*)” has/.exec(text)?.[1] ?? []);
    const value = [
      ['n0', 'n7'],
      ['n1', 'n2'],
    ];
    const answers = { answers: { ...start, [question]: { choice: 'group', value } } };
    const squad = squadOf(small, { answers });
    expect(checkSmall(small, squad, { answers }).holds).toBe(true);
  });
});

describe('item 4, for what passes as arguments', () => {
  const size = { name: 'size', type: 'string', description: 'the size', enum: ['S', 'L'] };
  const small = flow('a b c d', 'a>b: x, a>c: y, a>d: z', {
    a: { extractVariables: [...(asks('v')['extractVariables'] as JsonObject[]), size] },
    b: { systemPrompt: '{{v}} {{size}}' },
    c: { systemPrompt: '{{v}}' },
  });
  const passing: CompileOptions = { target: 'vapi', pass: 'arguments' };
  const squad = squadOf(small, passing);

  it('holds, where the options say so', () => {
    expect(checkSmall(small, squad, passing).holds).toBe(true);
    const planned = squadOf(small, { target: 'vapi' });
    expect(checkSmall(small, planned, { target: 'vapi' }).holds).toBe(true);
    expect(checkSmall(small, squad, { target: 'vapi' }).failing).toContain(4);
    expect(checkSmall(small, planned, passing).faults(4)[1]).toBe(
      'The handoff from “a” to “b” does not require “v” and “size”, although an answer or option does.',
    );
    expect(
      verify(clinic, damaged('squad', 'root none'), { pass: 'arguments' }).diagnostics,
    ).toMatchObject([{ code: 'api/option', at: '/pass' }]);
  });

  it('wants a variable called destination in the plan', () => {
    const named = JSON.parse(
      JSON.stringify(small)
        .replaceAll('"v"', '"destination"')
        .replaceAll('{{v}}', '{{destination}}'),
    );
    const right = squadOf(named, passing);
    expect(checkSmall(named, right, passing).holds).toBe(true);
    const text = JSON.stringify(right).replace('"variableExtractionPlan"', '"plan"');
    expect(checkSmall(named, JSON.parse(text), passing).failing).toContain(4);
  });
});

describe('item 5', () => {
  const twice = (same: JsonObject, edges: string) =>
    flow('a one! two! b c', edges, { one: same, two: same });
  it.each([
    ['different tools twice', twice({}, 'a>one: x, a>two: y, one>b, two>c'), 2],
    [
      'equal tools once',
      twice({ url: 'https://api.example.com/same' }, 'a>one: x, a>two: y, a>c: z, one>b, two>b'),
      1,
    ],
  ])('wants %s', (_, small, count) => {
    const { failing, facts } = checkSmall(small, squadOf(small));
    expect(failing).toEqual([]);
    expect(facts(5)).toHaveLength(count);
  });

  it('tells equal tools of one name apart by the order of a walk', () => {
    const same = { name: 'Fetch', url: 'https://api.example.com/same' };
    const ways = 'n0>n1, n1>n3: 1, n7>n8: 2, n7>n3: 1, n1>n7: 3, n8>n1: 4';
    const small = flow('n0 n1 n3! n7 n8!', ways, { n3: same, n8: same });
    const kept = { answers: { policies: { 'cyclic-stages': 'keep-split' } } };
    expect(checkSmall(small, squadOf(small, kept), kept).holds).toBe(true);
  });

  it('leaves the name of a tool to a squad that squadc did not make', () => {
    const free = JSON.parse(
      JSON.stringify(damaged('squad', 'apiRequest name = "find"'))
        .replace(/(This call is already in progress)[^\\]*\\n(?=Your first)/, '')
        .replace('Call lookup', 'Call find'),
    );
    expect(check(free).items).not.toContain(5);
  });

  describe('compares the conditions of a transfer', () => {
    const several = {
      ...clinicWith('desk', { isGlobal: true, condition: 'is angry' }),
      edges: [
        ...clinic.edges,
        { from: 'billing', to: 'desk', condition: 'is lost; or late' },
        { from: 'scheduling', to: 'desk' },
      ],
    };
    const all = 'disputes the bill; or is lost; or late; or is angry';
    it.each([
      ['as they are', all, true],
      ['in another order', 'is angry; or is lost; or late; or disputes the bill', true],
      ['without one', 'disputes the bill; or is lost; or late', false],
      ['with a part of one', 'disputes the bill; or is angry; or late', false],
      ['with one more', `${all}; or is bored`, false],
      ['with one twice', `${all}; or is angry`, false],
    ])('%s', (_, text, holds) => {
      expect(judged(several, {}, all, text).items).toEqual(holds ? [] : [5]);
    });

    it('with the sentence for a way that has none', () => {
      const without = 'otherwise, when done with scheduling; or is angry';
      expect(judged(several, {}, without, 'is angry').items).toEqual([5]);
      const other = 'when done with billing; or is angry';
      expect(judged(several, {}, without, other).items).toEqual([5]);
    });
  });

  describe.each(['squad', 'vapi'] as const)('compares a custom tool, for %s', (target) => {
    const nodes = [talk('ask', asks('tier')), talk('gold'), talk('other')];
    const edges = [
      { from: 'ask', to: 'gold', condition: "tier == 'gold'" },
      { from: 'ask', to: 'other', condition: 'anything else' },
    ];
    const tiers = { name: 'Tiers', nodes, edges };
    const [question] = compile(tiers).questions;
    const answer = { choice: 'tool', value: { tool: 'Look up!' } };
    const options = { target, answers: { answers: { [question!.id]: answer } } };

    it.each([
      ['as it is', '', '', []],
      ['with another description', 'Gives the ', 'Takes the ', [5]],
      ['with another name', '"name":"Look_up', '"name":"find', [3, 5]],
      ['with another value', '{{ $.tier }}', '{{ $.name }}', [5]],
      [
        'with parameters of its own',
        '"type":"function"',
        '"type":"function","parameters":[{"key":"tier","value":"gold"}]',
        [5],
      ],
      [
        'with who answers it',
        '"type":"function"',
        '"type":"function","server":{"url":"https://api.example.com"}',
        [],
      ],
    ])('%s', (_, from, to, items) => {
      expect(judged(tiers, options, from, to).items).toEqual(items);
    });
  });
});

describe('item 6', () => {
  const nodes = [
    talk('start', { systemPrompt: 'Be kind, then end the call\nNever end the call first.' }),
    talk('the one to end the call', { systemPrompt: 'Ask what they want.' }),
    talk('other'),
    { id: 'bye', type: 'hangup', systemPrompt: 'Say thanks, then end the call' },
  ];
  const edges = [
    { from: 'start', to: 'other', condition: 'then end the call' },
    { from: 'start', to: 'the one to end the call', condition: 'wants to end the call' },
    { from: 'other', to: 'bye', condition: 'asks to end the call' },
    { from: 'other', to: 'bye', condition: 'then end the call' },
  ];
  const wordy = { name: 'Wordy', nodes, edges };

  it('tells the words of the source from the sentence that ends a call', () => {
    expect(judged(wordy, {})).toMatchObject({ holds: true, items: [] });
    expect(judged(wordy, {}, 'that, end the call.\\n', 'that, go on.\\n').holds).toBe(false);
    const start = 'Never end the call first.\\n';
    expect(judged(wordy, {}, start, `${start}Now end the call.\\n`).holds).toBe(false);
  });
});

describe('item 7', () => {
  it('wants the names that an option gives', () => {
    const names = { billing: 'Accounts' };
    expect(judged(clinic, { names })).toMatchObject({ holds: true });
    const { items, texts } = check(damaged('squad', 'root none'), { names });
    expect(items).toEqual([7]);
    expect(texts).toContain(
      'The assistant that begins with “billing” is called “billing”, but an option says “Accounts”.',
    );
  });

  it.each(['x'.repeat(41), 'two\nlines', 'operator', 'é', ' a '])(
    'takes what the compiler makes of the name %j',
    (billing) => {
      expect(judged(clinic, { names: { billing } })).toMatchObject({ holds: true });
    },
  );

  it('knows saved assistants by their ids and by the names of overrides', () => {
    const { squad } = damaged('squad', 'member billing assistant') as unknown as {
      squad: { members: JsonObject[] };
    };
    const at = squad.members.findIndex((it) => it['assistant'] === undefined);
    const withMember = (member: JsonObject, from = '', to = '') => {
      const members = squad.members.with(at, member);
      return check(JSON.parse(JSON.stringify({ squad: { members } }).replaceAll(from, to)));
    };
    const fault = 'A handoff of “greeting” names “billing”, but no member has that name.';
    expect(withMember({ assistantId: 'b-1' }).texts).toContain(fault);
    expect(
      withMember({ assistantId: 'b-1' }, '"assistantName":"billing"', '"assistantId":"b-1"').items,
    ).toEqual([3]);
    expect(
      withMember({ assistantId: 'b-1', assistantOverrides: { name: 'billing' } }).items,
    ).toEqual([]);
    expect(withMember({}).texts).toContain(
      'A member has neither a name nor the id of a saved assistant.',
    );
  });
});
