import { describe, expect, it } from 'vitest';
import {
  compose,
  composeWhole,
  createRoot,
  fixed,
  inside,
  note,
  placeWays,
} from '../../../src/compiler/6-emit/tracing.js';
import type { EdgeIndex, NodeIndex } from '../../../src/compiler/ir/ids.js';
import { fromSource, synthesized, traced } from '../../../src/compiler/ir/provenance.js';

const wording = (text: string) => ({ text, origin: synthesized('wording') });
const quoted = (text: string) => ({ text, origin: fromSource('/a') });

/** A place, and what is noted there and inside of it. */
function placeOf(key: string) {
  const root = createRoot();
  return { place: inside(root, key), map: root.notes.sourceMap, root };
}

describe('note', () => {
  it('gives every value inside an entry of its own', () => {
    const { place, map } = placeOf('out');
    const value = { a: [1, { b: 'x' }], 'c/d': {}, e: [] };
    expect(note(traced(value, fromSource('/in')), place)).toBe(value);
    expect(map).toEqual([
      { output: '/out/a/0', origin: fromSource('/in/a/0') },
      { output: '/out/a/1/b', origin: fromSource('/in/a/1/b') },
      { output: '/out/c~1d', origin: fromSource('/in/c~1d') },
      { output: '/out/e', origin: fromSource('/in/e') },
    ]);
  });

  it('keeps an origin that has no places inside', () => {
    const { place, map } = placeOf('out');
    const origin = { kind: 'answer', option: 'model' } as const;
    note(traced({ a: 1 }, origin), place);
    expect(map).toEqual([{ output: '/out/a', origin }]);
  });
});

describe('fixed', () => {
  it('is of the target’s shape', () => {
    const { place, map } = placeOf('out');
    expect(fixed('handoff', place)).toBe('handoff');
    expect(map).toEqual([{ output: '/out', origin: synthesized('shape') }]);
  });
});

describe('compose', () => {
  it('tells the pieces of a text apart, neighbouring words of squadc’s own as one', () => {
    const { place, map } = placeOf('out');
    const text = compose([wording('a '), wording('b '), quoted('🦉c'), wording('!')], place);
    expect(text).toBe('a b 🦉c!');
    expect(map.map(({ range, origin }) => [range, origin.kind])).toEqual([
      [[0, 4], 'synthesized'],
      [[4, 7], 'source'],
      [[7, 8], 'synthesized'],
    ]);
    for (const { range } of map) expect(text.slice(...range!)).not.toBe('');
  });

  it('is one entry without a range where there is one piece', () => {
    const { place, map } = placeOf('out');
    compose([quoted('x')], place);
    expect(map).toEqual([{ output: '/out', origin: fromSource('/a') }]);
  });

  it('leaves out pieces without a text', () => {
    const { place, map } = placeOf('out');
    compose([quoted(''), wording('x'), quoted('')], place);
    expect(map).toHaveLength(1);
  });
});

describe('composeWhole', () => {
  it('asks for the pieces where they are noted, and only there', () => {
    let asked = 0;
    const composition = {
      text: 'ab',
      get segments() {
        asked += 1;
        return [quoted('a'), wording('b')];
      },
    };
    expect([composeWhole(composition, null), asked]).toEqual(['ab', 0]);
    const { place, map } = placeOf('out');
    expect([composeWhole(composition, place), asked, map.length]).toEqual(['ab', 1, 2]);
  });
});

describe('without a place', () => {
  it('values are what they are, and no place is inside', () => {
    const value = { a: [1] };
    expect(inside(null, 'a')).toBeNull();
    expect(fixed(value, null)).toBe(value);
    expect(note(traced(value, fromSource('/in')), null)).toBe(value);
    expect(compose([wording('a'), quoted('b')], null)).toBe('ab');
  });
});

describe('placeWays', () => {
  it('adds the place to what stands there', () => {
    const { place, root } = placeOf('tool');
    placeWays([3 as EdgeIndex], [], place);
    placeWays([3 as EdgeIndex], [7 as NodeIndex], inside(root, 'other'));
    placeWays([9 as EdgeIndex], [], null);
    const { edges, globals } = root.notes.placements;
    expect([...edges]).toEqual([[3, ['/tool', '/other']]]);
    expect([...globals]).toEqual([[7, ['/other']]]);
  });
});
