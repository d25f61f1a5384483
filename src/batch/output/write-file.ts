/** Writes one file, and tells it from others: by its size, its hash and its time. */
import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync } from 'node:fs';
import type { KnownFile } from '../journal/records.js';
import { writeWhole } from '../journal/writer.js';
import type { Encode } from './encode.js';

/** A text, its pieces, or pieces that are made one after the other. */
export type Text = string | readonly string[] | Iterable<string>;

const hashLength = 16;

export interface WritingRules {
  /** Nothing counts as written before the disk has it. */
  readonly durable: boolean;
  readonly encode: Encode;
}

/**
 * Writes the text to a new file. Where it is the same as what is there, nothing stays of it and
 * `from` is null.
 */
export function writeTemporary(
  path: string,
  text: Text,
  there: KnownFile | null,
  { durable, encode }: WritingRules,
): { readonly from: string | null; readonly as: KnownFile } {
  if (typeof text === 'string' || isList(text)) {
    const bytes = encode(typeof text === 'string' ? [text] : text);
    const digest = hash('sha256', bytes).slice(0, hashLength);
    if (there?.[0] === bytes.length && there[1] === digest) return { from: null, as: there };
    return { from: path, as: [bytes.length, digest, write(path, [bytes], durable).mtimeMs] };
  }
  const sum = createHash('sha256');
  const { size, mtimeMs } = write(path, hashed(text, sum), durable);
  const digest = sum.digest('hex').slice(0, hashLength);
  if (there?.[0] !== size || there[1] !== digest)
    return { from: path, as: [size, digest, mtimeMs] };
  rmSync(path);
  return { from: null, as: there };
}

function isList(text: Iterable<string>): text is readonly string[] {
  return Array.isArray(text);
}

function* hashed(pieces: Iterable<string>, sum: ReturnType<typeof createHash>): Generator<Buffer> {
  for (const piece of pieces) {
    const bytes = Buffer.from(piece);
    sum.update(bytes);
    yield bytes;
  }
}

/** All of it or nothing: a full disk leaves no part of a file behind. */
function write(path: string, parts: Iterable<Uint8Array>, durable: boolean) {
  const file = openSync(path, 'w');
  try {
    for (const part of parts) writeWhole(file, part);
    if (durable) fsyncSync(file);
    return fstatSync(file);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The hash of a file's bytes, as journals have it. */
export function fileHash(path: string): string {
  const file = openSync(path, 'r');
  try {
    const sum = createHash('sha256');
    const piece = Buffer.allocUnsafe(65_536);
    for (let count = readSync(file, piece); count > 0; count = readSync(file, piece)) {
      sum.update(piece.subarray(0, count));
    }
    return sum.digest('hex').slice(0, hashLength);
  } finally {
    closeSync(file);
  }
}

/** Names of files that were put into a folder are on the disk only then. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
