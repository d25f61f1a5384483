/**
 * Every schema inside a schema, parents before children, in written order.
 *
 * In: any value. Out: its places, each once. Skips whatever is inside an object that is nested too
 * deep, or inside an array within an array: those are reported already.
 */
import { child, type Find } from './finding.js';

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** The parts of the special object types and the types each may have, the usual one first. */
export const parts: Readonly<
  Record<'currency' | 'signature', Readonly<Record<string, readonly [Kind, ...Kind[]]>>>
> = {
  currency: { amount: ['number', 'integer'], iso_4217_currency_code: ['string'] },
  signature: {
    printed_name: ['string'],
    signature_date: ['string'],
    is_signed: ['boolean'],
    title_or_role: ['string'],
  },
};

export interface TypeReading {
  /** The one type besides null; null if there is none, or none that is known. */
  readonly kind: Kind | null;
  readonly nullable: boolean;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function has(holder: object, key: string): boolean {
  return own(holder, key) !== undefined;
}

export function own(holder: object, key: string): unknown {
  return Object.getOwnPropertyDescriptor(holder, key)?.value;
}

/** An enumeration without a type counts as a nullable string. */
export function readType(schema: object): TypeReading {
  const given = own(schema, 'type');
  if (given === undefined && has(schema, 'enum')) return { kind: 'string', nullable: true };
  const types: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (types.length > kinds.length) return { kind: null, nullable: false };
  const nullable = types.includes('null');
  const others = types.filter((each) => each !== 'null');
  const kind = others.length === 1 && kinds.includes(others[0]) ? (others[0] as Kind) : null;
  return { kind, nullable };
}

/** Greatest number of nested objects, including the root; arrays add none. */
export const deepest = 5;

/**
 * - `field`: a property of an object;
 * - `part`: a property of a currency or a signature, which needs no description;
 * - `items`: what an array holds.
 */
export type Role = 'root' | 'field' | 'part' | 'items';

export interface Place {
  readonly schema: object;
  readonly at: string;
  readonly role: Role;
  readonly type: TypeReading;
  readonly keys: readonly string[];
  /** Whether it describes an object: by its type, or by having properties but no type. */
  readonly isObject: boolean;
  readonly names: readonly string[];
  /** Number of objects from the root down to here. */
  readonly level: number;
  /** The value of `<prefix>:type`. */
  readonly special: unknown;
}

export function* places(
  schema: unknown,
  prefix: string,
  find: Find,
  at = '',
  role: Role = 'root',
  above?: Place,
): Generator<Place> {
  if (!isObject(schema)) return find('extraction/not-a-schema', at);
  const type = readType(schema);
  const properties = own(schema, 'properties');
  const isObjectSchema = type.kind === 'object' || (type.kind === null && isObject(properties));
  const names = isObjectSchema && isObject(properties) ? Object.keys(properties) : [];
  const place: Place = {
    schema,
    at,
    role,
    type,
    keys: Object.keys(schema),
    isObject: isObjectSchema,
    names,
    level: (above?.level ?? 0) + (isObjectSchema ? 1 : 0),
    special: own(schema, `${prefix}:type`),
  };
  yield place;
  if (place.level > deepest || (role === 'items' && type.kind === 'array')) return;
  const isPart = place.special === 'currency' || place.special === 'signature';
  for (const name of names) {
    const below = child(child(at, 'properties'), name);
    const inner = own(Object(properties), name);
    yield* places(inner, prefix, find, below, isPart ? 'part' : 'field', place);
  }
  const items = own(schema, 'items');
  if (isObject(items) && (type.kind === 'array' || type.kind === null)) {
    yield* places(items, prefix, find, child(at, 'items'), 'items', place);
  }
}
