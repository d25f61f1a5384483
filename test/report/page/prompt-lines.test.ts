/** Lines and their sources. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Origin, SourceMapEntry } from '../../../src/index.js';
import { originsOf, promptLines } from '../../../src/report/page/prompt-lines.js';
import { runs, seed } from '../../seed.js';

const wording: Origin = { kind: 'synthesized', rule: 'wording', from: [] };
const node: Origin = { kind: 'source', at: '/nodes/0/systemPrompt' };
const answer: Origin = { kind: 'answer', question: 'q' };

function entry(start: number, end: number, origin: Origin): SourceMapEntry {
  return { output: '/p', range: [start, end], origin };
}

describe('lines of a text', () => {
  it('have the pieces that lie in them', () => {
    const entries = [entry(0, 5, wording), entry(5, 11, node), entry(11, 14, answer)];
    expect(promptLines('Step\\nA\\nB: c'.replaceAll('\\n', '\n').padEnd(14, '!'), entries)).toEqual(
      [
        [{ text: 'Step', origin: wording }],
        [{ text: 'A', origin: node }],
        [
          { text: 'B: c', origin: node },
          { text: '!!!', origin: answer },
        ],
      ],
    );
  });

  it('say nothing of pieces whose ranges are of another text', () => {
    expect(promptLines('shorter', [entry(0, 30, node)])).toEqual([
      [{ text: 'shorter', origin: null }],
    ]);
    expect(promptLines('longer than that', [entry(0, 4, node)])).toEqual([
      [{ text: 'longer than that', origin: null }],
    ]);
  });

  it('have the origin of the whole where there are no ranges', () => {
    expect(promptLines('hello', [{ output: '/p', origin: node }])).toEqual([
      [{ text: 'hello', origin: node }],
    ]);
  });

  it('lose nothing, whatever the ranges are', () => {
    const origins = fc.constantFrom(wording, node, answer);
    const entries = fc.array(
      fc.record({ start: fc.integer({ min: -3, max: 40 }), end: fc.nat(45), origin: origins }),
      { maxLength: 8 },
    );
    const text = fc.string({ unit: fc.constantFrom('a', '\n', ' ', 'é', '😀'), maxLength: 30 });
    fc.assert(
      fc.property(text, entries, fc.boolean(), (whole, ranges, fits) => {
        const all = ranges.map(({ start, end, origin }) => entry(start, end, origin));
        if (fits) all.push(entry(0, whole.length, node));
        const lines = promptLines(whole, all);
        const joined = lines.map((line) => line.map((piece) => piece.text).join('')).join('\n');
        expect([joined, `${joined}\n`]).toContain(whole);
      }),
      { seed, numRuns: runs(300) },
    );
  });
});

describe('the origins of a line', () => {
  it('are those of the source and of answers, each once; else the wording', () => {
    const pieces = [wording, node, node, answer].map((origin) => ({ text: 'x', origin }));
    expect(originsOf(pieces)).toEqual([node, answer]);
    expect(originsOf([{ text: 'x', origin: wording }])).toEqual([wording]);
    expect(originsOf([{ text: 'x', origin: null }])).toEqual([]);
  });
});
