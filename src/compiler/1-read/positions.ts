/**
 * Where in a JSON text the value at a JSON Pointer stands, for messages that name line and column.
 *
 * Lines and columns count from 1, columns in UTF-16 units; a BOM is no column. For a pointer that
 * leads nowhere the place is that of the nearest value above it; of a key that stands twice the
 * last counts, as for `JSON.parse`. Broken text gives the best place known, or null.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { parseFaultless } from './json-faultless.js';
import { maxDepth } from './json-plain.js';
import { bomLength, findTooDeep, visitJson } from './json-scan.js';
import { findFaultlessSpans, type Span } from './json-spans.js';

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

/** The places of many pointers, in one walk through the text. */
export function locateAll(
  text: string,
  pointers: Iterable<JsonPointer>,
): ReadonlyMap<JsonPointer, TextPlace> {
  const wanted = [...pointers];
  const places = new Map<JsonPointer, TextPlace>();
  if (wanted.length === 0) return places;
  const isFaultless = parseFaultless(text) !== undefined;
  const spans = isFaultless ? findFaultlessSpans(text, wanted) : findNearestSpans(text, wanted);
  const lines = lineStarts(text);
  for (const [at, { offset, length }] of spans) {
    const { line, column } = lineColumnIn(lines, offset);
    places.set(at, { line, column, offset, length });
  }
  return places;
}

/** What can be found in a text with faults. */
function findNearestSpans(text: string, wanted: readonly JsonPointer[]): Map<JsonPointer, Span> {
  const spans = findSpans(text, new Set(wanted.flatMap(selfAndAncestors)));
  const nearest = new Map<JsonPointer, Span>();
  for (const at of wanted) {
    const found = selfAndAncestors(at).find((above) => spans.has(above));
    if (found !== undefined) nearest.set(at, spans.get(found)!);
  }
  return nearest;
}

/** Line and column of an offset. */
export function lineColumn(text: string, offset: number): { line: number; column: number } {
  return lineColumnIn(lineStarts(text), offset);
}

/** The pointer, then each pointer above it, up to the whole document. */
function selfAndAncestors(at: JsonPointer): JsonPointer[] {
  const pointers = [at];
  for (let above = at; above !== ''; ) {
    above = above.slice(0, Math.max(above.lastIndexOf('/'), 0));
    pointers.push(above);
  }
  return pointers;
}

/** An open container; `at` is null where nothing in it is wanted. */
interface Container {
  readonly outer: Container | null;
  readonly at: JsonPointer | null;
  readonly offset: number;
  key: string | number;
}

function findSpans(text: string, wanted: ReadonlySet<JsonPointer>): Map<JsonPointer, Span> {
  const spans = new Map<JsonPointer, Span>();
  if (findTooDeep(text, maxDepth) !== null) return spans;
  let inside: Container | null = null;
  const pointerHere = (): JsonPointer | null => {
    if (inside && inside.at === null) return null;
    const at = inside ? child(inside.at as JsonPointer, inside.key) : '';
    return wanted.has(at) ? at : null;
  };
  const put = (at: JsonPointer, offset: number, end: number): void => {
    spans.set(at, { offset, length: end - offset });
  };
  visitJson(text, {
    begin(container, offset) {
      const at = pointerHere();
      if (at !== null) forget(spans, at);
      inside = { outer: inside, at, offset, key: container === 'array' ? 0 : '' };
    },
    end(offset) {
      if (!inside) return;
      if (inside.at !== null) put(inside.at, inside.offset, Math.min(offset + 1, text.length));
      inside = inside.outer;
    },
    key(name) {
      if (inside) inside.key = name;
    },
    comma() {
      if (typeof inside?.key === 'number') inside.key++;
    },
    value(offset, length) {
      const at = pointerHere();
      if (at === null) return;
      forget(spans, at);
      put(at, offset, offset + length);
    },
    fault() {},
  });
  return spans;
}

/** Drops what was found under a key that stands again: the later one counts. */
function forget(spans: Map<JsonPointer, Span>, at: JsonPointer): void {
  if (!spans.has(at)) return;
  for (const known of spans.keys()) {
    if (known === at || known.startsWith(`${at}/`)) spans.delete(known);
  }
}

function lineStarts(text: string): number[] {
  const starts = [bomLength(text)];
  for (let at = nextLine(text, 0); at > 0; at = nextLine(text, at)) starts.push(at);
  return starts;
}

/** Offset of the next line; 0 where no other follows. */
function nextLine(text: string, from: number): number {
  lineBreak.lastIndex = from;
  return lineBreak.test(text) ? lineBreak.lastIndex : 0;
}

const lineBreak = /\r\n?|\n/g;

/** Binary search for the last line that starts at or before the offset. */
function lineColumnIn(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(offset - (starts[low] as number), 0) + 1 };
}
