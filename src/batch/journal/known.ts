/**
 * What the journals of an output folder know, to be looked up by content and by key.
 *
 * Only hashes and places are held, in memory that all threads share; the lines stay in their files
 * and are read when they are wanted. Two tables with open addressing lead to the entries:
 *
 *     contents: hash of what was read → its last `done` line
 *     keys:     hash of a key         → all its lines, one slot each
 */
import { LineReader } from './line-reader.js';
import {
  type DoneRecord,
  type JournalRecord,
  type LineHead,
  noContent,
  numbersOf,
  numbersOfKey,
  parseLine,
} from './records.js';
import { scanLines } from './scan-lines.js';
import type { LinePlace } from './writer.js';

/** Can be handed to other threads; nothing of it is copied. */
export interface KnownTable {
  readonly paths: readonly string[];
  readonly count: number;
  readonly entries: SharedArrayBuffer;
  readonly contents: SharedArrayBuffer;
  readonly keys: SharedArrayBuffer;
}

/** A line that is known, and the file that it stands in. */
export interface KnownLine extends LinePlace {
  readonly file: number;
}

/** Numbers of an entry: file, offset (two), length, content (two), key (two). */
const width = 8;

export function buildKnown(paths: readonly string[]): KnownTable {
  const list = new EntryList();
  paths.forEach((path, file) => {
    scanLines(path, (head, place) => list.add(file, head, place));
  });
  return list.toTable(paths);
}

class EntryList {
  private entries = new Int32Array(1024 * width);
  count = 0;

  add(file: number, { kind, content, key }: LineHead, { offset, length }: LinePlace): void {
    if ((this.count + 1) * width > this.entries.length) {
      const larger = new Int32Array(this.entries.length * 2);
      larger.set(this.entries);
      this.entries = larger;
    }
    const isTrusted = kind === 'done' && content !== noContent;
    const offsets = [Math.floor(offset / 2 ** 31), offset % 2 ** 31];
    const numbers = [...numbersOf(isTrusted ? content : noContent), ...numbersOfKey(key)];
    this.entries.set([file, ...offsets, length, ...numbers], this.count * width);
    this.count += 1;
  }

  toTable(paths: readonly string[]): KnownTable {
    const { count } = this;
    const entries = new SharedArrayBuffer(Math.max(1, count) * width * 4);
    const shared = new Int32Array(entries);
    shared.set(this.entries.subarray(0, count * width));
    const contents = slotsFor(count);
    const keys = slotsFor(count);
    for (let entry = 0; entry < count; entry += 1) {
      if (!isUntrusted(shared, entry)) put(contents, shared, entry, 4, true);
      put(keys, shared, entry, 6, false);
    }
    const [contentSlots, keySlots] = [contents.buffer, keys.buffer];
    return { paths, count, entries, contents: contentSlots, keys: keySlots };
  }
}

function isUntrusted(entries: Int32Array, entry: number): boolean {
  return entries[entry * width + 4] === 0 && entries[entry * width + 5] === 0;
}

/** At most half of the slots are ever used. A slot holds the number of an entry from 1 on. */
function slotsFor(count: number): Int32Array<SharedArrayBuffer> {
  const size = 2 ** Math.ceil(Math.log2(Math.max(8, count * 2)));
  return new Int32Array(new SharedArrayBuffer(size * 4));
}

/** `at` is where the entry's hash stands; an equal one is replaced, or stays beside it. */
function put(slots: Int32Array, entries: Int32Array, entry: number, at: number, one: boolean) {
  const base = entry * width + at;
  const [high, low] = [entries[base] as number, entries[base + 1] as number];
  for (let slot = high & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
    const other = (slots[slot] as number) - 1;
    const isFree = other === -1 || (one && hasNumbers(entries, other, at, high, low));
    if (!isFree) continue;
    slots[slot] = entry + 1;
    return;
  }
}

function hasNumbers(entries: Int32Array, entry: number, at: number, high: number, low: number) {
  return entries[entry * width + at] === high && entries[entry * width + at + 1] === low;
}

export class Known {
  private readonly entries: Int32Array;
  private readonly contents: Int32Array;
  private readonly keys: Int32Array;
  private readonly reader: LineReader;

  constructor(private readonly table: KnownTable) {
    this.entries = new Int32Array(table.entries);
    this.contents = new Int32Array(table.contents);
    this.keys = new Int32Array(table.keys);
    this.reader = new LineReader((file) => table.paths[file] as string);
  }

  get count(): number {
    return this.table.count;
  }

  /** The last `done` line for this content; null where there is none. */
  byContent(content: string): { readonly entry: number; readonly record: DoneRecord } | null {
    const [high, low] = numbersOf(content);
    for (const entry of this.probe(this.contents, 4, high, low)) {
      const record = this.recordOf(entry);
      if (record?.kind === 'done' && record.content === content) return { entry, record };
    }
    return null;
  }

  /** All lines with this key in the order in which they were written. */
  byKey(key: string): JournalRecord[] {
    return this.entriesOf(key).map(({ record }) => record);
  }

  /**
   * The last `done` line of the workflow that has this key; null where there is none. Further ones
   * with the key of the first have lines too, which say nothing about it.
   */
  lastDone(key: string): { readonly line: KnownLine; readonly record: DoneRecord } | null {
    for (const { entry, record } of this.entriesOf(key).reverse()) {
      if (record.kind !== 'done' || record.failure === 'batch/same-key') continue;
      return { line: this.lineOf(entry), record };
    }
    return null;
  }

  private entriesOf(key: string): { readonly entry: number; readonly record: JournalRecord }[] {
    const [high, low] = numbersOfKey(key);
    const entries = [...this.probe(this.keys, 6, high, low)].sort((a, b) => a - b);
    return entries.flatMap((entry) => {
      const record = this.recordOf(entry);
      return record?.key === key ? [{ entry, record }] : [];
    });
  }

  lineOf(entry: number): KnownLine {
    const at = entry * width;
    const [file = 0, high = 0, low = 0, length = 0] = this.entries.subarray(at, at + 4);
    return { file, offset: high * 2 ** 31 + low, length };
  }

  keyNumbersOf(entry: number): readonly [number, number] {
    const at = entry * width + 6;
    return [this.entries[at] as number, this.entries[at + 1] as number];
  }

  recordOf(entry: number): JournalRecord | null {
    const line = this.lineOf(entry);
    return parseLine(this.reader.read(line.file, line));
  }

  close(): void {
    this.reader.close();
  }

  private *probe(slots: Int32Array, at: number, high: number, low: number): Generator<number> {
    for (let slot = high & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
      const entry = (slots[slot] as number) - 1;
      if (entry === -1) return;
      if (hasNumbers(this.entries, entry, at, high, low)) yield entry;
    }
  }
}
