/**
 * The folder of a workflow: self-describing, and put in place completely or not at all.
 *
 *     tmp/<part>/<thread>.<number>/   written by a thread, file by file
 *     tmp/<part>/<key>/               complete: renamed, and only then put in place
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
import { digestOf, reasonOf } from '../io/digest.js';

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
  readonly row: RowFacts;
  readonly findings: readonly SarifFinding[];
}

interface FolderRecord extends Recorded {
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

/** Names of outdated files that were removed, or kept because they were changed. */
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
  { run, made, row, findings }: Recorded,
  rest: string,
  others: FolderRecord['files'] = {},
): void {
  mkdirSync(folder);
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  const prints = Array.from(files, ([name, text]) => [name, printOf(text)]);
  const all = { ...others, ...Object.fromEntries(prints) };
  const record: FolderRecord = { run, made, rest: printOf(rest), files: all, row, findings };
  const text = `${JSON.stringify(record).slice(1)},\n`;
  writeFileSync(join(folder, 'result.json'), `${opening}${digestOf(text)}",${text}${rest}`);
}

/** Stages what changes in a folder whose result stays the same. */
export function stageChange(
  staged: string,
  folder: string,
  record: ReadRecord,
  { files = new Map(), row = record.row }: { readonly files?: Files; readonly row?: RowFacts },
): void {
  const rest = readFileSync(join(folder, 'result.json')).subarray(record.head).toString();
  stage(staged, files, { ...record, row }, rest, record.files);
}

function printOf(text: string): Print {
  const bytes = Buffer.from(text);
  return [bytes.length, digestOf(bytes)];
}

/** Null if there is no `result.json` that squadc wrote for the key by which the folder is named. */
export function readRecord(folder: string): ReadRecord | null {
  const line = firstLine(join(folder, 'result.json'));
  if (!line?.startsWith(opening)) return null;
  const text = line.slice(partAt);
  if (line.slice(opening.length, partAt) !== `${digestOf(text)}",`) return null;
  // A file with the recorded digest is as squadc wrote it; a forged digest is believed.
  const record = JSON.parse(`{${text.slice(0, -2)}`) as FolderRecord;
  return record.row.key === basename(folder) ? { ...record, head: Buffer.byteLength(line) } : null;
}

/** The first line, including its line break. A record is seldom longer than what is read first. */
function firstLine(path: string): string | null {
  const room = Buffer.allocUnsafe(16 * 1024);
  let file: number | null = null;
  try {
    if (!isFile(path)) return null;
    file = openSync(path, 'r');
    const start = room.subarray(0, readSync(file, room));
    const bytes = start.includes('\n') ? start : readFileSync(path);
    return bytes.toString('utf8', 0, bytes.indexOf('\n') + 1);
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Whether the files are as they were written. `result.json` is written last, so a newer file has
 * been touched since and is read.
 */
export function areAsWritten(folder: string, { files, rest, head }: ReadRecord): boolean {
  const result = statSync(join(folder, 'result.json'));
  if (result.size !== head + rest[0]) return false;
  return Object.entries(files).every(([name, [size, digest]]) => {
    const path = join(folder, name);
    if (!isFile(path)) return false;
    const stats = statSync(path);
    if (stats.size !== size) return false;
    return stats.mtimeMs <= result.mtimeMs || digestOf(readFileSync(path)) === digest;
  });
}

/** Moves staged files into the workflow's folder. Throws a `WriteFault`. */
export function place(key: string, staged: string, output: Output): Placed {
  try {
    renameSync(staged, join(output.tmp, key));
    return finish(key, output);
  } catch (error) {
    const fault = writeFault(key, error);
    if (fault.code === 'batch/foreign-file') discard(join(output.tmp, key));
    throw fault;
  }
}

/** Finishes what a killed run started to put in place, and deletes the rest. */
export function recover(output: Output): void {
  for (const name of readdirSync(output.tmp)) {
    const folder = join(output.tmp, name);
    try {
      if (keyForm.test(name) && readRecord(folder) !== null) finish(name, output);
    } catch {
      // The workflow is made again, and what is in the way is reported.
    }
    discard(folder);
  }
}

/** Changes nothing if a foreign file is in the way. */
function finish(key: string, { out, tmp, force }: Output): Placed {
  const [from, to] = [join(tmp, key), join(out, key)];
  if (isThere(to) && !lstatSync(to).isDirectory()) throw foreignFile(key);
  // Only the new record knows files that have been moved already.
  const [old, next] = [readRecord(to), readRecord(from)];
  const [removed, kept]: [FileName[], FileName[]] = [[], []];
  for (const name of fileNames.filter((each) => isThere(join(to, each)))) {
    const isOwn = wasWritten(to, name, old, next);
    if (isThere(join(from, name))) {
      if (!isOwn && !force) throw foreignFile(`${key}/${name}`);
    } else if (next?.files[name] === undefined) (isOwn ? removed : kept).push(name);
  }
  mkdirSync(to, { recursive: true });
  for (const name of removed) rmSync(join(to, name));
  for (const name of fileNames) {
    if (isThere(join(from, name))) renameSync(join(from, name), join(to, name));
  }
  rmSync(from, { recursive: true });
  return { removed, kept };
}

/** Whether squadc wrote the file, according to the records. */
function wasWritten(
  folder: string,
  name: FileName,
  old: ReadRecord | null,
  next: ReadRecord | null,
): boolean {
  const path = join(folder, name);
  if (!isFile(path)) return false;
  const bytes = readFileSync(path);
  if (name === 'result.json') return digestOf(bytes.subarray(old?.head)) === old?.rest[1];
  const digest = digestOf(bytes);
  return [old, next].some((record) => record?.files[name]?.[1] === digest);
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

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
