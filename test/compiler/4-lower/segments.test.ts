import { describe, expect, it } from 'vitest';
import {
  enumerate,
  join,
  originOf,
  quoted,
  segment,
  unique,
  wording,
} from '../../../src/compiler/4-lower/segments.js';
import type { Segment } from '../../../src/compiler/ir/squad-ir.js';

const textOf = (segments: readonly Segment[]): string =>
  segments.map(({ text: it }) => it).join('');
const text = { value: 'Hi {{x}}', at: '/nodes/0/firstMessage', uses: [] };
const part = (...words: string[]) => words.map((word) => wording(word));

describe('segments', () => {
  it('know whether words are squadc’s own, the source’s, or an answer’s', () => {
    expect(wording('a').origin).toEqual({ kind: 'synthesized', rule: 'wording', from: [] });
    expect(quoted(text)).toEqual({
      text: 'Hi {{x}}',
      origin: { kind: 'source', at: '/nodes/0/firstMessage' },
    });
    expect(originOf({ ...text, changedBy: 'q' })).toEqual({ kind: 'answer', question: 'q' });
    expect(segment('a', { kind: 'answer', option: 'names' }).origin).toMatchObject({
      option: 'names',
    });
  });

  it('are joined with words between', () => {
    expect(textOf(join([part('a', 'b'), part('c'), part('d')], '; or '))).toBe('ab; or c; or d');
    expect(join([], '; or ')).toEqual([]);
    expect(join([part('a')], '; or ')).toEqual(part('a'));
  });

  it('are unique by their text', () => {
    expect(unique([part('a', 'b'), part('c'), part('ab')]).map(textOf)).toEqual(['ab', 'c']);
  });
});

describe('enumerate', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
  ])('of %j is `%s`', (names, sentence) => {
    expect(enumerate(names)).toBe(sentence);
  });
});
