/** Whatever a program hands over, `compile` gives a result with coded errors, and breaks nothing. */
import { afterEach, describe, expect, it } from 'vitest';
import { compile } from '../../src/compiler/compile.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { CompileResult } from '../../src/compiler/ir/result.js';
import { explain } from '../../src/diagnostics/explain.js';
import { codes, end, request, workflow } from './build.js';

const plain = workflow({ nodes: { a: 'A', b: 'B', stop: end }, edges: ['a > b', 'b > stop'] });
const withPrompt = (systemPrompt: unknown) => workflow({ nodes: { a: { systemPrompt } } });
const withNode = (fields: object) => workflow({ nodes: { a: { systemPrompt: 'A', ...fields } } });

/** A result whose parts can all be read, and whose codes can all be explained. */
function expectResult(result: CompileResult): CompileResult {
  expect(['complete', 'needs-answers', 'invalid']).toContain(result.status);
  expect(result.output !== null).toBe(result.status === 'complete');
  expect(result.draft !== null).toBe(result.status === 'needs-answers');
  expect(JSON.parse(JSON.stringify(result))).toBeTypeOf('object');
  for (const code of new Set(codes(result.diagnostics))) expect(explain(code), code).not.toBeNull();
  const hasError = result.diagnostics.some(({ severity }) => severity === 'error');
  expect(result.status === 'invalid').toBe(hasError);
  return result;
}

const given = (input: unknown, options?: unknown): CompileResult =>
  expectResult(compile(input, options as CompileOptions));

function refused(input: unknown, options?: unknown): string[] {
  const { status, diagnostics } = given(input, options);
  expect(status).toBe('invalid');
  return codes(diagnostics);
}

const prototypeKeys = Reflect.ownKeys(Object.prototype).length;
afterEach(() => {
  expect(Reflect.ownKeys(Object.prototype)).toHaveLength(prototypeKeys);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

const throwing = {
  get nodes(): never {
    throw new Error('read');
  },
};
const never = () => {
  throw new Error('trapped');
};
const trapped = new Proxy(
  {},
  {
    get: never,
    has: never,
    ownKeys: never,
    getPrototypeOf: never,
    getOwnPropertyDescriptor: never,
  },
);
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();

function cyclic(): object {
  const value: Record<string, unknown> = { name: 'x', edges: [] };
  value['nodes'] = [value];
  return value;
}

function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

const strange: [string, unknown][] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['no number', Number.NaN],
  ['a big integer', 7n],
  ['a text', '{"nodes": []}'],
  ['true', true],
  ['a symbol', Symbol('x')],
  ['a list', []],
  ['a list of workflows', [plain]],
  ['a sparse list', Array(5)],
  ['a function', () => plain],
  ['a date', new Date(0)],
  ['a map', new Map([['nodes', []]])],
  ['a set', new Set()],
  ['a buffer', new Uint8Array(3)],
  ['an error', new Error('x')],
  ['an instance', new (class Workflow {})()],
  ['a promise', Promise.resolve(plain)],
  ['an empty object', {}],
  ['an object without prototype', Object.create(null)],
  ['an object with a getter that throws', throwing],
  ['a proxy whose traps throw', trapped],
  ['a revoked proxy', revoked],
  ['a cycle', cyclic()],
  ['1,000 lists in each other', nest(1000, (inner) => [inner])],
  ['1,000 objects in each other', nest(1000, (nodes) => ({ nodes }))],
];

describe('an input that is no workflow', () => {
  it.each(strange)('is refused: %s', (_, input) => {
    expect(refused(input)).not.toEqual([]);
  });

  it.each(strange)('is refused as a prompt, a list of nodes, edges or an enum: %s', (_, input) => {
    if (input === undefined || input === null || typeof input === 'string') return;
    expect(refused(withPrompt(input))).not.toEqual([]);
    if (input !== revoked && Array.isArray(input) && input.length === 0) return;
    for (const field of ['nodes', 'edges']) {
      expect(refused({ ...plain, [field]: input })).not.toEqual([]);
    }
  });
});

describe('a workflow with strange parts', () => {
  it('is refused with a getter anywhere, which is not called', () => {
    let calls = 0;
    const node = Object.defineProperty({ id: 'a', type: 'conversation' }, 'systemPrompt', {
      enumerable: true,
      get: () => {
        calls += 1;
        return 'A';
      },
    });
    expect(refused({ name: 'x', nodes: [node], edges: [] })).toEqual(['shape/not-json']);
    expect(calls).toBe(0);
  });

  it('is refused with 1,000 levels of nesting in a field that nothing reads', () => {
    expect(refused({ ...plain, note: nest(1000, (inner) => [inner]) })).toEqual(['shape/not-json']);
  });

  it.each(['__proto__', 'constructor', 'prototype'])('is refused with the key %s', (key) => {
    const part = JSON.parse(`{ "${key}": { "polluted": true } }`) as object;
    expect(refused({ ...plain, note: part })).toContain('shape/reserved-name');
    expect(refused(JSON.parse(`{ "${key}": 1, "nodes": [] }`))).toContain('shape/reserved-name');
    const asText = JSON.stringify(plain).replace('"name"', `"${key}"`);
    expect(refused(JSON.parse(asText))).toContain('shape/reserved-name');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('is refused with the id %s', (id) => {
    const nodes = [{ id, type: 'conversation', systemPrompt: 'A' }];
    expect(refused({ name: 'x', nodes, edges: [] })).toContain('shape/reserved-name');
    expect(refused(withNode({ extractVariables: [{ name: id, type: 'string' }] }))).toContain(
      'shape/reserved-name',
    );
  });

  it.each(['toString', 'hasOwnProperty', 'valueOf', '0', 'length', 'then'])(
    'compiles with the id %s',
    (id) => {
      const nodes = ['first', id].map((each) => ({
        id: each,
        type: 'conversation',
        systemPrompt: each,
      }));
      const edges = [{ from: 'first', to: id }];
      expect(given({ name: 'x', nodes, edges }).status).toBe('complete');
      expect(
        given({ name: 'x', nodes, edges: [{ from: 'first', to: 'isPrototypeOf' }] }).status,
      ).toBe('invalid');
    },
  );

  it('is refused with ids that are empty, or the same but for normalisation', () => {
    const node = (id: unknown) => ({ id, type: 'conversation', systemPrompt: 'A' });
    const ofIds = (...ids: unknown[]) => refused({ name: 'x', nodes: ids.map(node), edges: [] });
    expect(ofIds('')).toEqual(['shape/empty-id']);
    expect(ofIds('caf\u00e9', 'cafe\u0301')).toContain('shape/ambiguous-id');
    expect(ofIds('a', 'a')).toContain('shape/duplicate-id');
    expect(ofIds(7)).toContain('shape/wrong-type');
    expect(ofIds(null)).toContain('shape/missing-field');
  });

  it('is refused with a lone surrogate in a text, a key or an id', () => {
    expect(refused(withPrompt('\ud83d'))).toEqual(['shape/lone-surrogate']);
    expect(refused({ ...plain, '\udc00': 1 })).toEqual(['shape/lone-surrogate']);
  });

  it('is refused with a prompt of 20 MB', () => {
    expect(refused(withPrompt('x'.repeat(20 * 1024 * 1024)))).toEqual(['shape/text-too-long']);
  });

  it('names all faults at once', () => {
    const nodes = [
      { id: 'a', type: 'conversationn' },
      { id: 'b', type: 'conversation', systemPrompt: 7 },
      { id: 'b', type: 'conversation' },
    ];
    const found = refused({
      name: 'x',
      nodes,
      edges: [{ from: 'b', to: 'z' }, { to: 'b' }, 'a > b'],
    });
    expect(new Set(found)).toEqual(
      new Set([
        'shape/unknown-node-type',
        'shape/wrong-type',
        'shape/duplicate-id',
        'flow/missing-node',
        'shape/missing-field',
      ]),
    );
  });

  it('is compiled where null and empty texts stand for nothing', () => {
    const fields = { firstMessage: null, condition: '', extractVariables: null, isGlobal: null };
    expect(given(withNode(fields)).status).toBe('complete');
  });
});

describe('Liquid', () => {
  it.each(['{{', '{{ x', '{% if %}', '{% if x %}', '{% endif %}', '{% unknown %}', '{{ a..b }}'])(
    'is refused where it does not parse: %s',
    (prompt) => {
      expect(refused(withPrompt(prompt))).toContain('shape/liquid-syntax');
    },
  );

  it('is read, never run', () => {
    const loop =
      '{% for i in (1..999999999999) %}{% for j in (1..999999999999) %}{{ i }}{% endfor %}{% endfor %}';
    expect(given(withPrompt(loop)).status).toBe('complete');
    const asCondition = workflow({ nodes: { a: 'A', b: 'B' }, edges: [`a > b: ${loop}`] });
    expect(given(asCondition, { target: 'vapi' }).questions[0]!.kind).toBe('logical-condition');
  });

  it('is refused with more tags, or deeper, than can be checked', () => {
    expect(refused(withPrompt('{% if a %}'.repeat(5000)))).not.toEqual([]);
    expect(refused(withPrompt('{% if a %}{% endif %}'.repeat(5000)))).toEqual([
      'shape/liquid-too-large',
    ]);
    const deep = '{% if a %}'.repeat(500) + '{% endif %}'.repeat(500);
    expect(refused(withPrompt(deep))).toEqual(['shape/liquid-too-large']);
  });
});

/** More than a call can have arguments. */
const many = 140_000;

describe('wide input', () => {
  const fields = Object.fromEntries(Array.from({ length: many }, (_, at) => [`field${at}`, 1]));

  it('compiles with many fields that nothing reads, on a node and on an edge', () => {
    expect(given(withNode(fields)).status).toBe('complete');
    const edges = [{ ...fields, from: 'a', to: 'b' }];
    expect(given({ ...plain, edges, nodes: (plain['nodes'] as object[]).slice(0, 2) }).status).toBe(
      'complete',
    );
  });

  it('compiles with many elements in the body of a request', () => {
    const list = Array.from({ length: many }, () => 'x');
    const nodes = { a: 'A', t: request({ body: { list } }) };
    expect(given(workflow({ nodes, edges: ['a > t'] })).status).toBe('complete');
  });
});

describe('options that are none', () => {
  it.each([7, true, 'grouped', [], [1], () => ({}), Symbol('x'), new Map(), new Date(0)])(
    'are refused: %s',
    (options) => {
      expect(refused(plain, options)).toContain('api/option');
    },
  );

  it.each([
    [
      'getters',
      {
        get target(): never {
          throw new Error('read');
        },
      },
    ],
    ['traps', trapped],
    ['a revoked proxy', revoked],
  ])('are refused where they cannot be read: %s', (_, options) => {
    expect(refused(plain, options)).toContain('api/option');
  });

  const wrong: [string, unknown][] = [
    ['target', 'vapi2'],
    ['target', 7],
    ['target', ['vapi']],
    ['boundary', 'branches'],
    ['handoffTools', true],
    ['pass', 'parameters'],
    ['pass', ['arguments']],
    ['pass', 'arguments'],
    ['model', 'gpt-4o'],
    ['model', { provider: 'openai' }],
    ['model', { provider: '', model: 'x' }],
    ['memberOverrides', 'voice'],
    ['memberOverrides', []],
    ['memberOverrides', { voice: () => 1 }],
    ['memberOverrides', JSON.parse('{ "__proto__": { "polluted": true } }')],
    ['names', ['a']],
    ['names', { a: 7 }],
    ['names', { a: ' ' }],
    ['names', JSON.parse('{ "__proto__": "x" }')],
    ['context', 'all'],
    ['context', { type: 'lastNMessages' }],
    ['context', { type: 'lastNMessages', maxMessages: 0 }],
    ['context', { type: 'lastNMessages', maxMessages: 1.5 }],
    ['context', { type: 'summary' }],
    ['dynamicVariables', 'x'],
    ['dynamicVariables', [7]],
    ['criticalVariables', { x: true }],
    ['criticalVariables', new Set(['x'])],
    ['dynamicVariables', Array(3)],
    ['memberOverrides', cyclic()],
  ];

  it.each(wrong)('are refused by name: %s %j', (option, value) => {
    const { diagnostics, status } = given(plain, { [option]: value });
    expect(status).toBe('invalid');
    const [fault] = diagnostics;
    expect(fault).toMatchObject({ code: 'api/option', in: 'options' });
    expect(fault!.at.startsWith(`/${option}`)).toBe(true);
  });

  it('are named where squadc has no such option', () => {
    expect(codes(given(plain, { answer: {} }).diagnostics)).toContain('api/unknown-option');
    const hidden = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": 1 }') as object;
    expect(given(plain, hidden).diagnostics.length).toBeGreaterThan(0);
  });

  it('are taken as not given where they are undefined', () => {
    expect(given(plain, { target: undefined, answers: undefined }).status).toBe('complete');
    expect(given(plain, null).status).toBe('complete');
    expect(given(plain, Object.create(null)).status).toBe('complete');
  });
});

describe('answers of the wrong shape', () => {
  const open = workflow({ nodes: { a: 'Talk of {{x}}.' } });
  const id = 'undefined-variable:x';
  const wrong: [string, unknown][] = [
    ['a text', 'caller'],
    ['a list', [{ choice: 'caller' }]],
    ['null', null],
    ['a misspelt field', { answer: {} }],
    ['a list of answers', { answers: [] }],
    ['a text as answer', { answers: { [id]: 'caller' } }],
    ['no choice', { answers: { [id]: { value: 'x' } } }],
    ['a number as choice', { answers: { [id]: { choice: 7 } } }],
    ['a field too many', { answers: { [id]: { choice: 'caller', because: 'so' } } }],
    ['a list of policies', { policies: ['caller'] }],
    ['a number as policy', { policies: { 'undefined-variable': 7 } }],
    ['a map', { answers: new Map([[id, { choice: 'caller' }]]) }],
    ['traps', trapped],
    ['a cycle', cyclic()],
    ['a prototype', JSON.parse(`{ "answers": { "__proto__": { "choice": "caller" } } }`)],
    ['a constructor', JSON.parse(`{ "answers": { "constructor": { "choice": "caller" } } }`)],
    ['a prototype at the root', JSON.parse(`{ "__proto__": { "answers": {} } }`)],
  ];

  it.each(wrong)('count for nothing, and say so: %s', (_, answers) => {
    const { status, diagnostics, questions } = given(open, { answers });
    expect(status).toBe('invalid');
    expect(codes(diagnostics)).toContain('api/answer-shape');
    expect(questions.length === 0 || questions[0]!.id === id).toBe(true);
  });

  it.each([
    ['a choice that there is not', { choice: 'callers' }, 'api/answer-choice'],
    ['a choice of an object’s own', { choice: 'toString' }, 'api/answer-choice'],
    ['a value that is missing', { choice: 'rename' }, 'api/answer-value'],
    ['a value of the wrong type', { choice: 'rename', value: 7 }, 'api/answer-value'],
    ['a value that is not offered', { choice: 'captured-at', value: 'z' }, 'api/answer-value'],
    ['a value too many', { choice: 'caller', value: 'x' }, 'api/answer-value'],
  ])('are errors, and leave the question open: %s', (_, answer, code) => {
    const { status, diagnostics, questions } = given(open, {
      answers: { answers: { [id]: answer } },
    });
    expect([status, questions.map((it) => it.id)]).toEqual(['invalid', [id]]);
    expect(codes(diagnostics)).toContain(code);
  });

  it('are not taken from what objects inherit', () => {
    const named = workflow({ nodes: { a: 'Talk of {{toString}} and {{valueOf}}.' } });
    const { status, questions } = given(named, { answers: { answers: {}, policies: {} } });
    expect([status, questions.length]).toEqual(['needs-answers', 2]);
  });
});
