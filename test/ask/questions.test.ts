import { describe, expect, it } from 'vitest';
import { type CompileOptions, explain, type Question } from '../../src/index.js';
import { capture, end, type Fields, keysOf, request, run, talk, workflow } from './documents.js';

/** Kind by kind: a workflow that leaves it open, and what is asked. */
interface Case {
  readonly document: unknown;
  readonly options?: CompileOptions;
  readonly id: RegExp;
  readonly at: readonly string[];
  readonly proposal?: Pick<Question, 'proposal' | 'proposalValue'>;
  readonly without?: string;
  /** The text names these. */
  readonly names: readonly string[];
}

const vapi = { target: 'vapi' } as const;
const formula = workflow(
  { a: talk('Ask.', capture('plan', { enum: ['gold', 'tin'] })), b: talk('B.'), c: talk('C.') },
  ["a > b: plan == 'gold'", 'a > c: else'],
);
const cycle = workflow({ a: talk('A.'), b: talk('B.'), c: talk('C.') }, [
  'a > b',
  'b > c',
  'c > b',
]);
const voices = workflow(
  { a: talk('A.', { voice: { voiceId: 'x' } }), b: talk('B.', { voice: { voiceId: 'y' } }) },
  ['a > b'],
);
const critical = workflow(
  {
    a: talk('Ask.', capture('order')),
    b: talk('B.'),
    c: talk('C.'),
    pay: request({ method: 'POST', body: { order: '{{order}}' } }),
  },
  ['a > b: one', 'a > c: two', 'b > pay'],
);
const misspelt = workflow({ a: talk('Ask.', capture('street')), b: talk('To {{stret}}.') }, [
  'a > b',
]);

/** The choices for target vapi; `only` those that no other target has. */
const only = ['guard', 'argument'];
const choices: Readonly<Record<string, readonly string[]>> = {
  'logical-condition': ['extract', 'tool', 'guard', 'prose'],
  'critical-variable': ['tool', 'argument', 'best-effort'],
  'cyclic-stages': ['consolidate', 'keep-split', 'group'],
  'missing-destination': ['number', 'sip'],
  'missing-endpoint': ['request', 'operation'],
  'missing-auth': ['none', 'header', 'credential'],
  'ambiguous-start': ['node'],
  'undefined-variable': ['caller', 'rename', 'captured-at'],
  'conflicting-settings': ['first', 'use', 'keep-split'],
};

const cases: Readonly<Record<string, Case>> = {
  'logical-condition': {
    document: formula,
    id: /^logical-condition:a->b~[0-9a-z]+$/,
    at: ['/edges/0/condition'],
    proposal: { proposal: 'extract' },
    names: ['“a”', '“b”', "“plan == 'gold'”", 'value of “plan”'],
  },
  'logical-condition, where the platform can judge it': {
    document: formula,
    options: vapi,
    id: /^logical-condition:a->b~/,
    at: ['/edges/0/condition'],
    proposal: { proposal: 'extract' },
    names: ['“a”'],
  },
  'logical-condition, which is no expression from end to end': {
    document: workflow({ a: talk('A.'), b: talk('B.') }, ['a > b: when plan == 1 or so, maybe']),
    options: { ...vapi, dynamicVariables: ['plan'] },
    without: 'guard',
    id: /^logical-condition:a->b~/,
    at: ['/edges/0/condition'],
    names: ['“plan”'],
  },
  'logical-condition, whose value a tool gives': {
    document: workflow(
      {
        a: request({ responseVariables: [{ name: 'plan', path: 'plan' }] }),
        t: talk('T.'),
        b: talk('B.'),
        c: talk('C.'),
      },
      ['a > t', "t > b: plan == 'gold'", 't > c'],
    ),
    id: /^logical-condition:t->b~/,
    at: ['/edges/1/condition'],
    proposal: { proposal: 'tool', proposalValue: { tool: 'a' } },
    names: ['“t”'],
  },
  'logical-condition, of a global node': {
    document: workflow({
      a: talk('Ask.', capture('n')),
      g: talk('G.', { isGlobal: true, condition: 'n >= 3' }),
    }),
    id: /^logical-condition:g~/,
    at: ['/nodes/1/condition'],
    names: ['from anywhere'],
  },
  'critical-variable, which a request changes something with': {
    document: critical,
    id: /^critical-variable:order$/,
    at: ['/nodes/0/extractVariables/0', '/nodes/3'],
    names: ['“order”', '“pay” changes something'],
  },
  'critical-variable, which is declared': {
    document: workflow({ a: talk('Ask.', capture('x')), b: talk('Use {{x}}.'), c: talk('C.') }, [
      'a > b: one',
      'a > c: two',
    ]),
    options: { ...vapi, criticalVariables: ['x'] },
    id: /^critical-variable:x$/,
    at: ['/nodes/0/extractVariables/0'],
    names: ['it must never be missing'],
  },
  'cyclic-stages': {
    document: cycle,
    id: /^cyclic-stages:b~[0-9a-z]+$/,
    at: ['/nodes/1', '/nodes/2'],
    proposal: { proposal: 'consolidate' },
    names: ['“b” and “c”'],
  },
  'missing-destination': {
    document: workflow({ a: talk('A.'), t: { type: 'transferCall' } }, ['a > t']),
    id: /^missing-destination:t$/,
    at: ['/nodes/1'],
    names: ['“t”'],
  },
  'missing-endpoint': {
    document: workflow({ a: talk('A.'), t: request({ url: undefined, method: undefined }) }, [
      'a > t',
    ]),
    id: /^missing-endpoint:t$/,
    at: ['/nodes/1'],
    names: ['an address (url) and a method'],
  },
  'missing-endpoint, of which the address is there': {
    document: workflow({ a: talk('A.'), t: request({ method: undefined }) }, ['a > t']),
    id: /^missing-endpoint:t$/,
    at: ['/nodes/1'],
    names: ['give it a method.'],
  },
  'missing-auth': {
    document: workflow({ a: talk('A.'), t: request({ headers: { Accept: '*' } }) }, ['a > t']),
    id: /^missing-auth:t$/,
    at: ['/nodes/1'],
    names: ['“t”'],
  },
  'ambiguous-start': {
    document: workflow({ a: talk('A.'), b: talk('B.'), x: end }, ['a > x', 'b > x']),
    id: /^ambiguous-start:workflow$/,
    at: ['/nodes/0', '/nodes/1'],
    proposal: { proposal: 'node', proposalValue: 'a' },
    names: ['“a” or “b”'],
  },
  'undefined-variable': {
    document: misspelt,
    id: /^undefined-variable:stret$/,
    at: ['/nodes/1/systemPrompt'],
    proposal: { proposal: 'rename', proposalValue: 'street' },
    names: ['“stret” is read in “b”', 'a variable called “street”'],
  },
  'undefined-variable, with nothing near': {
    document: workflow({ a: talk('Say {{zzz}} and {{zzz}}.', { firstMessage: '{{zzz}}!' }) }),
    id: /^undefined-variable:zzz$/,
    at: ['/nodes/0/firstMessage', '/nodes/0/systemPrompt'],
    names: ['“a”'],
  },
  'conflicting-settings': {
    document: voices,
    id: /^conflicting-settings:a~/,
    at: ['/nodes/0', '/nodes/1'],
    proposal: { proposal: 'first' },
    names: ['“a” and “b”', 'differ in voice'],
  },
};

describe('a question is asked', () => {
  it.each(Object.entries(cases))(
    '%s',
    (kind, { document, options, id, at, proposal, names, without = '' }) => {
      const { status, questions, output, draft } = run(document, options);
      expect({ status, output }).toEqual({ status: 'needs-answers', output: null });
      expect(draft).not.toBeNull();
      expect(questions).toHaveLength(1);
      const [question] = questions as [Question];
      expect(question.id).toMatch(id);
      expect(question.kind).toBe(kind.split(',')[0]);
      expect(question.at).toEqual(at);
      const isOffered = (key: string) =>
        key !== without && (options?.target === 'vapi' || !only.includes(key));
      expect(keysOf(question)).toEqual(choices[question.kind]!.filter(isOffered));
      expect({ proposal: question.proposal, proposalValue: question.proposalValue }).toEqual({
        ...{ proposal: null, proposalValue: undefined },
        ...proposal,
      });
      for (const name of names) expect(question.text).toContain(name);
    },
  );

  it.each([...new Set(Object.keys(cases).map((name) => name.split(',')[0]!))])(
    '%s is explained, with the choices of every target',
    (kind) => {
      const found = explain(kind)!;
      expect(found).toMatchObject({ code: kind, kind: 'question' });
      for (const text of [found.title, found.why, found.help, found.example!]) {
        expect(text?.length).toBeGreaterThan(10);
      }
      expect(new Set(found.choices!.map(({ key }) => key)).size).toBe(found.choices!.length);
    },
  );

  it('in walk order, all that can be asked at once', () => {
    const document = workflow(
      {
        t: { type: 'transferCall' },
        a: talk('A {{x}}.'),
        r: request({ url: undefined, headers: undefined }),
      },
      ["a > r: plan == '1'", 'r > t'],
    );
    const ids = run(document, { dynamicVariables: ['plan'] }).questions.map(({ id }) => id);
    expect(ids.map((id) => id.replace(/~.*/, ''))).toEqual([
      'logical-condition:a->r',
      'missing-endpoint:r',
      'missing-destination:t',
      'missing-auth:r',
      'undefined-variable:x',
    ]);
  });

  it('about nothing that cannot be reached', () => {
    const { questions } = run(
      workflow({ a: talk('A.'), t: { type: 'transferCall' }, b: talk('{{x}}') }, [
        't > b',
        'b > b',
        'a > a',
      ]),
    );
    expect(questions.map(({ kind }) => kind)).not.toContain('missing-destination');
  });

  it('with an id that does not change with the place of its subject', () => {
    const { nodes, edges } = formula;
    const moved = { name: 'n', nodes: [...nodes].reverse(), edges: [...edges].reverse() };
    const idOf = (document: unknown) => run(document).questions[0]!.id;
    expect(idOf(moved)).toBe(idOf(formula));
  });
});

it.each<[string, boolean]>([
  ["plan == 'gold' && n >= 3", true],
  ["{{ plan }} == 'gold'", true],
  ["{% if plan == 'gold' %}true{% endif %}", true],
  ["{{ plan | upcase }} == 'GOLD'", false],
  ["plan == 'gold {{ n | round }}'", false],
  ['n >= $50', false],
])('the platform can keep %s exact: %s', (condition, can) => {
  const document = workflow({ a: talk('A.'), b: talk('B.') }, [`a > b: ${condition}`]);
  const { questions } = run(document, { ...vapi, dynamicVariables: ['plan', 'n'] });
  expect(keysOf(questions[0]!).includes('guard')).toBe(can);
});

describe('the value of a choice', () => {
  const formOf = (document: unknown, key: string, options?: CompileOptions) =>
    run(document, options).questions[0]!.choices.find((choice) => choice.key === key)!
      .value as Fields;

  it.each<[string, unknown, string, Fields]>([
    [
      'a start among all nodes that a call can be at',
      cases['ambiguous-start']!.document,
      'node',
      { enum: ['a', 'b'] },
    ],
    [
      'groups of the stages of the cycle',
      cycle,
      'group',
      { items: { items: { enum: ['b', 'c'] } } },
    ],
    ['the nodes that differ', voices, 'use', { enum: ['a', 'b'] }],
    ['nodes that lead to the read', misspelt, 'captured-at', { enum: ['a', 'b'] }],
    ['a number', cases['missing-destination']!.document, 'number', { pattern: expect.any(String) }],
    [
      'an operation, whichever there are',
      cases['missing-endpoint']!.document,
      'operation',
      {
        properties: { operation: { type: 'string' } },
      },
    ],
  ])('is %s', (_, document, key, form) => {
    expect(formOf(document, key)).toMatchObject(form);
  });

  it('is one of the known names, but not of more than two hundred', () => {
    const many = (count: number) =>
      workflow({
        a: talk('{{stret}}', {
          extractVariables: Array.from({ length: count }, (_, at) => ({
            name: `v${at}`,
            type: 'string',
            description: 'd',
          })),
        }),
      });
    expect(formOf(many(3), 'rename')['enum']).toEqual(
      expect.arrayContaining(['v0', 'v1', 'v2', 'customer']),
    );
    expect(formOf(many(3), 'rename')['enum']).not.toContain('stret');
    expect(formOf(many(201), 'rename')).not.toHaveProperty('enum');
  });
});

describe('the start', () => {
  const marked = (isStart: string, nodes: Readonly<Record<string, Fields>>) => ({
    name: 'Marked',
    nodes: Object.entries(nodes).map(([name, node]) => ({
      name,
      type: 'conversation',
      prompt: name,
      ...node,
      ...(name === isStart && { isStart: true }),
    })),
    edges: [{ from: 'a', to: 'b' }],
  });
  it.each<[string, unknown, string[]]>([
    ['the node that nothing leads to', workflow({ b: talk('B.'), a: talk('A.') }, ['a > b']), []],
    [
      'whatever leads to itself',
      workflow({ a: talk('A.'), b: talk('B.') }, ['a > b', 'a > a: again']),
      [],
    ],
    ['what only an exit leads to', workflow({ a: talk('A.'), x: end }, ['a > x', 'x > a']), []],
    [
      'no global node',
      workflow({ g: talk('G.', { isGlobal: true, condition: 'lost' }), a: talk('A.') }),
      [],
    ],
    ['the node that is marked', marked('b', { a: {}, b: {} }), []],
    [
      'in a cycle of all nodes for a human to say',
      workflow({ b: talk('B.'), a: talk('A.') }, ['a > b', 'b > a']),
      ['b', 'a'],
    ],
    [
      'of several the first that is proposed',
      workflow({ b: talk('B.'), a: talk('A.') }),
      ['b', 'a'],
    ],
    [
      'of global nodes alone a matter of asking too',
      workflow({ g: talk('G.', { isGlobal: true, condition: 'x' }) }),
      ['g'],
    ],
  ])('is %s', (_, document, candidates) => {
    const found = run(document).questions.find(({ kind }) => kind === 'ambiguous-start');
    expect(found?.choices[0]?.value?.['enum'] ?? []).toEqual(candidates);
    expect(found?.proposalValue).toBe(candidates[0]);
  });

  it.each([workflow({ x: end }), marked('x', { a: {}, b: {}, x: { type: 'hangup' } })])(
    'is no exit',
    (document) => {
      const { status, diagnostics } = run(document);
      expect(status).toBe('invalid');
      expect(diagnostics.map(({ code }) => code)).toContain('flow/start-is-exit');
    },
  );
});
