/**
 * Reads parts of a schema that may be any value at all.
 *
 * Invariants: only own fields are read, and none that would run code.
 */

export type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

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
