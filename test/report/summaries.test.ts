/** The summaries of a run: totals, a table for spreadsheets, a page in Markdown, and the JSON. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../src/diagnostics/quote.js';
import { markdownText } from '../../src/report/markdown-text.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { placedRowText, rowText, wholeRowText } from '../../src/report/model.js';
import { totalsOf } from '../../src/report/rows.js';
import { csvColumns, renderSummaryCsv } from '../../src/report/summary-csv.js';
import { mostListed, renderSummaryMarkdown } from '../../src/report/summary-markdown.js';
import type { SummaryName } from '../../src/report/write-summaries.js';
import { renderSummaryJson, writeSummaries } from '../../src/report/write-summaries.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { anyRows, hostileTexts, rowWith, stats } from './rows.js';

const head = { squadc: '1.2.3', options: { target: 'vapi' as const } };

describe('the totals', () => {
  it('add up what the rows say', () => {
    const totals = totalsOf([
      rowWith({ warnings: 2 }),
      rowWith({
        status: 'needs-answers',
        questions: { 'missing-auth': 2, 'cyclic-stages': 1 },
        assessment: { level: 'B', size: 2, minutes: 30, automatic: 1, manual: 1 },
      }),
      rowWith({
        status: 'invalid',
        stats: { ...stats, nodes: 10, assistants: 0 },
        errors: 3,
        questions: { 'missing-auth': 1 },
        assessment: { level: 'C', size: 1, minutes: 20, automatic: 0, manual: 2 },
      }),
    ]);
    expect(totals).toEqual({
      workflows: 3,
      byStatus: { complete: 1, 'needs-answers': 1, invalid: 1, failed: 0 },
      byLevel: { A: 1, B: 1, C: 1 },
      questions: { 'cyclic-stages': 1, 'missing-auth': 3 },
      nodes: 22,
      assistants: 6,
      minutes: 55,
      errors: 3,
      warnings: 2,
    });
    expect(Object.keys(totals.questions)).toEqual(['cyclic-stages', 'missing-auth']);
    const kinds = JSON.parse('{"__proto__":1,"constructor":2}');
    const { questions } = totalsOf([rowWith({ questions: kinds }), rowWith({ questions: kinds })]);
    expect(JSON.stringify(questions)).toBe('{"__proto__":2,"constructor":4}');
  });
});

describe('summary.json', () => {
  it('is what the model says, in its order, a row a line', () => {
    fc.assert(
      fc.property(anyRows(), (rows) => {
        const text = renderSummaryJson(head, totalsOf(rows), rows.map(wholeRowText));
        const parsed = JSON.parse(text);
        expect(parsed).toEqual({ ...head, totals: totalsOf(rows), workflows: rows });
        expect(Object.keys(parsed)).toEqual(['squadc', 'options', 'totals', 'workflows']);
        expect(text.split('\n')).toHaveLength(8 + rows.length);
        expect(validateRunSummary(parsed), JSON.stringify(validateRunSummary.errors)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('has no answers, and the shard where there is one', () => {
    const options = { target: 'squad' as const, answers: { policies: { 'missing-auth': 'none' } } };
    const shard = { index: 2, count: 3 };
    const parsed = JSON.parse(renderSummaryJson({ squadc: '1', options, shard }, totalsOf([]), []));
    expect([parsed.options, parsed.shard]).toEqual([{ target: 'squad' }, shard]);
    expect(validateRunSummary(parsed)).toBe(true);
  });

  it.each<[why: string, change: object]>([
    ['a member that nobody knows', { more: 1 }],
    ['a status that nobody knows', { status: 'done' }],
    ['a failure of what did not fail', { failure: { code: 'batch/vanished', message: 'x' } }],
    ['no reason of what failed', { status: 'failed' }],
    ['a kind that nobody knows', { questions: { new: 1 } }],
    ['a key that is a path', { key: '../x-00000000' }],
  ])('is not valid with %s', (_, change) => {
    const summary = { ...head, totals: totalsOf([]), workflows: [{ ...rowWith(), ...change }] };
    expect(validateRunSummary(summary)).toBe(false);
    expect(validateRunSummary({ ...summary, workflows: [rowWith()] })).toBe(true);
  });

  it('has rows in one order of their members, with their place in front', () => {
    fc.assert(
      fc.property(anyRows(3), (rows) => {
        for (const row of rows) {
          const turned = Object.fromEntries(Object.entries(row).reverse());
          expect(rowText(turned as unknown as WorkflowRow)).toBe(rowText(row));
        }
      }),
      { numRuns: 20 },
    );
    expect(placedRowText('{"key":"a"}', 3)).toBe('{"index":3,"key":"a"}');
    expect(placedRowText('{"key":"a"}', 3, 17)).toBe('{"index":3,"line":17,"key":"a"}');
  });

  it('is the last of four files that agree', async () => {
    const rows = [rowWith(), rowWith({ index: 1, status: 'needs-answers' })];
    const files = new Map<SummaryName, string>();
    const texts = rows.map(wholeRowText);
    const input = { ...head, rows: () => texts, results: [], totalResults: 0 };
    const totals = await writeSummaries(input, (name, pieces) => {
      files.set(name, [...pieces].join(''));
    });
    const names = ['summary.csv', 'summary.md', 'summary.sarif', 'summary.json'];
    expect([...files.keys()]).toEqual(names);
    const parsed = JSON.parse(files.get('summary.json') ?? '');
    expect([parsed.workflows, parsed.totals]).toEqual([rows, totals]);
    expect(files.get('summary.csv')?.split('\r\n')).toHaveLength(4);
    expect(files.get('summary.md')).toContain('2 workflows with 12 nodes');
    expect(JSON.parse(files.get('summary.sarif') ?? '').runs[0].results).toEqual([]);
  });
});

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

describe('summary.csv', () => {
  it('has the columns, and a line for each workflow', () => {
    const error = { code: 'flow/missing-node', at: '/edges/0/to', message: 'No “=1+1”, "x"\n.' };
    const questions = { 'missing-auth': 2, 'cyclic-stages': 1 };
    const text = renderSummaryCsv([
      rowWith(),
      rowWith({ index: 1, line: 7, name: null, questions }),
      rowWith({ status: 'invalid', firstError: error }),
      rowWith({ status: 'invalid', firstError: { ...error, code: '=1', at: '' } }),
    ]);
    expect(text).toMatch(/^index,key,name,source,[^"]*\r\n/);
    const [names, ...lines] = parseCsv(text);
    expect(names).toEqual(csvColumns.map(({ name }) => name));
    const [first, second, third, fourth] = lines.map((cells) =>
      Object.fromEntries(cells.map((cell, at) => [names?.[at], cell])),
    );
    const none = { line: '', failure: '', questions: '0', 'questions_missing-auth': '0' };
    expect(first).toMatchObject({ index: '0', key: 'clinic-00c0ffee', level: 'A', ...none });
    expect(second).toMatchObject({ index: '1', line: '7', name: '', questions: '3' });
    expect(second).toMatchObject({ 'questions_missing-auth': '2', first_error: '' });
    const wrong = 'flow/missing-node /edges/0/to: No “=1+1”, "x"\\n.';
    expect(third?.['first_error']).toBe(wrong);
    expect(fourth?.['first_error']).toBe('\'=1: No “=1+1”, "x"\\n.');
  });

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '\uff1d1', ...hostileTexts])(
    'holds %j in one cell of one line, and it is no formula',
    (name) => {
      const text = renderSummaryCsv([rowWith({ name, source: name })]);
      expect(text.split('\n')).toHaveLength(3);
      const cells = parseCsv(text)[1]!;
      expect(cells).toHaveLength(csvColumns.length);
      for (const cell of cells.slice(2, 4)) {
        expect(cell.replace(/^'/, '')).toBe(escapeControls(name).replace(/^'/, ''));
        expect(cell).not.toMatch(/^[=+\-@\uff1d]/u);
      }
    },
  );

  it('reads back as it was, whatever the texts are', () => {
    fc.assert(
      fc.property(anyRows(), (rows) => {
        const [, ...lines] = parseCsv(renderSummaryCsv(rows));
        expect(lines.map(([index]) => index)).toEqual(rows.map(({ index }) => String(index)));
        for (const cells of lines) {
          expect(cells).toHaveLength(csvColumns.length);
          const bad = /^[=+\-@\uff1d\uff0b\uff0d\uff20]|[\p{Cc}\u202e\u2066]/u;
          expect(cells.filter((cell) => bad.test(cell))).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

function markdownOf(rows: readonly WorkflowRow[]): string {
  return renderSummaryMarkdown('1.2.3', totalsOf(rows), rows);
}

const open = (index: number, minutes: number, given: Partial<WorkflowRow> = {}) =>
  rowWith({
    index,
    name: `w${index}`,
    status: 'needs-answers',
    questions: { 'missing-auth': 1 },
    assessment: { level: 'B', size: 1, minutes, automatic: 1, manual: 1 },
    ...given,
  });

describe('summary.md', () => {
  it('has the totals and nothing to do', () => {
    const text = markdownOf([rowWith()]);
    expect(text).toContain(
      '1 workflow with 6 nodes; 3 assistants; about 5 min of manual work. ' +
        'Made by squadc 1.2.3.\n',
    );
    expect(text).toContain('| complete | complete | 1 |\n');
    expect(text).toContain('| A | automatic; only review and test | 1 |\n');
    expect(text).not.toContain('## Open questions');
    expect(text.endsWith('## What needs attention\n\nNothing.\n')).toBe(true);
  });

  it('lists what needs a person: failed, invalid, then the most work', () => {
    const failure = { code: 'batch/vanished', message: 'it is | gone' };
    const text = markdownOf([
      rowWith({ index: 0, name: 'fine' }),
      open(1, 10),
      open(2, 95),
      open(3, 10, { status: 'invalid', errors: 4, questions: {} }),
      open(4, 10, { status: 'failed', failure, questions: {}, line: 12 }),
      open(5, 5, { status: 'complete', questions: {}, warnings: 1 }),
      rowWith({ index: 6, name: 'w6', warnings: 1 }),
    ]);
    const names = [...text.matchAll(/^\| (w\d|fine) \|/gm)].map(([, name]) => name);
    expect(names).toEqual(['w4', 'w3', 'w2', 'w1', 'w5']);
    expect(text).toContain(
      '| w4 | clinic-00c0ffee | flows/clinic.json:12 | failed: it is &#124; gone | B1 | 10 |',
    );
    expect(text).toContain('about 2 h 20 min of manual work');
    expect(text).toMatch(/\| missing-auth \| [A-Z][^|]+ \| 2 \|\n/);
  });

  it.each([
    [1, '/edges/0', 'invalid: no node \\`a\\` (/edges/0)'],
    [2, '', 'invalid: no node \\`a\\` – and 1 more error'],
    [1234, '/edges/0', 'invalid: no node \\`a\\` (/edges/0) – and 1,233 more errors'],
  ])('says what is wrong first with an invalid workflow: %d at %j', (errors, at, cell) => {
    const firstError = { code: 'flow/missing-node', at, message: 'no node `a`' };
    const row = open(0, 5, { status: 'invalid', errors, firstError, questions: {} });
    expect(markdownOf([row])).toContain(` | ${cell} | B1 | 5 | ${errors} |`);
  });

  it('says when it lists only the first', () => {
    const all = markdownOf(Array.from({ length: mostListed }, (_, index) => open(index, 10)));
    expect(all).not.toContain('summary.csv');
    const rows = Array.from({ length: 3 * mostListed }, (_, index) =>
      open(index, 5 + (index % 7) * 5),
    );
    const text = markdownOf(rows);
    expect(text).toContain('These are the first 500 of 1500; summary.csv has all.');
    const names = [...text.matchAll(/^\| w(\d+) \|/gm)].map(([, index]) => Number(index));
    const sorted = rows.map(({ index }) => index).sort((a, b) => (b % 7) - (a % 7) || a - b);
    expect(names).toEqual(sorted.slice(0, mostListed));
  });

  it.each(hostileTexts)('keeps %j in its cell, as text', (name) => {
    const failed = (message: string, given: Partial<WorkflowRow> = {}) => {
      const failure = { code: 'batch/vanished', message };
      return markdownOf([open(0, 5, { status: 'failed', failure, ...given })]);
    };
    const lastLine = (all: string) => all.trimEnd().split('\n').at(-1) ?? '';
    const [plain, text] = [failed('x'), failed(name, { name, source: name })];
    expect(text.split('\n')).toHaveLength(plain.split('\n').length);
    const cells = (all: string) => lastLine(all).split('|').length;
    expect(cells(text)).toBe(cells(plain));
    expectPlain(lastLine(text).split(' | ')[0]?.slice(2) ?? '');
    const firstError = { code: 'flow/missing-node', at: `/${name}`, message: name };
    const invalid = markdownOf([open(0, 5, { status: 'invalid', errors: 1, firstError })]);
    expect(cells(invalid)).toBe(cells(plain));
    const status = lastLine(invalid).split(' | ')[3] ?? '';
    expectPlain(status.replace(/ \((.*)\)$/s, '$1'));
  });

  it('loses no row', () => {
    fc.assert(
      fc.property(anyRows(6), (rows) => {
        const lines = markdownOf(rows).split('\n');
        for (const { key, status, assessment } of rows) {
          const isListed = status !== 'complete' || assessment.level !== 'A';
          const found = lines.filter((line) => line.includes(`| ${key} |`));
          expect(found).toHaveLength(isListed ? 1 : 0);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** As a reader of Markdown shows it: escapes and references stand for one sign each. */
function shown(markdown: string): string {
  const references: Readonly<Record<string, string>> = {
    '#124': '|',
    '#64': '@',
    lt: '<',
    gt: '>',
    amp: '&',
  };
  return markdown.replace(/\\([!-/:-@[-`{-~])|&([a-z]+|#\d+);/g, (all, sign, reference) => {
    return sign ?? references[reference] ?? all;
  });
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...hostileTexts, '&#64;', '&amp;', '\\|', '\\&'))
    .map((texts) => texts.join('')),
);

/** No sign is left that Markdown or HTML would read. */
function expectPlain(markdown: string): void {
  const withoutEscapes = markdown.replace(/\\[!-/:-@[-`{-~]|&(?:#(?:124|64)|lt|gt|amp);/g, '');
  expect(withoutEscapes).not.toMatch(/[\\`*_{}[\]()#!~$^|<>&@\p{Cc}\u202e]/u);
  expect(withoutEscapes).not.toMatch(/:\/\/|\bwww\./i);
  expect(markdown).not.toMatch(/^\s*(?:[-+=]|\d+[.)])/);
}

it('a text in Markdown is shown as it is, and nothing in it means anything', () => {
  expect(markdownText('Clinic (north) – 24/7, a: b')).toBe('Clinic \\(north\\) – 24/7, a: b');
  expect(markdownText('a|b<c>&d')).toBe('a&#124;b&lt;c&gt;&amp;d');
  expect(markdownText('line\nline')).toBe('line\\\\nline');
  expect(markdownText('1. item')).toBe('1\\. item');
  fc.assert(
    fc.property(anyText, (text) => {
      expectPlain(markdownText(text));
      expect(shown(markdownText(text))).toBe(escapeControls(text));
    }),
    { numRuns: 200 },
  );
});
