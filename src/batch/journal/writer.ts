/**
 * Appends to a journal: all lines of a call with one write, or none of them.
 *
 * Every thread has a journal of its own. What was written is in the hands of the system, so that it
 * is there after the process was killed, whenever that was.
 */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

export class JournalWriter {
  private readonly file: number;
  private size: number;

  constructor(
    readonly path: string,
    private readonly durable: boolean,
  ) {
    this.file = openSync(path, 'a');
    this.size = fstatSync(this.file).size;
  }

  /** Where each of the lines stands in the file. A write that fails leaves nothing behind. */
  append(lines: readonly string[]): readonly LinePlace[] {
    if (lines.length === 0) return [];
    const parts = lines.map((line) => Buffer.from(line));
    try {
      writeWhole(this.file, Buffer.concat(parts));
      if (this.durable) fsyncSync(this.file);
    } catch (error) {
      ftruncateSync(this.file, this.size);
      throw error;
    }
    return parts.map(({ length }) => {
      const place = { offset: this.size, length };
      this.size += length;
      return place;
    });
  }

  close(): void {
    closeSync(this.file);
  }
}

/** A line's bytes in its file, the line end among them. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

/** A system may write a part and say so; on a full disk the next part then fails. */
export function writeWhole(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at, bytes.length - at);
}
