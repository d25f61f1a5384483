/**
 * JSON text → value, and where in the text the values stand.
 *
 * In: any text. Out: the value as `JSON.parse` returns it (undefined if the text is not JSON) and
 * the faults in order of their offsets. jsonc-parser provides places and finds duplicate keys;
 * `JSON.parse` decides what is JSON. Nothing is thrown.
 *
 * Lines and columns count from 1, in UTF-16 units; a byte order mark (BOM) at the beginning counts
 * in offsets and not as a column.
 *
 * Example: `parseJsonText('{"a":1,"a":2}')` gives `{ a: 2 }` and `shape/duplicate-key` at offset 7.
 */
import {
  createScanner,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import type { Diagnostic } from '../ir/result.js';
import { maxDepth, maxFaults } from './copy-json.js';
import { bySpelling } from './dialect.js';

export interface TextFault {
  readonly offset: number;
  readonly diagnostic: Diagnostic;
}

export function parseJsonText(text: string): { value: unknown; faults: readonly TextFault[] } {
  const refuse = (reason: string, offset = 0) => {
    return { value: undefined, faults: [notJson(reason, offset)] };
  };
  if (!/[^\s\ufeff]/.test(text)) return refuse('empty');
  // An ASCII letter has one zero byte in UTF-16, before it or after it.
  if (text.slice(0, 2).includes('\0')) return refuse('utf-16');
  const body = withoutBom(text);
  const tooDeep = findTooDeep(body);
  if (tooDeep !== null) return refuse('too-deep', tooDeep);
  const pasted = pastedForms.find(([, form]) => form.test(body))?.[0];
  const errors: ParseError[] = [];
  const root = parseTree(body, errors, { disallowComments: true });
  const duplicates = root === undefined ? [] : findDuplicates(root).slice(0, maxFaults);
  try {
    return { value: JSON.parse(body), faults: duplicates };
  } catch {
    if (pasted !== undefined) return refuse(pasted, body.search(/\S/));
    // Independent of the one before: a comma is between, or the text ends.
    const independent = errors.filter(({ offset }, index) => {
      const before = errors[index - 1];
      if (before === undefined || offset === before.offset) return before === undefined;
      return offset >= body.length || body.slice(before.offset, offset).includes(',');
    });
    const syntax = independent.slice(0, maxFaults).map((error) => describe(error, body));
    // A fault that only `JSON.parse` sees; the best guess is a character that JSON never has.
    const guess = Math.max(body.search(control), 0);
    if (syntax.length === 0) syntax.push(notJson('unexpected-character', guess));
    const faults = [...syntax, ...duplicates].sort((a, b) => a.offset - b.offset);
    return { value: undefined, faults: faults.slice(0, maxFaults) };
  }
}

/** Texts around JSON, and literals of programs, by how they begin. */
const pastedForms: readonly (readonly [reason: string, form: RegExp])[] = [
  ['fenced', /^\s*(?:```|~~~)/],
  ['program', /^\s*(?:\/\/[^\n]*\n\s*)*(?:module\.exports|(?:import|export|const|let|var|type) )/],
  ['program', /^[\s([]*\{\s*(?:\/\/[^\n]*\n\s*)*(?:[A-Za-z_$][\w$]*|'[^'\n]*')\s*:/],
];

function notJson(reason: string, offset: number): TextFault {
  return { offset, diagnostic: diagnose('shape/not-json', '', { reason }) };
}

/** The same text with unchanged offsets. */
function withoutBom(text: string): string {
  return text.replace(/^\ufeff/, ' ');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is sought
const control = /[\0-\x08\x0b\x0c\x0e-\x1f]/;

function describe({ error, offset }: ParseError, text: string): TextFault {
  const before = text.slice(0, offset).trimEnd();
  if (/[}\]]/.test(text[offset] ?? '') && before.endsWith(',')) {
    return notJson('trailing-comma', before.length - 1);
  }
  const reason = offset >= text.length ? 'unexpected-end' : reasons.get(printParseErrorCode(error));
  return notJson(reason ?? 'unexpected-character', offset);
}

/** The members of an object or the elements of a list, each with its key; a broken one has no value. */
function membersOf({ type, children = [] }: Node) {
  return children.map((it, index): { name: string; value: Node | undefined; offset: number } => {
    if (type !== 'object') return { name: String(index), value: it, offset: it.offset };
    const [key, value] = it.children ?? [];
    return { name: key!.value, value, offset: it.offset };
  });
}

function findDuplicates(node: Node, at: JsonPointer = ''): TextFault[] {
  const keys = new Set<string>();
  return membersOf(node).flatMap(({ name, value, offset }): TextFault[] => {
    const place = child(at, name);
    const within = value === undefined ? [] : findDuplicates(value, place);
    if (keys.size < keys.add(name).size) return within;
    return [
      { offset, diagnostic: diagnose('shape/duplicate-key', place, { key: name }) },
      ...within,
    ];
  });
}

/** By reason, what jsonc-parser calls it; all others are unexpected characters. */
const reasons = bySpelling({
  'invalid-number': ['InvalidNumberFormat', 'UnexpectedEndOfNumber'],
  'property-name-expected': ['PropertyNameExpected'],
  'value-expected': ['ValueExpected'],
  'colon-expected': ['ColonExpected'],
  'comma-expected': ['CommaExpected'],
  'close-expected': ['CloseBraceExpected', 'CloseBracketExpected'],
  'trailing-content': ['EndOfFileExpected'],
  comment: ['InvalidCommentToken', 'UnexpectedEndOfComment'],
  'invalid-string': ['UnexpectedEndOfString', 'InvalidCharacter'],
  'invalid-escape': ['InvalidUnicode', 'InvalidEscapeCharacter'],
});

/**
 * Offset of the first bracket that is nested too deep; jsonc-parser recurses into brackets. A
 * closing bracket counts only if it matches the last open one. The parser accepts no other, so it
 * never goes deeper than this count, however broken the text is.
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

// From jsonc-parser's `SyntaxKind`, an ambient const enum that cannot be imported. Each closing
// bracket is the opening one plus one.
const openBrace = 1;
const openBracket = 3;
const endOfText = 17;

/** A range of a JSON text. */
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
 * The places of many pointers. Of duplicate keys the last counts, as for `JSON.parse`; a broken
 * text gives the best known place.
 */
export function locateAll(text: string, pointers: Iterable<JsonPointer>) {
  const places = new Map<JsonPointer, TextPlace>();
  const body = withoutBom(text);
  const root = findTooDeep(body) === null ? parseTree(body) : undefined;
  if (root === undefined) return places;
  const placeOf = lineColumnsOf(text);
  const nodes = new Map<JsonPointer, Node>();
  const visit = (node: Node, at: JsonPointer): void => {
    nodes.set(at, node);
    const given = membersOf(node).filter(({ value }) => value !== undefined);
    const last = new Map(given.map(({ name, value }) => [name, value!]));
    for (const [name, value] of last) visit(value, child(at, name));
  };
  visit(root, '');
  for (const at of pointers) {
    let there = at;
    while (!nodes.has(there)) there = there.slice(0, there.lastIndexOf('/'));
    const { offset, ...node } = nodes.get(there)!;
    const length = node.length > 0 ? node.length : text.length - offset;
    places.set(at, { ...placeOf(offset), offset, length });
  }
  return places;
}

/** Returns a function from the offsets of a text to line and column. */
export function lineColumnsOf(text: string): (offset: number) => { line: number; column: number } {
  const starts = [text.startsWith('\ufeff') ? 1 : 0];
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return (offset) => {
    let [line, end] = [0, starts.length];
    while (end - line > 1) {
      const middle = (line + end) >> 1;
      if (starts[middle]! <= offset) line = middle;
      else end = middle;
    }
    return { line: line + 1, column: Math.max(offset - starts[line]!, 0) + 1 };
  };
}
