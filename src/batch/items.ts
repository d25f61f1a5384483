/**
 * The workflows of a source: a document, each element of an array, or each line of JSONL that is not
 * blank.
 *
 * Only places are kept; the thread that works on a workflow reads it. An unreadable source is an
 * item, too, so nothing disappears silently.
 */
import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { createScanner } from 'jsonc-parser';
import { reasonOf } from '../io/files.js';

/** A source file. */
export interface Source {
  /** The path to open; never written to a file. */
  readonly path: string;
  /** In POSIX form, the same on every machine. */
  readonly name: string;
  readonly form: 'document' | 'lines';
  readonly bytes: number;
}

/** The place of a workflow. */
export interface Item {
  readonly path: string;
  readonly source: string;
  /** Its range of bytes in the file; the whole file if it has its own. */
  readonly range: readonly [start: number, end: number] | null;
  /** Line in a file with several workflows, from 1. */
  readonly line?: number;
  /** Size in bytes, for the progress bar. */
  readonly bytes: number;
}

/** Why there is no text; the message names no path. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** The largest workflow that is read, and the largest input without a name. */
const mostBytes = 64 * 1024 * 1024;

export function* itemsOf({ path, name, form, bytes }: Source): Generator<Item> {
  const whole: Item = { path, source: name, range: null, bytes };
  let file: number | null = null;
  try {
    file = openFile(path);
    const ranges =
      form === 'lines' ? lineRanges(file) : startsArray(file) ? elementRanges(path) : null;
    if (ranges === null) yield whole;
    for (const [start, end, line] of ranges ?? []) {
      yield { path, source: name, range: [start, end], line, bytes: end - start };
    }
  } catch {
    // The thread that reads it reports why it cannot be read.
    yield whole;
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Whether an input without a name is JSONL: it is no array and not one document, and a line after
 * the first starts with a brace. An input that is too large for one document counts as JSONL.
 */
export function areLines(path: string): boolean {
  const file = openFile(path);
  try {
    if (startsArray(file)) return false;
    if (fstatSync(file).size > mostBytes) return true;
    const text = readFileSync(file, 'utf8').trim();
    return text.includes('\n{') && parsed(text) === undefined;
  } finally {
    closeSync(file);
  }
}

/** A decoder for UTF-8, or for UTF-16 with a byte order mark; it throws at bytes that are neither. */
export function decoderFor(start: Uint8Array) {
  const mark = Buffer.from(start.subarray(0, 2)).toString('latin1');
  const form = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8';
  return new TextDecoder(form, { fatal: true });
}

/** The text of bytes; null if they are none. */
export function decoded(bytes: Uint8Array): string | null {
  try {
    return decoderFor(bytes).decode(bytes);
  } catch {
    return null;
  }
}

/** The value of a JSON text; undefined if it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
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
  const isGone = ['ENOENT', 'ENOTDIR'].includes(Object(error).code);
  return { code: isGone ? 'batch/vanished' : 'batch/unreadable', message: reasonOf(error) };
}

/** Does not wait: a pipe may never be written to. */
function openFile(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  const stats = fstatSync(file);
  if (stats.isFile()) return file;
  closeSync(file);
  throw new Error(stats.isDirectory() ? 'it is a directory' : 'it is not a regular file');
}

type Range = readonly [start: number, end: number, line: number];

function startsArray(file: number): boolean {
  const first = Buffer.alloc(1024);
  const count = readSync(file, first, 0, first.length, 0);
  return first.toString('utf8', 0, count).trimStart().startsWith('[');
}

const newline = 0x0a;
const isBlank = (byte: number) => byte === 0x20 || byte === newline || byte === 0x0d || byte === 9;

/** Reads a piece at a time. The last line may lack a line break. */
function* lineRanges(file: number): Generator<Range> {
  const room = Buffer.allocUnsafe(1024 * 1024);
  const mark = Buffer.from('\ufeff');
  let [start, end, line, isEmpty] = [0, 0, 1, true];
  for (let position = 0; ; ) {
    const count = readSync(file, room, 0, room.length, position);
    if (count === 0) break;
    if (position === 0 && room.subarray(0, 3).equals(mark)) start = 3;
    for (let from = position === 0 ? start : 0; from < count; ) {
      const found = room.subarray(0, count).indexOf(newline, from);
      const to = found === -1 ? count : found;
      isEmpty &&= room.subarray(from, to).every(isBlank);
      end = position + to;
      from = to + 1;
      if (found === -1) break;
      if (!isEmpty) yield [start, end, line];
      [start, line, isEmpty] = [end + 1, line + 1, true];
    }
    position += count;
  }
  if (!isEmpty) yield [start, end, line];
}

// From jsonc-parser's `SyntaxKind`, an ambient const enum that cannot be imported.
const [openBrace, closeBrace, openBracket, closeBracket, comma, endOfText] = [1, 2, 3, 4, 5, 17];

/** The elements of an array; a broken one extends to the end and is rejected by its reader. */
function* elementRanges(path: string): Generator<Range> {
  // As Latin-1, a byte is a character; the signs of JSON are the same.
  const scanner = createScanner(readFileSync(path, 'latin1'), true);
  let [depth, start, line, end] = [0, -1, 1, 0];
  for (let token: number = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    const opens = token === openBracket || token === openBrace;
    const closes = token === closeBracket || token === closeBrace;
    if (closes) depth -= 1;
    if ((closes && depth === 0) || (depth === 1 && token === comma)) {
      if (start !== -1) yield [start, end, line];
      start = -1;
    } else if (depth > 0) {
      if (start === -1) [start, line] = [scanner.getTokenOffset(), scanner.getTokenStartLine() + 1];
      end = scanner.getTokenOffset() + scanner.getTokenLength();
    }
    if (opens) depth += 1;
  }
  if (start !== -1) yield [start, end, line];
}
