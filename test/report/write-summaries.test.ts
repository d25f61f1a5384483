import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WorkflowRow } from '../../src/report/model.js';
import { placedRowText, rowText, wholeRowText } from '../../src/report/model.js';
import { totalsOf } from '../../src/report/totals.js';
import type { SummaryName } from '../../src/report/write-summaries.js';
import { renderSummaryJson, writeSummaries } from '../../src/report/write-summaries.js';
import { validateRunSummary } from '../../src/schemas/validators.generated.js';
import { anyRows, rowWith } from './rows.js';

const head = { squadc: '1.2.3', options: { target: 'vapi' as const } };

async function written(rows: readonly WorkflowRow[]): Promise<Map<SummaryName, string>> {
  const files = new Map<SummaryName, string>();
  await writeSummaries(
    { ...head, rows: () => rows.map(wholeRowText), results: [], totalResults: 0 },
    (name, pieces) => void files.set(name, [...pieces].join('')),
  );
  return files;
}

describe('summary.json', () => {
  it('is what the model says, in its order, a row a line', () => {
    fc.assert(
      fc.property(anyRows(), (rows) => {
        const text = [...renderSummaryJson(head, totalsOf(rows), rows.map(wholeRowText))].join('');
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
    const pieces = renderSummaryJson(
      { squadc: '1', options, shard: { index: 2, count: 3 } },
      totalsOf([]),
      [],
    );
    const parsed = JSON.parse([...pieces].join(''));
    expect(parsed.options).toEqual({ target: 'squad' });
    expect(parsed.shard).toEqual({ index: 2, count: 3 });
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
});

describe('a row as a text', () => {
  it('has one order of its members, whatever that of the object was', () => {
    fc.assert(
      fc.property(anyRows(3), (rows) => {
        for (const row of rows) {
          const turned = Object.fromEntries(
            Object.entries(row).reverse(),
          ) as unknown as WorkflowRow;
          expect(rowText(turned)).toBe(rowText(row));
        }
      }),
      { numRuns: 20 },
    );
  });

  it('gets its place in front', () => {
    expect(placedRowText('{"key":"a"}', 3)).toBe('{"index":3,"key":"a"}');
    expect(placedRowText('{"key":"a"}', 3, 17)).toBe('{"index":3,"line":17,"key":"a"}');
  });
});

describe('the summaries of a run', () => {
  it('are four files that agree, the JSON last', async () => {
    const rows = [rowWith(), rowWith({ index: 1, status: 'needs-answers' })];
    const files = await written(rows);
    expect([...files.keys()]).toEqual([
      'summary.csv',
      'summary.md',
      'summary.sarif',
      'summary.json',
    ]);
    expect(JSON.parse(files.get('summary.json') ?? '').workflows).toEqual(rows);
    expect(files.get('summary.csv')?.split('\r\n')).toHaveLength(4);
    expect(files.get('summary.md')).toContain('2 workflows with 12 nodes');
    expect(JSON.parse(files.get('summary.sarif') ?? '').runs[0].results).toEqual([]);
  });

  it('come in pieces, with few rows parsed at a time', async () => {
    const amount = 20_000;
    const text = rowText(rowWith());
    let asked = 0;
    function* rows() {
      for (let index = 0; index < amount; index += 1) {
        asked += 1;
        yield placedRowText(text, index);
      }
    }
    const longest = new Map<SummaryName, number>();
    const totals = await writeSummaries(
      { ...head, rows, results: [], totalResults: 0 },
      (name, pieces) => {
        for (const { length } of pieces)
          longest.set(name, Math.max(length, longest.get(name) ?? 0));
      },
    );
    expect(totals.workflows).toBe(amount);
    expect(asked).toBe(2 * amount);
    for (const length of longest.values()) expect(length).toBeLessThan(200_000);
  });

  it('are not believed where the table was not written whole', async () => {
    const input = { ...head, rows: () => [wholeRowText(rowWith())], results: [], totalResults: 0 };
    await expect(writeSummaries(input, () => {})).rejects.toThrow('summary.csv was not written');
  });
});
