/**
 * A JSON value as text that is the same for equal values: keys sorted, no white space.
 *
 * In: any JSON value. Out: its text. Guarantees: as deep as the value may be, no stack is used; an
 * own key `__proto__` is a key like any other.
 */
import { isJsonObject, type Json } from '../../compiler/ir/json.js';

/** What is still to be written: a value, or a piece of text as it is. */
type Pending = { readonly value: Json } | { readonly text: string };

/** In a `schema` the names that are required are a set, whatever their order. */
export function canonicalText(root: Json, schema = false): string {
  if (typeof root !== 'object' || root === null) return scalarText(root);
  const parts: string[] = [];
  const pending: Pending[] = [{ value: root }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (typeof next.value !== 'object' || next.value === null) {
      parts.push(scalarText(next.value));
    } else if (isJsonObject(next.value)) {
      const object = next.value;
      const keys = Object.keys(object).sort().reverse();
      pending.push({ text: '}' });
      keys.forEach((key, at) => {
        const comma = at < keys.length - 1 ? ',' : '';
        const value = object[key]!;
        pending.push({ value: schema && key === 'required' ? asSet(value) : value });
        pending.push({ text: `${comma}${JSON.stringify(key)}:` });
      });
      parts.push('{');
    } else {
      const elements = next.value;
      pending.push({ text: ']' });
      for (let at = elements.length - 1; at >= 0; at -= 1) {
        pending.push({ value: elements[at]! });
        if (at > 0) pending.push({ text: ',' });
      }
      parts.push('[');
    }
  }
  return parts.join('');
}

function asSet(value: Json): Json {
  const isNames = Array.isArray(value) && value.every((it) => typeof it === 'string');
  return isNames ? [...new Set(value)].sort() : value;
}

function scalarText(value: Json): string {
  return JSON.stringify(value) ?? 'null';
}
