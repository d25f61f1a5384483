import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readResponsePath, writeResponse } from '../../src/scenarios/tools.js';
import { runs, seed } from '../seed.js';

describe('the path of a response variable', () => {
  it.each([
    ['a', ['a']],
    ['a.b[0].c', ['a', 'b', 0, 'c']],
    ['[1].id', [1, 'id']],
    ['$.a', ['a']],
    ['{{ $.a.b }}', ['a', 'b']],
    ['{{- a -}}', null],
    ['{{ $.a | upcase }}', null],
    ['a b', null],
    ['', null],
    ['list[999]', ['list', 999]],
    ['list[1000]', null],
    ['a.'.repeat(100_000), null],
  ])('%s', (text, path) => expect(readResponsePath(text)).toEqual(path));
});

describe('the response of a mock', () => {
  it.each<[string, Parameters<typeof writeResponse>[0], string]>([
    ['nothing', [], '{}'],
    [
      'members and positions',
      [
        [['a', 'b', 1], 'x'],
        [['a', 'c'], 2],
      ],
      '{"a":{"b":[null,"x"],"c":2}}',
    ],
    ['a list at the root', [[[1, 'id'], 7]], '[null,{"id":7}]'],
    [
      'a place inside of a place',
      [
        [['a'], 1],
        [['a', 'b'], 2],
      ],
      '{"a":{"b":2}}',
    ],
    [
      'the same, in the other order',
      [
        [['a', 'b'], 2],
        [['a'], 1],
      ],
      '{"a":{"b":2}}',
    ],
    [
      'a member beside a position',
      [
        [['a', 0], 1],
        [['a', 'b'], 2],
      ],
      '{"a":[1]}',
    ],
    [
      'a place twice',
      [
        [['a'], 1],
        [['a'], 2],
      ],
      '{"a":1}',
    ],
    [
      'names of the language',
      [
        [['__proto__', 'x'], true],
        [['constructor'], 1],
      ],
      '{"__proto__":{"x":true},"constructor":1}',
    ],
  ])('%s', (_, values, text) => expect(writeResponse(values)).toBe(text));

  it('holds the values at their places', () => {
    const key = fc.stringMatching(/^[a-z]{1,3}$/);
    const step = fc.oneof(key, fc.nat(3));
    const path = fc
      .tuple(key, fc.array(step, { maxLength: 3 }))
      .map(([first, rest]) => [first, ...rest]);
    fc.assert(
      fc.property(path, fc.oneof(fc.string(), fc.nat(), fc.boolean()), (steps, value) => {
        let found = JSON.parse(writeResponse([[steps, value]]));
        for (const each of steps) found = found[each];
        expect(found).toBe(value);
      }),
      { seed, numRuns: runs(100) },
    );
  });
});
