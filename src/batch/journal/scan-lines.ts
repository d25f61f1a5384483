/** Goes through a journal from its begin to its end, a piece of it at a time. */
import { closeSync, openSync, readSync } from 'node:fs';
import { headOf, type LineHead } from './records.js';
import type { LinePlace } from './writer.js';

const chunkSize = 1024 * 1024;
const lineEnd = 0x0a;

/** Visits the whole lines of a journal; a cut one at its end, or none of a journal, is left out. */
export function scanLines(path: string, visit: (head: LineHead, place: LinePlace) => void): void {
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
        const head = headOf(bytes, start, end);
        const place = { offset: base + start, length: end + 1 - start };
        if (head !== null) visit(head, place);
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
