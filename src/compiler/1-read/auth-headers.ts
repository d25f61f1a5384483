/** Headers that say who sends a request; one that has none, and no credential, is asked about. */
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';

const authName = /^(?:proxy-)?authorization$|key|token|secret|auth/i;

export function authenticates(headers: JsonObject | null): boolean {
  return listHeaders(headers).some(({ name }) => authName.test(name));
}

/** Keys that lead from the headers to the one that a credential would fill; null where none does. */
export function findAuthorization(headers: JsonObject | null): readonly string[] | null {
  return listHeaders(headers).find(({ name }) => /^authorization$/i.test(name))?.path ?? null;
}

/** A header that authenticates with a literal: a secret in plain sight. */
export interface LiteralSecret {
  readonly name: string;
  /** Keys that lead from the headers to the literal. */
  readonly path: readonly string[];
}

export function listSecrets(headers: JsonObject | null): LiteralSecret[] {
  return listHeaders(headers).filter(
    ({ name, literal }) => authName.test(name) && literal !== null && !literal.includes('{{'),
  );
}

interface Header extends LiteralSecret {
  readonly literal: string | null;
}

/** Headers, given as a plain object or as a JSON Schema whose properties they are. */
function listHeaders(headers: JsonObject | null): Header[] {
  if (headers === null) return [];
  const { type, properties } = headers;
  if (type === 'object' && isJsonObject(properties)) {
    return entriesOf(properties).map(([name, schema]) => ({ name, ...literalOf(name, schema) }));
  }
  return entriesOf(headers).map(([name, value]) => ({
    name,
    path: [name],
    literal: typeof value === 'string' ? value : null,
  }));
}

function literalOf(name: string, schema: Json): Omit<Header, 'name'> {
  const path = ['properties', name];
  if (!isJsonObject(schema)) return { path, literal: null };
  const field = ['value', 'default', 'const'].find((it) => typeof schema[it] === 'string');
  if (field === undefined) return { path, literal: null };
  return { path: [...path, field], literal: String(schema[field]) };
}

function entriesOf(object: JsonObject): [string, Json][] {
  return Object.keys(object)
    .sort()
    .map((key) => [key, object[key]!]);
}
