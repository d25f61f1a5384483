/** The value at a JSON Pointer. */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';

/** Undefined where nothing stands there; only own properties count. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else if (isJsonObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined;
    else return undefined;
  }
  return value;
}

/** The text there; null where something else stands there, or nothing. */
export function textAt(document: Json, pointer: string): string | null {
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? value : null;
}

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
