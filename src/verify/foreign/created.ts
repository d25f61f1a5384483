/**
 * A squad of the platform as it would be created: without what the API adds to a fetched one.
 *
 * Only keys are left out, so places stay the same.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';

/** Fields that the platform writes itself. */
const readOnly: ReadonlySet<string> = new Set([
  ...['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
]);

/** Where it does so, with positions in lists as `#`. */
const places =
  /^(?:\/members\/#(?:\/(?:assistant|assistantOverrides)(?:\/(?:model\/tools|tools:append)\/#)?)?)?$/;

/** `document` is the body of a squad, not wrapped. */
export function asCreated(document: JsonObject): JsonObject {
  return asObject(without(document, ''));
}

function without(value: Json, path: string): Json {
  if (Array.isArray(value)) return value.map((it) => without(it, `${path}/#`));
  if (!isObject(value)) return value;
  const isWritten = (key: string) => readOnly.has(key) && places.test(path);
  const isOwn = (key: string) => !isWritten(key) && (value[key] !== null || path !== '/members/#');
  const own = Object.entries(value).filter(([key]) => isOwn(key));
  return Object.fromEntries(own.map(([key, it]) => [key, without(it, `${path}/${key}`)]));
}
