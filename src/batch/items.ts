/**
 * The workflows of a source: of a document one, or each element where it is an array; of JSONL one
 * for each line that is not blank.
 *
 * A file of many is gone through in pieces, and only the places of its workflows are known here; the
 * thread that works on one reads it. What cannot be read is an item too, so that nothing that was
 * found is lost without a word.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { reasonOf } from './system-error.js';

/** A file that was found. */
export interface Source {
  /** For opening it; never written anywhere. */
  readonly path: string;
  /** POSIX, the same on every machine. */
  readonly name: string;
  readonly form: 'document' | 'lines';
  readonly bytes: number;
}

/** Where a workflow stands. */
export interface Item {
  readonly path: string;
  readonly source: string;
  /** Of the file's bytes, from where to where; all of them where it has a file of its own. */
  readonly range: readonly [start: number, end: number] | null;
  /** Of a file with several, from 1 on. */
  readonly line?: number;
  /** For the progress. */
  readonly bytes: number;
}

/** Why there is no text; the message is for people and names no path. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

const [newline, carriageReturn, space, tab] = [0x0a, 0x0d, 0x20, 0x09];
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

const isBlank = (byte: number) =>
  byte === space || byte === newline || byte === carriageReturn || byte === tab;

export function* itemsOf(source: Source): Generator<Item> {
  const { path, name, form, bytes } = source;
  const whole: Item = { path, source: name, range: null, bytes };
  let file: number | null = null;
  try {
    file = openFile(path);
    const pieces = piecesOf(file);
    const ranges =
      form === 'lines' ? lineRanges(pieces) : isArray(file) ? elementRanges(pieces) : null;
    if (ranges === null) yield whole;
    else {
      for (const [start, end, line] of ranges) {
        yield { path, source: name, range: [start, end], line, bytes: end - start };
      }
    }
  } catch {
    // Whoever reads it says why it cannot be read.
    yield whole;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Larger files are not parsed to tell their form. */
const mostParsed = 64 * 1024 * 1024;

/** Whether there is no document but lines of them, as an input without a name has to be told by. */
export function areLines(path: string): boolean {
  const file = openFile(path);
  try {
    if (isArray(file) || (fstatSync(file).size <= mostParsed && isJson(readFileSync(path)))) {
      return false;
    }
    let [isFirst, before] = [true, newline];
    for (const [piece] of piecesOf(file)) {
      // A broken document that is laid out begins no other line with a brace.
      for (const byte of piece) {
        if (byte === openBrace && before === newline && !isFirst) return true;
        if (!isBlank(byte)) isFirst = false;
        before = byte;
      }
    }
    return false;
  } finally {
    closeSync(file);
  }
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** The bytes of an item. */
export function readItem({ path, range }: Item, maxBytes: number): Uint8Array | Failure {
  if (range !== null && range[1] - range[0] > maxBytes) return tooLarge(maxBytes);
  let file: number;
  try {
    file = openFile(path);
  } catch (error) {
    return failureOf(error);
  }
  try {
    const { size } = fstatSync(file);
    const [start, end] = range ?? [0, size];
    if (end - start > maxBytes) return tooLarge(maxBytes);
    const bytes = Buffer.allocUnsafe(end - start);
    const read = readAll(file, bytes, start);
    if (read === bytes.length) return bytes;
    return { code: 'batch/vanished', message: 'the file was truncated during the run' };
  } catch (error) {
    return failureOf(error);
  } finally {
    closeSync(file);
  }
}

export function failureOf(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isGone = code === 'ENOENT' || code === 'ENOTDIR';
  return { code: isGone ? 'batch/vanished' : 'batch/unreadable', message: reasonOf(error) };
}

function tooLarge(maxBytes: number): Failure {
  return { code: 'batch/too-large', message: `it is larger than ${maxBytes} bytes (--max-bytes)` };
}

/** Without waiting: nobody may ever write into a pipe. */
function openFile(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(file);
  if (stats.isFile()) return file;
  closeSync(file);
  throw new Error(stats.isDirectory() ? 'it is a directory' : 'it is not a regular file');
}

function readAll(file: number, bytes: Buffer, start: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, start + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

type Piece = readonly [bytes: Buffer, position: number];
type Range = readonly [start: number, end: number, line: number];

/** A byte order mark at the start is left out. */
function* piecesOf(file: number): Generator<Piece> {
  const room = Buffer.allocUnsafe(1024 * 1024);
  for (let position = 0; ; ) {
    const count = readSync(file, room, 0, room.length, position);
    if (count === 0) return;
    const mark = position === 0 && room.subarray(0, 3).equals(Buffer.from('\ufeff')) ? 3 : 0;
    yield [room.subarray(mark, count), position + mark];
    position += count;
  }
}

function isArray(file: number): boolean {
  const [first] = piecesOf(file);
  return first?.[0].find((byte) => !isBlank(byte)) === openBracket;
}

/** A line ends with `\n` or `\r\n`; the last one may have no end. */
function* lineRanges(pieces: Iterable<Piece>): Generator<Range> {
  let [start, end, line] = [-1, 0, 1];
  let [isEmpty, last] = [true, newline];
  const range = (): Range => [start, last === carriageReturn ? end - 1 : end, line];
  for (const [piece, position] of pieces) {
    if (start === -1) start = position;
    for (let from = 0; from < piece.length; ) {
      const found = piece.indexOf(newline, from);
      const to = found === -1 ? piece.length : found;
      for (let at = from; isEmpty && at < to; at += 1) isEmpty = isBlank(piece[at] as number);
      if (to > from) last = piece[to - 1] as number;
      end = position + to;
      from = to + 1;
      if (found === -1) break;
      if (!isEmpty) yield range();
      [start, line, isEmpty, last] = [end + 1, line + 1, true, newline];
    }
  }
  if (!isEmpty) yield range();
}

/** The elements of an array; what follows a broken one belongs to it, and no reader will take it. */
function* elementRanges(pieces: Iterable<Piece>): Generator<Range> {
  let [depth, line, isText, isEscaped] = [0, 1, false, false];
  let [start, startLine, end] = [-1, 1, 0];
  for (const [piece, position] of pieces) {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      if (byte === newline) line += 1;
      if (isEscaped) isEscaped = false;
      else if (isText && byte === backslash) isEscaped = true;
      else if (byte === quote) isText = !isText;
      const isSign = !isText && byte !== quote;
      if (isSign && (byte === openBracket || byte === openBrace) && ++depth === 1 && start === -1)
        continue;
      if (isSign && (byte === closeBracket || byte === closeBrace)) depth -= 1;
      if (isSign && (depth === 0 || (depth === 1 && byte === comma)) && start !== -1) {
        yield [start, end, startLine];
        start = -1;
      } else if (depth > 0 && !isBlank(byte) && !(isSign && depth === 1 && byte === comma)) {
        if (start === -1) [start, startLine] = [position + at, line];
        end = position + at + 1;
      }
    }
  }
  if (start !== -1) yield [start, end, startLine];
}
