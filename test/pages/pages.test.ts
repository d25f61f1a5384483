/** The made pages say what the code says now; `npm run tables` writes them anew. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../src/bills.js';
import { faultCodes } from '../../src/cli/faults.js';
import { codes } from '../../src/diagnostics/explain.js';
import { questionKinds } from '../../src/diagnostics/questions.js';
import { documentOperations } from '../../src/documents.js';
import { wantsUpdate } from '../golden/compare.js';
import { codesPage } from './codes-page.js';
import { fillMarks } from './marks.js';
import { operationsPage } from './operations-page.js';
import { pages } from './pages.js';
import { questionsTable } from './questions-table.js';

/** Empty where nobody has made it yet. */
const read = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '';

describe('the page', () => {
  it.each(Object.entries(pages))('%s is up to date', async (file, make) => {
    const present = read(file);
    const now = await make(present);
    if (wantsUpdate(process.env)) writeFileSync(file, now);
    expect(read(file)).toBe(now);
  });
});

describe('a table', () => {
  it('of codes has a row for every code, and a heading for every kind of question', () => {
    const inTables = [...codesPage().matchAll(/^\| `(\w+\/[\w-]+)` \|/gm)].map(([, code]) => code);
    const headings = [...codesPage().matchAll(/^### (.+)$/gm)].map(([, kind]) => kind ?? '');
    expect([...inTables, ...headings].sort()).toEqual([...codes(), ...faultCodes].sort());
  });

  it('of questions has a row for every kind', () => {
    expect(namesIn(questionsTable())).toEqual(questionKinds());
  });

  it('of operations has a row for every operation', () => {
    const all = [...Object.values(billsOperations), ...documentOperations];
    expect(namesIn(operationsPage())).toEqual(all.map(({ id }) => id));
  });

  it.each([codesPage(), questionsTable(), operationsPage()])('has rows of one length', (page) => {
    for (const table of page.matchAll(/(?:^\|.*\n)+/gm)) {
      const lengths = table[0]
        .trimEnd()
        .split('\n')
        .map((row) => row.split(' | ').length);
      expect(new Set(lengths).size).toBe(1);
    }
  });
});

function namesIn(page: string): string[] {
  return [...page.matchAll(/^\| `([\w.-]+)` \|/gm)].map(([, name]) => name ?? '');
}

describe('a page of which a part is made', () => {
  const make = async ([what = '', ...more]: readonly string[]) =>
    what === 'sum' ? String(more.reduce((sum, each) => sum + Number(each), 0)) : null;

  it('keeps what is written', async () => {
    const page = 'a\n<!-- made: sum 1 2 -->\nold\n<!-- /made -->\nb <!-- x -->\n';
    const again = 'a\n<!-- made: sum 1 2 -->\n\n3\n\n<!-- /made -->\nb <!-- x -->\n';
    expect(await fillMarks(page, make)).toBe(again);
    expect(await fillMarks(again, make)).toBe(again);
  });

  it('has several parts', async () => {
    const page = '<!-- made: sum 1 -->\n<!-- /made -->\n<!-- made: sum 2 -->\n<!-- /made -->\n';
    const made =
      '<!-- made: sum 1 -->\n\n1\n\n<!-- /made -->\n<!-- made: sum 2 -->\n\n2\n\n<!-- /made -->\n';
    expect(await fillMarks(page, make)).toBe(made);
  });

  it('refuses what has no end, and what nobody can make', async () => {
    await expect(fillMarks('<!-- made: sum 1 -->\n', make)).rejects.toThrow('no end');
    const unknown = '<!-- made: love -->\n<!-- /made -->';
    await expect(fillMarks(unknown, make)).rejects.toThrow('“love”');
  });
});
