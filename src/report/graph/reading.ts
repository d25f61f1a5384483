/** Reads documents that may have any shape: what is not of the wanted kind counts as absent. */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';

function ownValue(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function textIn(object: JsonObject, key: string): string | null {
  const value = ownValue(object, key);
  return typeof value === 'string' ? value : null;
}

export function objectIn(object: JsonObject, key: string): JsonObject {
  const value = ownValue(object, key);
  return isJsonObject(value) ? value : {};
}

/** The list as it stands, others than objects as empty ones, so that positions stay. */
export function listIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value = ownValue(object, key);
  return Array.isArray(value) ? value.map((it: Json) => (isJsonObject(it) ? it : {})) : [];
}
