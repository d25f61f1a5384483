import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textWidth, wrapText } from '../../../src/report/graph/wrap-text.js';
import { runs, seed } from '../../seed.js';
import { hostileLabel } from './hostile-labels.js';

const room = { width: 100, size: 13, lines: 3 };

describe('the lines of a label', () => {
  it('end at spaces, and behind signs that join words', () => {
    expect(wrapText('collect the number of the order', room)).toEqual([
      'collect the',
      'number of the',
      'order',
    ]);
    expect(wrapText('collect_patient_information', room)).toEqual([
      'collect_',
      'patient_',
      'information',
    ]);
  });

  it('say that there is more', () => {
    const lines = wrapText('one two three '.repeat(20), room);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/…$/);
    expect(wrapText('x'.repeat(500), room)[2]).toMatch(/^x+…$/);
  });

  it('count wide characters as wide, and marks as nothing', () => {
    expect(textWidth('漢字', 13)).toBeGreaterThan(2 * 13);
    expect(textWidth('🙂', 13)).toBeGreaterThan(13);
    expect(textWidth('e\u0301', 13)).toBe(textWidth('e', 13));
    expect(textWidth('iii', 13)).toBeLessThan(textWidth('mmm', 13) / 2);
  });

  it('keep marks on a letter to what scripts need', () => {
    expect(wrapText(`a${'\u0301'.repeat(9)}b`, room)).toEqual(['a\u0301\u0301\u0301b']);
  });

  it('are empty for nothing', () => {
    expect(wrapText(' \n\u200b', room)).toEqual([]);
  });

  it('fit, whatever the text is, and hold its beginning', () => {
    fc.assert(
      fc.property(hostileLabel(), (text) => {
        const lines = wrapText(text, room);
        expect(lines.length).toBeLessThanOrEqual(room.lines);
        for (const line of lines) {
          expect(textWidth(line, room.size)).toBeLessThanOrEqual(room.width + 2 * room.size);
          expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          expect(line.isWellFormed()).toBe(true);
        }
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
