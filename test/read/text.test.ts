/** JSON text → value: what is told of broken texts, and where the values of a text stand. */
import { describe, expect, it } from 'vitest';
import { compile, locate, locateAll, readWorkflow } from '../../src/index.js';

const told = (text: string) =>
  readWorkflow(text).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
const notJson = (...places: string[]) => places.map((place) => `shape/not-json ${place}`);

describe('a text that is JSON', () => {
  it('gives its value, with a byte order mark or without', () => {
    const text = '{ "name": "x", "nodes": [1, "\\u00e9", null, true, -2.5e3] }';
    const workflow = JSON.parse(text) as unknown;
    expect(readWorkflow(text)).toEqual({ workflow, dialect: 'spec', diagnostics: [] });
    expect(readWorkflow(`\ufeff${text}`)).toEqual({ workflow, dialect: 'spec', diagnostics: [] });
    expect(readWorkflow('7').workflow).toBe(7);
  });

  it('tells the dialect', () => {
    expect(readWorkflow('{"nodes":[{"name":"a","prompt":"A"}]}').dialect).toBe('vapi');
    expect(readWorkflow('[]').dialect).toBe('spec');
  });

  it('may hold keys that are reserved, which `compile` refuses', () => {
    const { workflow } = readWorkflow('{"__proto__": {"polluted": true}, "nodes": []}');
    expect(compile(workflow).diagnostics[0]).toMatchObject({ code: 'shape/reserved-name' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a text that is not JSON', () => {
  it.each<[string, string[]]>([
    ['', notJson('1:1')],
    [' \r\n ', notJson('1:1')],
    ['{\0"\0a\0"\0', notJson('1:1')],
    ['{', notJson('1:2')],
    ['[1, 2', notJson('1:6')],
    ['{"a" 1}', notJson('1:6')],
    ['{"a": 1 "b": 2}', notJson('1:9')],
    ['{"a": }', notJson('1:7')],
    ['{\n  "name": "x",\n  nodes\n}', notJson('3:3')],
    ['[1,]', notJson('1:3')],
    ['{"a": 1,\r\n\t}', notJson('1:8')],
    ['[1] [2]', notJson('1:5')],
    ['["\\x"]', notJson('1:2')],
    ['["a\tb"]', notJson('1:2')],
    ['[01]', notJson('1:3')],
    ['// note\n{}', notJson('1:1')],
    ['{} /* note */', notJson('1:4')],
    ["['a']", notJson('1:2')],
    ['[NaN]', notJson('1:2')],
    ['\ufeff[1,]', notJson('1:3')],
    ['{"a": , "b" 2, "a": 1}', [...notJson('1:7', '1:13'), 'shape/duplicate-key 1:16']],
  ])('is refused with every place: %j', (text, expected) => {
    expect(told(text)).toEqual(expected);
    expect(readWorkflow(text).workflow).toBeNull();
  });

  it('says what is wrong', () => {
    const say = (text: string) => readWorkflow(text).diagnostics[0]?.message;
    expect(say('[1,]')).toContain('a comma stands after the last element');
    expect(say('{"a": 1')).toContain('the text ends too early');
    expect(say('/**/ 1')).toContain('it holds a comment');
    expect(say('[1 2]')).toContain('a comma is missing');
  });

  it('is refused where it nests deeper than 200 levels, however broken it is', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(told(nested(200))).toEqual([]);
    expect(told(nested(201))).toEqual(notJson('1:201'));
    expect(told(`["${'['.repeat(1000)}"]`)).toEqual([]);
    const open = ['['.repeat(200_000), '{"a":'.repeat(200_000), `"\n${'['.repeat(200_000)}`];
    for (const text of [...open, '[},'.repeat(200_000), '"\\'.repeat(100_000)]) {
      expect(told(text).length).toBeGreaterThan(0);
      expect(told(text).length).toBeLessThanOrEqual(100);
    }
  });
});

describe('keys that stand twice', () => {
  it('are errors with the place of the second, and the last counts', () => {
    const text = '{"n": [{"id/~": 1, "id/~": 2}],\n "n": 3}';
    const { workflow, diagnostics } = readWorkflow(text);
    expect(workflow).toEqual({ n: 3 });
    expect(diagnostics).toMatchObject([
      { code: 'shape/duplicate-key', severity: 'error', at: '/n/0/id~1~0', line: 1, column: 20 },
      { code: 'shape/duplicate-key', at: '/n', line: 2, column: 2 },
    ]);
    expect(told('{"\\u0061": 1, "a": 2}')).toEqual(['shape/duplicate-key 1:15']);
    expect(told('{"__proto__": 1, "__proto__": 2}')).toEqual(['shape/duplicate-key 1:18']);
    expect(told('[{"a": 1}, {"a": 1}]')).toEqual([]);
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
  ])('is told by its pointer: %j', (at, line, column, offset, length) => {
    expect(locate(text, at)).toEqual({ line, column, offset, length });
    expect(locate(`\ufeff${text}`, at)).toEqual({ line, column, offset: offset + 1, length });
  });

  it('is that of the last of equal keys, and the best that is known in a broken text', () => {
    expect(locate('{"a": 1, "a": [2]}', '/a/0')).toMatchObject({ offset: 15, length: 1 });
    expect(locate('{"a": [1, 2', '/a/1')).toMatchObject({ offset: 10, length: 1 });
    expect(locate('{"a": [1, 2', '/a')).toMatchObject({ offset: 6, length: 5 });
    expect(locate('', '/a')).toBeNull();
  });

  it('is found for many pointers at once', () => {
    const pointers = ['/d', '/a/0', '/d'];
    expect([...locateAll(text, pointers).keys()]).toEqual(['/d', '/a/0']);
    expect(locateAll(text, []).size).toBe(0);
  });
});
