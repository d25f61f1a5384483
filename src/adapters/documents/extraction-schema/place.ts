/**
 * Every schema inside a schema, parents before children, in the order in which they are written.
 *
 * In: any value. Out: its places, each once. What lies below an object that is nested too deep, or
 * below an array in an array, is not looked at: the fault is reported already.
 */
import { child, type Find } from './finding.js';

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** The parts of the special types that are objects, and what each may be; usually the first. */
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
  /** The one type beside null; null where there is none, or none that is known. */
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

/** Choices without a type are texts and null. */
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

/** Objects in one another, the root included; arrays add none. */
export const deepest = 5;

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
