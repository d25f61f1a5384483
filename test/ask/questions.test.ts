/** Which questions are asked, about which places, with which choices; and where a call starts. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions, Question } from '../../src/index.js';
import {
  captures,
  compile,
  end,
  exported,
  type Fields,
  flow,
  request,
  says,
  sketch,
  tableOf,
  told,
  transfer,
  variable,
} from '../compiler/build.js';

const vapi = { target: 'vapi' } as const;
const plans = { extractVariables: [variable('plan', { enum: ['gold', 'tin'] })] };
const formula = flow({ a: plans, b: 'B.', c: 'C.' }, "a > b: plan == 'gold' | a > c: else");
const cycle = flow({ a: 'A.', b: 'B.', c: 'C.' }, 'a > b | b > c | c > b');
const voice = (voiceId: string) => ({ ...says(voiceId), voice: { voiceId } });
const voices = flow({ a: voice('x'), b: voice('y') }, 'a > b');
const misspelt = flow({ a: captures('street'), b: 'To {{stret}}.' }, 'a > b');
const line = flow({ a: 'A.', t: transfer({ destination: undefined }) }, 'a > t');
const calling = (more: Fields) => flow({ a: 'A.', t: request(more) }, 'a > t');
const open = flow({ a: 'A.', b: 'B.', x: end }, 'a > x | b > x');
const branches = 'a > b: one | a > c: two';
const crossing = flow({ a: captures('x'), b: 'Use {{x}}.', c: 'C.' }, branches);
const paying = flow(
  {
    a: captures('order'),
    b: 'B.',
    c: 'C.',
    pay: request({ method: 'POST', body: { order: '{{order}}' } }),
  },
  `${branches} | b > pay`,
);
const asked = { isGlobal: true, condition: 'n >= 3' };

/** A question as text: its id without the hash, places, choices, and the proposal with its value. */
const show = ({ id, at, choices, proposal, proposalValue: value }: Question) =>
  [
    `${id.replace(/~\w+$/, '')} at ${at.join(' ')}:`,
    ...choices.map(({ key }) => key),
    ...(proposal === null ? [] : [`(${proposal})`]),
    ...(value === undefined ? [] : [JSON.stringify(value)]),
  ].join(' ');

/** The expected question and, below it, what its text must contain. */
const asks =
  (workflow: object, options?: CompileOptions) =>
  ([text]: TemplateStringsArray) => {
    const [expected = '', ...names] = text!.split(/\n\s*|\s\|\s/);
    return [expected, workflow, names, options] as const;
  };

const nodes = { a: plans, b: 'B.', c: 'C.', d: 'D.' };
const later = flow(nodes, ['a > b: one', 'a > c: two', 'b > d', "b > c: plan == 'gold'"]);
const anywhere = flow({ a: captures('n'), g: asked });
const madeUp = 'node_1748494069554';
const named = transfer({ destination: undefined, firstMessage: 'One moment, {{ now }}.' });
const model = (name: string) => ({ model: { provider: 'openai', model: name } });
const models = { a: model('gpt-4o'), b: {}, c: model('gpt-4o-mini') };
const greeting = 'Greet whoever calls, and ask what they want.';
const spoken = {
  conversation_1748494069554: voice(greeting),
  b: says('B.'),
  c: { ...says('C.'), voice: { voiceId: 'z' } },
};
const common = { voice: { voiceId: 'Greet', speed: 1 } };

describe('a question', () => {
  it.each([
    asks(formula)`logical-condition:a->b at /edges/0/condition: extract tool prose (extract)
      “a” | “b” | “plan == 'gold'” | value of “plan”`,
    asks(
      later,
      vapi,
    )`logical-condition:b->c at /edges/3/condition: extract tool guard prose (extract)
      “plan”`,
    asks(anywhere, vapi)`logical-condition:g at /nodes/1/condition: extract tool prose
      “n” | from anywhere`,
    asks(paying)`critical-variable:order at /nodes/0/extractVariables/0 /nodes/3: tool best-effort
      “order” | “pay” changes something`,
    asks(crossing, {
      ...vapi,
      criticalVariables: ['x'],
    })`critical-variable:x at /nodes/0/extractVariables/0: tool argument best-effort
      it must never be missing`,
    asks(calling({ method: undefined }))`missing-endpoint:t at /nodes/1: request operation
      give it a method: “https://api.example.com”.`,
    asks(
      calling({ url: '/orders', method: 'POST' }),
    )`missing-endpoint:t at /nodes/1: request operation
      give it an address (url) that can be called: POST “/orders”.`,
    asks(
      flow({ a: 'A.', human: { ...says('Help.'), isGlobal: true } }),
    )`missing-condition:human at /nodes/1: when (when) {"condition":"when the caller needs human"}
      “human” can be entered from anywhere`,
    asks(
      calling({ headers: {}, url: 'https://me:1x@api.example.com/orders?key=abc' }),
    )`missing-auth:t at /nodes/1: none header credential
      The node “t” | GET “https://••••:••••@api.example.com/orders?key=••••”`,
    asks(
      flow({ a: 'A.', [madeUp]: named }, `a > ${madeUp}`),
    )`missing-destination:node_1748494069554 at /nodes/1: number sip
      “node_1748494069554” (“One moment, now .…”)`,
    asks(
      flow({ a: 'A.', b: { ...says('B.'), condition: 'wants b' }, c: 'C.' }),
    )`missing-edges:workflow at /nodes/0 /nodes/1 /nodes/2: in-order none
      “a”, “b” and “c” | once have led to “b”`,
    asks(
      misspelt,
    )`undefined-variable:stret at /nodes/1/systemPrompt: caller rename captured-at (rename) "street"
      “stret” is read in “b” | a variable called “street”`,
    asks(
      flow(
        { a: 'A.', free_slots: request(), b: 'Offer {{freeslots}} or {{Free_slots}}.' },
        'a > free_slots | free_slots > b',
      ),
      { dynamicVariables: ['freeslots'] },
    )`undefined-variable:Free_slots at /nodes/2/systemPrompt: response caller rename captured-at (response) {"node":"free_slots","path":"$"}
      “Free_slots”`,
    asks(
      flow({ a: 'Find out “size”.', b: 'For {{size}}.' }, 'a > b'),
    )`undefined-variable:size at /nodes/1/systemPrompt: caller rename captured-at (captured-at) "a"
      “size”`,
    asks(
      flow(
        { a: { extractVariables: [variable('gone', { type: 'boolean' })] }, b: 'B.', c: 'C.' },
        'a > b: gone == true | a > c: else',
      ),
    )`logical-condition:a->b at /edges/0/condition: extract tool prose (extract)
      “gone”`,
    asks(voices)`conflicting-settings:a at /nodes/0 /nodes/1: first use keep-split (first)
      “a” and “b” | differ in voice (voiceId “x” in “a”; voiceId “y” in “b”).`,
    asks(
      exported(models, 'a > b | b > c'),
    )`conflicting-settings:a at /nodes/0 /nodes/1 /nodes/2: first use keep-split (first)
      model (model “gpt-4o” in “a”; model “gpt-4o-mini” in “c”)`,
    asks(
      flow(spoken, 'conversation_1748494069554 > b | b > c', common),
    )`conflicting-settings:conversation_1748494069554 at /nodes/0 /nodes/1 /nodes/2: first use keep-split (first)
      “conversation_1748494069554” (“Greet whoever calls, and ask what…”)
      speed “1” and voiceId “Greet” in “b” | speed not set and voiceId “z” in “c”`,
  ])('%s', (expected, workflow, names, options) => {
    const result = compile(workflow, options);
    const { status, questions, output, draft } = result;
    expect([status, output, draft === null]).toEqual(['needs-answers', null, false]);
    // The draft's assumptions are not reported as answers.
    const reported = told(result, 'lower/').filter((it) => !it.startsWith('lower/renamed'));
    expect(reported).toEqual([]);
    expect(questions.map(show)).toEqual([expected]);
    for (const name of names) expect(questions[0]!.text).toContain(name);
  });

  it('is asked in walk order, together with all others that can be asked', () => {
    const nodes = {
      t: transfer({ destination: undefined }),
      a: 'A {{x}}.',
      r: request({ url: undefined, headers: undefined }),
    };
    const workflow = flow(nodes, "a > r: plan == '1' | r > t");
    const { questions } = compile(workflow, { dynamicVariables: ['plan'] });
    expect(questions.map(({ id }) => id.replace(/~.*/, ''))).toEqual([
      'logical-condition:a->r',
      'missing-endpoint:r',
      'missing-destination:t',
      'missing-auth:r',
      'undefined-variable:x',
    ]);
  });

  const kindsOf = (parts: Readonly<Record<string, unknown>>) =>
    compile(calling(parts)).questions.map(({ kind }) => kind);

  it.each([
    ['X-Api-Key', 'k', true],
    ['x-auth-token', '{{token}}', true],
    ['userPassword', 'p', true],
    ['Cookie', 'a=b', true],
    ['Authorization', ' ', false],
    ['Authorization', 'Bearer ', false],
    ['Idempotency-Key', 'k', false],
    ['X-Author', 'me', false],
    ['Monkey', 'k', false],
  ])('considers the header %s: %j to be authentication: %s', (header, value, authenticates) => {
    const asked = kindsOf({ headers: { [header]: value } });
    expect(asked.includes('missing-auth')).toBe(!authenticates);
  });

  it.each([
    ['https://api.example.com/a', true],
    ['{{base}}/a', true],
    ['TODO', false],
    ['/orders', false],
    ['javascript:alert(1)', false],
  ])('considers the address %s to be callable: %s', (url, isCallable) => {
    expect(kindsOf({ url }).includes('missing-endpoint')).toBe(!isCallable);
  });

  it('is not asked about unreachable nodes', () => {
    const nodes = { a: 'A.', t: transfer({ destination: undefined }), b: '{{x}}' };
    const workflow = flow(nodes, 't > b | b > b | a > a');
    expect(compile(workflow).questions.map(({ id }) => id)).toEqual(['ambiguous-start:workflow']);
  });
});

describe('the value of a choice', () => {
  const formOf = (workflow: object, key: string) =>
    compile(workflow).questions[0]!.choices.find((choice) => choice.key === key)!.value as Fields;

  it.each<[string, object, string, Fields]>([
    ['one of all nodes that can be the start', open, 'node', { enum: ['a', 'b'] }],
    ['groups of nodes of the cycle', cycle, 'group', { items: { items: { enum: ['b', 'c'] } } }],
    ['one of the nodes that differ', voices, 'use', { enum: ['a', 'b'] }],
    ['one of the nodes that lead to the read', misspelt, 'captured-at', { enum: ['a', 'b'] }],
    ['a phone number', line, 'number', { pattern: expect.any(String) }],
    [
      'the name of an operation',
      calling({ url: undefined }),
      'operation',
      { properties: { operation: { type: 'string' } } },
    ],
  ])('is %s', (_, workflow, key, form) => {
    expect(formOf(workflow, key)).toMatchObject(form);
  });

  it('is one of the known names, unless there are more than two hundred', () => {
    const many = (count: number) => {
      const names = Array.from({ length: count }, (_, at) => `v${at}`);
      return formOf(flow({ a: { ...says('{{stret}}'), ...captures(...names) } }), 'rename');
    };
    const { enum: offered } = many(3) as { enum: string[] };
    expect(offered).toEqual(expect.arrayContaining(['v0', 'v1', 'v2', 'customer']));
    expect(offered).not.toContain('stret');
    expect(many(201)).not.toHaveProperty('enum');
  });
});

describe('the start', () => {
  it.each(
    tableOf(`
    a node with a self-loop || a > b | a > a: again
    a node that only an exit leads to || a > x | x > a
    never a global node || g | a
    a question if the nodes form a cycle || b > a | a > b || b a
    a question if several nodes qualify || b > c | a > c || b c a
    a question if all nodes are global || g || g
    `),
  )('is %s', (_, edges = '', listed = '') => {
    const candidates = listed.split(' ').filter(Boolean);
    const { questions } = compile(sketch(edges));
    const found = questions.find(({ kind }) => kind === 'ambiguous-start');
    expect(found?.choices[0]?.value?.['enum'] ?? []).toEqual(candidates);
    expect(found?.proposalValue).toBe(candidates[0]);
  });

  it('is the marked node', () => {
    const { questions } = compile(exported({ a: {}, b: { isStart: true } }, 'a > b'));
    expect(questions).toEqual([]);
  });

  const exits = [flow({ x: end }), exported({ a: {}, x: { type: 'hangup', isStart: true } })];
  it.each(exits)('cannot be an exit', (workflow) => {
    const { status, diagnostics } = compile(workflow);
    expect(status).toBe('invalid');
    expect(diagnostics.map(({ code }) => code)).toContain('flow/start-is-exit');
  });
});
