/**
 * The only file that knows jsonc-parser: strict JSON, as events with places.
 *
 * jsonc-parser's `visit` recurses; whoever calls {@link visitJson} has counted the levels first
 * with {@link findTooDeep}. Offsets are those of the given text; a mark of byte order (BOM) at
 * its beginning is skipped.
 */
import { createScanner, printParseErrorCode, visit } from 'jsonc-parser';

/** What goes on in the text; every offset is where the thing begins. */
export interface JsonEvents {
  begin(container: 'object' | 'array', offset: number): void;
  end(offset: number): void;
  key(name: string, offset: number): void;
  value(offset: number, length: number): void;
  comma(): void;
  fault(code: ParseErrorName, offset: number): void;
}
export type ParseErrorName = ReturnType<typeof printParseErrorCode>;

/** Length of the BOM at the beginning of the text: 0 or 1. */
export function bomLength(text: string): number {
  return text.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** Walks through a text that should be JSON; goes on after faults. Recursive: see above. */
export function visitJson(text: string, events: JsonEvents): void {
  const bom = bomLength(text);
  visit(
    bom ? text.slice(bom) : text,
    {
      onObjectBegin: (offset) => events.begin('object', offset + bom),
      onArrayBegin: (offset) => events.begin('array', offset + bom),
      onObjectEnd: (offset) => events.end(offset + bom),
      onArrayEnd: (offset) => events.end(offset + bom),
      onObjectProperty: (name, offset) => events.key(name, offset + bom),
      onLiteralValue: (_, offset, length) => events.value(offset + bom, length),
      onSeparator: (character) => character === ',' && events.comma(),
      onError: (code, offset) => events.fault(printParseErrorCode(code), offset + bom),
    },
    { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false },
  );
}

/**
 * Offset of the first bracket that stands in more than `limit` others; null where none does.
 *
 * A closing bracket counts only where it fits the one that was opened last: `visit` takes no other,
 * so that it never recurses deeper than what is counted here, however broken the text is.
 */
export function findTooDeep(text: string, limit: number): number | null {
  const bom = bomLength(text);
  const scanner = createScanner(bom ? text.slice(bom) : text, true);
  const open: number[] = [];
  for (let token = scanner.scan(); token !== endOfText; token = scanner.scan()) {
    if (token === openBrace || token === openBracket) {
      if (open.length === limit) return scanner.getTokenOffset() + bom;
      open.push(token);
    } else if (open.length > 0 && token === (open[open.length - 1] as number) + 1) {
      open.pop();
    }
  }
  return null;
}

// Values of jsonc-parser's `SyntaxKind`, an ambient const enum that cannot be imported. Each
// closing bracket is the opening one plus one.
const openBrace = 1;
const openBracket = 3;
const endOfText = 17;
