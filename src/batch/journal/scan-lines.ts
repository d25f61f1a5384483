/** Goes through a journal from its begin to its end, a piece of it at a time. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { headOf, type LineHead } from './records.js';
import type { LinePlace } from './writer.js';

const chunkSize = 1024 * 1024;
const lineEnd = 0x0a;

/** Visits the whole lines of a journal; a cut one at its end, or none of a journal, is left out. */
export function scanLines(path: string, visit: (head: LineHead, place: LinePlace) => void): void {
  for (const { bytes, offset } of linesOf(path)) {
    const head = headOf(bytes);
    if (head !== null) visit(head, { offset, length: bytes.length + 1 });
  }
}

/** A line without its end; its bytes are there until the next one is asked for. */
export interface ScannedLine {
  readonly bytes: Buffer;
  readonly offset: number;
}

/** The lines that have an end. */
export function* linesOf(path: string): Generator<ScannedLine> {
  const file = openSync(path, 'r');
  try {
    let bytes = Buffer.allocUnsafe(chunkSize);
    let held = 0;
    let base = 0;
    for (;;) {
      if (held === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
      const count = readSync(file, bytes, held, bytes.length - held, base + held);
      if (count === 0) return;
      held += count;
      let start = 0;
      for (let end = bytes.indexOf(lineEnd, start); end !== -1 && end < held; ) {
        yield { bytes: bytes.subarray(start, end), offset: base + start };
        start = end + 1;
        end = bytes.indexOf(lineEnd, start);
      }
      bytes.copyWithin(0, start, held);
      base += start;
      held -= start;
    }
  } finally {
    closeSync(file);
  }
}

/** More than the last line of a journal whose run has ended is long. */
const tailLength = 64 * 1024;

/** The last line, where it is whole and no longer than a line should be; else null. */
export function lastLineOf(path: string): Buffer | null {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const tail = Buffer.alloc(Math.min(size, tailLength));
    readSync(file, tail, 0, tail.length, size - tail.length);
    if (tail.at(-1) !== lineEnd) return null;
    const line = tail.subarray(0, -1);
    const before = line.lastIndexOf(lineEnd);
    return before === -1 && size > tailLength ? null : line.subarray(before + 1);
  } finally {
    closeSync(file);
  }
}
