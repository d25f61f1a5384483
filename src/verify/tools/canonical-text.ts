/**
 * A JSON value as text that is the same for equal values: keys sorted, no white space.
 *
 * In: any JSON value. Out: its text. Guarantees: the stack that is used does not grow with the
 * depth of the value; an own key `__proto__` is a key like any other.
 */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';

/** In a `schema` the names that are required are a set, whatever their order. */
export function canonicalText(value: Json, schema = false): string {
  return write(value, schema, 0);
}

/** Values are seldom deeper; what is below is written without the stack. */
const shallow = 60;

function write(value: Json, schema: boolean, depth: number): string {
  if (typeof value !== 'object' || value === null) return scalarText(value);
  if (depth === shallow) return writeDeep(value, schema);
  if (!isJsonObject(value)) {
    return `[${value.map((element) => write(element, schema, depth + 1)).join(',')}]`;
  }
  let text = '';
  for (const key of Object.keys(value).sort()) {
    const comma = text === '' ? '' : ',';
    text += `${comma}${JSON.stringify(key)}:${write(partOf(value, key, schema), schema, depth + 1)}`;
  }
  return `{${text}}`;
}

/** What is still to be written: a value, or a piece of text as it is. */
type Pending = { readonly value: Json } | { readonly text: string };

function writeDeep(root: Json, schema: boolean): string {
  const parts: string[] = [];
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      parts.push(scalarText(next.value));
    } else if (isJsonObject(next.value)) {
      const keys = Object.keys(next.value).sort();
      parts.push('{');
      pending.push({ text: '}' });
      for (let at = keys.length - 1; at >= 0; at -= 1) {
        pending.push({ value: partOf(next.value, keys[at]!, schema) });
        pending.push({ text: `${at > 0 ? ',' : ''}${JSON.stringify(keys[at])}:` });
      }
    } else {
      parts.push('[');
      pending.push({ text: ']' });
      for (let at = next.value.length - 1; at >= 0; at -= 1) {
        pending.push({ value: next.value[at]! });
        if (at > 0) pending.push({ text: ',' });
      }
    }
  }
  return parts.join('');
}

function partOf(object: JsonObject, key: string, schema: boolean): Json {
  const value = object[key]!;
  if (!schema || key !== 'required' || !Array.isArray(value)) return value;
  return value.every((it) => typeof it === 'string') ? [...new Set(value)].sort() : value;
}

function scalarText(value: Json): string {
  return JSON.stringify(value) ?? 'null';
}
