/** Reads files piece by piece, and says in a few words why one cannot be read. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { reasonOf } from '../system-error.js';

/** Why there is no text; the message is for people and names no path. */
export interface ReadFailure {
  readonly code: 'batch/vanished' | 'batch/unreadable' | 'batch/too-large';
  readonly message: string;
}

/** A file that is open for reading. */
export interface OpenFile {
  readonly descriptor: number;
  readonly size: number;
}

/** Without waiting: nobody may ever write into a pipe. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Gives `use` the file, and closes it; what is neither a file nor a link to one is refused. */
export function withFile<Result>(
  path: string,
  use: (file: OpenFile) => Result,
): Result | ReadFailure {
  let descriptor: number;
  try {
    descriptor = openSync(path, flags);
  } catch (error) {
    return failureOf(error);
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return notAFile(stats.isDirectory());
    return use({ descriptor, size: stats.size });
  } finally {
    closeSync(descriptor);
  }
}

/** Gives room for so many bytes. */
export type Allot = (length: number) => Buffer;

/**
 * The same room each time, where what was read before is done with: filling fresh memory takes
 * longer than reading the bytes.
 */
export function sameRoom(): Allot {
  let room = Buffer.alloc(0);
  return (length) => {
    if (length > room.length) room = Buffer.allocUnsafe(length);
    return room.subarray(0, length);
  };
}

/** Fewer bytes than asked for where the file ends before. */
export function readAt(
  { descriptor }: OpenFile,
  position: number,
  length: number,
  allot: Allot = Buffer.allocUnsafe,
): Buffer {
  const bytes = allot(length);
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, bytes, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

export function failureOf(error: unknown): ReadFailure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isGone = code === 'ENOENT' || code === 'ENOTDIR';
  return { code: isGone ? 'batch/vanished' : 'batch/unreadable', message: reasonOf(error) };
}

export function tooLarge(maxBytes: number): ReadFailure {
  return {
    code: 'batch/too-large',
    message: `it is larger than ${maxBytes} bytes (--max-bytes)`,
  };
}

function notAFile(isFolder: boolean): ReadFailure {
  return {
    code: 'batch/unreadable',
    message: isFolder ? 'it is a directory' : 'it is no file (a pipe, or a device)',
  };
}
