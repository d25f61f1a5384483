import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerpt } from '../../../src/diagnostics/render/excerpt.js';
import { runs, seed } from '../../seed.js';

/** The excerpt of the first place where `mark` stands in a text of one line. */
function around(text: string, mark: string) {
  return excerpt({ text, line: 1, column: text.indexOf(mark) + 1, length: mark.length });
}

describe('excerpt', () => {
  it.each(['\n', '\r\n', '\r'])('finds the line, ended by %j', (end) => {
    const text = ['one', 'two', 'three'].join(end);
    expect(excerpt({ text, line: 2, column: 2, length: 2 })).toEqual({ line: 'two', mark: ' ^^' });
    expect(excerpt({ text, line: 3, column: 1, length: 99 })).toEqual({
      line: 'three',
      mark: '^^^^^',
    });
  });

  it('marks the end of a line, of the text, and of a text that is too short', () => {
    expect(excerpt({ text: 'ab\ncd', line: 1, column: 3, length: 1 }).mark).toBe('  ^');
    expect(excerpt({ text: 'ab', line: 1, column: 9, length: 0 })).toEqual({
      line: 'ab',
      mark: '  ^',
    });
    expect(excerpt({ text: 'ab', line: 7, column: 1, length: 3 })).toEqual({ line: '', mark: '^' });
  });

  it('shows the end of a line for a column far behind it', () => {
    const shown = excerpt({ text: 'ab', line: 1, column: 10_000, length: 3 });
    expect(shown).toEqual({ line: 'ab', mark: '  ^' });
  });

  it('does not count a byte order mark', () => {
    const text = '\ufeffab';
    expect(excerpt({ text, line: 1, column: 2, length: 1 })).toEqual({ line: 'ab', mark: ' ^' });
  });

  it('keeps the mark below tabs, wide and combining characters', () => {
    expect(around('\t"x"', '"x"')).toEqual({ line: '    "x"', mark: '    ^^^' });
    expect(around('"日本" x', 'x')).toEqual({ line: '"日本" x', mark: '       ^' });
    expect(around('"😀" x', 'x')).toEqual({ line: '"😀" x', mark: '     ^' });
    expect(around('e\u0301 x', 'x')).toEqual({ line: 'e\u0301 x', mark: '  ^' });
    expect(around('a 日本', '日本').mark).toBe('  ^^^^');
  });

  it('shows controls as pictures', () => {
    expect(around('"\u001b[2J" x', 'x')).toEqual({ line: '"␛[2J" x', mark: '       ^' });
    expect(around('\u202e\u0085\ud800 x', 'x')).toEqual({
      line: '\ufffd\ufffd\ufffd x',
      mark: '    ^',
    });
  });

  it('cuts a long line around the place', () => {
    const text = `${'a'.repeat(500)}HERE${'b'.repeat(500)}`;
    const { line, mark } = around(text, 'HERE');
    expect(line).toBe(`…${'a'.repeat(40)}HERE${'b'.repeat(54)}…`);
    expect(mark).toBe(`${' '.repeat(41)}^^^^`);
  });

  it('cuts only the side that does not fit', () => {
    expect(around(`HERE${'b'.repeat(200)}`, 'HERE')).toEqual({
      line: `HERE${'b'.repeat(94)}…`,
      mark: '^^^^',
    });
    expect(around(`${'a'.repeat(200)}HERE`, 'HERE')).toEqual({
      line: `…${'a'.repeat(40)}HERE`,
      mark: `${' '.repeat(41)}^^^^`,
    });
    expect(around(`${'a'.repeat(96)}HERE`, 'HERE').line).toBe(`${'a'.repeat(96)}HERE`);
  });

  it('hides secrets, and marks a hidden one as a whole', () => {
    const text = '{ "apiKey": "abc\\"def", "x": 1 }';
    expect(around(text, '"x"')).toEqual({
      line: '{ "apiKey": "••••", "x": 1 }',
      mark: `${' '.repeat(20)}^^^`,
    });
    expect(around(text, 'def').mark).toBe(`${' '.repeat(12)}^^^^^^`);
  });

  it('is one safe line of at most 100 columns with its mark inside it', () => {
    const unit = fc.constantFrom(
      'a',
      ' ',
      '\t',
      '日',
      '😀',
      '\u0301',
      '\u001b',
      '\ud800',
      '"',
      '\n',
      '\u202e',
    );
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 400 }),
        fc.nat(12),
        fc.nat(500),
        fc.nat(600),
        (text, line, column, length) => {
          const shown = excerpt({ text, line: line + 1, column: column + 1, length });
          expect(shown.line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
          expect(columnsOf(shown.line)).toBeLessThanOrEqual(100);
          expect(shown.mark).toMatch(/^ *\^+$/u);
          expect(shown.mark.length).toBeLessThanOrEqual(101);
        },
      ),
      { seed, numRuns: runs(300) },
    );
  });
});

/** A second opinion on widths, for the characters of the property above. */
function columnsOf(line: string): number {
  return [...line].reduce((sum, it) => sum + (/[日😀]/u.test(it) ? 2 : it === '\u0301' ? 0 : 1), 0);
}
