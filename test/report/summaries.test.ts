/** The summary of a run as JSON, as a table for spreadsheets and in Markdown, and the schemas of its files. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../src/diagnostics/quote.js';
import { markdownText } from '../../src/report/markdown-text.js';
import { rowText, type WorkflowRow } from '../../src/report/model.js';
import { SarifResults } from '../../src/report/sarif.js';
import { writeSummaries } from '../../src/report/write-summaries.js';
import { validateResultFile, validateRunSummary } from '../../src/schemas/validators.generated.js';
import { anyRows, exampleOf, goldenText, hostileTexts, rowWith } from './example-run.js';

/** The files of a run with these rows, in the order in which they are written. */
async function summariesOf(given: readonly WorkflowRow[]) {
  const files = new Map<string, string>();
  const rows = given.map(({ index, line, ...row }) => rowText(row, index, line));
  const options = { target: 'vapi', answers: { policies: { 'missing-auth': 'none' } } } as const;
  const results = new SarifResults();
  await writeSummaries({ squadc: '1.2.3', options, rows, results }, (name, text) => {
    files.set(name, text);
  });
  const [csv = '', md = '', , json = ''] = files.values();
  return { names: [...files.keys()], csv, md, json };
}

const open = (index: number, minutes: number, given: Partial<WorkflowRow> = {}) =>
  rowWith({
    ...{ index, name: `w${index}`, status: 'needs-answers', questions: { 'missing-auth': 1 } },
    assessment: { level: 'B', size: 1, minutes, automatic: 1, manual: 1 },
    ...given,
  });
const missing = { code: 'flow/missing-node', at: '/edges/0/to', message: 'No “=1+1”, "x"\n.' };
const vanished = { code: 'batch/vanished', message: 'it is | gone' };

describe('summary.json', () => {
  it('has the options without answers, the totals, and a line for each row; it is written last', async () => {
    const rows = [
      rowWith({ warnings: 2 }),
      open(1, 30, { questions: { 'missing-auth': 2, 'cyclic-stages': 1 } }),
      open(2, 20, { line: 17, status: 'invalid', errors: 3 }),
    ];
    const { names, json } = await summariesOf(rows);
    expect(names).toEqual(['summary.csv', 'summary.md', 'summary.sarif', 'summary.json']);
    const totals = {
      workflows: 3,
      byStatus: { complete: 1, 'needs-answers': 1, invalid: 1, failed: 0 },
      byLevel: { A: 1, B: 2, C: 0 },
      questions: { 'cyclic-stages': 1, 'missing-auth': 3 },
      ...{ nodes: 18, assistants: 9, minutes: 55, errors: 3, warnings: 2 },
    };
    const parsed = JSON.parse(json);
    const options = { target: 'vapi' };
    expect(parsed).toEqual({ squadc: '1.2.3', options, totals, workflows: rows });
    expect(Object.keys(parsed.totals.questions)).toEqual(['cyclic-stages', 'missing-auth']);
    expect(json).toContain('\n{"index":2,"line":17,"key":"clinic-00c0ffee",');
    expect(json.split('\n')).toHaveLength(8 + rows.length);
  });

  it('is valid by its schema, whatever the texts are', async () => {
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
    ['an unknown member', { more: 1 }],
    ['an unknown status', { status: 'done' }],
    ['a failure, though it did not fail', { failure: vanished }],
    ['no failure, though it failed', { status: 'failed' }],
    ['an unknown kind of question', { questions: { new: 1 } }],
    ['a key that is a path', { key: '../x-00000000' }],
  ])('is invalid with %s', async (_, change) => {
    const summary = JSON.parse((await summariesOf([rowWith()])).json);
    summary.workflows[0] = { ...rowWith(), ...change };
    expect(validateRunSummary(summary)).toBe(false);
  });
});

describe('the schema of result.json', () => {
  const resultOf = (text: string) => JSON.parse(JSON.stringify(exampleOf(text, 'a.json').result));
  const open = goldenText('missing-endpoint-open');

  it.each([open, goldenText('worked-pattern'), '{"name":"x"}', '{"name":'])(
    'accepts the result of %.20s',
    (text) => {
      const file = resultOf(text);
      expect(validateResultFile(file), JSON.stringify(validateResultFile.errors)).toBe(true);
      expect(validateResultFile({ ...file, status: 'failed', failure: vanished })).toBe(true);
    },
  );

  it.each<[why: string, change: object]>([
    ['an unknown member', { more: 1 }],
    ['answers among the options', { options: { answers: {} } }],
    ['an answer without its choice', { answers: { a: { value: 1 } } }],
    [
      'a question without its subject',
      { questions: [{ ...resultOf(open).questions[0], subject: 1 }] },
    ],
    ['a draft that is a text', { draft: 'x' }],
    ['an unknown level', { assessment: { ...resultOf(open).assessment, level: 'D' } }],
  ])('refuses %s', (_, change) => {
    expect(validateResultFile({ ...resultOf(open), ...change })).toBe(false);
  });
});

/** The cells of RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    if (match === null) throw new Error('a cell has no end');
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

describe('summary.csv', () => {
  it('has its columns, and a line for each workflow', async () => {
    const { csv } = await summariesOf([
      open(1, 35, { line: 7, name: null, questions: { 'missing-auth': 2, 'cyclic-stages': 1 } }),
      rowWith({ status: 'invalid', errors: 3, warnings: 4, firstError: missing }),
      rowWith({ status: 'invalid', firstError: { ...missing, code: '=1', at: '' } }),
      rowWith({ status: 'failed', failure: vanished }),
    ]);
    const [names = [], ...lines] = parseCsv(csv);
    expect(names.filter((name) => !name.startsWith('questions_')).join()).toBe(
      'index,key,name,source,line,folder,status,failure,failure_message,level,size,minutes,' +
        'automatic,manual,errors,warnings,nodes,edges,assistants,handoffs,extractions,tools,' +
        'questions,first_error',
    );
    const plain = Object.fromEntries(parseCsv((await summariesOf([rowWith()])).csv)[1]!.entries());
    const differing = lines.map((line) =>
      Object.fromEntries(
        line.flatMap((cell, at) => (cell === plain[at] ? [] : [[names[at], cell]])),
      ),
    );
    const wrong = ': No “=1+1”, "x"\\n.';
    expect(differing).toEqual([
      {
        ...{ index: '1', name: '', line: '7', status: 'needs-answers', level: 'B', minutes: '35' },
        ...{ automatic: '1', manual: '1', questions: '3' },
        ...{ 'questions_missing-auth': '2', 'questions_cyclic-stages': '1' },
      },
      {
        ...{ status: 'invalid', errors: '3', warnings: '4' },
        first_error: `flow/missing-node /edges/0/to${wrong}`,
      },
      { status: 'invalid', first_error: `'=1${wrong}` },
      { status: 'failed', failure: vanished.code, failure_message: vanished.message },
    ]);
  });

  it('keeps each text in its cell, where it is no formula', async () => {
    const { csv } = await summariesOf(hostileTexts.map((name) => rowWith({ name })));
    const names = parseCsv(csv).map((cells) => cells[2]?.replace(/^'/, ''));
    const wanted = hostileTexts.map((name) => escapeControls(name).replace(/^'/, ''));
    expect(names.slice(1)).toEqual(wanted);
    await fc.assert(
      fc.asyncProperty(anyRows(), async (rows) => {
        const lines = parseCsv((await summariesOf(rows)).csv);
        expect(lines).toHaveLength(rows.length + 1);
        const bad = /^[=+\-@\uff1d\uff0b\uff0d\uff20]|[\p{Cc}\u202e\u2066]/u;
        expect(lines.flat().filter((cell) => bad.test(cell))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('summary.md', () => {
  it('has the totals, and nothing to do', async () => {
    const { md } = await summariesOf([rowWith()]);
    for (const text of [
      '1 workflow with 6 nodes; 3 assistants; about 5 min of manual work. Made by squadc 1.2.3.\n',
      '| complete | complete | 1 |\n',
      '| A | automatic; only review and test | 1 |\n',
    ]) {
      expect(md).toContain(text);
    }
    expect(md).not.toContain('## Open questions');
    expect(md).toMatch(/\n## What needs attention\n\nNothing.\n$/);
  });

  it('lists what needs somebody: failed, invalid, then the most work', async () => {
    const firstError = { code: 'flow/missing-node', at: '/edges/0', message: 'no node `a`' };
    const invalid = { status: 'invalid', questions: {} } as const;
    const { md } = await summariesOf([
      rowWith({ index: 0, name: 'fine' }),
      open(1, 10),
      open(2, 95),
      open(3, 10, { ...invalid, errors: 1234, firstError }),
      open(4, 10, { status: 'failed', failure: vanished, questions: {}, line: 12 }),
      open(5, 5, { status: 'complete', questions: {}, warnings: 1 }),
      open(6, 5, { ...invalid, errors: 1, firstError: { ...firstError, at: '' } }),
    ]);
    const names = [...md.matchAll(/^\| (w\d|fine) \|/gm)].map(([, name]) => name);
    expect(names).toEqual(['w4', 'w3', 'w6', 'w2', 'w1', 'w5']);
    for (const text of [
      '| w4 | clinic-00c0ffee | flows/clinic.json:12 | failed: it is &#124; gone | B1 | 10 |',
      '| invalid: no node \\`a\\` (/edges/0) – and 1,233 more errors | B1 |',
      '| invalid: no node \\`a\\` | B1 |',
      'about 2 h 20 min of manual work',
    ]) {
      expect(md).toContain(text);
    }
    expect(md).toMatch(/\| missing-auth \| [A-Z][^|]+ \| 2 \|\n/);
  });

  it('says when it lists only the first', async () => {
    const rows = Array.from({ length: 1500 }, (_, index) => open(index, 5 + (index % 7) * 5));
    expect((await summariesOf(rows.slice(0, 500))).md).not.toContain('summary.csv');
    const { md } = await summariesOf(rows);
    expect(md).toContain('These are the first 500 of 1500; summary.csv has all.');
    const listed = [...md.matchAll(/^\| w(\d+) \|/gm)].map(([, index]) => Number(index));
    const sorted = rows.map(({ index }) => index).sort((a, b) => (b % 7) - (a % 7) || a - b);
    expect(listed).toEqual(sorted.slice(0, 500));
  });

  it('keeps every text in its cell, as text, and loses no row', async () => {
    for (const text of hostileTexts) {
      const firstError = { ...missing, at: '', message: text };
      const row = open(0, 5, {
        name: text,
        source: text,
        status: 'invalid',
        errors: 1,
        firstError,
      });
      const { md } = await summariesOf([row]);
      const cells = md.trimEnd().split('\n').at(-1)!.slice(2, -2).split(' | ');
      expect(cells).toHaveLength(9);
      for (const cell of cells.slice(0, 4)) expectPlain(cell);
    }
    await fc.assert(
      fc.asyncProperty(anyRows(6), async (rows) => {
        const { md } = await summariesOf(rows);
        for (const { key, status, assessment } of rows) {
          const isListed = status !== 'complete' || assessment.level !== 'A';
          expect(md.split(`| ${key} |`)).toHaveLength(isListed ? 2 : 1);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** No sign is left that Markdown or HTML would read. */
function expectPlain(markdown: string): void {
  const withoutEscapes = markdown.replace(/\\[!-/:-@[-`{-~]|&(?:#(?:124|64)|lt|gt|amp);/g, '');
  expect(withoutEscapes).not.toMatch(/[\\`*_{}[\]()#!~$^|<>&@\p{Cc}\u202e]|:\/\/|\bwww\./iu);
  expect(markdown).not.toMatch(/^\s*(?:[-+=]|\d+[.)])/);
}

it('a text in Markdown is shown as it is, and nothing in it means anything', () => {
  expect(markdownText('Clinic (north) – 24/7, a: b')).toBe('Clinic \\(north\\) – 24/7, a: b');
  expect(markdownText('1. a|b<c>&d\nline')).toBe('1\\. a&#124;b&lt;c&gt;&amp;d\\\\nline');
  const signs = new Map(Object.entries({ '#124': '|', '#64': '@', lt: '<', gt: '>', amp: '&' }));
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(fc.constantFrom(...hostileTexts, '&#64;', '\\|')).map((texts) => texts.join('')),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const markdown = markdownText(text);
      expectPlain(markdown);
      const shown = markdown.replace(
        /\\([!-/:-@[-`{-~])|&([a-z]+|#\d+);/g,
        (all, sign, reference) => sign ?? signs.get(reference) ?? all,
      );
      expect(shown).toBe(escapeControls(text));
    }),
    { numRuns: 200 },
  );
});
