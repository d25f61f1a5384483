/**
 * Writes the pages of a run from its files: `summary.html`, `report.html` beside each `result.json`,
 * and the script that they share. The caller puts the files in place, because it knows which files
 * are ours. A result that cannot be read gets no page, and is named.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../index.js';
import { readPackageFile } from '../io/files.js';
import { validateResultFile } from '../schemas/result-file-validator.generated.js';
import { scriptName, scriptOf } from './document.js';
import { relativeAddress } from './html.js';
import type { ResultFile, WorkflowRow } from './model.js';
import { renderFleet } from './page/fleet.js';
import { fileNames, renderPage } from './page/page.js';
import { readRun } from './summaries.js';

/** `foreign`: a file that squadc did not write has this name, and stays. */
export type WriteOutcome = 'written' | 'unchanged' | 'foreign';

export interface ReportOptions {
  readonly pages: 'all' | 'none';
  /** Writes a file of the output folder in one step; the path is POSIX. */
  readonly writeFile: (path: string, text: string) => WriteOutcome | Promise<WriteOutcome>;
  /** After each workflow. */
  readonly onPage?: (done: number) => void;
}

export type WrittenReport = Awaited<ReturnType<typeof writeReport>>;

/** Throws `NotASummary` if `summary.json` was not written by squadc. */
export async function writeReport(out: string, options: ReportOptions) {
  const { squadc, totals, rows } = readRun(out);
  // Paths that a file of somebody else has, and results that could not be read.
  const foreign: string[] = [];
  const unread: { key: string; reason: string }[] = [];
  const write = async (path: string, text: string) => {
    if ((await options.writeFile(path, text)) === 'foreign') foreign.push(path);
  };
  let pages = 0;
  for (const [at, { key, folder }] of (options.pages === 'all' ? rows : []).entries()) {
    const page = existsSync(join(out, folder, 'result.json')) ? pageOf(join(out, folder)) : null;
    if (typeof page === 'string') {
      await write(`${folder}/report.html`, page);
      pages += 1;
    } else if (page !== null) unread.push({ key, reason: page.reason });
    options.onPage?.(at + 1);
  }
  // The page, else the result.
  const addressOf = ({ folder }: WorkflowRow) => {
    const file = ['report.html', 'result.json'].find((name) => existsSync(join(out, folder, name)));
    return file === undefined ? '' : relativeAddress(`${folder}/${file}`);
  };
  await write(scriptName, scriptOf(readPackageFile('dist/playground.html')));
  await write('summary.html', renderFleet({ squadc, totals, rows, addressOf }));
  return { workflows: totals.workflows, pages, foreign, unread };
}

/** The page, or why it cannot be made. */
function pageOf(folder: string): string | { readonly reason: string } {
  const result = readJson(join(folder, 'result.json'));
  if (result === undefined) return { reason: 'result.json cannot be read' };
  if (!validateResultFile(result)) return { reason: 'result.json was not written by squadc' };
  // The record has the digest of the page itself.
  const { record: _, ...file } = result as unknown as ResultFile & { readonly record: Json };
  const isComplete = file.status === 'complete';
  const squad = isComplete ? readJson(join(folder, 'squad.json')) : file.draft;
  if (squad === undefined) return { reason: 'squad.json cannot be read' };
  const there = fileNames.filter((name) => existsSync(join(folder, name)));
  return renderPage(file, squad, there);
}

/** Undefined if the file cannot be read or is not JSON. */
function readJson(path: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
