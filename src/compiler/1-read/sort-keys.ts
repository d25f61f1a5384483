/** Objects that are carried through, in an order of their own. */
import type { Json, JsonObject } from '../ir/json.js';

/** A value with its keys in order, so that the order of the source's keys decides nothing. */
export function sortKeys(value: Json): Json {
  // Values are at most as deep as a document may be, so the recursion is bounded.
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sortKeys(object[key]!)]),
  );
}
