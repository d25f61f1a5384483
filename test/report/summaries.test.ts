/** The summaries of a run: the JSON with its totals, a table for spreadsheets, a page in Markdown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../src/diagnostics/quote.js';
import { markdownText } from '../../src/report/markdown-text.js';
import { rowText, type WorkflowRow } from '../../src/report/model.js';
import { SarifResults } from '../../src/report/sarif.js';
import { type SummaryName, writeSummaries } from '../../src/report/write-summaries.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { anyRows, hostileTexts, rowWith, stats } from './rows.js';

const options = { target: 'vapi' as const };

/** The files of a run with these rows, by their ends, and the order in which they were written. */
async function summariesOf(given: readonly WorkflowRow[]) {
  const files = new Map<SummaryName, string>();
  const rows = given.map(({ index, line, ...row }) => rowText(row, index, line));
  const answers = { policies: { 'missing-auth': 'none' } };
  const input = { squadc: '1.2.3', options: { ...options, answers }, rows };
  await writeSummaries({ ...input, results: new SarifResults() }, (name, text) => {
    files.set(name, text);
  });
  const [csv = '', md = '', sarif = '', json = ''] = files.values();
  return { names: [...files.keys()], csv, md, sarif, json };
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

describe('summary.json', () => {
  it('has the options without answers, the totals and the rows, a row a line, and is written last', async () => {
    const rows = [
      rowWith({ warnings: 2 }),
      open(1, 30, { questions: { 'missing-auth': 2, 'cyclic-stages': 1 } }),
      rowWith({
        index: 2,
        line: 17,
        status: 'invalid',
        stats: { ...stats, nodes: 10, assistants: 0 },
        errors: 3,
        questions: { 'missing-auth': 1 },
        assessment: { level: 'C', size: 1, minutes: 20, automatic: 0, manual: 2 },
      }),
    ];
    const { names, json, sarif, md } = await summariesOf(rows);
    expect(names).toEqual(['summary.csv', 'summary.md', 'summary.sarif', 'summary.json']);
    const totals = {
      workflows: 3,
      byStatus: { complete: 1, 'needs-answers': 1, invalid: 1, failed: 0 },
      byLevel: { A: 1, B: 1, C: 1 },
      questions: { 'cyclic-stages': 1, 'missing-auth': 3 },
      nodes: 22,
      assistants: 6,
      minutes: 55,
      errors: 3,
      warnings: 2,
    };
    const parsed = JSON.parse(json);
    expect(parsed).toEqual({ squadc: '1.2.3', options, totals, workflows: rows });
    expect(Object.keys(parsed)).toEqual(['squadc', 'options', 'totals', 'workflows']);
    expect(Object.keys(parsed.totals.questions)).toEqual(['cyclic-stages', 'missing-auth']);
    expect(json).toContain('\n{"index":2,"line":17,"key":"clinic-00c0ffee",');
    expect(json.split('\n')).toHaveLength(8 + rows.length);
    expect(JSON.parse(sarif).runs[0].results).toEqual([]);
    expect(md).toContain('3 workflows with 22 nodes');
  });

  it('is valid by its schema, whatever the texts are', async () => {
    const kinds = JSON.parse('{"__proto__":1,"constructor":2}');
    const { json } = await summariesOf([
      rowWith({ questions: kinds }),
      open(1, 5, { questions: kinds }),
    ]);
    expect(json).toContain('"questions":{"__proto__":2,"constructor":4}');
    await fc.assert(
      fc.asyncProperty(anyRows(), async (rows) => {
        const summary = JSON.parse((await summariesOf(rows)).json);
        expect(summary.workflows).toEqual(rows);
        expect(validateRunSummary(summary), JSON.stringify(validateRunSummary.errors)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it.each<[why: string, change: object]>([
    ['a member that nobody knows', { more: 1 }],
    ['a status that nobody knows', { status: 'done' }],
    ['a failure of what did not fail', { failure: { code: 'batch/vanished', message: 'x' } }],
    ['no reason of what failed', { status: 'failed' }],
    ['a kind that nobody knows', { questions: { new: 1 } }],
    ['a key that is a path', { key: '../x-00000000' }],
  ])('is not valid with %s', async (_, change) => {
    const summary = JSON.parse((await summariesOf([rowWith()])).json);
    expect(validateRunSummary(summary)).toBe(true);
    summary.workflows[0] = { ...rowWith(), ...change };
    expect(validateRunSummary(summary)).toBe(false);
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
  it('has the columns, and a line for each workflow', async () => {
    const error = { code: 'flow/missing-node', at: '/edges/0/to', message: 'No “=1+1”, "x"\n.' };
    const failure = { code: 'batch/vanished', message: 'gone' };
    const { csv } = await summariesOf([
      rowWith(),
      open(1, 35, { line: 7, name: null, questions: { 'missing-auth': 2, 'cyclic-stages': 1 } }),
      rowWith({ index: 2, status: 'invalid', errors: 3, warnings: 4, firstError: error }),
      rowWith({ index: 3, status: 'invalid', firstError: { ...error, code: '=1', at: '' } }),
      rowWith({ index: 4, status: 'failed', failure }),
    ]);
    const [names = [], ...lines] = parseCsv(csv);
    expect(names.slice(0, 14).join()).toBe(
      'index,key,name,source,line,folder,status,failure,failure_message,' +
        'level,size,minutes,automatic,manual',
    );
    expect(names.slice(14, 23).join()).toBe(
      'errors,warnings,nodes,edges,assistants,handoffs,extractions,tools,questions',
    );
    expect(names.slice(23, -1).every((name) => name.startsWith('questions_'))).toBe(true);
    const cells = lines.map((line) => {
      const all = line.map((cell, at) => [names[at], cell] as const);
      return Object.fromEntries(all.filter(([, cell]) => cell !== '' && cell !== '0'));
    });
    const common = {
      key: 'clinic-00c0ffee',
      folder: 'clinic-00c0ffee',
      source: 'flows/clinic.json',
      nodes: '6',
      edges: '5',
      assistants: '3',
      handoffs: '2',
      extractions: '1',
    };
    const automatic = {
      ...common,
      name: 'Clinic',
      level: 'A',
      size: '1',
      minutes: '5',
      automatic: '11',
    };
    const invalid = { ...automatic, status: 'invalid' };
    const wrong = ': No “=1+1”, "x"\\n.';
    expect(cells).toEqual([
      { ...automatic, status: 'complete' },
      {
        ...common,
        index: '1',
        line: '7',
        status: 'needs-answers',
        level: 'B',
        size: '1',
        minutes: '35',
        automatic: '1',
        manual: '1',
        questions: '3',
        'questions_missing-auth': '2',
        'questions_cyclic-stages': '1',
      },
      {
        ...invalid,
        index: '2',
        errors: '3',
        warnings: '4',
        first_error: `flow/missing-node /edges/0/to${wrong}`,
      },
      { ...invalid, index: '3', first_error: `'=1${wrong}` },
      {
        ...automatic,
        index: '4',
        status: 'failed',
        failure: 'batch/vanished',
        failure_message: 'gone',
      },
    ]);
  });

  it('holds each text in one cell of one line, and it is no formula', async () => {
    const starts = ['=1+1', '+1', '-1', '@x', '\t=1', '\r=1', '\n=1', '\uff1d1'];
    const names = [...starts, ...hostileTexts];
    const { csv } = await summariesOf(names.map((name) => rowWith({ name, source: name })));
    expect(csv.split('\n')).toHaveLength(names.length + 2);
    const [head, ...lines] = parseCsv(csv);
    for (const [at, cells] of lines.entries()) {
      expect(cells).toHaveLength(head!.length);
      const plain = cells.slice(2, 4).map((cell) => cell.replace(/^'/, ''));
      const wanted = escapeControls(names[at]!).replace(/^'/, '');
      expect(plain).toEqual([wanted, wanted]);
    }
    await fc.assert(
      fc.asyncProperty(anyRows(), async (rows) => {
        for (const cells of parseCsv((await summariesOf(rows)).csv)) {
          const bad = /^[=+\-@\uff1d\uff0b\uff0d\uff20]|[\p{Cc}\u202e\u2066]/u;
          expect(cells.filter((cell) => bad.test(cell))).toEqual([]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('summary.md', () => {
  it('has the totals and nothing to do', async () => {
    const { md } = await summariesOf([rowWith()]);
    expect(md).toContain(
      '1 workflow with 6 nodes; 3 assistants; about 5 min of manual work. Made by squadc 1.2.3.\n',
    );
    expect(md).toContain('| complete | complete | 1 |\n');
    expect(md).toContain('| A | automatic; only review and test | 1 |\n');
    expect(md).not.toContain('## Open questions');
    expect(md.endsWith('## What needs attention\n\nNothing.\n')).toBe(true);
  });

  it('lists what needs a person: failed, invalid, then the most work', async () => {
    const failure = { code: 'batch/vanished', message: 'it is | gone' };
    const firstError = { code: 'flow/missing-node', at: '/edges/0', message: 'no node `a`' };
    const invalid = { status: 'invalid', questions: {} } as const;
    const { md } = await summariesOf([
      rowWith({ index: 0, name: 'fine' }),
      open(1, 10),
      open(2, 95),
      open(3, 10, { ...invalid, errors: 1234, firstError }),
      open(4, 10, { status: 'failed', failure, questions: {}, line: 12 }),
      open(5, 5, { status: 'complete', questions: {}, warnings: 1 }),
      open(6, 5, { ...invalid, errors: 1, firstError: { ...firstError, at: '' } }),
    ]);
    const names = [...md.matchAll(/^\| (w\d|fine) \|/gm)].map(([, name]) => name);
    expect(names).toEqual(['w4', 'w3', 'w6', 'w2', 'w1', 'w5']);
    expect(md).toContain(
      '| w4 | clinic-00c0ffee | flows/clinic.json:12 | failed: it is &#124; gone | B1 | 10 |',
    );
    expect(md).toContain('| invalid: no node \\`a\\` (/edges/0) – and 1,233 more errors | B1 |');
    expect(md).toContain('| invalid: no node \\`a\\` | B1 |');
    expect(md).toContain('about 2 h 20 min of manual work');
    expect(md).toMatch(/\| missing-auth \| [A-Z][^|]+ \| 2 \|\n/);
  });

  it('says when it lists only the first', async () => {
    const some = Array.from({ length: 500 }, (_, index) => open(index, 10));
    expect((await summariesOf(some)).md).not.toContain('summary.csv');
    const rows = Array.from({ length: 1500 }, (_, index) => open(index, 5 + (index % 7) * 5));
    const { md } = await summariesOf(rows);
    expect(md).toContain('These are the first 500 of 1500; summary.csv has all.');
    const names = [...md.matchAll(/^\| w(\d+) \|/gm)].map(([, index]) => Number(index));
    const sorted = rows.map(({ index }) => index).sort((a, b) => (b % 7) - (a % 7) || a - b);
    expect(names).toEqual(sorted.slice(0, 500));
  });

  it('keeps every text in its cell, as text, and loses no row', async () => {
    const cellsOf = async (name: string, given: Partial<WorkflowRow>) => {
      const { md } = await summariesOf([open(0, 5, { name, source: name, ...given })]);
      const row = md.trimEnd().split('\n').at(-1)!.slice(2, -2).split(' | ');
      expect(row).toHaveLength(9);
      return row as [string, string, string, string];
    };
    for (const text of hostileTexts) {
      const failure = { code: 'batch/vanished', message: text };
      const [name, , source] = await cellsOf(text, { status: 'failed', failure });
      expectPlain(name);
      expectPlain(source);
      const firstError = { code: 'flow/missing-node', at: `/${text}`, message: text };
      const [, , , status] = await cellsOf('x', { status: 'invalid', errors: 1, firstError });
      expectPlain(status.replace(/ \((.*)\)$/s, '$1'));
    }
    await fc.assert(
      fc.asyncProperty(anyRows(6), async (rows) => {
        const lines = (await summariesOf(rows)).md.split('\n');
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
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom(...hostileTexts, '&#64;', '&amp;', '\\|', '\\&'))
      .map((texts) => texts.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expectPlain(markdownText(text));
      expect(shown(markdownText(text))).toBe(escapeControls(text));
    }),
    { numRuns: 200 },
  );
});
