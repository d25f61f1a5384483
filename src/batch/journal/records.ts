/**
 * What the journal of an output folder holds: a line for each step that has to be known again.
 *
 * `plan` is written before files are put in place, `done` after. Both begin the same way, so that
 * what a search needs is found in a line without parsing it:
 *
 *     {"done":"<64 hex: what was read>","key":"<key>","folder":…
 *
 * A line that was cut off when the process died has no line end; it is none.
 */
import { hash } from 'node:crypto';
import type { WorkflowStatus } from '../../report/model.js';
import type { SarifFinding } from '../../report/sarif-findings.js';
import type { LineEdit } from '../workflow/line-edits.js';

/** Size, SHA-256 (16 hex) and time of change of a file; no time where it is only planned. */
export type KnownFile = readonly [size: number, hash: string, modified: number | null];

/** By name, within the folder of the record. */
export type KnownFiles = Readonly<Record<string, KnownFile>>;

interface Common {
  /** Names whose files these are: a workflow's key, or something with a slash. */
  readonly key: string;
  /** Below the output folder, POSIX; `.` for the folder itself. */
  readonly folder: string;
  readonly files: KnownFiles;
}

export interface PlanRecord extends Common {
  readonly kind: 'plan';
}

export interface DoneRecord extends Common {
  readonly kind: 'done';
  /** SHA-256 of the source's name and bytes; `noContent` where nothing may be trusted later. */
  readonly content: string;
  /** Hash of everything else that the files are made of. */
  readonly made: string;
  /** Null for what is no workflow, and so for its source. */
  readonly status: WorkflowStatus | null;
  readonly source: string | null;
  /** Code of why it is `failed`. */
  readonly failure?: string;
}

/** What summaries are made of. */
export interface LineContents {
  /** The text of the row. */
  readonly row: string;
  readonly findings: readonly SarifFinding[];
  /** Only where a run shows differences. */
  readonly diff?: SquadDiff;
}

/** What would happen to a squad that is there, or is not. */
export interface SquadDiff {
  /** Below the output folder. */
  readonly path: string;
  readonly what: 'changed' | 'new' | 'outdated';
  /** In the text that is there. */
  readonly edits: readonly LineEdit[];
}

export type JournalRecord = PlanRecord | DoneRecord;

export const noContent = '0'.repeat(64);

const openings = { done: '{"done":"', plan: '{"plan":"' } as const;
const contentAt = openings.done.length;
const keyOpening = '","key":"';
const keyAt = contentAt + noContent.length + keyOpening.length;
const countsOpening = '","counts":[';
const severities = ['error', 'warning', 'info'] as const;

/** How parts of a line begin. A text has no such sequence in it: its quotes are escaped. */
const findingsOpening = ',"findings":[';
const rowOpening = ',"row":';

/** The line of a record, with its end. */
export function doneLine(
  { content, key, folder, made, status, failure, source, files }: Omit<DoneRecord, 'kind'>,
  contents: LineContents | null,
): string {
  const { row, findings, diff } = contents ?? { row: 'null', findings: [] };
  const counts = severities.map((each) => findings.filter((it) => it.severity === each).length);
  const head = JSON.stringify({ folder, made, status, failure, source, files }).slice(1, -1);
  const tail = JSON.stringify({ findings, diff }).slice(1, -1);
  const begin = `${openings.done}${content}${keyOpening}${key}${countsOpening}${counts}]`;
  return `${begin},${head},${tail}${rowOpening}${row}}\n`;
}

export function planLine({ key, folder, files }: Omit<PlanRecord, 'kind'>): string {
  const rest = JSON.stringify({ folder, files }).slice(1);
  return `${openings.plan}${noContent}${keyOpening}${key}",${rest}\n`;
}

/** The text of the row in a `done` line; nothing else in it has a member of this name. */
export function rowOfLine(line: Buffer): string {
  return line.toString('utf8', line.lastIndexOf(rowOpening) + rowOpening.length, line.length - 1);
}

/** How many findings of which severity a `done` line has. */
export function countsOfLine(
  line: Buffer,
): readonly [errors: number, warnings: number, infos: number] {
  const start = line.indexOf(countsOpening, keyAt) + countsOpening.length;
  const counts = line.toString('latin1', start, line.indexOf(']', start));
  const [errors = 0, warnings = 0, infos = 0] = counts.split(',').map(Number);
  return [errors, warnings, infos];
}

/** What a line is found by. */
export interface LineHead {
  readonly kind: JournalRecord['kind'];
  readonly content: string;
  readonly key: string;
}

/** The head of a line without its end; null where it is no line of a journal. */
export function headOf(line: Buffer): LineHead | null {
  const opening = line.toString('latin1', 0, contentAt);
  const kind = opening === openings.done ? 'done' : opening === openings.plan ? 'plan' : null;
  if (kind === null || line.at(-1) !== closingBrace) return null;
  const keyEnd = line.indexOf('"', keyAt);
  if (keyEnd === -1) return null;
  const content = line.toString('latin1', contentAt, contentAt + noContent.length);
  return { kind, content, key: line.toString('latin1', keyAt, keyEnd) };
}

const closingBrace = 0x7d;

/** The record of a line; null where it is none. What summaries are made of is not looked at. */
export function parseLine(line: Buffer): JournalRecord | null {
  const end = line.indexOf(findingsOpening);
  const text = end === -1 ? line.toString() : `${line.toString('utf8', 0, end)}}`;
  try {
    const { done, plan: _, counts: __, ...record } = JSON.parse(text);
    return done === undefined
      ? { kind: 'plan', ...record }
      : { kind: 'done', content: done, ...record };
  } catch {
    return null;
  }
}

/** The key of files that are not of one workflow alone; no workflow's key has a slash. */
export function keyOf(folder: string): string {
  return `files/${folder}`;
}

/** Two numbers by which a key is found; as good as the key itself where nobody plays tricks. */
export function numbersOfKey(key: string): readonly [number, number] {
  return numbersOf(hash('sha256', key));
}

/** The first 64 bits of a hash as two whole numbers. */
export function numbersOf(hex: string): readonly [number, number] {
  return [Number.parseInt(hex.slice(0, 8), 16) | 0, Number.parseInt(hex.slice(8, 16), 16) | 0];
}
