/**
 * JSON for the checks. Nothing is assumed about a document, so a damaged one fails its checks and
 * throws nothing. Documents are at most 200 levels deep, so the recursion is bounded.
 */
import { canonicalJson, type Json, type JsonObject } from './json.js';
import { child, type JsonPointer } from './pointer.js';

/** The elements of a list; none if it is not a list. */
export function elements(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text; null if it is not a text. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** A schema as a text that is the same for equal ones; the required names are a set. */
export function canonicalSchema(value: Json | undefined): string {
  return canonicalJson(value, (each, key) =>
    key === 'required' && Array.isArray(each) ? each.toSorted() : each,
  );
}

/** Returns true if the values are equal, regardless of the order of keys. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** Returns true if both lists have the same elements, each once, in any order. */
export function areSame<T>(list: readonly T[], others: Iterable<T>): boolean {
  const wanted = new Set(others);
  return wanted.size === list.length && list.every((it) => wanted.delete(it));
}

/** A description as a text that does not depend on the order of its alternatives. */
export function inOrder(description: string): string {
  if (!description.includes('; or ')) return description;
  return description.split('; or ').sort().join('; or ');
}

/** Every place of the document whose key or value is wanted, in order. */
export function findPlaces(
  document: Json,
  isWanted: (key: string, value: Json) => boolean,
): JsonPointer[] {
  const found: JsonPointer[] = [];
  const path: string[] = [];
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries<Json>(value as JsonObject)) {
      path.push(key);
      if (isWanted(key, part)) found.push(path.reduce(child, ''));
      visit(part);
      path.pop();
    }
  };
  visit(document);
  return found;
}
