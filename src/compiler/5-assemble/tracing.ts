/**
 * Values and where they came from, written side by side: whoever writes a value into the output
 * notes its origin under the same pointer, so the two cannot drift apart.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Origin, synthesized, type Traced, within } from '../ir/provenance.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { Segment } from '../ir/squad-ir.js';

export type SourceMap = SourceMapEntry[];

/** A value that is squadc's own: the words of the target's shape. */
export function fixed<T extends Json>(value: T, at: JsonPointer, map: SourceMap): T {
  map.push({ output: at, origin: synthesized('shape') });
  return value;
}

/** A value of known origin; inside an object or a list every value gets an entry of its own. */
export function note<T extends Json>(traced: Traced<T>, at: JsonPointer, map: SourceMap): T {
  noteWithin(traced.value, traced.origin, at, map);
  return traced.value;
}

/** A composed text, with an entry for each of its pieces. */
export function compose(segments: readonly Segment[], at: JsonPointer, map: SourceMap): string {
  if (segments.length === 1) map.push({ output: at, origin: segments[0]!.origin });
  else noteRanges(segments, at, map);
  return segments.map(({ text }) => text).join('');
}

function noteRanges(segments: readonly Segment[], at: JsonPointer, map: SourceMap): void {
  let start = 0;
  for (const { text, origin } of mergeWording(segments)) {
    const end = start + text.length;
    if (end > start) map.push({ output: at, range: [start, end], origin });
    start = end;
  }
}

/** Neighbouring pieces of squadc's own words are one. */
function mergeWording(segments: readonly Segment[]): Segment[] {
  const merged: Segment[] = [];
  for (const segment of segments) {
    const last = merged[merged.length - 1];
    if (last !== undefined && isWording(last.origin) && isWording(segment.origin)) {
      merged[merged.length - 1] = { text: last.text + segment.text, origin: last.origin };
    } else {
      merged.push(segment);
    }
  }
  return merged;
}

function isWording(origin: Origin): boolean {
  return origin.kind === 'synthesized' && origin.rule === 'wording';
}

/** A member of a value, with its origin. */
export function partOf({ value, origin }: Traced<JsonObject>, key: string): Traced<Json> {
  return { value: value[key] ?? null, origin: within(origin, key) };
}

/** The origin of what a rule made of a value. */
export function derived(rule: string, origin: Origin): Origin {
  return origin.kind === 'source' ? synthesized(rule, [origin.at]) : origin;
}

/** Values are at most as deep as a document may be, so the recursion is bounded. */
function noteWithin(value: Json, origin: Origin, at: JsonPointer, map: SourceMap): void {
  const members = membersOf(value);
  if (members.length === 0) map.push({ output: at, origin });
  for (const [key, member] of members) {
    noteWithin(member, within(origin, key), child(at, key), map);
  }
}

function membersOf(value: Json): (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return value.map((member: Json, at) => [at, member] as const);
  if (!isJsonObject(value)) return [];
  const object: JsonObject = value;
  return Object.keys(object).map((key) => [key, object[key]!] as const);
}
