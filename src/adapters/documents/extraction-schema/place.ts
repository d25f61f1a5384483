/**
 * Every schema inside a schema, parents before children, in the order in which they are written.
 *
 * In: a schema that may be any object: deep, wide, or one that holds itself. Out: its places, each
 * once. The way down is a list, not recursion, and has three ends: the limit of nesting, a schema
 * that is its own ancestor, and the limit of parts (two small objects that share one child at each
 * of a hundred levels have more places than could ever be listed).
 */
import { child, type Find } from './finding.js';
import { isObject, own, readType, type TypeReading } from './reading.js';

/**
 * - `field`: a property of an object;
 * - `part`: a property of a currency or a signature, which need not say what it is for;
 * - `items`: what an array holds.
 */
export type Role = 'root' | 'field' | 'part' | 'items';

export interface Place {
  readonly schema: object;
  readonly at: string;
  readonly role: Role;
  readonly type: TypeReading;
  readonly keys: readonly string[];
  /** Whether it describes an object: it says so, or says nothing and has properties. */
  readonly isObject: boolean;
  /** The names of an object's properties. */
  readonly names: readonly string[];
  /** How many objects there are from the root to here. */
  readonly level: number;
  /** What `<prefix>:type` says. */
  readonly special: unknown;
}

interface Step {
  readonly value: unknown;
  readonly at: string;
  readonly role: Role;
  readonly above: Above | null;
}

interface Above {
  readonly place: Place;
  readonly above: Above | null;
  readonly depth: number;
}

/** Keys, entries and properties that are read; real schemas have some hundreds. */
const maxParts = 50_000;

/** Whatever is nested deeper is inside of an object beyond level 5, or of an array in an array. */
const maxDepth = 64;

export function* places(root: object, prefix: string, find: Find): Generator<Place> {
  const open: Step[] = [{ value: root, at: '', role: 'root', above: null }];
  let left = maxParts;
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const { value, at, above } = step;
    if (!isObject(value)) {
      find('extraction/not-a-schema', at);
      continue;
    }
    if (isAncestor(value, above)) {
      find('extraction/cyclic', at);
      continue;
    }
    const place = placeOf(value, step, prefix);
    left -= partsOf(place);
    if (left < 0) return find('extraction/too-large', at);
    yield place;
    const depth = (above?.depth ?? 0) + 1;
    if (depth < maxDepth) pushChildren(open, { place, above, depth });
  }
}

function placeOf(schema: object, { at, role, above }: Step, prefix: string): Place {
  const type = readType(schema);
  const properties = own(schema, 'properties');
  const isObjectSchema = type.kind === 'object' || (type.kind === null && isObject(properties));
  return {
    schema,
    at,
    role,
    type,
    keys: Object.keys(schema),
    isObject: isObjectSchema,
    names: isObjectSchema && isObject(properties) ? Object.keys(properties) : [],
    level: (above?.place.level ?? 0) + (isObjectSchema ? 1 : 0),
    special: own(schema, `${prefix}:type`),
  };
}

function isAncestor(value: object, from: Above | null): boolean {
  for (let above = from; above !== null; above = above.above) {
    if (above.place.schema === value) return true;
  }
  return false;
}

function partsOf({ schema, keys, names }: Place): number {
  let parts = 1 + keys.length + names.length;
  // Looked at one by one only while that is few: a wide schema is refused without being read.
  for (const key of keys.slice(0, maxParts)) {
    const value = own(schema, key);
    if (Array.isArray(value)) parts += value.length;
  }
  return parts;
}

/** The last first, since the list is read from its end. */
function pushChildren(open: Step[], above: Above): void {
  const { schema, at, type, names, special } = above.place;
  const items = type.kind === 'array' || type.kind === null ? own(schema, 'items') : null;
  if (isObject(items)) open.push({ value: items, at: child(at, 'items'), role: 'items', above });
  const role = special === 'currency' || special === 'signature' ? 'part' : 'field';
  const properties = Object(own(schema, 'properties')) as object;
  const below = child(at, 'properties');
  for (const name of names.toReversed()) {
    open.push({ value: own(properties, name), at: child(below, name), role, above });
  }
}
