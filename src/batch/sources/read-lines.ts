/**
 * Reads the lines that begin in a range of a file's bytes.
 *
 * The range is read at once, and the last line on to its end. A line that is larger than allowed is
 * never held: its end is looked for first. In whatever ranges a file is read, the lines are those of
 * the whole; a line ends with `\n` or `\r\n`, and a byte order mark is left out at the file's start.
 */
import { readSync } from 'node:fs';
import type { Block, Item } from '../plan.js';
import {
  type Allot,
  failureOf,
  type OpenFile,
  type ReadFailure,
  readAt,
  tooLarge,
  withFile,
} from './open-file.js';

export interface ReadRules {
  /** The largest workflow that is read. */
  readonly maxBytes: number;
  /** Room for a range of a file; fresh memory where nothing is said. */
  readonly allot?: Allot;
}

type LinesBlock = Extract<Block, { kind: 'lines' }>;

const newline = 0x0a;
const carriageReturn = 0x0d;
const mark = Buffer.from('\ufeff');

/** What may stand around a line's text: the mark before it, a carriage return after it. */
const around = mark.length + 1;

const chunkLength = 64 * 1024;

/**
 * Visits the lines that are not blank; the result is how many there are, blank ones included. Where
 * reading fails, the failure stands for the line that would have come.
 */
export function readLines(
  block: LinesBlock,
  rules: ReadRules,
  visit: (item: Item) => void,
): number {
  const source = block.source.name;
  let line = 0;
  const failure = withFile(block.source.path, (file) => {
    for (const found of linesIn(file, block, rules)) {
      if (!(found instanceof Uint8Array)) visit({ source, line, failure: found });
      else if (!isBlank(found)) visit({ source, line, bytes: found });
      line += 1;
    }
    return null;
  });
  if (failure === null) return line;
  visit({ source, line, failure });
  return line + 1;
}

function* linesIn(
  file: OpenFile,
  block: LinesBlock,
  rules: ReadRules,
): Generator<Uint8Array | ReadFailure> {
  try {
    yield* readRange(file, block, rules);
  } catch (error) {
    yield failureOf(error);
  }
}

function* readRange(
  file: OpenFile,
  { source, start, end }: LinesBlock,
  { maxBytes, allot }: ReadRules,
): Generator<Uint8Array | ReadFailure> {
  // The byte before the range tells whether a line begins with it.
  const from = Math.max(start - 1, 0);
  const bytes = readAt(file, from, end - from, allot);
  let begin = start === 0 ? 0 : afterNewline(bytes);
  for (
    let stop = bytes.indexOf(newline, begin);
    stop !== -1 && begin < bytes.length;
    stop = bytes.indexOf(newline, begin)
  ) {
    yield lineOf(bytes.subarray(begin, stop), from + begin, maxBytes);
    begin = stop + 1;
  }
  if (bytes.length < end - from) yield shortened;
  else if (begin < bytes.length) yield lastLine(file, from + begin, end, source.bytes, maxBytes);
}

/** Where the first line begins; the end of the bytes where none does. */
function afterNewline(bytes: Buffer): number {
  const at = bytes.indexOf(newline);
  return at === -1 ? bytes.length : at + 1;
}

/** The line that begins in the range and does not end in it. */
function lastLine(
  file: OpenFile,
  begin: number,
  rangeEnd: number,
  fileSize: number,
  maxBytes: number,
): Uint8Array | ReadFailure {
  const stop = endOfLine(file, rangeEnd, begin + maxBytes + around);
  if (stop === null) return tooLarge(maxBytes);
  if (stop.isEndOfFile && stop.at < fileSize) return shortened;
  const bytes = readAt(file, begin, stop.at - begin);
  return bytes.length < stop.at - begin ? shortened : lineOf(bytes, begin, maxBytes);
}

/** The first newline, or the end of the file; null where it is not met up to the limit. */
function endOfLine(
  { descriptor }: OpenFile,
  from: number,
  limit: number,
): { readonly at: number; readonly isEndOfFile: boolean } | null {
  const chunk = Buffer.allocUnsafe(chunkLength);
  for (let position = from; position <= limit; ) {
    const count = readSync(descriptor, chunk, 0, chunkLength, position);
    if (count === 0) return { at: position, isEndOfFile: true };
    const at = chunk.subarray(0, count).indexOf(newline);
    if (at !== -1) return { at: position + at, isEndOfFile: false };
    position += count;
  }
  return null;
}

/** A line's text; `position` is where it begins in the file. */
function lineOf(bytes: Buffer, position: number, maxBytes: number): Uint8Array | ReadFailure {
  const begin = position === 0 && bytes.subarray(0, mark.length).equals(mark) ? mark.length : 0;
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
  return end - begin > maxBytes ? tooLarge(maxBytes) : bytes.subarray(begin, end);
}

/** Whether the text is nothing but what JSON calls white space. */
function isBlank(text: Uint8Array): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === carriageReturn);
}

/** The rest of the line may be gone too, so it is not given. */
const shortened: ReadFailure = {
  code: 'batch/vanished',
  message: 'the file has become shorter since the run began',
};
