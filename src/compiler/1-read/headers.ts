/** Who sends a request: headers that authenticate, secrets in plain sight, values left to fill in. */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import type { Text } from '../ir/workflow.js';
import type { Reading } from './reading.js';

/** A literal in a header that authenticates is a secret in plain sight. */
export function checkSecrets(tool: Reading, holder: Json, at: JsonPointer): void {
  const headers = isJsonObject(holder) ? holder['headers'] : null;
  for (const { name, path } of listSecrets(isJsonObject(headers) ? headers : null)) {
    const place = ['headers', ...path].reduce(child, at);
    tool.report('data/literal-secret', place, { header: name });
  }
}

/** A value that an editor's placeholder stands for, which nobody has filled in. */
const placeholder = /\$\{[^}]*\}|<[A-Za-z][\w .-]*>|\byour[-_]\w+/i;

export function checkPlaceholder({ value, at }: Text, holder: Reading): void {
  const [found] = placeholder.exec(value) ?? [];
  if (found !== undefined) holder.report('data/unfilled-placeholder', at, { placeholder: found });
}

/** A header, with the keys that lead to the literal that it sends where it sends one. */
interface Header {
  readonly name: string;
  readonly path: readonly string[];
  readonly literal: string | null;
  /** Whether it has a value. */
  readonly isSent: boolean;
}

const authNames: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);
const authWords: ReadonlySet<string> = new Set([
  ...['key', 'apikey', 'token', 'secret', 'auth', 'password'],
]);

/** Whether a header of this name authenticates: `X-Api-Key` does, and `Idempotency-Key` does not. */
function isAuth({ name }: Header): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[-_]/);
  if (words.includes('idempotency')) return false;
  return authNames.has(name.toLowerCase()) || words.some((word) => authWords.has(word));
}

/** Whether headers say who sends the request; where none does, and no credential, it is asked. */
export function authenticates(headers: JsonObject | null): boolean {
  return listHeaders(headers).some((header) => isAuth(header) && header.isSent);
}

/** Whether anybody could call the address: the platform sends requests over HTTP only. */
export function isCallable(url: string): boolean {
  return /^\s*(?:https?:\/\/|\{\{|\{%)/i.test(url);
}

/** Keys that lead from the headers to the one that a credential would fill; null where none does. */
export function findAuthorization(headers: JsonObject | null): readonly string[] | null {
  return listHeaders(headers).find(({ name }) => /^authorization$/i.test(name))?.path ?? null;
}

/** Headers that authenticate with a literal: secrets in plain sight. */
export function listSecrets(headers: JsonObject | null): Header[] {
  return listHeaders(headers).filter(
    (header) => isAuth(header) && header.isSent && header.literal?.includes('{{') === false,
  );
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
      if (!isSchema) {
        const literal = typeof value === 'string' ? value : null;
        return { name, path: [name], literal, isSent: isSent(value) };
      }
      const schema = isJsonObject(value) ? value : {};
      const fields = ['value', 'default', 'const'].filter((it) => typeof schema[it] === 'string');
      const literal = fields.length === 0 ? null : String(schema[fields[0]!]);
      const sent = literal ?? (Array.isArray(schema['enum']) ? (schema['enum'][0] ?? null) : null);
      const path = ['properties', name, ...fields.slice(0, 1)];
      return { name, path, literal, isSent: isSent(sent) };
    });
}
