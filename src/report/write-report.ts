/**
 * Writes the pages of a run: `summary.html`, `report.html` beside each `result.json`, and the script
 * that all of them share.
 *
 * In: what the run wrote, nothing else; so the pages can be made at any time after it. How a file
 * is put in place is the caller's to say, who knows which files are ours. A result that cannot be
 * read has no page and is named; the others have theirs.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../compiler/ir/secrets.js';
import type { Json } from '../index.js';
import { validateResultFile } from '../schemas/validators.generated.js';
import { scriptName } from './document.js';
import { pictureOfResult } from './graph/pictures.js';
import { relativeAddress } from './html.js';
import type { ResultFile, WorkflowRow } from './model.js';
import { renderFleet, type ShownRows } from './page/fleet.js';
import { renderPage } from './page/page.js';
import { planWalks } from './page/walks.js';
import { type Run, readRun } from './read-summary.js';
import { byNeed, needsPerson } from './rows.js';

/**
 * Puts a file below the output folder, in one step; a path is POSIX. `foreign`: a file that is not
 * ours is in the way, and stays.
 */
export type WriteFile = (path: string, text: string) => WriteOutcome | Promise<WriteOutcome>;
export type WriteOutcome = 'written' | 'unchanged' | 'foreign';

export interface ReportOptions {
  readonly pages: 'all' | 'none';
  readonly writeFile: WriteFile;
  /** Whether the page of a workflow is there, made of what is there now; else it is made anew. */
  readonly isCurrent?: (row: WorkflowRow) => boolean;
  /** After each workflow. */
  readonly onPage?: (done: number) => void;
}

export interface WrittenReport {
  /** Workflows of the run. */
  readonly workflows: number;
  /** Pages of workflows, those that were there already among them. */
  readonly pages: number;
  /** Paths of files that are in the way. */
  readonly foreign: readonly string[];
  /** Workflows whose result could not be read. */
  readonly unread: readonly Unread[];
}

export interface Unread {
  readonly key: string;
  readonly reason: string;
}

/** More rows than this are no longer looked at one by one. */
const mostRows = 5_000;

/** Throws `NotASummary` where there is no `summary.json` that squadc wrote. */
export async function writeReport(out: string, options: ReportOptions): Promise<WrittenReport> {
  const run = readRun(out);
  const foreign: string[] = [];
  const unread: Unread[] = [];
  const { isCurrent = () => false } = options;
  const write = async (path: string, text: string) => {
    if ((await options.writeFile(path, text)) === 'foreign') foreign.push(path);
  };
  let pages = 0;
  let done = 0;
  for (const row of options.pages === 'all' ? run.rows : []) {
    const page = isCurrent(row) ? null : pageOf(out, row);
    if (page === null) pages += 1;
    else if ('reason' in page) unread.push({ key: row.key, reason: page.reason });
    else if (page.text !== null) {
      await write(`${row.folder}/report.html`, page.text);
      pages += 1;
    }
    done += 1;
    options.onPage?.(done);
  }
  const { squadc, totals } = run;
  const addressOf = (row: WorkflowRow) => addressIn(out, row);
  await write(scriptName, readMade(scriptName));
  await write('summary.html', renderFleet({ squadc, totals, shown: shownRows(run), addressOf }));
  return { workflows: totals.workflows, pages, foreign, unread };
}

/** A file of the package: beside the built command, or where it is made in a clone that is not built. */
export function readMade(name: string): string {
  const [built, made] = [name, name.replace('.', '.generated.')].map(
    (file) => new URL(`./${file}`, import.meta.url),
  ) as [URL, URL];
  return readFileSync(existsSync(built) ? built : made, 'utf8');
}

/** Open work first: all rows; of a large run those that need a person, and of them the most urgent. */
function shownRows({ rows }: Run): ShownRows {
  const isAll = rows.length <= mostRows;
  const sorted = (isAll ? [...rows] : rows.filter(needsPerson)).sort(byNeed);
  return { which: isAll ? 'all' : 'need', rows: sorted.slice(0, mostRows), of: sorted.length };
}

/** The best that can be looked at. */
function addressIn(out: string, { folder }: WorkflowRow): string {
  const file = ['report.html', 'result.json'].find((name) => existsSync(join(out, folder, name)));
  return file === undefined ? '' : relativeAddress(`${folder}/${file}`);
}

/** A page, none where there is no result, or why it cannot be made. */
function pageOf(
  out: string,
  { folder }: WorkflowRow,
): { readonly text: string | null } | { readonly reason: string } {
  const beside = (name: string) => join(out, folder, name);
  if (!existsSync(beside('result.json'))) return { text: null };
  const result = readJson(beside('result.json'));
  if (result === undefined) return { reason: 'result.json cannot be read' };
  if (!validateResultFile(result)) return { reason: 'result.json was not written by squadc' };
  const squad = readSquad(beside('squad.json'), result as unknown as ResultFile);
  if (squad === undefined) return { reason: 'squad.json cannot be read' };
  const files = ['squad.json', 'questions.md', 'result.json'];
  const there = files.filter((name) => existsSync(beside(name)));
  return { text: renderResult(result as unknown as ResultFile, squad, there) };
}

/** The page of a workflow; `squad` is without secrets, `files` are the names of those beside it. */
export function renderResult(result: ResultFile, squad: Json, files: readonly string[]): string {
  return renderPage({
    result,
    squad,
    pictures: pictureOfResult(result, squad),
    walks: planWalks(result),
    home: '../summary.html',
    files: ['squad.json', 'result.json', 'questions.md'].filter((name) => files.includes(name)),
  });
}

/** The squad without its secrets; while there is none, the draft, which has none. */
function readSquad(path: string, { status, draft }: ResultFile): Json | undefined {
  if (status !== 'complete') return draft;
  const squad = readJson(path);
  return squad === undefined ? undefined : redact(squad);
}

/** Undefined where the file is not there, cannot be read, or is no JSON. */
function readJson(path: string): Json | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error))
      return undefined;
    throw error;
  }
}
