/**
 * Where values stand in a faultless JSON text: the quick half of `positions.ts`.
 *
 * In: a text that `parseFaultless` takes, and the pointers of the values sought. Out: the place of
 * each, or of the nearest value above it. Only what holds a sought value is read; the rest is passed
 * over from bracket to bracket.
 */
import type { JsonPointer } from '../ir/ids.js';
import {
  closeBrace,
  closeBracket,
  comma,
  endOfString,
  openBrace,
  openBracket,
  quote,
} from './json-characters.js';

/** A stretch of a text. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** The places of the values at the pointers; see the head of this file. */
export function findFaultlessSpans(
  text: string,
  pointers: readonly JsonPointer[],
): Map<JsonPointer, Span> {
  const root: Sought = { span: null, inside: new Map() };
  const ways = pointers.map((at) => seek(root, at));
  // Blanks, and before them perhaps a mark of byte order, which is one of JavaScript's blanks.
  placeValue(text, text.search(/\S/), root);
  const spans = new Map<JsonPointer, Span>();
  pointers.forEach((at, index) => {
    spans.set(at, ways[index]!.findLast(({ span }) => span !== null)!.span!);
  });
  return spans;
}

/** A value that is sought, or holds one; by key what is sought in it. */
interface Sought {
  span: Span | null;
  readonly inside: Map<string, Sought>;
}

/** Adds what the pointer leads to; the way there, the root first. */
function seek(root: Sought, at: JsonPointer): Sought[] {
  const way = [root];
  let sought = root;
  for (const segment of at.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    let next = sought.inside.get(key);
    if (next === undefined) {
      next = { span: null, inside: new Map() };
      sought.inside.set(key, next);
    }
    way.push(next);
    sought = next;
  }
  return way;
}

/** Reads the value that begins at `offset`; gives back where it ends. Recurses as deep as JSON may. */
function placeValue(text: string, offset: number, sought: Sought): number {
  const end = endOfSought(text, offset, sought);
  sought.span = { offset, length: end - offset };
  return end;
}

function endOfSought(text: string, offset: number, sought: Sought): number {
  if (sought.inside.size === 0) return endOfValue(text, offset);
  switch (text.charCodeAt(offset)) {
    case openBrace:
      return placeMembers(text, offset, sought);
    case openBracket:
      return placeElements(text, offset, sought);
    default:
      return endOfValue(text, offset);
  }
}

function placeMembers(text: string, offset: number, { inside }: Sought): number {
  let at = skipBlanks(text, offset + 1);
  while (text.charCodeAt(at) === quote) {
    const endOfKey = endOfString(text, at) + 1;
    const sought = inside.get(JSON.parse(text.slice(at, endOfKey)));
    const colonAt = skipBlanks(text, endOfKey);
    at = skipItem(text, skipBlanks(text, colonAt + 1), sought);
  }
  return at + 1;
}

function placeElements(text: string, offset: number, { inside }: Sought): number {
  let at = skipBlanks(text, offset + 1);
  for (let index = 0; text.charCodeAt(at) !== closeBracket; index++) {
    at = skipItem(text, at, inside.get(String(index)));
  }
  return at + 1;
}

/** Past a value and the comma after it. */
function skipItem(text: string, offset: number, sought: Sought | undefined): number {
  const end = sought === undefined ? endOfValue(text, offset) : placeValue(text, offset, sought);
  const at = skipBlanks(text, end);
  return text.charCodeAt(at) === comma ? skipBlanks(text, at + 1) : at;
}

function endOfValue(text: string, offset: number): number {
  const unit = text.charCodeAt(offset);
  if (unit === quote) return endOfString(text, offset) + 1;
  if (unit === openBrace || unit === openBracket) return endOfContainer(text, offset);
  endOfWord.lastIndex = offset;
  endOfWord.test(text);
  return endOfWord.lastIndex;
}

/** A number, `true`, `false` or `null`. */
const endOfWord = /[-+.\w]+/y;

function endOfContainer(text: string, offset: number): number {
  let depth = 0;
  for (let at = offset; ; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === openBrace || unit === openBracket) depth++;
    else if ((unit === closeBrace || unit === closeBracket) && --depth === 0) return at + 1;
  }
}

/** JSON knows four blanks, all of them at or below the space. */
function skipBlanks(text: string, offset: number): number {
  let at = offset;
  while (text.charCodeAt(at) <= 0x20) at++;
  return at;
}
