/**
 * JSON whose parts know where they come from: what the document is written from.
 *
 * Shared by the compiler and the verifier. A template is a tree of objects and lists; its leaves are
 * values of one origin, carried whole, and texts composed of pieces. Whoever makes a value says its
 * origin in the same place, so the document and the source map cannot drift apart.
 *
 * Example: `{ fields: [['type', fixed('apiRequest')], ['url', request.url]] }` is written as
 * `{ "type": "apiRequest", "url": "https://…" }`, with a source map entry for each of the two.
 */
import { child, type JsonPointer } from './ids.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import {
  type Origin,
  type Segment,
  synthesized,
  type Traced,
  traced,
  within,
} from './provenance.js';
import type { SourceMapEntry } from './result.js';

export type Template = Traced<Json> | Composed | Items | Fields;

/** A text in pieces. */
export interface Composed {
  readonly segments: readonly Segment[];
}

export interface Items {
  readonly items: readonly Template[];
}

/** An object; where a key stands twice, the later value counts, in the place of the first. */
export interface Fields {
  readonly fields: readonly Field[];
}

export type Field = readonly [key: string, value: Template];

const shape = synthesized('shape');

/** A value that is squadc's own: the words of the target's shape. */
export function fixed(value: Json): Traced<Json> {
  return traced(value, shape);
}

export function fieldsOf({ value, origin }: Traced<JsonObject>): Field[] {
  return Object.keys(value).map((key) => [key, partOf({ value, origin }, key)]);
}

/** A member of a value, with its origin. */
export function partOf({ value, origin }: Traced<JsonObject>, key: string): Traced<Json> {
  return { value: value[key] ?? null, origin: within(origin, key) };
}

/** The same object with further fields behind its own. */
export function withFields(template: Fields | Traced<JsonObject>, more: readonly Field[]): Fields {
  const own = 'fields' in template ? template.fields : fieldsOf(template);
  return { fields: [...own, ...more] };
}

/** The value as it stands at a place of the document; where its parts come from is added to the map. */
export function writeTemplate(
  template: Template,
  at: JsonPointer,
  sourceMap: SourceMapEntry[],
): Json {
  if ('value' in template) {
    noteWithin(template, at, sourceMap);
    return template.value;
  }
  if ('segments' in template) return writeText(template.segments, at, sourceMap);
  if ('items' in template) {
    return template.items.map((it, index) => writeTemplate(it, child(at, index), sourceMap));
  }
  const written = Array.from(new Map(template.fields), ([key, value]): [string, Json] => {
    return [key, writeTemplate(value, child(at, key), sourceMap)];
  });
  return Object.fromEntries(written);
}

function writeText(
  segments: readonly Segment[],
  output: JsonPointer,
  sourceMap: SourceMapEntry[],
): string {
  let text = '';
  for (const { text: piece, origin } of segments) {
    const start = text.length;
    text += piece;
    if (piece !== '') sourceMap.push({ output, range: [start, text.length], origin });
  }
  return text;
}

/** Values are at most as deep as a document may be, so the recursion is bounded. */
function noteWithin(
  { value, origin }: Traced<Json>,
  output: JsonPointer,
  sourceMap: SourceMapEntry[],
): void {
  const members = origin === shape ? [] : membersOf(value, origin);
  if (members.length === 0) sourceMap.push({ output, origin });
  for (const [key, member] of members) noteWithin(member, child(output, key), sourceMap);
}

function membersOf(value: Json, origin: Origin): (readonly [string | number, Traced<Json>])[] {
  const at = (key: string | number, member: Json) =>
    [key, { value: member, origin: within(origin, key) }] as const;
  if (Array.isArray(value)) return value.map((member: Json, index) => at(index, member));
  if (!isJsonObject(value)) return [];
  const object: JsonObject = value;
  return Object.keys(object).map((key) => at(key, object[key]!));
}
