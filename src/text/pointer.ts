/** JSON Pointers (RFC 6901). */
import { isObject, type Json } from './json.js';

/** A JSON Pointer; the empty string is the whole document. */
export type JsonPointer = string;

/** The pointer to a member or an element of the value at `base`. */
export function child(base: JsonPointer, segment: string | number): JsonPointer {
  const text = String(segment);
  if (!/[~/]/.test(text)) return `${base}/${text}`;
  return `${base}/${text.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The pointer to the value that these keys lead to from the root. */
export function pointer(...segments: readonly (string | number)[]): JsonPointer {
  return segments.reduce<JsonPointer>(child, '');
}

/** The keys that lead to the value from the root. */
export function keysOf(at: JsonPointer): string[] {
  const segments = at.split('/').slice(1);
  return segments.map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at the pointer; undefined if there is none. Only own properties count. */
export function valueAt(document: unknown, at: JsonPointer): Json | undefined {
  let value = document as Json | undefined;
  for (const key of keysOf(at)) {
    if (Array.isArray(value)) {
      const list: readonly Json[] = value;
      value = /^(?:0|[1-9]\d*)$/.test(key) ? list[Number(key)] : undefined;
    } else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
