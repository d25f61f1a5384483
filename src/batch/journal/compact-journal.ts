/**
 * Makes one journal of all, in the order of the input, when a run has ended.
 *
 * It takes the place of the old one in one step; only then the journals of the threads go. Killed in
 * between, both say the same. Lines of workflows that the run was not about stay.
 */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyOwners } from '../outcomes/key-owners.js';
import type { PlacedLine } from '../outcomes/outcomes.js';
import { journalIn } from '../state/state-folder.js';
import { Known, type KnownTable } from './known.js';
import { LineReader } from './line-reader.js';
import { numbersOfKey } from './records.js';
import { writeWhole } from './writer.js';

export interface JournalParts {
  /** Folder of the journals. */
  readonly state: string;
  readonly lines: Iterable<PlacedLine>;
  /** Lines of what is no workflow, by key, with their ends; they come last. */
  readonly own: ReadonlyMap<string, string>;
  /** What was known before, and keys of which nothing of it stays. */
  readonly known: KnownTable;
  readonly present: KeyOwners;
  readonly gone: ReadonlySet<string>;
  readonly durable: boolean;
}

export function compactJournal(parts: JournalParts): void {
  const { state, durable } = parts;
  const temporary = join(state, 'tmp', 'journal');
  const file = openSync(temporary, 'w');
  try {
    for (const piece of inPieces(allLines(parts))) writeWhole(file, piece);
    if (durable) fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, journalIn(state));
  clearThreadJournals(state);
}

export function clearThreadJournals(state: string): void {
  const folder = join(state, 'journal');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

const lineEnd = Buffer.from('\n');

/** Lines and their ends. */
function* allLines(parts: JournalParts): Generator<Buffer> {
  for (const { bytes } of parts.lines) {
    yield bytes;
    yield lineEnd;
  }
  yield* oldLines(parts);
  for (const line of parts.own.values()) yield Buffer.from(line);
}

/** Hashes of keys are enough to tell most lines; what is left is read. */
function* oldLines({ known: table, present, own, gone }: JournalParts): Generator<Buffer> {
  const leaving = new Set([...own.keys(), ...gone].map((key) => numbersOfKey(key).join()));
  const known = new Known(table);
  const reader = new LineReader((file) => table.paths[file] as string);
  try {
    for (let entry = 0; entry < known.count; entry += 1) {
      const numbers = known.keyNumbersOf(entry);
      if (present.has(...numbers) || leaving.has(numbers.join())) continue;
      const { file, ...place } = known.lineOf(entry);
      yield reader.read(file, place);
      yield lineEnd;
    }
  } finally {
    reader.close();
    known.close();
  }
}

/** Short pieces together, so that a file is not written line by line. */
function* inPieces(parts: Iterable<Buffer>, length = 65_536): Generator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for (const part of parts) {
    held.push(part);
    bytes += part.length;
    if (bytes < length) continue;
    yield Buffer.concat(held, bytes);
    [held, bytes] = [[], 0];
  }
  yield Buffer.concat(held, bytes);
}
