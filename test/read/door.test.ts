/** What a program hands over: plain JSON data is copied, anything else is one error with its place. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, verify } from '../../src/index.js';
import { findings, spec } from './read.js';

const plain = spec({ a: { systemPrompt: 'A.' } });
const within = (value: unknown) => ({ ...plain, note: { list: [1, value] } });

function nest(levels: number): unknown {
  let value: unknown = 'deep';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}
const cycle: Record<string, unknown> = {};
cycle['self'] = { again: [cycle] };
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const trapped = new Proxy(
  {},
  {
    ownKeys() {
      throw new Error('trapped');
    },
  },
);
class Node {}
let shared: unknown = 'x';
for (let level = 0; level < 60; level += 1) shared = [shared, shared];

describe('what is not JSON', () => {
  it.each<[string, unknown, string]>([
    ['a function', () => 1, ''],
    ['undefined in a list', undefined, ''],
    ['a symbol', Symbol('x'), ''],
    ['a big integer', 7n, ''],
    ['NaN', Number.NaN, ''],
    ['infinity', -Infinity, ''],
    ['a date', new Date(0), ''],
    ['a map', new Map(), ''],
    ['an instance of a class', new Node(), ''],
    ['a list of a class', new (class extends Array {})(), ''],
    ['a getter', Object.defineProperty({}, 'x', { enumerable: true, get: () => 1 }), '/x'],
    ['a hidden property', Object.defineProperty({}, 'x', { value: 1 }), '/x'],
    ['a key that is a symbol', { [Symbol('x')]: 1 }, ''],
    ['a list with a gap', Object.assign(Array(3), [1, 2]), ''],
    ['a list with a name', Object.assign([1], { x: 1 }), ''],
    ['a cycle', cycle, '/self/again/0'],
    ['a proxy that throws', trapped, ''],
    ['a revoked proxy', revoked, ''],
  ])('is one error with its place: %s', (_, value, place) => {
    expect(findings(within(value))).toEqual([`shape/not-json /note/list/1${place}`]);
    expect(compile(within(value))).toMatchObject({ status: 'invalid', output: null });
  });

  it('is told as well where it is all that is given', () => {
    expect(findings(() => plain)).toEqual(['shape/not-json ']);
    expect(findings(undefined)).toEqual(['shape/not-json ']);
    expect(compile(7n).diagnostics[0]?.message).toContain('bigint');
  });

  it('is more than 200 levels, or values without end', () => {
    expect(findings({ ...plain, note: nest(199) })).toEqual(['shape/unknown-field /note']);
    expect(findings({ ...plain, note: nest(200) })).toEqual([
      `shape/not-json /note${'/0'.repeat(199)}`,
    ]);
    expect(findings({ ...plain, note: shared })[0]).toMatch(/^shape\/not-json \/note/);
  });

  it('is told once, whatever the order of keys', () => {
    const odd = { ...plain, b: () => 1, a: Symbol('x') };
    expect(findings(odd)).toEqual(['shape/not-json /a']);
  });

  it('runs nothing of the caller', () => {
    let calls = 0;
    const node = Object.defineProperty({ id: 'a', type: 'conversation' }, 'systemPrompt', {
      enumerable: true,
      get: () => {
        calls += 1;
        return 'A';
      },
    });
    expect(findings({ ...plain, nodes: [node] })).toEqual(['shape/not-json /nodes/0/systemPrompt']);
    expect(calls).toBe(0);
  });

  it('is refused in options, answers and squads too', () => {
    const options = { memberOverrides: { voice: () => 1 } } as unknown as CompileOptions;
    expect(findings(plain, options)).toEqual(['api/option /memberOverrides/voice']);
    const answers = { answers: { policies: { x: cycle } } } as unknown as CompileOptions;
    expect(findings(plain, answers)).toEqual(['api/answer-shape /policies/x/self/again/0']);
    const { diagnostics } = verify(plain, { squad: { members: [() => 1] } });
    expect(diagnostics[0]).toMatchObject({ code: 'check/not-a-squad' });
  });
});

describe('what is JSON', () => {
  it('may have properties that are undefined, which are absent', () => {
    const node = { id: 'a', type: 'conversation', systemPrompt: 'A.', firstMessage: undefined };
    expect(compile({ ...plain, nodes: [node], note: undefined })).toEqual(compile(plain));
  });

  it('may come without prototypes and from elsewhere', () => {
    const bare = Object.assign(Object.create(null) as object, plain);
    expect(compile(bare).status).toBe('complete');
  });

  it('is the same in every order of keys', () => {
    const turned = Object.fromEntries(Object.entries(plain).reverse());
    expect(JSON.stringify(compile(turned))).toBe(JSON.stringify(compile(plain)));
  });

  it('is not changed', () => {
    const before = JSON.stringify(plain);
    compile(plain);
    expect(JSON.stringify(plain)).toBe(before);
    expect(compile(Object.freeze(plain)).status).toBe('complete');
  });
});

describe('texts and keys that nobody could use', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('are told: the key %s', (key) => {
    const odd = JSON.parse(`{ "note": { "${key}": { "polluted": true } } }`) as object;
    expect(findings({ ...plain, ...odd })).toEqual([`shape/reserved-name /note/${key}`]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('are all told at once, at most about a hundred', () => {
    const node = {
      ...plain.nodes[0],
      firstMessage: 'a\ud800b',
      '\udc00': 1,
      name: 'x'.repeat(1_000_001),
    };
    expect(findings({ ...plain, nodes: [node] })).toEqual([
      'shape/lone-surrogate /nodes/0/firstMessage',
      'shape/text-too-long /nodes/0/name',
      'shape/lone-surrogate /nodes/0/\udc00',
    ]);
    const many = Array.from({ length: 500 }, () => '\ud800');
    expect(findings({ ...plain, note: many }).length).toBeLessThanOrEqual(101);
  });
});

describe('another document given as a workflow', () => {
  it.each<[unknown, string]>([
    [{ members: [] }, 'a squad'],
    [{ squad: { members: [] } }, 'a squad'],
    [{ assistantId: 'x' }, 'a call, or a phone number'],
    [{ model: {} }, 'an assistant'],
    [{ function: {} }, 'a tool'],
    [{ $schema: 'x' }, 'a schema'],
  ])('says what it is: %j', (document, what) => {
    const [fault] = compile(document).diagnostics;
    expect(fault).toMatchObject({ code: 'shape/not-a-workflow' });
    expect(fault?.message).toContain(what);
  });

  it.each([null, 7, 'x', [], true])('is no object: %j', (document) => {
    expect(findings(document)).toEqual(['shape/not-an-object ']);
  });
});
