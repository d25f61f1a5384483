/**
 * The workflows of a source: of a document one, or each element where it is an array; of JSONL one
 * for each line that is not blank.
 *
 * A file of many is gone through in pieces, and only the places of its workflows are known here; the
 * thread that works on one reads it. What cannot be read is an item too, so that nothing that was
 * found is lost without a word.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { reasonOf } from './values.js';

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

/** The largest workflow that is read, and the largest input without a name. */
const mostBytes = 64 * 1024 * 1024;

const [newline, quote, backslash, comma] = [0x0a, 0x22, 0x5c, 0x2c];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];
const isBlank = (byte: number) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 9;

export function* itemsOf({ path, name, form, bytes }: Source): Generator<Item> {
  const whole: Item = { path, source: name, range: null, bytes };
  let file: number | null = null;
  try {
    file = openFile(path);
    const ranges =
      form === 'lines' ? lineRanges(file) : startsArray(file) ? elementRanges(file) : null;
    if (ranges === null) yield whole;
    for (const [start, end, line] of ranges ?? []) {
      yield { path, source: name, range: [start, end], line, bytes: end - start };
    }
  } catch {
    // Whoever reads it says why it cannot be read.
    yield whole;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Whether an input without a name is lines of documents: it is no document, and a line after the
 * first begins with a brace. What is too large for one document is taken for lines.
 */
export function areLines(path: string): boolean {
  const file = openFile(path);
  try {
    if (startsArray(file)) return false;
    if (fstatSync(file).size > mostBytes) return true;
    const text = readFileSync(path, 'utf8').trim();
    return /\n\{/.test(text) && !isJson(text);
  } finally {
    closeSync(file);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The bytes of an item. */
export function readItem({ path, range }: Item): Uint8Array | Failure {
  let file: number | null = null;
  try {
    file = openFile(path);
    const [start, end] = range ?? [0, fstatSync(file).size];
    if (end - start > mostBytes) {
      return { code: 'batch/too-large', message: `it is larger than ${mostBytes} bytes` };
    }
    const bytes = Buffer.allocUnsafe(end - start);
    for (let filled = 0; filled < bytes.length; ) {
      const count = readSync(file, bytes, filled, bytes.length - filled, start + filled);
      if (count === 0) {
        return { code: 'batch/vanished', message: 'the file was truncated during the run' };
      }
      filled += count;
    }
    return bytes;
  } catch (error) {
    return failureOf(error);
  } finally {
    if (file !== null) closeSync(file);
  }
}

export function failureOf(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const isGone = code === 'ENOENT' || code === 'ENOTDIR';
  return { code: isGone ? 'batch/vanished' : 'batch/unreadable', message: reasonOf(error) };
}

/** Without waiting: nobody may ever write into a pipe. */
function openFile(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(file);
  if (stats.isFile()) return file;
  closeSync(file);
  throw new Error(stats.isDirectory() ? 'it is a directory' : 'it is not a regular file');
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

function startsArray(file: number): boolean {
  const [first] = piecesOf(file);
  return first?.[0].find((byte) => !isBlank(byte)) === openBracket;
}

/** The last line may have no end. */
function* lineRanges(file: number): Generator<Range> {
  let [start, end, line, isEmpty] = [-1, 0, 1, true];
  for (const [piece, position] of piecesOf(file)) {
    if (start === -1) start = position;
    for (let from = 0; from < piece.length; ) {
      const found = piece.indexOf(newline, from);
      const to = found === -1 ? piece.length : found;
      isEmpty &&= piece.subarray(from, to).every(isBlank);
      end = position + to;
      from = to + 1;
      if (found === -1) break;
      if (!isEmpty) yield [start, end, line];
      [start, line, isEmpty] = [end + 1, line + 1, true];
    }
  }
  if (!isEmpty) yield [start, end, line];
}

/** The elements of an array; what follows a broken one belongs to it, and no reader will take it. */
function* elementRanges(file: number): Generator<Range> {
  let [start, end, startLine, line] = [-1, 0, 1, 1];
  let [depth, isText, isEscaped] = [0, false, false];
  for (const [piece, position] of piecesOf(file)) {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] as number;
      const isSign = !isText && byte !== quote;
      if (isEscaped) isEscaped = false;
      else if (isText && byte === backslash) isEscaped = true;
      else if (byte === quote) isText = !isText;
      const opens = isSign && (byte === openBracket || byte === openBrace);
      if (opens) depth += 1;
      if (isSign && (byte === closeBracket || byte === closeBrace)) depth -= 1;
      const isEnd = isSign && (depth === 0 || (depth === 1 && byte === comma));
      if (isEnd && start !== -1) {
        yield [start, end, startLine];
        start = -1;
      }
      const isArray = opens && depth === 1 && start === -1;
      if (depth > 0 && !isEnd && !isArray && !isBlank(byte)) {
        if (start === -1) [start, startLine] = [position + at, line];
        end = position + at + 1;
      }
      if (byte === newline) line += 1;
    }
  }
  if (start !== -1) yield [start, end, startLine];
}
