import { describe, expect, it } from 'vitest';
import { compose, fixed, note, type SourceMap } from '../../../src/compiler/5-assemble/tracing.js';
import { fromSource, synthesized, traced } from '../../../src/compiler/ir/provenance.js';

const wording = (text: string) => ({ text, origin: synthesized('wording') });
const quoted = (text: string) => ({ text, origin: fromSource('/a') });

describe('note', () => {
  it('gives every value inside an entry of its own', () => {
    const map: SourceMap = [];
    const value = { a: [1, { b: 'x' }], 'c/d': {}, e: [] };
    expect(note(traced(value, fromSource('/in')), '/out', map)).toBe(value);
    expect(map).toEqual([
      { output: '/out/a/0', origin: fromSource('/in/a/0') },
      { output: '/out/a/1/b', origin: fromSource('/in/a/1/b') },
      { output: '/out/c~1d', origin: fromSource('/in/c~1d') },
      { output: '/out/e', origin: fromSource('/in/e') },
    ]);
  });

  it('keeps an origin that has no places inside', () => {
    const map: SourceMap = [];
    const origin = { kind: 'answer', option: 'model' } as const;
    note(traced({ a: 1 }, origin), '/out', map);
    expect(map).toEqual([{ output: '/out/a', origin }]);
  });
});

describe('fixed', () => {
  it('is of the target’s shape', () => {
    const map: SourceMap = [];
    expect(fixed('handoff', '/type', map)).toBe('handoff');
    expect(map).toEqual([{ output: '/type', origin: synthesized('shape') }]);
  });
});

describe('compose', () => {
  it('tells the pieces of a text apart, neighbouring words of squadc’s own as one', () => {
    const map: SourceMap = [];
    const text = compose([wording('a '), wording('b '), quoted('🦉c'), wording('!')], '/out', map);
    expect(text).toBe('a b 🦉c!');
    expect(map.map(({ range, origin }) => [range, origin.kind])).toEqual([
      [[0, 4], 'synthesized'],
      [[4, 7], 'source'],
      [[7, 8], 'synthesized'],
    ]);
    for (const { range } of map) expect(text.slice(...range!)).not.toBe('');
  });

  it('is one entry without a range where there is one piece', () => {
    const map: SourceMap = [];
    compose([quoted('x')], '/out', map);
    expect(map).toEqual([{ output: '/out', origin: fromSource('/a') }]);
  });

  it('leaves out pieces without a text', () => {
    const map: SourceMap = [];
    compose([quoted(''), wording('x'), quoted('')], '/out', map);
    expect(map).toHaveLength(1);
  });
});
