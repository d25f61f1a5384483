import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../src/diagnostics/quote.js';
import { csvColumns, renderSummaryCsv } from '../../src/report/summary-csv.js';
import { anyRows, hostileTexts, rowWith } from './rows.js';

/** The cells of RFC 4180, by a reader of its own. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const match = cell.exec(text);
    if (match === null) throw new Error(`no cell at ${at}`);
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

const csvOf = (rows: Parameters<typeof renderSummaryCsv>[0]) =>
  [...renderSummaryCsv(rows)].join('');

describe('summary.csv', () => {
  it('has the columns, and a line for each workflow', () => {
    const text = csvOf([
      rowWith(),
      rowWith({
        index: 1,
        line: 7,
        name: null,
        questions: { 'missing-auth': 2, 'cyclic-stages': 1 },
      }),
    ]);
    const [head, first, second, ...others] = parseCsv(text);
    expect(others).toEqual([]);
    expect(head).toEqual(csvColumns.map(({ name }) => name));
    const named = (cells: readonly string[] = []) =>
      Object.fromEntries(cells.map((cell, at) => [head?.[at], cell]));
    expect(named(first)).toMatchObject({
      index: '0',
      key: 'clinic-00c0ffee',
      name: 'Clinic',
      line: '',
      failure: '',
      level: 'A',
      questions: '0',
      'questions_missing-auth': '0',
    });
    expect(named(second)).toMatchObject({
      index: '1',
      line: '7',
      name: '',
      questions: '3',
      'questions_missing-auth': '2',
      'questions_cyclic-stages': '1',
    });
  });

  it('has the first error of an invalid workflow in its last cell, as it is no formula', () => {
    const error = { code: 'flow/missing-node', at: '/edges/0/to', message: 'No “=1+1”, "x"\n.' };
    const text = csvOf([
      rowWith(),
      rowWith({ status: 'invalid', firstError: error }),
      rowWith({ status: 'invalid', firstError: { ...error, code: '=1', at: '' } }),
    ]);
    expect(parseCsv(text).map((cells) => cells.at(-1))).toEqual([
      'first_error',
      '',
      'flow/missing-node /edges/0/to: No “=1+1”, "x"\\n.',
      '\'=1: No “=1+1”, "x"\\n.',
    ]);
  });

  it('begins each file with the same line, and ends every line with CR LF', () => {
    const text = csvOf([]);
    expect(text).toBe(`${csvColumns.map(({ name }) => name).join(',')}\r\n`);
    expect(text).toMatch(/^index,key,name,source,/);
    for (const { about } of csvColumns) expect(about).not.toBe('');
  });

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '\uff1d1'])(
    'is no formula where a name is %j',
    (name) => {
      const [, cells] = parseCsv(csvOf([rowWith({ name, source: name })]));
      expect(cells?.[2]).toBe(`'${escapeControls(name)}`);
      expect(cells?.[3]).toBe(`'${escapeControls(name)}`);
    },
  );

  it.each(hostileTexts)('holds %j in one cell of one line', (name) => {
    const text = csvOf([rowWith({ name })]);
    expect(text.split('\n')).toHaveLength(3);
    const [, cells] = parseCsv(text);
    expect(cells).toHaveLength(csvColumns.length);
    expect(cells?.[2]?.replace(/^'/, '')).toBe(escapeControls(name).replace(/^'/, ''));
  });

  it('reads back as it was, whatever the texts are', () => {
    fc.assert(
      fc.property(anyRows(), (rows) => {
        const [, ...lines] = parseCsv(csvOf(rows));
        expect(lines).toHaveLength(rows.length);
        for (const [at, cells] of lines.entries()) {
          expect(cells).toHaveLength(csvColumns.length);
          expect(cells[0]).toBe(String(at));
          for (const cell of cells) {
            expect(cell).not.toMatch(/^[=+\-@\uff1d\uff0b\uff0d\uff20]|[\p{Cc}\u202e\u2066]/u);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
