/**
 * Tools in the form that the platform takes now.
 *
 * In: a tool as an export of whatever time has it. Out: the same with its parts where they belong
 * today, each with its own place in the source.
 */
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { derived, type Origin, type Traced, traced, within, withPart } from '../ir/provenance.js';
import { isSchema, membersByName, partOf, schemaTemplate, writeTemplate } from '../ir/template.js';
import { hasLiquid } from './template.js';

/** Functions that an editor declares for tools that are none; they say nothing. */
export const stubs: readonly Json[] = ['untitled_tool', 'api_request_tool'];

type Members = Map<string, Traced<Json>>;

function membersOf(object: Traced<JsonObject>): Members {
  return new Map(membersByName(object).map(({ key, value }) => [key, value]));
}

/** Headers or a body with `value` where a template stands as another keyword: editors did so. */
export function fixValues(given: Traced<JsonObject>): Traced<JsonObject> {
  if (!isSchema(given.value) || !isJsonObject(given.value['properties'] ?? null)) return given;
  const all = partOf(given, 'properties') as Traced<JsonObject>;
  const properties = membersByName(all).map(({ key, value: schema }): [string, Traced<Json>] => {
    const own = isJsonObject(schema.value) ? schema.value : {};
    const isTemplate = (it: string) => typeof own[it] === 'string' && hasLiquid(own[it]);
    const fixer = Object.hasOwn(own, 'value') ? undefined : ['default', 'enum'].find(isTemplate);
    if (fixer === undefined) return [key, schema];
    const { default: _, enum: __, ...others } = own;
    const origin = withPart(schema.origin, 'value', within(schema.origin, fixer));
    return [key, traced({ ...others, value: own[fixer]! }, origin)];
  });
  return join(given.origin, membersOf(given).set('properties', join(all.origin, properties)));
}

/** Moves what the target does not have yet; the rest of these is dropped. */
function move(from: Members, to: Members, ...keys: readonly string[]): void {
  for (const key of keys) {
    const value = from.get(key);
    if (value !== undefined && !to.has(key)) to.set(key, value);
    from.delete(key);
  }
}

/**
 * A tool as the platform takes it now. Once a function said itself which server carries it out, or
 * its parts stood beside the type; and tools that are no functions declared one too.
 */
export function presentForm(tool: Traced<JsonObject>): Traced<JsonObject> {
  const fields = membersOf(tool);
  for (const [key, { value }] of fields) if (value === null) fields.delete(key);
  const type = fields.get('type')?.value;
  const given = fields.get('function');
  const isDeclared = given !== undefined && isJsonObject(given.value);
  const declared: Members = isDeclared ? membersOf(given as Traced<JsonObject>) : new Map();
  if (isDeclared) move(declared, fields, 'serverUrl', 'serverUrlSecret', 'async', 'server');
  else if (type === 'function') {
    move(fields, declared, 'name', 'description', 'parameters', 'strict');
  }
  fields.delete('function');
  if (type === 'function') fields.set('function', join(given?.origin ?? tool.origin, declared));
  const isStub = stubs.includes(declared.get('name')?.value ?? null);
  if (type === 'apiRequest' && !isStub) move(declared, fields, 'name', 'description');
  const server: Members = new Map();
  const [url, secret] = ['serverUrl', 'serverUrlSecret'].map((key) => fields.get(key));
  for (const key of ['serverUrl', 'serverUrlSecret']) fields.delete(key);
  if (url !== undefined && !fields.has('server')) {
    server.set('url', url);
    // The platform sent it so.
    if (secret?.value) server.set('headers', join(secret.origin, [['X-Vapi-Secret', secret]]));
    fields.set('server', join(url.origin, server));
  }
  for (const key of ['headers', 'body']) {
    const schema = fields.get(key);
    if (schema === undefined || !isJsonObject(schema.value) || !isSchema(schema.value)) continue;
    const fixed = fixValues(schema as Traced<JsonObject>);
    const plain = writeTemplate(schemaTemplate(fixed), '', []);
    const isPlain = JSON.stringify(plain) === JSON.stringify(fixed.value);
    fields.set(key, isPlain ? fixed : traced(plain, derived('plain-schema', fixed.origin)));
  }
  return join(tool.origin, fields);
}

/** An object of members that may come from elsewhere. */
function join(
  origin: Origin,
  members: Iterable<readonly [string, Traced<Json>]>,
): Traced<JsonObject> {
  const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
  let whole = origin;
  for (const [key, member] of sorted) whole = withPart(whole, key, member.origin);
  return traced(Object.fromEntries(sorted.map(([key, { value }]) => [key, value])), whole);
}
