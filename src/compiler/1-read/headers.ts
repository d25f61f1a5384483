/** Who sends a request: an address that can be called, and headers that authenticate. */
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { isSecretName } from '../ir/secrets.js';

/** Whether anybody could call the address: the platform sends requests over HTTP only. */
export function isCallable(url: string): boolean {
  return /^\s*(?:https?:\/\/|\{\{|\{%)/i.test(url);
}

/** Whether headers say who sends the request; where none does, and no credential, it is asked. */
export function authenticates(headers: JsonObject | null): boolean {
  return listHeaders(headers).some(({ name, sent }) => {
    // A scheme without what belongs behind it says nothing.
    const isEmpty = sent === null || /^\s*(?:(?:Bearer|Basic)\s*)?$/i.test(String(sent));
    return isSecretName(name) && !isEmpty;
  });
}

/** Keys that lead from the headers to the one that a credential would fill; null where none does. */
export function findAuthorization(headers: JsonObject | null): readonly string[] | null {
  return listHeaders(headers).find(({ name }) => /^authorization$/i.test(name))?.path ?? null;
}

/** Headers, given as a plain object or as a JSON Schema whose properties they are. */
function listHeaders(headers: JsonObject | null) {
  const { type, properties } = headers ?? {};
  const isSchema = type === 'object' && isJsonObject(properties);
  const members = Object.entries(isSchema ? properties : (headers ?? {}));
  return members.map(([name, value]): { name: string; path: string[]; sent: Json } => {
    if (!isSchema) return { name, path: [name], sent: value };
    const schema = isJsonObject(value) ? value : {};
    const field = ['value', 'default', 'const'].find((it) => typeof schema[it] === 'string');
    if (field !== undefined)
      return { name, path: ['properties', name, field], sent: schema[field]! };
    const { enum: choices } = schema;
    const sent = Array.isArray(choices) ? (choices[0] ?? null) : null;
    return { name, path: ['properties', name], sent };
  });
}
