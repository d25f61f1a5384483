import { describe, expect, it } from 'vitest';
import {
  either,
  eitherOf,
  enumerate,
  join,
  originOf,
  quoted,
  segment,
  sentenceFor,
  uniqueTexts,
  wording,
} from '../../../src/compiler/5-lower/segments.js';
import type { Segment } from '../../../src/compiler/ir/squad-ir.js';

const textOf = (segments: readonly Segment[]): string =>
  segments.map(({ text: it }) => it).join('');
const text = { value: 'Hi {{x}}', at: '/nodes/0/firstMessage', uses: [] };
const words = (...texts: string[]) => texts.map((it) => wording(it));
const sentence = (at: string, value: string) => sentenceFor(at, 'rule', value);

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
    expect(textOf(join(words('a', 'b', 'c'), '; or '))).toBe('a; or b; or c');
    expect(join([], '; or ')).toEqual([]);
    expect(join(words('a'), '; or ')).toEqual(words('a'));
  });

  it('are ways to say one thing, each text once', () => {
    const texts = [sentence('/a', 'x'), sentence('/b', 'y'), sentence('/c', 'x')];
    expect(textOf(either(texts))).toBe('x; or y');
    expect(either(texts).map(({ origin }) => origin)).toMatchObject([
      { rule: 'rule', from: ['/a'] },
      { rule: 'wording' },
      { rule: 'rule', from: ['/b'] },
    ]);
    expect(either(texts.slice(1, 2))).toHaveLength(1);
    expect(uniqueTexts(texts).map(({ at }) => at)).toEqual(['/a', '/b']);
  });

  it('are the same as one text, whose pieces are asked for', () => {
    const texts = [sentence('/a', 'x'), sentence('/b', 'y')];
    for (const some of [texts, texts.slice(0, 1)]) {
      const { text: whole, segments } = eitherOf(some);
      expect(segments).toEqual(either(some));
      expect(whole).toBe(textOf(segments));
    }
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
