/**
 * The words of a condition: operands, operators and what belongs to no expression.
 *
 * In: a condition as the source writes it. Out: its tokens in text order, blanks left out; every
 * other character is in exactly one token. Any text has tokens: what fits nothing is `junk`.
 * Liquid outputs are operands whose reads are not told here (`template.ts` tells them).
 *
 * Example: `tier == 'gold' && !{{ vip }}` is path, operator, string, operator, not, output.
 */
import type { Use } from '../ir/workflow.js';
import { cutPieces, type Piece } from './template-pieces.js';

export type ComparisonOperator = '==' | '!=' | '<=' | '>=' | '<' | '>' | 'contains';
export type Operator = ComparisonOperator | 'and' | 'or';
export type OperandKind = 'path' | 'literal' | 'string' | 'output';

interface Place {
  readonly start: number;
  readonly end: number;
}
export interface OperandToken extends Place {
  readonly kind: OperandKind;
  /** The variables that a path reads: its root, and roots of paths in its brackets. */
  readonly uses: readonly Use[];
}
export interface OperatorToken extends Place {
  readonly kind: 'operator';
  readonly operator: Operator;
  /** Whether it is a sign (`==`, `&&`) rather than a word (`and`, `contains`). */
  readonly sign: boolean;
}
export interface OtherToken extends Place {
  readonly kind: 'not' | '(' | ')' | 'junk';
  readonly sign: boolean;
}
export type LogicalToken = OperandToken | OperatorToken | OtherToken;

export function isOperand(token: LogicalToken | undefined): token is OperandToken {
  return token !== undefined && 'uses' in token;
}

/** Splits a condition; see the head of this file. */
export function tokenise(value: string): LogicalToken[] {
  const reader: Reader = { value, at: 0, tokens: [], unclosed: new Set() };
  const pieces = cutPieces(value).pieces[Symbol.iterator]();
  let piece = pieces.next();
  while (reader.at < value.length) {
    while (!piece.done && piece.value.start < reader.at) piece = pieces.next();
    if (!piece.done && piece.value.start === reader.at) takePiece(reader, piece.value);
    else takeNext(reader);
  }
  return reader.tokens;
}

interface Reader {
  readonly value: string;
  at: number;
  readonly tokens: LogicalToken[];
  /** Quotes that open and never close: no use looking for their ends again. */
  readonly unclosed: Set<string>;
}

function takePiece(reader: Reader, { kind, start, end }: Piece): void {
  const output = kind === 'output';
  reader.tokens.push(
    output ? { kind: 'output', start, end, uses: [] } : { kind: 'junk', sign: true, start, end },
  );
  reader.at = end;
}

function takeNext(reader: Reader): void {
  const start = reader.at;
  const character = reader.value[start] as string;
  const blanks = match(/\s+/y, reader);
  if (blanks) reader.at += blanks.length;
  else if (character === '(' || character === ')') put(reader, character, 1);
  else if (!takeString(reader) && !takeSigns(reader) && !takeNumber(reader) && !takeWord(reader)) {
    put(reader, 'junk', 1);
  }
}

function match(pattern: RegExp, { value, at }: Reader): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(value)?.[0];
}

function put(reader: Reader, kind: OtherToken['kind'], length: number, sign = true): true {
  const start = reader.at;
  reader.at += length;
  reader.tokens.push({ kind, sign, start, end: reader.at });
  return true;
}

function putOperand(reader: Reader, kind: OperandKind, length: number, uses: Use[] = []): true {
  const start = reader.at;
  reader.at += length;
  reader.tokens.push({ kind, start, end: reader.at, uses });
  return true;
}

function putOperator(reader: Reader, operator: Operator, length: number, sign: boolean): true {
  const start = reader.at;
  reader.at += length;
  reader.tokens.push({ kind: 'operator', operator, sign, start, end: reader.at });
  return true;
}

/** A quoted string; the apostrophe of a word (`caller's`) opens none. */
function takeString(reader: Reader): boolean {
  const { value, at, unclosed } = reader;
  const open = value[at] as string;
  const close = quotes.get(open);
  if (!close || unclosed.has(open) || /[\p{L}\p{N}_]/u.test(value[at - 1] ?? '')) return false;
  for (let end = at + 1; end < value.length; end++) {
    if (value[end] === '\\') end++;
    else if (value[end] === close) return putOperand(reader, 'string', end + 1 - at);
  }
  unclosed.add(open);
  return false;
}

const quotes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['\u201c', '\u201d'],
  ['\u2018', '\u2019'],
]);

/** A run of signs: an operator, negations, or both (`&&!`); an arrow or a ruler is neither. */
function takeSigns(reader: Reader): boolean {
  const run = match(/[=!<>&|]+/y, reader);
  if (!run) return false;
  let length = run.length;
  while (!signs.has(run) && run[length - 1] === '!') length--;
  const head = run.slice(0, length);
  const operator = signs.get(head);
  if (head !== '' && !operator) return put(reader, 'junk', run.length);
  if (operator) putOperator(reader, operator, head.length, true);
  for (let left = run.length - head.length; left > 0; left--) put(reader, 'not', 1);
  return true;
}

const signs: ReadonlyMap<string, Operator> = new Map([
  ['==', '=='],
  ['===', '=='],
  ['!=', '!='],
  ['!==', '!='],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
  ['&&', 'and'],
  ['||', 'or'],
]);

/** A number, also as people write it: `$50`, `1,000`, `20%`, `24h`. */
function takeNumber(reader: Reader): boolean {
  const number = match(/[-+]?[$€£¥]?\d\w*(?:[.,]\d\w*)*%?/y, reader);
  return number !== undefined && putOperand(reader, 'literal', number.length);
}

function takeWord(reader: Reader): boolean {
  const path = match(pathPattern, reader);
  if (path === undefined) return false;
  const { length } = path;
  if (literals.has(path)) return putOperand(reader, 'literal', length);
  if (path === 'and' || path === 'AND') return putOperator(reader, 'and', length, false);
  if (path === 'or' || path === 'OR') return putOperator(reader, 'or', length, false);
  if (path === 'contains') return putOperator(reader, 'contains', length, false);
  if (path === 'not' || path === 'NOT') return put(reader, 'not', length, false);
  return putOperand(reader, 'path', length, usesOf(path, reader.at));
}

const literals: ReadonlySet<string> = new Set(
  ['true', 'false', 'nil', 'null', 'empty', 'blank', 'undefined'].concat([
    'True',
    'False',
    'None',
    'TRUE',
    'FALSE',
    'NULL',
  ]),
);

const identifier = '[\\p{L}_][\\p{L}\\p{N}_]*(?:-[\\p{L}\\p{N}_]+)*';
const dotted = `${identifier}(?:\\.${identifier})*`;
const inBrackets = `\\s*(?:-?\\d+|"[^"\\\\\\]]*"|'[^'\\\\\\]]*'|${dotted})\\s*`;
const pathPattern = new RegExp(`${identifier}(?:\\.${identifier}|\\[${inBrackets}\\])*`, 'uy');
const rootInBrackets = new RegExp(`\\[\\s*(${identifier})(\\.?)`, 'gu');
const root = new RegExp(identifier, 'uy');

function usesOf(path: string, start: number): Use[] {
  root.lastIndex = 0;
  const name = root.exec(path)?.[0] as string;
  const uses: Use[] = [
    { name, nested: name.length < path.length, start, end: start + name.length },
  ];
  for (const { 0: text, 1: inner = '', 2: dot, index } of path.matchAll(rootInBrackets)) {
    if (literals.has(inner)) continue;
    const at = start + index + text.length - (dot ?? '').length - inner.length;
    uses.push({ name: inner, nested: dot === '.', start: at, end: at + inner.length });
  }
  return uses;
}
