/** Values as JSON that is the same for any order of keys, for hashes and comparisons. */
import { createHash } from 'node:crypto';

/** The value as JSON on one line, keys in order of their code units. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (isObject(each) ? sorted(each) : each));
}

/** The first 16 hexadecimal digits of the SHA-256 of the value's canonical JSON. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 16);
}

/** From entries, since a key may be called `__proto__`. */
function sorted(object: object): object {
  return Object.fromEntries(
    Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
