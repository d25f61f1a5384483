/**
 * The folder of a workflow, which speaks for itself and is put in place all or none.
 *
 *     tmp/<part>/<thread>.<number>/   made by a thread, file by file
 *     tmp/<part>/<key>/               whole: renamed so once nothing stands in the way
 *     <key>/                          outdated files go, the others come, result.json last
 *
 * What a kill leaves in the second state is finished by the next run, what it leaves in the first is
 * thrown away. The first line of result.json, the record, says what the files are made of, and their
 * sizes and digests: so it is known whether they are up to date, and which are squadc's own.
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

/** All names that files of a workflow can have; the one with the record is put in place last. */
const fileNames = ['squad.json', 'questions.md', 'report.html', 'result.json'] as const;
export type FileName = (typeof fileNames)[number];

/** The texts of a workflow's files. */
export type Files = ReadonlyMap<FileName, string>;

/** Size and digest of a file. */
type Print = readonly [size: number, digest: string];

/** What is recorded of a workflow, beside its files. */
export interface Recorded {
  /** Digest of what all files of the run are made of: version, options, policies. */
  readonly run: string;
  /** Digest of all that the files are made of: the workflow and its answers too. */
  readonly made: string;
  /** Of a file with several workflows, from 1 on. */
  readonly line?: number;
  readonly row: RowFacts;
  readonly findings: readonly SarifFinding[];
}

export interface FolderRecord extends Recorded {
  /** Of `result.json` without its first line. */
  readonly rest: Print;
  /** The other files. */
  readonly files: Readonly<Partial<Record<FileName, Print>>>;
}

/** With the bytes of the line that it stands in. */
export type ReadRecord = FolderRecord & { readonly head: number };

/** Something could not be written; the message says what and why. */
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

/** The fault of writing something below the output folder, POSIX. */
export function writeFault(path: string, error: unknown): WriteFault {
  if (error instanceof WriteFault) return error;
  return new WriteFault('batch/write-failed', `cannot write ${path}: ${reasonOf(error)}`);
}

/** Where files go, and by which rule. */
export interface Output {
  /** Absolute. */
  readonly out: string;
  /** What is not yet in place; on the same file system, and of this run alone. */
  readonly tmp: string;
  /** Overwrites what squadc did not write. */
  readonly force: boolean;
}

/** Names of files of a folder that went, or stay although they are outdated. */
export interface Placed {
  readonly removed: readonly FileName[];
  readonly kept: readonly FileName[];
}

const opening = '{"record":{"digest":"';
const partAt = opening.length + 18;

/**
 * Writes the files into a new folder, and `result.json` of the record and of what follows its first
 * line. `others` are files of the record that stay where they are.
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

/** Null where there is no `result.json`, or not one that squadc wrote for this key. */
export function readRecord(folder: string, key: string = basename(folder)): ReadRecord | null {
  const line = firstLine(join(folder, 'result.json'));
  if (line === null || !line.startsWith(opening)) return null;
  const text = line.slice(partAt);
  if (line.slice(opening.length, partAt) !== `${digestOf(text)}",`) return null;
  // What has its digest is as squadc wrote it; whoever wrote the digest too is believed.
  const record = JSON.parse(`{${text.slice(0, -2)}`) as FolderRecord;
  return record.row.key === key ? { ...record, head: Buffer.byteLength(line) } : null;
}

/** What follows the record in `result.json`. */
export function readRest(folder: string, { head }: ReadRecord): string {
  return readFileSync(join(folder, 'result.json')).subarray(head).toString();
}

/** With its end. */
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
 * Whether the files are as they were written. `result.json` is written last, so what is younger
 * was touched since, and is read.
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

/** Puts what was staged into the workflow's folder. Throws a `WriteFault`, with nothing changed. */
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

/** Finishes what a killed run has begun, and throws away the rest. */
export function recover(output: Output): void {
  for (const key of readdirSync(output.tmp)) {
    const from = join(output.tmp, key);
    try {
      if (keyForm.test(key) && readRecord(from) !== null) {
        const { outdated, foreign } = survey(from, key, output);
        move(from, join(output.out, key), outdated, foreign);
      }
    } catch {
      // The workflow is done anew, and what stands in the way is said.
    }
    discard(from);
  }
}

interface Survey {
  /** Names at which somebody else's file stands in the way. */
  readonly foreign: readonly FileName[];
  readonly outdated: readonly FileName[];
  readonly kept: readonly FileName[];
}

/** Looks at what stands in the folder where the files in `from` are to go. */
function survey(from: string, key: string, { out, force }: Output): Survey {
  const to = join(out, key);
  const found = { foreign: [] as FileName[], outdated: [] as FileName[], kept: [] as FileName[] };
  const stats = lstatSync(to, { throwIfNoEntry: false });
  if (stats === undefined) return found;
  if (!stats.isDirectory()) throw foreignFile(key);
  // What was moved already, only the new record knows.
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

/** Whether a file is squadc's own, by one of the records of its folder. */
function isOwn(folder: string, name: FileName, records: readonly FolderRecord[]): boolean {
  const bytes = readFileSync(join(folder, name));
  if (name !== 'result.json') {
    const digest = digestOf(bytes);
    return records.some(({ files }) => files[name]?.[1] === digest);
  }
  const rest = digestOf(bytes.subarray(bytes.indexOf(0x0a) + 1));
  return readRecord(folder) !== null && records.some((record) => record.rest[1] === rest);
}

/** What cannot be begun is undone; what is begun stays for the next run to finish. */
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

/** What cannot be thrown away now is by the next run. */
export function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Something is wrong with the disk, which whoever writes to it says.
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
