import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineColumn, locate, locateAll } from '../../../src/compiler/1-read/positions.js';
import { child } from '../../../src/compiler/ir/ids.js';
import { runs, seed } from '../../seed.js';

const text = `{
  "nodes": [
    { "id": "a" },
    { "id": "b/c", "x~y": { "": 1 } }
  ]
}`;
const at = (pointer: string, from = text): string | null => {
  const place = locate(from, pointer);
  return place && from.slice(place.offset, place.offset + place.length);
};

const toPointer = (keys: readonly string[]): string =>
  keys.reduce((above, key) => child(above, key), '');

describe('locate', () => {
  it('finds the value at a pointer', () => {
    expect(at('')).toBe(text);
    expect(at('/nodes/0')).toBe('{ "id": "a" }');
    expect(at('/nodes/1/id')).toBe('"b/c"');
    expect(at('/nodes/1/x~0y')).toBe('{ "": 1 }');
    expect(at('/nodes/1/x~0y/')).toBe('1');
    expect(locate(text, '/nodes/1/id')).toMatchObject({ line: 4, column: 13, length: 5 });
  });

  it('falls back to the nearest value above', () => {
    expect(at('/nodes/0/condition')).toBe('{ "id": "a" }');
    expect(at('/nodes/7/condition')).toBe(at('/nodes'));
    expect(at('/edges/0/from')).toBe(text);
    expect(at('/nodes/0/id/deeper/still')).toBe('"a"');
  });

  it('takes the last of keys that stand twice, as JSON.parse does', () => {
    const twice = '{"a": {"b": 1}, "a": {"c": 2}}';
    expect(at('/a', twice)).toBe('{"c": 2}');
    expect(at('/a/b', twice)).toBe('{"c": 2}');
    expect(at('/a/c', twice)).toBe('2');
  });

  it('gives the best place known in broken text, or null', () => {
    expect(locate('', '/a')).toBeNull();
    expect(locate('[}'.repeat(5000), '/0')).toBeNull();
    expect(at('/a', '{"a": [1, ')).toBe('[1, ');
    expect(at('/b', '{"a" 1, "b": 2}')).toBe('2');
  });

  it('does not count a BOM as a column', () => {
    expect(locate('\ufeff[1]', '/0')).toEqual({ line: 1, column: 2, offset: 2, length: 1 });
  });

  it('finds every value of a document', () => {
    const values = (value: unknown, pointer: string): [string, unknown][] => [
      [pointer, value],
      ...(typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, member]) => values(member, child(pointer, key)))
        : []),
    ];
    fc.assert(
      fc.property(fc.json(), fc.nat(3), (json, indent) => {
        const written = JSON.stringify(JSON.parse(json), null, indent);
        const all = values(JSON.parse(written), '');
        const places = locateAll(
          written,
          all.map(([pointer]) => pointer),
        );
        for (const [pointer, value] of all) {
          const place = places.get(pointer);
          if (!place) throw new Error(`no place for ${pointer}`);
          const { offset, length, line, column } = place;
          expect(JSON.parse(written.slice(offset, offset + length))).toEqual(value);
          const before = written.slice(0, offset).split('\n');
          expect([line, column]).toEqual([before.length, (before.at(-1) as string).length + 1]);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('locateAll', () => {
  /** What stands before a fault that comes last is found by the walk for texts with faults. */
  it('finds in a faultless text what it finds in a faulty one', () => {
    const tree = fc.json({ maxDepth: 5 });
    const segment = fc.constantFrom('a', '0', '1', '', 'x/y', 'no~such');
    const pointers = fc.array(fc.array(segment, { maxLength: 3 }).map(toPointer), { maxLength: 6 });
    const given = fc.tuple(tree, tree, pointers, fc.constantFrom('', ' ', '\n', '\r\n \t'));
    fc.assert(
      fc.property(given, ([one, other, wanted, gap]) => {
        const members = [`"a":${gap}[${one},${gap}${other}${gap}]`, `"x/y"${gap}:${one}`, '"":"{"'];
        const written = `${gap}{${gap}${members.join(`${gap},`)}${gap}}`;
        const places = locateAll(written, wanted);
        expect([...places.keys()]).toEqual([...new Set(wanted)]);
        expect(places).toEqual(locateAll(`${written} ]`, wanted));
      }),
      { seed, numRuns: runs(1000) },
    );
  });

  it('reads no text when nothing is sought', () => {
    expect(locateAll('[1', []).size).toBe(0);
  });
});

describe('lineColumn', () => {
  it.each([
    ['ab\ncd', 4, 2, 2],
    ['ab\r\ncd', 4, 2, 1],
    ['ab\rcd', 3, 2, 1],
    ['\u{1f600}x', 2, 1, 3],
    ['ab\n', 3, 2, 1],
    ['', 0, 1, 1],
  ])('of %j at %i is %i:%i', (written, offset, line, column) => {
    expect(lineColumn(written, offset)).toEqual({ line, column });
  });
});
