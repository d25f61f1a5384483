/**
 * The objects of a JSON text, with places; comments and trailing commas are read past.
 *
 * The only file of this folder that knows jsonc-parser. Its scanner is used rather than its
 * parser, which recurses: a text of any depth is read in one pass, with a stack of its own.
 */
import { createScanner } from 'jsonc-parser';

export interface JsonString {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

export interface JsonMember {
  /** Which object it belongs to. */
  readonly object: number;
  readonly key: JsonString;
  /** Null where the value is no string. */
  readonly value: JsonString | null;
}

export interface JsonReading {
  readonly members: readonly JsonMember[];
  /** Strings that stand in arrays, or alone. */
  readonly strings: readonly JsonString[];
}

// Values of jsonc-parser's `SyntaxKind`, an ambient const enum that cannot be imported.
const openBrace = 1;
const closeBrace = 2;
const openBracket = 3;
const closeBracket = 4;
const comma = 5;
const colon = 6;
const stringLiteral = 10;
const unknown = 16;
const endOfText = 17;

type Expected = 'value' | 'first-value' | 'key' | 'colon' | 'member' | 'next';

interface Container {
  readonly object: number | null;
}

interface Reading {
  readonly members: JsonMember[];
  readonly strings: JsonString[];
  readonly open: Container[];
  objects: number;
  key: JsonString | null;
  expected: Expected;
}

/** The members and strings of the text; null where it is not JSON. */
export function readJson(text: string): JsonReading | null {
  const scanner = createScanner(text, true);
  const reading: Reading = {
    members: [],
    strings: [],
    open: [],
    objects: 0,
    key: null,
    expected: 'value',
  };
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (scanner.getTokenError() !== 0 || token === unknown) return null;
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    if (!take(reading, token, { start, end, value: scanner.getTokenValue() })) return null;
  }
  const complete = reading.open.length === 0 && reading.expected === 'next';
  return complete && scanner.getTokenError() === 0 ? reading : null;
}

/** Takes the token where it fits what came before. */
function take(reading: Reading, token: number, text: JsonString): boolean {
  switch (reading.expected) {
    case 'value':
    case 'first-value':
      return token === closeBracket ? close(reading, token) : takeValue(reading, token, text);
    case 'key':
      return token === closeBrace ? close(reading, token) : takeKey(reading, token, text);
    case 'colon':
      reading.expected = 'member';
      return token === colon;
    case 'member':
      return takeValue(reading, token, text);
    case 'next':
      return takeNext(reading, token);
  }
}

function takeKey(reading: Reading, token: number, text: JsonString): boolean {
  reading.key = text;
  reading.expected = 'colon';
  return token === stringLiteral;
}

function takeNext(reading: Reading, token: number): boolean {
  const container = reading.open.at(-1);
  if (container === undefined) return false;
  if (token !== comma) return close(reading, token);
  reading.expected = container.object === null ? 'value' : 'key';
  return true;
}

function close(reading: Reading, token: number): boolean {
  const container = reading.open.pop();
  reading.expected = 'next';
  if (container === undefined) return false;
  return token === (container.object === null ? closeBracket : closeBrace);
}

function takeValue(reading: Reading, token: number, text: JsonString): boolean {
  if (token === closeBrace || token === comma || token === colon) return false;
  const isString = token === stringLiteral;
  const object = reading.open.at(-1)?.object ?? null;
  if (object === null) {
    if (isString) reading.strings.push(text);
  } else if (reading.key !== null) {
    reading.members.push({ object, key: reading.key, value: isString ? text : null });
  }
  reading.key = null;
  begin(reading, token);
  return true;
}

/** What follows a value: its first member, or what stands after it. */
function begin(reading: Reading, token: number): void {
  if (token === openBrace) {
    reading.open.push({ object: reading.objects });
    reading.objects += 1;
    reading.expected = 'key';
  } else if (token === openBracket) {
    reading.open.push({ object: null });
    reading.expected = 'first-value';
  } else {
    reading.expected = 'next';
  }
}
