/**
 * Values and where they came from, written side by side: whoever writes a value into the output
 * notes its origin at the same place, so the two cannot drift apart.
 *
 * Most callers want the document and nothing else. So it is written without places at first, which
 * costs nothing, and once more with places when somebody asks where things stand.
 */
import { append } from '../../graph/lists.js';
import { child, type EdgeIndex, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Origin, synthesized, type Traced, within } from '../ir/provenance.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { Composition, Segment } from '../ir/squad-ir.js';

/** What is noted while the document is written. */
export interface Notes {
  readonly sourceMap: SourceMapEntry[];
  readonly placements: Placements;
}

/** Where the things of the source stand in the document, beside what the source map says. */
export interface Placements {
  readonly edges: Map<EdgeIndex, JsonPointer[]>;
  readonly globals: Map<NodeIndex, JsonPointer[]>;
}

/** A place in the document; null where nothing is noted. */
export type Place = NotedPlace | null;

export interface NotedPlace {
  readonly pointer: JsonPointer;
  readonly notes: Notes;
}

/** The whole document, with nothing noted yet. */
export function createRoot(): NotedPlace {
  return {
    pointer: '',
    notes: { sourceMap: [], placements: { edges: new Map(), globals: new Map() } },
  };
}

/** The place of a member or an element of the value at a place. */
export function inside(place: Place, key: string | number): Place {
  return place === null ? null : { pointer: child(place.pointer, key), notes: place.notes };
}

/** A value that is squadc's own: the words of the target's shape. */
export function fixed<T extends Json>(value: T, place: Place): T {
  if (place !== null) enter(place, synthesized('shape'));
  return value;
}

/** A value of known origin; inside an object or a list every value gets an entry of its own. */
export function note<T extends Json>(traced: Traced<T>, place: Place): T {
  if (place !== null) noteWithin(traced.value, traced.origin, place);
  return traced.value;
}

/** A value that a rule made of what stands at these places. */
export function made<T extends Json>(
  value: T,
  rule: string,
  from: readonly JsonPointer[],
  place: Place,
): T {
  if (place !== null) noteWithin(value, synthesized(rule, from), place);
  return value;
}

/** A composed text, with an entry for each of its pieces. */
export function compose(segments: readonly Segment[], place: Place): string {
  if (place !== null) noteSegments(segments, place);
  let text = '';
  for (const segment of segments) text += segment.text;
  return text;
}

/** The same for a text whose pieces are told apart when they are asked for. */
export function composeWhole(composition: Composition, place: Place): string {
  if (place !== null) noteSegments(composition.segments, place);
  return composition.text;
}

/** Where a tool stands that takes these edges, and leads to these global nodes. */
export function placeWays(
  edges: readonly EdgeIndex[],
  globals: readonly NodeIndex[],
  place: Place,
): void {
  if (place === null) return;
  const { placements } = place.notes;
  for (const edge of edges) append(placements.edges, edge, place.pointer);
  for (const global of globals) append(placements.globals, global, place.pointer);
}

function enter({ pointer, notes }: NotedPlace, origin: Origin): void {
  notes.sourceMap.push({ output: pointer, origin });
}

function noteSegments(segments: readonly Segment[], place: NotedPlace): void {
  if (segments.length === 1) enter(place, segments[0]!.origin);
  else noteRanges(segments, place);
}

function noteRanges(segments: readonly Segment[], { pointer, notes }: NotedPlace): void {
  let start = 0;
  for (const { text, origin } of mergeWording(segments)) {
    const end = start + text.length;
    if (end > start) notes.sourceMap.push({ output: pointer, range: [start, end], origin });
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
function noteWithin(value: Json, origin: Origin, { pointer, notes }: NotedPlace): void {
  const members = membersOf(value);
  if (members.length === 0) notes.sourceMap.push({ output: pointer, origin });
  for (const [key, member] of members) {
    noteWithin(member, within(origin, key), { pointer: child(pointer, key), notes });
  }
}

function membersOf(value: Json): (readonly [string | number, Json])[] {
  if (Array.isArray(value)) return value.map((member: Json, at) => [at, member] as const);
  if (!isJsonObject(value)) return [];
  const object: JsonObject = value;
  return Object.keys(object).map((key) => [key, object[key]!] as const);
}
