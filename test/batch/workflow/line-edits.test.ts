import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineEdit, lineEdits } from '../../../src/batch/workflow/line-edits.js';

function applied(text: string, edits: readonly LineEdit[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { start, end, text: replacement } of edits) {
    parts.push(text.slice(at, start), replacement);
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const text = fc
  .array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n'), { maxLength: 12 })
  .chain((lines) => fc.constantFrom('', 'a', 'd').map((end) => lines.join('') + end));

describe('lineEdits', () => {
  it('make the new text of the old one, and are in order', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const edits = lineEdits(before, after);
        expect(applied(before, edits)).toBe(after);
        for (const [index, { start, end }] of edits.entries()) {
          expect(start).toBeLessThanOrEqual(end);
          expect(start).toBeGreaterThanOrEqual(edits[index - 1]?.end ?? 0);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('are none for the same text, and leave alone what both have', () => {
    expect(lineEdits('a\nb\n', 'a\nb\n')).toEqual([]);
    const before = 'a\nb\nc\nd\ne\n';
    expect(lineEdits(before, 'a\nx\nc\nd\nf\ne\n')).toEqual([
      { start: 2, end: 4, text: 'x\n' },
      { start: 8, end: 8, text: 'f\n' },
    ]);
  });

  it('replace all where the texts have too little in common', () => {
    const lines = (name: string) =>
      Array.from({ length: 3000 }, (_, at) => `${name}${at}\n`).join('');
    const [edit, ...others] = lineEdits(lines('a'), lines('b'));
    expect(others).toEqual([]);
    expect(edit).toEqual({ start: 0, end: lines('a').length, text: lines('b') });
  });
});
