/** Who sends a request: headers that authenticate, values left to fill in. */
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { isSecretName } from '../ir/secrets.js';
import type { Text } from '../ir/workflow.js';
import type { Reading } from './reading.js';

/** A value that an editor's placeholder stands for, which nobody has filled in. */
const placeholder = /\$\{[^}]*\}|<[A-Za-z][\w .-]*>|\byour[-_]\w+/i;

export function checkPlaceholder({ value, at }: Text, holder: Reading): void {
  const [found] = placeholder.exec(value) ?? [];
  if (found !== undefined) holder.report('data/unfilled-placeholder', at, { placeholder: found });
}

/** A header, with the keys that lead to what it sends. */
interface Header {
  readonly name: string;
  readonly path: readonly string[];
  /** Whether it has a value. */
  readonly isSent: boolean;
}

/** Whether headers say who sends the request; where none does, and no credential, it is asked. */
export function authenticates(headers: JsonObject | null): boolean {
  return listHeaders(headers).some(({ name, isSent }) => isSecretName(name) && isSent);
}

/** Whether anybody could call the address: the platform sends requests over HTTP only. */
export function isCallable(url: string): boolean {
  return /^\s*(?:https?:\/\/|\{\{|\{%)/i.test(url);
}

/** Keys that lead from the headers to the one that a credential would fill; null where none does. */
export function findAuthorization(headers: JsonObject | null): readonly string[] | null {
  return listHeaders(headers).find(({ name }) => /^authorization$/i.test(name))?.path ?? null;
}

/** Whether a header says anything; a scheme without what belongs behind it says nothing. */
function isSent(value: Json): boolean {
  return value !== null && !/^\s*(?:(?:Bearer|Basic)\s*)?$/i.test(String(value));
}

/** Headers, given as a plain object or as a JSON Schema whose properties they are. */
function listHeaders(headers: JsonObject | null): Header[] {
  const { type, properties } = headers ?? {};
  const isSchema = type === 'object' && isJsonObject(properties);
  const members = isSchema ? properties : (headers ?? {});
  return Object.keys(members)
    .sort()
    .map((name) => {
      const value = members[name]!;
      if (!isSchema) return { name, path: [name], isSent: isSent(value) };
      const schema = isJsonObject(value) ? value : {};
      const fields = ['value', 'default', 'const'].filter((it) => typeof schema[it] === 'string');
      const literal = fields.length === 0 ? null : String(schema[fields[0]!]);
      const sent = literal ?? (Array.isArray(schema['enum']) ? (schema['enum'][0] ?? null) : null);
      const path = ['properties', name, ...fields.slice(0, 1)];
      return { name, path, isSent: isSent(sent) };
    });
}
