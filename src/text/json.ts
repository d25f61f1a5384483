/** JSON values, and a text that is the same for equal ones. */

/** A JSON value, deeply read-only. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
/** A JSON object, deeply read-only. */
export interface JsonObject {
  readonly [key: string]: Json;
}
/** An object from outside, with unknown members. */
export type OpenObject = Readonly<Record<string, unknown>>;

/** Neither null nor a list. */
export function isObject(value: Json | undefined): value is JsonObject;
export function isObject(value: unknown): value is OpenObject;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function asObject(value: Json | undefined): JsonObject;
export function asObject(value: unknown): OpenObject;
export function asObject(value: unknown): OpenObject {
  return isObject(value) ? value : {};
}

/** A text as it is, any other value as JSON. */
export function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * JSON that does not depend on the order of keys; undefined for undefined. `simplify` may replace each
 * value before its keys are sorted, given the key that it has in its object.
 */
export function canonicalJson(
  value: unknown,
  simplify: (value: unknown, key: string) => unknown = (each) => each,
): string {
  return JSON.stringify(value, (key, each: unknown) => {
    const simple = simplify(each, key);
    if (!isObject(simple)) return simple;
    // From entries, since a key may be `__proto__`.
    return Object.fromEntries(Object.entries(simple).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
