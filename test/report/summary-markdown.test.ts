import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls } from '../../src/diagnostics/quote.js';
import { markdownText } from '../../src/report/markdown-text.js';
import type { WorkflowRow } from '../../src/report/model.js';
import {
  markdownOpening,
  mostListed,
  renderSummaryMarkdown,
  selectForMarkdown,
} from '../../src/report/summary-markdown.js';
import { totalsOf } from '../../src/report/totals.js';
import { anyRows, hostileTexts, rowWith } from './rows.js';

function markdownOf(rows: readonly WorkflowRow[]): string {
  const selection = selectForMarkdown();
  for (const row of rows) selection.add(row);
  return [...renderSummaryMarkdown('1.2.3', totalsOf(rows), selection)].join('');
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
    expect(text.startsWith(markdownOpening)).toBe(true);
    expect(text).toContain(
      '1 workflow with 6 nodes; 3 assistants; about 5 min of work for a person. ' +
        'Made by squadc 1.2.3.\n',
    );
    expect(text).toContain('| complete | the squad is there | 1 |\n');
    expect(text).toContain('| A | automatic: nobody has to do anything | 1 |\n');
    expect(text).not.toContain('## Open questions');
    expect(text.endsWith('## What needs a person\n\nNothing.\n')).toBe(true);
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
    expect(text).toContain('about 2 h 20 min of work');
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
    const expected = rows
      .map(({ index }) => index)
      .sort((a, b) => (b % 7) - (a % 7) || a - b)
      .slice(0, mostListed);
    expect(names).toEqual(expected);
  });

  it.each(hostileTexts)('keeps %j in its cell, as text', (name) => {
    const failure = { code: 'batch/vanished', message: name };
    const plain = markdownOf([
      open(0, 5, { status: 'failed', failure: { ...failure, message: 'x' } }),
    ]);
    const text = markdownOf([open(0, 5, { status: 'failed', name, source: name, failure })]);
    expect(text.split('\n')).toHaveLength(plain.split('\n').length);
    const cells = (line = '') => line.split('|').length;
    const lastLine = (all: string) => all.trimEnd().split('\n').at(-1);
    expect(cells(lastLine(text))).toBe(cells(lastLine(plain)));
    expectPlain(lastLine(text)?.split(' | ')[0]?.slice(2) ?? '');
    const firstError = { code: 'flow/missing-node', at: `/${name}`, message: name };
    const invalid = markdownOf([open(0, 5, { status: 'invalid', errors: 1, firstError })]);
    expect(cells(lastLine(invalid))).toBe(cells(lastLine(plain)));
    expectPlain(
      lastLine(invalid)
        ?.split(' | ')[3]
        ?.replace(/ \((.*)\)$/s, '$1') ?? '',
    );
  });
});

/** As a reader of Markdown shows it: escapes and references stand for one sign each. */
function shown(markdown: string): string {
  const references = new Map([
    ['#124', '|'],
    ['#64', '@'],
    ['lt', '<'],
    ['gt', '>'],
    ['amp', '&'],
  ]);
  return markdown.replace(/\\([!-/:-@[-`{-~])|&([a-z]+|#\d+);/g, (all, sign, reference) => {
    return sign ?? references.get(reference) ?? all;
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

describe('a text in Markdown', () => {
  it('is read as what it is', () => {
    expect(markdownText('Clinic (north) – 24/7, a: b')).toBe('Clinic \\(north\\) – 24/7, a: b');
    expect(markdownText('a|b<c>&d')).toBe('a&#124;b&lt;c&gt;&amp;d');
    expect(markdownText('line\nline')).toBe('line\\\\nline');
    expect(markdownText('1. item')).toBe('1\\. item');
  });

  it('has nothing left that means something', () => {
    fc.assert(
      fc.property(anyText, (text) => expectPlain(markdownText(text))),
      { numRuns: 200 },
    );
  });

  it('is shown as it is: nothing is escaped twice', () => {
    expect(markdownText('ann@clinic.example | &#64;')).toBe(
      'ann&#64;clinic.example &#124; &amp;\\#64;',
    );
    fc.assert(
      fc.property(anyText, (text) => {
        expect(shown(markdownText(text))).toBe(escapeControls(text));
      }),
      { numRuns: 200 },
    );
  });

  it('is not lost in any row', () => {
    fc.assert(
      fc.property(anyRows(6), (rows) => {
        const listed = rows.filter(
          ({ status, assessment }) => status !== 'complete' || assessment.level !== 'A',
        );
        const lines = markdownOf(rows).split('\n');
        for (const { key } of listed) {
          expect(lines.filter((line) => line.includes(`| ${key} |`))).toHaveLength(1);
        }
      }),
      { numRuns: 40 },
    );
  });
});
