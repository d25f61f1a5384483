/**
 * Puts the files of a workflow into its folder, all or none, whenever the process is killed.
 *
 *     tmp/<part>/<thread>.<number>/   made by a thread, file by file
 *     tmp/<part>/<key>/               whole: renamed so once nothing stands in the way
 *     <key>/                          outdated files go, the others come, result.json last
 *
 * What a kill leaves in the second state is finished by the next run, what it leaves in the first is
 * thrown away. Files that squadc did not write stay, as the record in result.json tells them.
 */
import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Failure } from './items.js';
import { keyForm } from './key.js';
import { type FileName, fileNames, isOwn, readRecord } from './record.js';
import { reasonOf } from './system-error.js';

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

/** Where files go, and by which rules. */
export interface Output {
  /** Absolute. */
  readonly out: string;
  /** What is not yet in place; on the same file system, and of this run alone. */
  readonly tmp: string;
  readonly durable: boolean;
  readonly force: boolean;
}

/** Names of files of a folder that went, or stay although they are outdated. */
export interface Placed {
  readonly removed: readonly FileName[];
  readonly kept: readonly FileName[];
}

/** Writes the files into a new folder of this path. */
export function stage(
  folder: string,
  files: ReadonlyMap<FileName, string>,
  durable: boolean,
): void {
  mkdirSync(folder);
  for (const [name, text] of files) {
    const file = openSync(join(folder, name), 'wx');
    try {
      writeFileSync(file, text);
      if (durable) fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
  if (durable) syncFolder(folder);
}

/** Puts what was staged into the workflow's folder. Throws a `WriteFault`, with nothing changed. */
export function place(key: string, staged: string, output: Output): Placed {
  const [from, to] = [join(output.tmp, key), join(output.out, key)];
  try {
    const { foreign, outdated, kept } = survey(staged, key, output);
    if (foreign[0] !== undefined) throw foreignFile(`${key}/${foreign[0]}`);
    discard(from);
    renameSync(staged, from);
    move(from, to, outdated, []);
    if (output.durable) syncFolder(to);
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

/** Removes the files of a workflow; the result is what stays, being somebody else's. */
export function remove(key: string, { out }: Output): string[] {
  const folder = join(out, key);
  const record = readRecord(folder);
  if (record === null) return [];
  // The record goes last: without it, nothing is known of the others.
  const there = fileNames.filter((name) => isThere(join(folder, name)));
  const own = there.filter((name) => isOwn(folder, name, [record]));
  for (const name of own) rmSync(join(folder, name));
  if (readdirSync(folder).length === 0) rmdirSync(folder);
  return there.filter((name) => !own.includes(name));
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

/** What cannot be begun is undone; what is begun stays for the next run to finish. */
function move(
  from: string,
  to: string,
  outdated: readonly FileName[],
  passed: readonly FileName[],
): void {
  let isUntouched = true;
  const isNew = !isThere(to);
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

/** Names in a folder are on the disk only then. */
function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
