/**
 * Pages that are generated, completely or in part, match the code; `npm run tables` rewrites them.
 * A generated part stands between two marks, the first of which says what to generate:
 *
 *     <!-- made: questions -->
 *     …
 *     <!-- /made -->
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { billsOperations } from '../../src/bills.js';
import { faultCodes } from '../../src/cli/faults.js';
import { run } from '../../src/cli/run.js';
import { questionKinds } from '../../src/diagnostics/answers.js';
import { codes } from '../../src/diagnostics/explain.js';
import { documentOperations } from '../../src/documents.js';
import type { Json } from '../../src/index.js';
import { valueAt } from '../../src/text/pointer.js';
import { fakeIo } from '../cli/fake-io.js';
import { pretty } from '../golden/cases.js';
import { wantsUpdate } from '../golden/compare.js';
import { codesPage, operationsPage, questionsTable, toolsPage } from './tables.js';

const pages: Readonly<Record<string, (present: string) => Promise<string>>> = {
  'README.md': fillMarks,
  'src/ARCHITECTURE.md': fillMarks,
  'src/clients/OPERATIONS.md': async () => operationsPage(),
  'src/serve/TOOLS.md': async () => toolsPage(),
  'src/diagnostics/CODES.md': async () => codesPage(),
};

async function fillMarks(page: string): Promise<string> {
  const part = /<!-- made: ([^\n]+?) -->\n.*?<!-- \/made -->/gs;
  const made: string[] = [];
  for (const [, words = ''] of page.matchAll(part)) {
    const [what, ...others] = words.split(' ');
    const text = what === 'questions' ? questionsTable() : await emitted(others);
    made.push(`<!-- made: ${words} -->\n\n${text.trim()}\n\n<!-- /made -->`);
  }
  return page.replace(part, () => made.shift() ?? '');
}

/** The output of `squadc compile <file> --emit <what>`, or its values at some places. */
async function emitted([what = '', file = '', ...places]: readonly string[]): Promise<string> {
  const io = fakeIo({ cwd: process.cwd() });
  const command = ['compile', file, '--emit', what];
  if ((await run(command, io)) !== 0) throw new Error(io.err());
  const document: Json = JSON.parse(io.out());
  const parts = places.map((at) => [at, valueAt(document, at)!] as const);
  const line = `\`squadc ${command.join(' ')}\`${places.length > 0 ? ', by place:' : ''}`;
  const shown = places.length > 0 ? Object.fromEntries(parts) : document;
  return `${line}\n\n\`\`\`json\n${pretty(shown)}\`\`\`\n`;
}

it.each(Object.entries(pages))('%s is up to date', async (file, make) => {
  const read = () => (existsSync(file) ? readFileSync(file, 'utf8').replaceAll('\r\n', '\n') : '');
  const now = await make(read());
  if (wantsUpdate(process.env)) writeFileSync(file, now);
  expect(read()).toBe(now);
});

it('the tables have a row for everything', () => {
  const rowsOf = (page: string) => [...page.matchAll(/^\| `([\w./-]+)` \|/gm)].map(([, id]) => id);
  const headings = [...codesPage().matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
  const named = rowsOf(codesPage()).filter((id) => id?.includes('/'));
  expect([...named, ...headings].sort()).toEqual([...codes(), ...faultCodes].sort());
  expect(rowsOf(questionsTable())).toEqual(questionKinds());
  const operations = [...Object.values(billsOperations), ...documentOperations];
  expect(rowsOf(operationsPage())).toEqual(operations.map(({ id }) => id));
});
