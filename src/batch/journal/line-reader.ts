/** Reads lines of journals at known places; those that follow each other cost few reads. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { LinePlace } from './writer.js';

const windowSize = 256 * 1024;

/** One file. */
class Window {
  private readonly file: number;
  private bytes = Buffer.alloc(0);
  private start = 0;

  constructor(path: string) {
    this.file = openSync(path, 'r');
  }

  read({ offset, length }: LinePlace): Buffer {
    const from = offset - this.start;
    if (from >= 0 && from + length <= this.bytes.length) {
      return this.bytes.subarray(from, from + length);
    }
    this.start = offset;
    // A buffer of its own each time: parts of the one before may still be in use.
    const bytes = Buffer.allocUnsafeSlow(Math.max(windowSize, length));
    this.bytes = bytes.subarray(0, readFully(this.file, bytes, offset));
    return this.bytes.subarray(0, length);
  }

  close(): void {
    closeSync(this.file);
  }
}

function readFully(file: number, bytes: Buffer, offset: number): number {
  let filled = 0;
  for (let count = -1; count !== 0 && filled < bytes.length; filled += count) {
    count = readSync(file, bytes, filled, bytes.length - filled, offset + filled);
  }
  return filled;
}

/** Several files by their numbers; each is opened when it is first read. */
export class LineReader {
  private readonly windows = new Map<number, Window>();

  constructor(private readonly pathOf: (file: number) => string) {}

  /** The line without its end. */
  read(file: number, place: LinePlace): Buffer {
    let window = this.windows.get(file);
    if (window === undefined) {
      window = new Window(this.pathOf(file));
      this.windows.set(file, window);
    }
    return window.read({ offset: place.offset, length: place.length - 1 });
  }

  close(): void {
    for (const window of this.windows.values()) window.close();
    this.windows.clear();
  }
}
