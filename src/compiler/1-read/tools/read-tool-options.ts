/** Options about tools of operations: which request calls what, and who answers the calls. */
import { pointer } from '../../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import type { Binding, Tools } from '../../ir/options.js';
import type { Diagnostic } from '../../ir/result.js';
import { type Fail, isText } from '../given-options.js';
import { faultsOfBinding } from './bind-operations.js';

export interface ReadBindings {
  readonly bindings: ReadonlyMap<string, Binding>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Bindings that are wrong bind nothing. */
export function readBindings({ bindings: given }: JsonObject, fail: Fail): ReadBindings {
  if (given === undefined) return nothing;
  if (!isJsonObject(given)) {
    fail('bindings', 'it must map node ids to operations');
    return nothing;
  }
  const entries = Object.keys(given)
    .sort()
    .map((id) => [id, given[id]!] as const);
  const wrong = entries.filter(([, binding]) => !isBinding(binding));
  for (const [id] of wrong) fail('bindings', bindingForm, pointer(id));
  if (wrong.length > 0) return nothing;
  const bindings = new Map(entries as unknown as readonly [string, Binding][]);
  const faults = [...bindings].map(
    ([id, binding]) => [id, faultsOfBinding(binding, pointer('bindings', id))] as const,
  );
  for (const [id, found] of faults) if (found.length > 0) bindings.delete(id);
  return { bindings, diagnostics: faults.flatMap(([, found]) => found) };
}

const nothing: ReadBindings = { bindings: new Map(), diagnostics: [] };

const bindingForm =
  'a binding has the text `operation` and, where values are fixed, the object `bind`';

function isBinding(value: Json): boolean {
  if (!isJsonObject(value) || typeof value['operation'] !== 'string') return false;
  const { operation: _, bind = {}, ...others } = value;
  return isJsonObject(bind) && Object.keys(others).length === 0;
}

export function readToolServer(
  { toolServer: given }: JsonObject,
  tools: Tools,
  fail: Fail,
): JsonObject | null {
  if (given === undefined) return null;
  const { url, credentialId, ...others } = isJsonObject(given) ? given : {};
  const isNamed = credentialId === undefined || isText(credentialId);
  if (!isAddress(url) || !isNamed || Object.keys(others).length > 0) {
    fail('toolServer', 'it must have the address `url` and may have the text `credentialId`');
    return null;
  }
  if (tools === 'direct') fail('toolServer', 'tools that call the service directly have no server');
  return credentialId === undefined ? { url } : { credentialId, url };
}

const services: readonly string[] = ['bills', 'documents'];

/** Base addresses, without a slash at the end. */
export function readServiceUrls(
  { serviceUrls: given }: JsonObject,
  fail: Fail,
): ReadonlyMap<string, string> {
  if (given === undefined) return noUrls;
  const entries = isJsonObject(given) ? Object.entries(given) : [];
  const isRight = ([name, url]: readonly [string, Json]) =>
    services.includes(name) && isAddress(url);
  if (!isJsonObject(given) || !entries.every(isRight)) {
    fail('serviceUrls', `it may have the addresses \`${services.join('` and `')}\``);
    return noUrls;
  }
  return new Map(entries.map(([name, url]) => [name, String(url).replace(/\/$/, '')]));
}

const noUrls: ReadonlyMap<string, string> = new Map();

/** An address with a host, and without a name and a password in it. */
function isAddress(value: Json | undefined): value is string {
  return typeof value === 'string' && /^https?:\/\/[^\s/?#@{}]+(?:\/[^\s?#{}]*)?$/.test(value);
}
