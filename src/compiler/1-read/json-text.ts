/**
 * JSON text → value, and where in the text the values stand.
 *
 * In: a text of any kind. Out: the value as `JSON.parse` gives it (undefined where the text is not
 * JSON) and the faults in the order of their offsets. jsonc-parser knows the places, and of keys
 * that stand twice the first; `JSON.parse` has the last word on what is JSON. Nothing is thrown.
 *
 * Lines and columns count from 1, in UTF-16 units; a byte order mark (BOM) at the beginning counts
 * in offsets and is no column.
 *
 * Example: `parseJsonText('{"a":1,"a":2}')` gives `{ a: 2 }` and `shape/duplicate-key` at offset 7.
 */
import {
  createScanner,
  type JSONVisitor,
  type Node,
  parseTree,
  printParseErrorCode,
  visit,
} from 'jsonc-parser';
import { diagnose } from '../../diagnostics/diagnose.js';
import { type JsonPointer, pointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import { maxDepth, maxFaults } from './copy-json.js';

export interface TextFault {
  readonly offset: number;
  readonly diagnostic: Diagnostic;
}

export function parseJsonText(text: string): { value: unknown; faults: readonly TextFault[] } {
  const refuse = (reason: string, offset = 0) => {
    return { value: undefined, faults: [notJson(reason, offset)] };
  };
  if (!/[^\s\ufeff]/.test(text)) return refuse('empty');
  // A letter of ASCII has one zero in UTF-16, before it or after it.
  if (text.slice(0, 2).includes('\0')) return refuse('utf-16');
  const body = withoutBom(text);
  const tooDeep = findTooDeep(body);
  if (tooDeep !== null) return refuse('too-deep', tooDeep);
  const { syntax, duplicates } = findFaults(body);
  try {
    return { value: JSON.parse(body), faults: duplicates.slice(0, maxFaults) };
  } catch {
    // What only `JSON.parse` sees: the first character that JSON never has is the best guess.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is sought
    const control = Math.max(text.search(/[\0-\x08\x0b\x0c\x0e-\x1f]/), 0);
    if (syntax.length === 0) syntax.push(notJson('unexpected-character', control));
    const faults = [...syntax, ...duplicates].sort((a, b) => a.offset - b.offset);
    return { value: undefined, faults: faults.slice(0, maxFaults) };
  }
}

function notJson(reason: string, offset: number): TextFault {
  return { offset, diagnostic: diagnose('shape/not-json', '', { reason }) };
}

/** The same text, each character in its place. */
function withoutBom(text: string): string {
  return text.replace(/^\ufeff/, ' ');
}

function findFaults(text: string): { syntax: TextFault[]; duplicates: TextFault[] } {
  const syntax = new Map<number, TextFault>();
  const duplicates: TextFault[] = [];
  const open: Set<string>[] = [];
  // One mistake makes the parser complain until it has found its feet again; the first says it best.
  let lost = false;
  const found = (_done?: unknown) => {
    lost = false;
  };
  const visitor: JSONVisitor = {
    onObjectBegin: () => found(open.push(new Set())),
    onObjectEnd: () => found(open.pop()),
    onArrayBegin: () => found(),
    onArrayEnd: () => found(),
    onLiteralValue: () => found(),
    onSeparator: (sign) => (sign === ',' ? found() : undefined),
    onObjectProperty: (key, offset, _length, _line, _column, path) => {
      const keys = open.at(-1)!;
      if (keys.has(key)) {
        const diagnostic = diagnose('shape/duplicate-key', pointer(...path(), key), { key });
        duplicates.push({ offset, diagnostic });
      }
      found(keys.add(key));
    },
    onError: (code, offset) => {
      const comma = lost ? null : trailingComma(text, offset);
      const reason = offset >= text.length ? 'unexpected-end' : reasons[printParseErrorCode(code)];
      const at = comma ?? offset;
      if (!lost && !syntax.has(at))
        syntax.set(at, notJson(comma === null ? reason : 'trailing-comma', at));
      lost = true;
    },
  };
  visit(text, visitor, { disallowComments: true });
  return { syntax: [...syntax.values()], duplicates };
}

const reasons: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'unexpected-character',
  InvalidNumberFormat: 'invalid-number',
  PropertyNameExpected: 'property-name-expected',
  ValueExpected: 'value-expected',
  ColonExpected: 'colon-expected',
  CommaExpected: 'comma-expected',
  CloseBraceExpected: 'close-expected',
  CloseBracketExpected: 'close-expected',
  EndOfFileExpected: 'trailing-content',
  InvalidCommentToken: 'comment',
  UnexpectedEndOfComment: 'comment',
  UnexpectedEndOfString: 'invalid-string',
  UnexpectedEndOfNumber: 'invalid-number',
  InvalidUnicode: 'invalid-escape',
  InvalidEscapeCharacter: 'invalid-escape',
  InvalidCharacter: 'invalid-string',
  '<unknown ParseErrorCode>': 'unexpected-character',
};

/** The comma before a closing bracket or brace at this place; null where there is none. */
function trailingComma(text: string, offset: number): number | null {
  if (text[offset] !== '}' && text[offset] !== ']') return null;
  let at = offset - 1;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at -= 1;
  return text[at] === ',' ? at : null;
}

/**
 * Offset of the first bracket that stands in too many others; jsonc-parser recurses into them. A
 * closing bracket counts only where it fits the one that was opened last: the parser takes no
 * other, so that it never goes deeper than what is counted here, however broken the text is.
 */
function findTooDeep(text: string): number | null {
  const scanner = createScanner(text, true);
  const open: number[] = [];
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) {
      if (open.length === maxDepth) return scanner.getTokenOffset();
      open.push(token);
    } else if (token - 1 === open.at(-1)) open.pop();
  }
  return null;
}

// Of jsonc-parser's `SyntaxKind`, an ambient const enum that cannot be imported. Each closing
// bracket is the opening one plus one.
const openBrace = 1;
const openBracket = 3;
const endOfText = 17;

/** A stretch of a JSON text. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
  readonly length: number;
}

/** The place of the value at the pointer, or of the nearest value above it. */
export function locate(text: string, at: JsonPointer): TextPlace | null {
  return locateAll(text, [at]).get(at) ?? null;
}

/**
 * The places of many pointers. Of a key that stands twice the last counts, as for `JSON.parse`; a
 * broken text gives the best place known.
 */
export function locateAll(
  text: string,
  pointers: Iterable<JsonPointer>,
): ReadonlyMap<JsonPointer, TextPlace> {
  const places = new Map<JsonPointer, TextPlace>();
  const body = withoutBom(text);
  const root = findTooDeep(body) === null ? parseTree(body) : undefined;
  if (root === undefined) return places;
  const lineColumn = lineColumnsOf(text);
  const known = new Map<Node, ReadonlyMap<string, Node>>();
  for (const at of pointers) {
    let node = root;
    for (const segment of at.split('/').slice(1)) {
      const members = known.get(node) ?? membersOf(node);
      known.set(node, members);
      const member = members.get(`/${segment}`);
      if (member === undefined) break;
      node = member;
    }
    const { offset } = node;
    const length = node.length > 0 ? node.length : text.length - offset;
    places.set(at, { ...lineColumn(offset), offset, length });
  }
  return places;
}

/** By their pointers from here. */
function membersOf({ type, children = [] }: Node): ReadonlyMap<string, Node> {
  const members = new Map<string, Node>();
  for (const [index, it] of children.entries()) {
    const [key, value] = type === 'object' ? (it.children ?? []) : [{ value: index }, it];
    if (key !== undefined && value !== undefined) members.set(pointer(key.value), value);
  }
  return members;
}

/** Says line and column of the offsets of a text. */
export function lineColumnsOf(text: string): (offset: number) => { line: number; column: number } {
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return (offset) => {
    // Binary search for the last line that starts at or before the offset.
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.max(offset - starts[low]!, 0) + 1 };
  };
}
