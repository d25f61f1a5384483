/**
 * The folder of a workflow: self-describing, and put in place completely or not at all.
 *
 *     tmp/<part>/<thread>.<number>/   written by a thread, file by file
 *     tmp/<part>/<key>/               complete: renamed once nothing is in the way
 *     <key>/                          outdated files go, new ones come, result.json last
 *
 * After a kill, the next run finishes a folder in the second state and deletes one in the first. The
 * first line of result.json, the record, has a digest of everything the files are made from, and
 * their sizes and digests. It tells whether they are up to date, and which files squadc wrote.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import type { RowFacts } from '../report/model.js';
import type { SarifFinding } from '../report/sarif.js';
import type { Failure } from './items.js';
import { keyForm } from './key.js';
import { digestOf, reasonOf } from './values.js';

/** All names of a workflow's files; the file with the record is put in place last. */
const fileNames = ['squad.json', 'questions.md', 'report.html', 'result.json'] as const;
export type FileName = (typeof fileNames)[number];

/** The texts of a workflow's files. */
export type Files = ReadonlyMap<FileName, string>;

/** Size and digest of a file. */
type Print = readonly [size: number, digest: string];

/** The record of a workflow, apart from its files. */
export interface Recorded {
  /** Digest of what all workflows of the run have in common: version, options, policies. */
  readonly run: string;
  /** Digest of everything the files are made from, including the workflow and its answers. */
  readonly made: string;
  /** Line in a file with several workflows, from 1. */
  readonly line?: number;
  readonly row: RowFacts;
  readonly findings: readonly SarifFinding[];
}

export interface FolderRecord extends Recorded {
  /** `result.json` without its first line. */
  readonly rest: Print;
  /** The other files. */
  readonly files: Readonly<Partial<Record<FileName, Print>>>;
}

/** The record, and the length of its line in bytes. */
export type ReadRecord = FolderRecord & { readonly head: number };

/** A file could not be written; the message says which and why. */
export class WriteFault extends Error implements Failure {
  override readonly name = 'WriteFault';

  constructor(
    readonly code: 'batch/write-failed' | 'batch/foreign-file',
    message: string,
  ) {
    super(message);
  }
}

export function foreignFile(path: string): WriteFault {
  const message = `${path} already exists and was not written by squadc`;
  return new WriteFault('batch/foreign-file', message);
}

/** The fault for a path below the output folder, in POSIX form. */
export function writeFault(path: string, error: unknown): WriteFault {
  if (error instanceof WriteFault) return error;
  return new WriteFault('batch/write-failed', `cannot write ${path}: ${reasonOf(error)}`);
}

/** Where files go, and what may be overwritten. */
export interface Output {
  /** Absolute. */
  readonly out: string;
  /** Files that are not in place yet; on the same file system, and only for this run. */
  readonly tmp: string;
  /** Overwrites files that squadc did not write. */
  readonly force: boolean;
}

/** Names of outdated files that were removed or kept. */
export interface Placed {
  readonly removed: readonly FileName[];
  readonly kept: readonly FileName[];
}

const opening = '{"record":{"digest":"';
const partAt = opening.length + 18;

/**
 * Writes the files into a new folder, and `result.json` from the record and its other lines.
 * `others` are files of the record that stay where they are.
 */
export function stage(
  folder: string,
  files: Files,
  recorded: Recorded,
  rest: string,
  others: FolderRecord['files'] = {},
): void {
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  const prints = Array.from(files, ([name, text]) => [name, printOf(text)]);
  const all = { ...others, ...Object.fromEntries(prints) };
  const { run, made, line, row, findings } = recorded;
  const place = line === undefined ? {} : { line };
  const record: FolderRecord = {
    run,
    made,
    rest: printOf(rest),
    files: all,
    ...place,
    row,
    findings,
  };
  const text = `${JSON.stringify(record).slice(1)},\n`;
  writeFileSync(join(folder, 'result.json'), `${opening}${digestOf(text)}",${text}${rest}`);
}

function printOf(text: string): Print {
  const bytes = Buffer.from(text);
  return [bytes.length, digestOf(bytes)];
}

/** Null if there is no `result.json` that squadc wrote for this key. */
export function readRecord(folder: string, key: string = basename(folder)): ReadRecord | null {
  const line = firstLine(join(folder, 'result.json'));
  if (line === null || !line.startsWith(opening)) return null;
  const text = line.slice(partAt);
  if (line.slice(opening.length, partAt) !== `${digestOf(text)}",`) return null;
  // A file with the recorded digest is as squadc wrote it; a forged digest is believed.
  const record = JSON.parse(`{${text.slice(0, -2)}`) as FolderRecord;
  return record.row.key === key ? { ...record, head: Buffer.byteLength(line) } : null;
}

/** The rest of `result.json` after the record. */
export function readRest(folder: string, { head }: ReadRecord): string {
  return readFileSync(join(folder, 'result.json')).subarray(head).toString();
}

/** The first line, including its line break. */
function firstLine(path: string): string | null {
  let file: number;
  try {
    if (!lstatSync(path).isFile()) return null;
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    let bytes = Buffer.alloc(0);
    for (let size = 8192; ; size *= 4) {
      const more = Buffer.allocUnsafe(size);
      const count = readSync(file, more, 0, size, bytes.length);
      const end = more.subarray(0, count).indexOf(0x0a);
      bytes = Buffer.concat([bytes, more.subarray(0, end === -1 ? count : end + 1)]);
      if (end !== -1) return bytes.toString();
      if (count === 0 || bytes.length > 64 * 1024 * 1024) return null;
    }
  } finally {
    closeSync(file);
  }
}

/**
 * Whether the files are as they were written. `result.json` is written last, so a newer file has
 * been touched since and is read.
 */
export function areAsWritten(folder: string, { files, rest, head }: ReadRecord): boolean {
  const result = statSync(join(folder, 'result.json'));
  if (result.size !== head + rest[0]) return false;
  return Object.entries(files).every(([name, print]) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size !== print[0]) return false;
    return stats.mtimeMs <= result.mtimeMs || digestOf(readFileSync(path)) === print[1];
  });
}

/** Moves staged files into the workflow's folder. Throws a `WriteFault` and changes nothing. */
export function place(key: string, staged: string, output: Output): Placed {
  const from = join(output.tmp, key);
  try {
    const { foreign, outdated, kept } = survey(staged, key, output);
    if (foreign[0] !== undefined) throw foreignFile(`${key}/${foreign[0]}`);
    discard(from);
    renameSync(staged, from);
    move(from, join(output.out, key), outdated, []);
    return { removed: outdated, kept };
  } catch (error) {
    discard(staged);
    throw writeFault(key, error);
  }
}

/** Finishes what a killed run started to move, and deletes the rest. */
export function recover(output: Output): void {
  for (const key of readdirSync(output.tmp)) {
    const from = join(output.tmp, key);
    try {
      if (keyForm.test(key) && readRecord(from) !== null) {
        const { outdated, foreign } = survey(from, key, output);
        move(from, join(output.out, key), outdated, foreign);
      }
    } catch {
      // The workflow is made again, and what is in the way is reported.
    }
    discard(from);
  }
}

interface Survey {
  /** Names of foreign files that are in the way. */
  readonly foreign: readonly FileName[];
  readonly outdated: readonly FileName[];
  readonly kept: readonly FileName[];
}

/** Checks the folder into which the files in `from` will be moved. */
function survey(from: string, key: string, { out, force }: Output): Survey {
  const to = join(out, key);
  const found = { foreign: [] as FileName[], outdated: [] as FileName[], kept: [] as FileName[] };
  const stats = lstatSync(to, { throwIfNoEntry: false });
  if (stats === undefined) return found;
  if (!stats.isDirectory()) throw foreignFile(key);
  // Only the new record knows files that have been moved already.
  const [old, next] = [readRecord(to), readRecord(from, key)];
  const records = [old, next].filter((each) => each !== null);
  for (const name of fileNames) {
    if (!isThere(join(to, name))) continue;
    const own = lstatSync(join(to, name)).isFile() && isOwn(to, name, records);
    if (!isThere(join(from, name))) {
      if (next?.files[name] === undefined) (own ? found.outdated : found.kept).push(name);
    } else if (!own && !force) found.foreign.push(name);
  }
  return found;
}

/** Whether squadc wrote the file, according to a record of its folder. */
function isOwn(folder: string, name: FileName, records: readonly FolderRecord[]): boolean {
  const bytes = readFileSync(join(folder, name));
  if (name !== 'result.json') {
    const digest = digestOf(bytes);
    return records.some(({ files }) => files[name]?.[1] === digest);
  }
  const rest = digestOf(bytes.subarray(bytes.indexOf(0x0a) + 1));
  return readRecord(folder) !== null && records.some((record) => record.rest[1] === rest);
}

/** Undoes a move that cannot start; one that has started is left for the next run to finish. */
function move(
  from: string,
  to: string,
  outdated: readonly FileName[],
  passed: readonly FileName[],
): void {
  const isNew = !isThere(to);
  let isUntouched = true;
  try {
    if (isNew) mkdirSync(to);
    for (const name of outdated) {
      rmSync(join(to, name));
      isUntouched = false;
    }
    for (const name of fileNames) {
      if (passed.includes(name) || !isThere(join(from, name))) continue;
      renameSync(join(from, name), join(to, name));
      isUntouched = false;
    }
    rmSync(from, { recursive: true });
  } catch (error) {
    if (isUntouched && isNew) discard(to);
    if (isUntouched) discard(from);
    throw error;
  }
}

/** If a folder cannot be deleted now, the next run deletes it. */
export function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The disk has a fault, which the next write reports.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
