/** JSON texts and the places of their values, values that are not JSON, and documents that are not workflows. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  type CompileOptions,
  compile,
  locate,
  locateAll,
  readWorkflow,
  verify,
} from '../../src/index.js';
import { flow, told } from '../compiler/build.js';

const findings = (workflow: unknown, options = {}) => told(compile(workflow, options));

afterEach(() => {
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

const places = (text: string) =>
  readWorkflow(text).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
const notJson = (...all: string[]) => all.map((place) => `shape/not-json ${place}`);

describe('a text that is JSON', () => {
  it('gives its value and its dialect, with or without a byte order mark', () => {
    const text = '{ "name": "x", "nodes": [1, "\\u00e9", null, true, -2.5e3] }';
    const workflow = JSON.parse(text) as unknown;
    for (const it of [text, `\ufeff${text}`]) {
      expect(readWorkflow(it)).toEqual({ workflow, dialect: 'spec', diagnostics: [] });
    }
    expect(readWorkflow('7')).toEqual({ workflow: 7, dialect: 'spec', diagnostics: [] });
    expect(readWorkflow('{"nodes":[{"name":"a","prompt":"A"}]}').dialect).toBe('vapi');
  });

  it('may contain reserved keys, which `compile` rejects', () => {
    const { workflow } = readWorkflow('{"__proto__": {"polluted": true}, "nodes": []}');
    expect(findings(workflow)).toContain('shape/reserved-name /__proto__');
  });
});

describe('a text that is not JSON', () => {
  it.each<[string, string[]]>([
    ['', notJson('1:1')],
    ['{\0"\0a\0"\0', notJson('1:1')],
    ['{', notJson('1:2')],
    ['[1, 2', notJson('1:6')],
    ['{"a" 1}', notJson('1:6')],
    ['{"a": 1 "b": 2}', notJson('1:9')],
    ['{"a": }', notJson('1:7')],
    ['{\n  "name": "x",\n  nodes\n}', notJson('3:3')],
    ['[1,]', notJson('1:3')],
    ['{"a": 1,\r\n\t}', notJson('1:8')],
    ['["\\x"]', notJson('1:2')],
    ['[01]', notJson('1:3')],
    ['// note\n{}', notJson('1:1')],
    ['{} /* note */', notJson('1:4')],
    ["['a']", notJson('1:2')],
    ['\ufeff[1,]', notJson('1:3')],
    ['{"a": , "b" 2, "a": 1}', [...notJson('1:7', '1:13'), 'shape/duplicate-key 1:16']],
  ])('is rejected with the place of every fault: %j', (text, expected) => {
    expect(places(text)).toEqual(expected);
    expect(readWorkflow(text).workflow).toBeNull();
  });

  it.each([
    ['[1,]', 'there is a comma after the last element'],
    ['{"a": 1', 'the text ends too early'],
    ['/**/ 1', 'it contains a comment'],
    ['[1 2]', 'a comma is missing'],
  ])('says what is wrong: %s', (text, what) => {
    expect(readWorkflow(text).diagnostics[0]?.message).toContain(what);
  });

  it('is rejected if it nests deeper than 200 levels, however broken it is', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(places(nested(200))).toEqual([]);
    expect(places(nested(201))).toEqual(notJson('1:201'));
    expect(places(`["${'['.repeat(1000)}"]`)).toEqual([]);
    const open = ['['.repeat(50_000), '{"a":'.repeat(50_000), `"\n${'['.repeat(50_000)}`];
    for (const text of [...open, '[},'.repeat(50_000), '"\\'.repeat(50_000)]) {
      expect(places(text).length).toBeGreaterThan(0);
      expect(places(text).length).toBeLessThanOrEqual(100);
    }
  });
});

describe('duplicate keys', () => {
  it('are errors at the second key, and the last value counts', () => {
    const text = '{"n": [{"id/~": 1, "id/~": 2}],\n "n": 3}';
    const { workflow, diagnostics } = readWorkflow(text);
    expect(workflow).toEqual({ n: 3 });
    expect(diagnostics).toMatchObject([
      { code: 'shape/duplicate-key', severity: 'error', at: '/n/0/id~1~0', line: 1, column: 20 },
      { code: 'shape/duplicate-key', at: '/n', line: 2, column: 2 },
    ]);
    expect(places('{"\\u0061": 1, "a": 2}')).toEqual(['shape/duplicate-key 1:15']);
    expect(places('{"__proto__": 1, "__proto__": 2}')).toEqual(['shape/duplicate-key 1:18']);
    expect(places('[{"a": 1}, {"a": 1}]')).toEqual([]);
  });
});

describe('the place of a value', () => {
  const text = '{\r\n  "a": [1, { "b/c": "x" }],\n  "d": true\n}';

  it.each([
    ['', 1, 1, 0, text.length],
    ['/a', 2, 8, 10, 19],
    ['/a/0', 2, 9, 11, 1],
    ['/a/1/b~1c', 2, 21, 23, 3],
    ['/d', 3, 8, 38, 4],
    ['/a/9/x', 2, 8, 10, 19],
    ['/missing', 1, 1, 0, text.length],
  ])('is found by its pointer: %j', (at, line, column, offset, length) => {
    expect(locate(text, at)).toEqual({ line, column, offset, length });
    expect(locate(`\ufeff${text}`, at)).toEqual({ line, column, offset: offset + 1, length });
  });

  it('is that of the last duplicate key, and in a broken text the nearest known place', () => {
    expect(locate('{"a": 1, "a": [2]}', '/a/0')).toMatchObject({ offset: 15, length: 1 });
    expect(locate('{"a": [1, 2', '/a/1')).toMatchObject({ offset: 10, length: 1 });
    expect(locate('{"a": [1, 2', '/a')).toMatchObject({ offset: 6, length: 5 });
    expect(locate('', '/a')).toBeNull();
  });

  it('is found for several pointers at once', () => {
    expect([...locateAll(text, ['/d', '/a/0', '/d']).keys()]).toEqual(['/d', '/a/0']);
    expect(locateAll(text, []).size).toBe(0);
  });
});

const plain = flow({ a: 'A.' });
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
const never = () => {
  throw new Error('trapped');
};
const trapped = new Proxy({}, { get: never, ownKeys: never, getPrototypeOf: never });
class Node {}

/** Values that are not JSON, and the place of the fault. */
const strange: [string, unknown, string][] = [
  ['a function', () => 1, ''],
  ['undefined in a list', undefined, ''],
  ['a symbol', Symbol('x'), ''],
  ['a big integer', 7n, ''],
  ['NaN', Number.NaN, ''],
  ['a date', new Date(0), ''],
  ['a map', new Map(), ''],
  ['an instance of a class', new Node(), ''],
  ['a getter', Object.defineProperty({}, 'x', { enumerable: true, get: never }), '/x'],
  ['a hidden property', Object.defineProperty({}, 'x', { value: 1 }), '/x'],
  ['a key that is a symbol', { [Symbol('x')]: 1 }, ''],
  ['a list with a gap', Object.assign(Array(3), [1, 2]), ''],
  ['a list with a name', Object.assign([1], { x: 1 }), ''],
  ['a cycle', cycle, '/self/again/0'],
  ['a proxy that throws', trapped, ''],
  ['a revoked proxy', revoked, ''],
];

describe('a value that is not JSON', () => {
  it.each(strange)('is one error, and none of its code runs: %s', (_, value, place) => {
    expect(findings(value)).toEqual([`shape/not-json ${place}`]);
    expect(findings(within(value))).toEqual([`shape/not-json /note/list/1${place}`]);
    const squad = { squad: { members: [value] } };
    expect(told(verify(plain, squad))[0]).toMatch(/^check\/not-a-squad /);
    // Options and answers are checked in the same way.
    const options: CompileOptions = { memberOverrides: { voice: { is: [value] } } };
    expect(findings(plain, options)).toEqual([`api/option /memberOverrides/voice/is/0${place}`]);
    const answers = { policies: { x: [value] } } as object;
    expect(findings(plain, { answers })).toEqual([`api/answer-shape /policies/x/0${place}`]);
  });

  it('may also be one with more than 200 levels', () => {
    expect(findings({ ...plain, note: nest(199) })).toEqual(['shape/unknown-field /note']);
    const deep = `shape/not-json /note${'/0'.repeat(199)}`;
    expect(findings({ ...plain, note: nest(200) })).toEqual([deep]);
  });
});

describe('a value that is JSON', () => {
  it('may have undefined properties, no prototype, and keys in any order', () => {
    const turned = Object.fromEntries(Object.entries({ ...plain, note: undefined }).reverse());
    const bare = Object.assign(Object.create(null) as object, plain);
    for (const it of [turned, bare, Object.freeze({ ...plain })]) {
      expect(JSON.stringify(compile(it))).toBe(JSON.stringify(compile(plain)));
    }
  });

  it.each(['__proto__', 'constructor', 'prototype'])('may not have the key or the id %s', (key) => {
    const odd = JSON.parse(`{ "note": { "${key}": { "polluted": true } } }`) as object;
    expect(findings({ ...plain, ...odd })).toEqual([`shape/reserved-name /note/${key}`]);
    const named = { ...plain, nodes: [{ ...plain.nodes[0], id: key }] };
    expect(findings(named)).toContain('shape/reserved-name /nodes/0/id');
  });

  it('must have valid texts; about a hundred others are reported at once', () => {
    const name = 'x'.repeat(1_000_001);
    const node = { ...plain.nodes[0], firstMessage: 'a\ud800b', '\udc00': 1, name };
    expect(findings({ ...plain, nodes: [node] })).toEqual([
      'shape/lone-surrogate /nodes/0/firstMessage',
      'shape/text-too-long /nodes/0/name',
      'shape/lone-surrogate /nodes/0/\udc00',
    ]);
    const many = Array.from({ length: 500 }, () => '\ud800');
    expect(findings({ ...plain, note: many }).length).toBeLessThanOrEqual(101);
  });

  it.each<[unknown, string]>([
    [{ members: [] }, 'a squad'],
    [{ squad: { members: [] } }, 'a squad'],
    [{ assistantId: 'x' }, 'a call, or a phone number'],
    [{ model: {} }, 'an assistant'],
    [{ function: {} }, 'a tool'],
    [{ $schema: 'x' }, 'a schema'],
  ])('may be another kind of document, which the message names: %j', (document, what) => {
    const [fault] = compile(document).diagnostics;
    expect([fault?.code, fault?.message]).toEqual([
      'shape/not-a-workflow',
      expect.stringContaining(what),
    ]);
  });

  it.each([null, 7, 'x', [], true])('must be an object: %j', (document) => {
    expect(findings(document)).toEqual(['shape/not-an-object ']);
  });
});
