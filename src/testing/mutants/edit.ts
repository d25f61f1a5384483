/**
 * Changes of a JSON document that leave the document as it is: what lies on the way to the changed
 * place is copied, all else is shared.
 */
import type { JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';

/** With this value at the place; its parent exists. */
export function put(document: JsonObject, at: JsonPointer, value: Json): JsonObject {
  return rebuild(document, at, (parent, key) => withPart(parent, key, value));
}

/** Without the place; the elements of a list that follow it move up. */
export function drop(document: JsonObject, at: JsonPointer): JsonObject {
  return rebuild(document, at, (parent, key) => {
    if (Array.isArray(parent)) return parent.filter((_, index) => index !== Number(key));
    return isJsonObject(parent) ? withoutKey(parent, key) : parent;
  });
}

/** With one more element in the list, before the element that stands at the place. */
export function insert(document: JsonObject, at: JsonPointer, value: Json): JsonObject {
  return rebuild(document, at, (parent, key) =>
    Array.isArray(parent) ? (parent as readonly Json[]).toSpliced(Number(key), 0, value) : parent,
  );
}

/** With a key of another name in the place of this one. */
export function renameKey(document: JsonObject, at: JsonPointer, name: string): JsonObject {
  return rebuild(document, at, (parent, key) =>
    isJsonObject(parent) ? withoutKey({ ...parent, [name]: parent[key] ?? null }, key) : parent,
  );
}

export function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

/** The keys of a pointer, in their own spelling. */
export function keysOf(at: JsonPointer): string[] {
  const segments = at.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function rebuild(
  document: JsonObject,
  at: JsonPointer,
  change: (parent: Json, key: string) => Json,
): JsonObject {
  const keys = keysOf(at);
  const last = keys.pop() ?? '';
  const parents: Json[] = [document];
  for (const key of keys) parents.push(partOf(parents.at(-1) ?? null, key));
  let value = change(parents.pop() ?? null, last);
  for (const key of keys.reverse()) value = withPart(parents.pop() ?? null, key, value);
  return isJsonObject(value) ? value : document;
}

function partOf(value: Json, key: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(key)] ?? null;
  return isJsonObject(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}

function withPart(parent: Json, key: string, part: Json): Json {
  if (Array.isArray(parent)) return (parent as readonly Json[]).with(Number(key), part);
  return isJsonObject(parent) ? { ...parent, [key]: part } : parent;
}
