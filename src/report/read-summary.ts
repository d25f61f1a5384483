/**
 * Reads the summaries of a run line by line, as they were written: the rows of a hundred thousand
 * workflows are never held as one text.
 */

import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Totals, WorkflowRow } from './model.js';
import { rowsBegin, rowsEnd } from './write-summaries.js';

/** A file that is not in the form in which squadc writes it. */
export class NotASummary extends Error {
  override readonly name = 'NotASummary';
}

/** Members that stand above a list, and the texts of its elements. */
export interface ListedFile {
  /** The lines above the list as one object. */
  readonly head: Readonly<Record<string, unknown>>;
  readonly items: Iterable<string>;
}

/** A `summary.json`; the items can be asked for as often as they are needed. */
export function readSummary(path: string): ListedFile {
  const head = headOf(path, rowsBegin, (lines) => `${lines.join('\n').replace(/,$/, '')}}`);
  return { head, items: { [Symbol.iterator]: () => itemsOf(path, rowsBegin, rowsEnd) } };
}

function headOf(
  path: string,
  begin: string,
  objectOf: (lines: readonly string[]) => string,
): ListedFile['head'] {
  const above: string[] = [];
  for (const line of linesOf(path)) {
    if (line !== begin) above.push(line);
    else return parseObject(objectOf(above), path);
    if (above.length > 10_000) break;
  }
  throw new NotASummary(`${path} is not in the form in which squadc writes it`);
}

function parseObject(text: string, path: string): ListedFile['head'] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as ListedFile['head'];
  } catch {
    // Said below, as for what is JSON and no object.
  }
  throw new NotASummary(`${path} is not in the form in which squadc writes it`);
}

function* itemsOf(path: string, begin: string, end: string): Generator<string> {
  let inside = false;
  for (const line of linesOf(path)) {
    if (inside && line === end) return;
    if (inside) yield line.endsWith(',') ? line.slice(0, -1) : line;
    else inside = line === begin;
  }
  throw new NotASummary(`${path} ends before its list does`);
}

const newline = 10;

/** The lines of a file without their ends; only one of them and a piece of the file are held. */
function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(65_536);
    let rest: Buffer[] = [];
    for (;;) {
      const read = readSync(file, piece);
      if (read === 0) break;
      let from = 0;
      for (let at = piece.indexOf(newline); at !== -1 && at < read; ) {
        yield Buffer.concat([...rest, piece.subarray(from, at)]).toString();
        rest = [];
        from = at + 1;
        at = piece.indexOf(newline, from);
      }
      if (from < read) rest.push(Buffer.from(piece.subarray(from, read)));
    }
    if (rest.length > 0) yield Buffer.concat(rest).toString();
  } finally {
    closeSync(file);
  }
}

export interface Run {
  readonly squadc: string;
  readonly totals: Totals;
  /** In the order of the input; can be asked for as often as needed. */
  rows(): Iterable<WorkflowRow>;
}

/** Throws `NotASummary` where `summary.json` is not one that squadc wrote. */
export function readRun(out: string): Run {
  const { head, items } = readSummary(join(out, 'summary.json'));
  const { squadc, totals } = head as { squadc?: unknown; totals?: Totals };
  if (typeof squadc !== 'string' || typeof totals?.workflows !== 'number') {
    throw new NotASummary('summary.json has no totals');
  }
  return { squadc, totals, rows: () => rowsOf(items) };
}

function* rowsOf(items: Iterable<string>): Generator<WorkflowRow> {
  for (const text of items) {
    const row = JSON.parse(text) as WorkflowRow;
    if (!isFolder(row.folder)) throw new NotASummary('summary.json names a folder of no run');
    yield row;
  }
}

/** As runs name them, so that nothing outside of the output folder is read or written. */
function isFolder(folder: unknown): boolean {
  return typeof folder === 'string' && /^(?:[0-9a-f]{2}\/)?[a-z0-9-]+$/.test(folder);
}
