/** Recorded calls of small workflows, case by case: what fits, what does not, and what is counted. */
import { describe, expect, it } from 'vitest';
import { replay } from '../../src/index.js';
import { splitCalls, UnreadableCall } from '../../src/replay/split.js';
import { settle } from '../../src/testing.js';
import { spoken, squadCall, type Visit, workflowCall } from './calls.js';

const capture = (name: string) => ({ name, type: 'string', description: `the ${name}` });
/** Greeting, then booking or billing by a tool; help at any time. */
const desk = {
  name: 'Desk',
  nodes: [
    {
      id: 'greet',
      name: 'Greeting',
      type: 'conversation',
      isStart: true,
      firstMessage: 'Hello, who is there?',
      systemPrompt: 'Greet.',
      extractVariables: [capture('caller')],
    },
    {
      id: 'book',
      type: 'conversation',
      systemPrompt: 'Book for {{caller}}.',
      extractVariables: [capture('slot')],
    },
    {
      id: 'lookup',
      type: 'apiRequest',
      url: 'https://api.example.com/bills',
      method: 'GET',
      headers: { 'X-Auth': '{{key}}' },
      responseVariables: [{ ...capture('balance'), path: '$.balance' }],
    },
    { id: 'bill', type: 'conversation', systemPrompt: 'Tell {{caller}} the balance, {{balance}}.' },
    {
      id: 'help',
      type: 'conversation',
      isGlobal: true,
      condition: 'the caller asks for a person',
      systemPrompt: 'Help.',
    },
    { id: 'bye', type: 'endCall', firstMessage: 'Goodbye.' },
  ],
  edges: [
    { from: 'greet', to: 'book', condition: 'wants an appointment' },
    { from: 'greet', to: 'lookup', condition: 'asks about a bill' },
    { from: 'lookup', to: 'bill' },
    { from: 'book', to: 'bye', condition: 'has an appointment' },
    { from: 'book', to: 'bye', condition: 'wants no appointment' },
    { from: 'bill', to: 'book', condition: 'wants an appointment, too' },
  ],
};
const { result, options } = settle(desk, { target: 'vapi' });
const squad = result.output!;
const held = (...calls: unknown[]) => {
  const replayer = replay(desk, squad, options);
  const fits = calls.map((it) => replayer.add(it));
  return { fits, ...replayer.report() };
};
const ofNodes = (...visits: (string | Visit)[]) =>
  workflowCall(visits.map((it) => (typeof it === 'string' ? [it] : it)));
const misfitOf = (call: unknown) => {
  const [fit] = held(call).fits;
  return fit!.misfit && [fit!.misfit.record, fit!.misfit.code, fit!.misfit.message];
};

describe('a call of the workflow', () => {
  it.each<[string, readonly (string | Visit)[]]>([
    ['a call that ends at once', ['greet']],
    ['a name in the place of an id', ['Greeting', 'book']],
    ['one visit that is recorded in parts', ['greet', 'greet', 'book']],
    ['a tool that is recorded', ['greet', 'lookup', 'bill']],
    ['a tool that is not', ['greet', 'bill', 'book', 'bye']],
    ['a global node, and back by no edge', ['greet', 'help']],
    [
      'values as they come',
      [
        ['greet', ['caller']],
        ['lookup', ['balance']],
        ['bill', ['caller', 'balance', 'key', 'now']],
      ],
    ],
    ['values of a tool that is not recorded', ['greet', ['bill', ['balance']]]],
  ])('fits: %s', (_, visits) => expect(misfitOf(ofNodes(...visits))).toBeNull());

  const [step, value] = ['replay/step', 'replay/value'];
  it.each<[string, readonly (string | Visit)[], readonly unknown[]]>([
    [
      'a beginning elsewhere',
      ['book'],
      [0, step, 'No call of the workflow comes from “the beginning” to “book”.'],
    ],
    [
      'no such edge',
      ['greet', 'book', 'bill', 'x'],
      [2, step, 'No call of the workflow comes from “book” to “bill”.'],
    ],
    [
      'an unknown node',
      ['greet', 'old'],
      [1, step, 'No call of the workflow comes from “greet” to “old”, which it does not have.'],
    ],
    [
      'after the end',
      ['greet', 'book', 'bye', 'help'],
      [3, step, 'No call of the workflow comes from “bye” to “help”.'],
    ],
    [
      'a way back that a global node does not have',
      ['greet', 'help', 'book'],
      [2, step, 'No call of the workflow comes from “help” to “book”.'],
    ],
    [
      'a value of a node that comes later',
      [['greet', ['slot']], 'book'],
      [0, value, '“slot” has a value at “greet”, and nothing on the way there sets it.'],
    ],
    [
      'a value that nothing sets',
      ['greet', ['book', ['mood']]],
      [1, value, '“mood” has a value at “book”, and nothing on the way there sets it.'],
    ],
  ])('does not fit: %s', (_, visits, misfit) =>
    expect(misfitOf(ofNodes(...visits))).toEqual(misfit),
  );

  it('may begin with variables', () => {
    const call = {
      ...ofNodes(['greet', ['mood']]),
      workflowOverrides: { variableValues: { mood: spoken } },
    };
    expect(misfitOf(call)).toBeNull();
    expect(
      replay(desk, squad, { ...options, dynamicVariables: ['mood'] }).add(
        ofNodes(['greet', ['mood']]),
      ).misfit,
    ).toBeNull();
  });

  it('is followed through the squad, with what each handoff carries', () => {
    const call = ofNodes(
      ['greet', ['caller']],
      'lookup',
      ['bill', ['balance']],
      ['book', ['slot']],
    );
    const steps = held(call).fits[0]!.steps;
    expect(steps.map((it) => [it.node, it.assistant, it.handoff && it.carries])).toEqual([
      ['greet', 'Greeting', null],
      ['lookup', 'bill', ['caller']],
      ['bill', 'bill', null],
      ['book', 'book', []],
    ]);
  });

  it('is counted: edges, groups that a record does not tell apart, handoffs, values, paths', () => {
    const { calls, edges, groups, handoffs, handoffsPerCall, variables, paths } = held(
      ofNodes(['greet', ['caller']], 'bill', 'book'),
      ofNodes(['greet', ['caller']], 'bill', 'book'),
      ofNodes('greet', 'book', 'bye'),
      ofNodes('greet', 'greet', 'help'),
      ofNodes('greet', 'nowhere'),
    );
    expect(calls).toMatchObject({ all: 5, workflow: 5, squad: 0, misfits: 1, squadMisfits: 0 });
    const taken = edges.map(({ from, to, calls }) => `${from} ${to} ${calls}`);
    expect(taken).toEqual([
      ...['greet book 1', 'greet lookup 2', 'book bye 0', 'book bye 0', 'lookup bill 2'],
      ...['bill book 2', 'null help 1'],
    ]);
    // Help can be entered from the tool, which need not be recorded.
    expect(groups).toEqual([
      { at: ['/edges/3', '/edges/4'], calls: 1 },
      { at: ['/edges/1'], calls: 1 },
    ]);
    expect(handoffsPerCall).toEqual([0, 2, 2]);
    const seen = handoffs.filter((it) => it.calls > 0);
    expect(seen.map((it) => `${it.from} ${it.to} ${it.calls} ${it.seen} ${it.empty}`)).toEqual([
      ...['Greeting book 1 1 1', 'Greeting bill 2 2 0', 'Greeting help 1 0 0', 'bill book 2 0 0'],
    ]);
    expect(seen.map((it) => it.carried)).toEqual([{ caller: 0 }, { caller: 2 }, {}, {}]);
    expect(variables).toEqual([
      { name: 'caller', calls: 4, missing: 2 },
      { name: 'slot', calls: 3, missing: 3 },
    ]);
    expect(paths.map(({ walk, calls }) => [walk.map(({ node }) => node).join(), calls])).toEqual([
      ...[
        ['greet,lookup,bill,book', 2],
        ['greet,book,bye', 1],
        ['greet,help', 1],
      ],
    ]);
  });

  it('that does not fit is counted with its like, with the first ids', () => {
    const bad = Array.from({ length: 9 }, (_, at) => ({
      ...ofNodes('greet', 'old'),
      id: `c${at}`,
    }));
    const { misfits, calls } = held(...bad, ofNodes('book'));
    expect(calls.misfits).toBe(10);
    expect(misfits.map((it) => [it.calls, it.before, it.severity, it.at, it.ids])).toEqual([
      [9, ['greet'], 'warning', '/nodes/0', ['c0', 'c1', 'c2', 'c3', 'c4']],
      [1, [], 'warning', '', ['call-1']],
    ]);
  });
});

describe('a call of the squad', () => {
  const [toBill, toBook, toHelp] = ['bill', 'book', 'help'].map((it) => `handoff_to_${it}`);
  const request = 'lookup';
  it.each<[string, readonly string[], readonly string[]]>([
    ['assistants alone', ['Greeting', 'bill', 'book'], []],
    ['handoffs by their functions', ['Greeting', 'bill', 'book'], [toBill!, toBook!]],
    ['messages of the last assistants only', ['Greeting', 'bill', 'book'], [toBook!]],
    ['a handoff that was refused at first', ['Greeting', 'bill'], [toBill!, toBill!]],
    ['a handoff that the end cut off', ['Greeting'], [toBill!]],
    ['the tool of a step', ['Greeting', 'bill'], [toBill!, request]],
    ['the end of the call', ['Greeting', 'book'], [toBook!, 'endCall']],
    ['one activation in parts', ['Greeting', 'Greeting', 'help'], []],
    ['tools whose assistant is unknown', ['Greeting', 'bill'], ['endCall', request]],
  ])('fits: %s', (_, assistants, functions) => {
    expect(misfitOf(squadCall(assistants, functions))).toBeNull();
  });

  it.each<[string, readonly string[], readonly string[], readonly unknown[]]>([
    [
      'another start',
      ['book'],
      [],
      [0, 'No call of the squad comes from “the beginning” to “book”.'],
    ],
    [
      'no such handoff',
      ['Greeting', 'help', 'bill'],
      [],
      [2, 'No call of the squad comes from “help” to “bill”.'],
    ],
    [
      'an assistant of another squad',
      ['Greeting', 'sales'],
      [],
      [1, 'No call of the squad comes from “Greeting” to “sales”, which it does not have.'],
    ],
    [
      'a tool of another assistant',
      ['Greeting', 'book'],
      [request, toBook!],
      [1, 'No call of the squad comes from “Greeting” to “lookup”.'],
    ],
    [
      'a function of another squad',
      ['Greeting'],
      ['handoff_to_sales'],
      [
        1,
        'No call of the squad comes from “Greeting” to “handoff_to_sales”, which it does not have.',
      ],
    ],
    [
      'a handoff after the end',
      ['Greeting', 'book', 'help'],
      [toBook!, 'endCall', toHelp!, toBill!],
      [4, 'No call of the squad comes from “help” to “handoff_to_bill”.'],
    ],
  ])('does not fit: %s', (_, assistants, functions, [record, message]) => {
    expect(misfitOf(squadCall(assistants, functions))).toEqual([record, 'replay/step', message]);
  });

  it('is counted, and a misfit is an error', () => {
    const { calls, handoffs, misfits, edges } = held(
      squadCall(['Greeting', 'bill', 'help'], [toBill!, toHelp!]),
      squadCall(['book'], []),
    );
    expect(calls).toMatchObject({ all: 2, squad: 2, misfits: 1, squadMisfits: 1 });
    const made = handoffs.filter((it) => it.calls > 0).map(({ from, to }) => `${from} ${to}`);
    expect(made).toEqual(['Greeting bill', 'bill help']);
    expect(edges.every((it) => it.calls === 0)).toBe(true);
    expect(misfits.map(({ of, severity, in: part }) => [of, severity, part])).toEqual([
      ['squad', 'error', 'squad'],
    ]);
  });

  it('is nothing without a squad; calls of others and other records are left out', () => {
    const others = [
      { ...ofNodes('old'), workflowId: 'other' },
      squadCall(['Greeting'], []),
      { ...squadCall(['Anna'], []), assistantId: 'a1' },
      ...[{ id: 'x' }, null, 'text', 7, [], { artifact: { nodes: [{}, 5] } }],
    ];
    const replayer = replay({ ...desk, id: 'desk' }, null, options);
    expect(others.map((it) => replayer.add(it).of)).toEqual(others.map(() => null));
    expect(replayer.report().calls).toMatchObject({ all: 9, others: 2, unrecorded: 7 });
  });
});

describe('what is held against each other', () => {
  it('says if the workflow is invalid, and if the squad cannot be read', () => {
    const nothing = replay({ nodes: [] }, null);
    expect(nothing.add(ofNodes('greet'))).toMatchObject({ of: null, misfit: null });
    expect(nothing.report().diagnostics.map(({ code }) => code)).toContain('shape/no-nodes');
    for (const other of [{}, 'x', { members: [{ assistant: { name: 'Greeting' } }] }]) {
      const replayer = replay(desk, other, options);
      expect(replayer.report().diagnostics.map(({ code }) => code)).toEqual(['check/undecided']);
      expect(replayer.add(ofNodes('greet', 'book')).misfit).toBeNull();
    }
  });

  it('finds a call of the workflow that the squad does not have', () => {
    const prompts = JSON.stringify(squad).replace('handoff_to_bill', 'handoff_to_bull');
    const { misfit } = replay(desk, JSON.parse(prompts), options).add(ofNodes('greet', 'bill'));
    expect(misfit).toMatchObject({ of: 'squad', severity: 'error', record: 1, name: 'bill' });
  });

  it('passes over the node of older workflows that only marks the start', () => {
    const nodes = [
      { name: 'begin', type: 'start' },
      { name: 'a', type: 'conversation', prompt: 'A.' },
    ];
    const older = { nodes, edges: [{ from: 'begin', to: 'a' }] };
    const replayer = replay(older, null);
    expect(replayer.add(ofNodes('begin', 'a')).misfit).toBeNull();
    expect(replayer.add(ofNodes('a', 'begin')).misfit?.record).toBe(1);
  });

  it('keeps nothing that was said', () => {
    const calls = [
      ofNodes(['greet', ['caller', 'mood']]),
      ofNodes('greet', 'old'),
      squadCall(['book'], ['f']),
    ];
    expect(JSON.stringify(calls)).toContain(spoken);
    expect(JSON.stringify(held(...calls))).not.toContain(spoken);
  });
});

describe('a stream of calls', () => {
  const split = async (text: string, size: number) => {
    const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const found: unknown[] = [];
    for await (const call of splitCalls(stream(pieces))) found.push(call);
    return found;
  };
  async function* stream(pieces: readonly string[]) {
    yield* pieces;
  }
  const [one, two] = [
    { id: '}]"{\\', list: [{ results: [1] }] },
    { id: 'two', results: 5 },
  ];
  it.each<[string, string, readonly unknown[]]>([
    ['a list', JSON.stringify([one, two]), [one, two]],
    [
      'a page of results',
      JSON.stringify({ metadata: { pages: [{}] }, results: [one, two], next: [{}] }),
      [one, two],
    ],
    ['JSON Lines', `${JSON.stringify(one)}\r\n\n${JSON.stringify(two)}\n`, [one, two]],
    ['one call, indented', JSON.stringify(one, null, 2), [one]],
    ['no call', '[]', []],
    ['nothing', '', []],
  ])('is %s, in pieces of any size', async (_, text, calls) => {
    for (const size of [1, 2, 3, 7, 1000]) expect(await split(text, size)).toEqual(calls);
  });

  it.each([
    ['cut off', '[{"id":1},{"id":"SAID', 'call 2 is not JSON'],
    ['broken', '{"id":1}\n{"id": SAID}\n', 'call 2 is not JSON'],
  ])('that is %s is an error that quotes nothing', async (_, text, message) => {
    await expect(split(text, 4)).rejects.toThrow(new UnreadableCall(message));
  });
});
