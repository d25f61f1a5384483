/**
 * What the first line of `result.json` says of the folder that it is in: what its files are made of,
 * how large they are and their digests, and the row of the summary. So a folder speaks for itself:
 * whether it is up to date, and which of its files are squadc's own.
 */
import { hash } from 'node:crypto';
import { closeSync, lstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RowFacts } from '../report/model.js';
import type { SarifFinding } from '../report/sarif.js';

/** All names that files of a workflow can have; the one with the record is put in place last. */
export const fileNames = ['squad.json', 'questions.md', 'report.html', 'result.json'] as const;
export type FileName = (typeof fileNames)[number];

/** Size and digest of a file. */
export type Print = readonly [size: number, digest: string];

export interface FolderRecord {
  /** Digest of what all files of the run are made of: version, options, policies. */
  readonly run: string;
  /** Digest of all that the files are made of: the workflow and its answers too. */
  readonly made: string;
  /** Of `result.json` without its first line. */
  readonly rest: Print;
  /** The other files. */
  readonly files: Readonly<Partial<Record<FileName, Print>>>;
  /** Of a file with several workflows, from 1 on. */
  readonly line?: number;
  readonly row: RowFacts;
  readonly findings: readonly SarifFinding[];
}

export function digestOf(content: string | Uint8Array): string {
  return hash('sha256', content).slice(0, 16);
}

export function printOf(text: string): Print {
  const bytes = Buffer.from(text);
  return [bytes.length, digestOf(bytes)];
}

const opening = '{"record":{"digest":"';
const partAt = opening.length + 18;

/** The first line, with its end; it begins with the digest of what follows in it. */
export function recordLine(record: FolderRecord): string {
  const text = `${JSON.stringify(record).slice(1)},\n`;
  return `${opening}${digestOf(text)}",${text}`;
}

/** Null where there is no `result.json`, or not one that squadc wrote for this key. */
export function readRecord(
  folder: string,
  key: string = basename(folder),
): (FolderRecord & { readonly head: number }) | null {
  const line = firstLine(join(folder, 'result.json'));
  if (line === null || !line.startsWith(opening)) return null;
  const text = line.slice(partAt);
  if (line.slice(opening.length, partAt) !== `${digestOf(text)}",`) return null;
  // What has its digest is as squadc wrote it; whoever wrote the digest too is believed.
  const record = JSON.parse(`{${text.slice(0, -2)}`) as FolderRecord;
  return record.row.key === key ? { ...record, head: Buffer.byteLength(line) } : null;
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
export function areAsWritten(
  folder: string,
  { files, rest, head }: FolderRecord & { head: number },
): boolean {
  const result = statSync(join(folder, 'result.json'));
  if (result.size !== head + rest[0]) return false;
  return Object.entries(files).every(([name, print]) => {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size !== print[0]) return false;
    return stats.mtimeMs <= result.mtimeMs || digestOf(readFileSync(path)) === print[1];
  });
}

/** Whether a file is squadc's own, by one of the records of its folder. */
export function isOwn(folder: string, name: FileName, records: readonly FolderRecord[]): boolean {
  const bytes = readFileSync(join(folder, name));
  if (name !== 'result.json') {
    const digest = digestOf(bytes);
    return records.some(({ files }) => files[name]?.[1] === digest);
  }
  const rest = digestOf(bytes.subarray(bytes.indexOf(0x0a) + 1));
  return readRecord(folder) !== null && records.some((record) => record.rest[1] === rest);
}
