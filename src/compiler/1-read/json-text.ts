/**
 * JSON text → value, with every fault and its offset.
 *
 * In: a text of any kind. Out: the value as `JSON.parse` gives it (undefined where the text is not
 * JSON) and the faults in the order of their offsets, at most {@link maxFaults}.
 * Guarantees: nothing is thrown; a value without faults is what `JSON.parse` makes of the text.
 *
 * `JSON.parse` has the last word on what is JSON; jsonc-parser knows the places and, of keys that
 * stand twice, the first. It is asked only where a quick look says that there is something to find.
 *
 * Example: `parseJsonText('{"a":1,"a":2}')` gives the value `{ a: 2 }` and the fault
 * `{ fault: 'duplicate-key', at: '/a', offset: 7, key: 'a', firstOffset: 1 }`.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { parseFaultless } from './json-faultless.js';
import { maxDepth } from './json-plain.js';
import { bomLength, findTooDeep, type ParseErrorName, visitJson } from './json-scan.js';
import { maxFaults } from './json-value.js';

export { maxDepth } from './json-plain.js';

/** What is wrong where a text is not JSON. */
export type JsonSyntaxReason =
  | 'empty'
  | 'utf-16'
  | 'unexpected-character'
  | 'unexpected-end'
  | 'invalid-number'
  | 'invalid-string'
  | 'invalid-escape'
  | 'comment'
  | 'trailing-comma'
  | 'comma-expected'
  | 'colon-expected'
  | 'value-expected'
  | 'property-name-expected'
  | 'close-expected'
  | 'trailing-content';

/** One fault of a text that should be JSON. */
export type JsonFault =
  | { readonly fault: 'syntax'; readonly offset: number; readonly reason: JsonSyntaxReason }
  | {
      readonly fault: 'duplicate-key';
      readonly at: JsonPointer;
      readonly offset: number;
      readonly key: string;
      readonly firstOffset: number;
    }
  | { readonly fault: 'too-deep'; readonly offset: number; readonly limit: number };

/** A text of JSON, read. */
export interface JsonReading {
  readonly value: unknown;
  readonly faults: JsonFault[];
}

/** Reads JSON text; see the head of this file. */
export function parseJsonText(text: string): JsonReading {
  const value = parseFaultless(text);
  return value === undefined ? parseFaulty(text) : { value, faults: [] };
}

function parseFaulty(text: string): JsonReading {
  const reason = asAWhole(text);
  if (reason !== null)
    return { value: undefined, faults: [{ fault: 'syntax', offset: 0, reason }] };
  const tooDeep = findTooDeep(text, maxDepth);
  if (tooDeep !== null) {
    return {
      value: undefined,
      faults: [{ fault: 'too-deep', offset: tooDeep, limit: maxDepth }],
    };
  }
  const found = findFaults(text);
  try {
    const value: unknown = JSON.parse(text.slice(bomLength(text)));
    return { value, faults: found.filter(({ fault }) => fault !== 'syntax').slice(0, maxFaults) };
  } catch {
    if (!found.some(({ fault }) => fault === 'syntax')) found.push(unexplained(text));
    found.sort((a, b) => a.offset - b.offset);
    return { value: undefined, faults: found.slice(0, maxFaults) };
  }
}

/** What is wrong with all of the text, so that no place in it says more. */
function asAWhole(text: string): JsonSyntaxReason | null {
  if (!/[^\s\ufeff]/.test(text)) return 'empty';
  // A letter of ASCII has one zero in UTF-16, before it or after it.
  return text.slice(0, 2).includes('\0') ? 'utf-16' : null;
}

/** An object or array that is open at a point of the walk. */
interface Container {
  readonly outer: Container | null;
  /** Offsets of an object's keys; null for an array. */
  readonly keys: Map<string, number> | null;
  /** Where the walk stands in it. */
  key: string | number;
}

function findFaults(text: string): JsonFault[] {
  const faults: JsonFault[] = [];
  let inside: Container | null = null;
  // One mistake makes the parser complain until it has found its feet again; the first says it best.
  let lost = false;
  visitJson(text, {
    begin(container) {
      lost = false;
      const object = container === 'object';
      inside = { outer: inside, keys: object ? new Map() : null, key: object ? '' : 0 };
    },
    end() {
      lost = false;
      inside = inside?.outer ?? null;
    },
    comma() {
      lost = false;
      if (typeof inside?.key === 'number') inside.key++;
    },
    key(name, offset) {
      lost = false;
      if (!inside?.keys) return;
      inside.key = name;
      const firstOffset = inside.keys.get(name);
      if (firstOffset === undefined) inside.keys.set(name, offset);
      else
        faults.push({
          fault: 'duplicate-key',
          at: placeOf(inside),
          offset,
          key: name,
          firstOffset,
        });
    },
    value() {
      lost = false;
    },
    fault(code, offset) {
      if (lost) return;
      lost = true;
      const comma = trailingComma(text, offset);
      faults.push(
        comma === null
          ? { fault: 'syntax', offset, reason: reasonOf(code, offset >= text.length) }
          : { fault: 'syntax', offset: comma, reason: 'trailing-comma' },
      );
    },
  });
  return faults;
}

/** The comma before a closing bracket or brace at this place; null where there is none. */
function trailingComma(text: string, offset: number): number | null {
  if (text[offset] !== '}' && text[offset] !== ']') return null;
  let at = offset - 1;
  while (/[ \t\r\n]/.test(text[at] ?? '')) at -= 1;
  return text[at] === ',' ? at : null;
}

function placeOf(container: Container): JsonPointer {
  const keys: (string | number)[] = [];
  for (let at: Container | null = container; at; at = at.outer) keys.push(at.key);
  return keys.reduceRight<JsonPointer>((base, key) => child(base, key), '');
}

function reasonOf(code: ParseErrorName, atEnd: boolean): JsonSyntaxReason {
  return atEnd ? 'unexpected-end' : reasons[code];
}

const reasons: Readonly<Record<ParseErrorName, JsonSyntaxReason>> = {
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

/** A fault that only `JSON.parse` sees; the first character that JSON never has is the best guess. */
function unexplained(text: string): JsonFault {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is sought
  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f]/);
  return { fault: 'syntax', offset: Math.max(control, 0), reason: 'unexpected-character' };
}
