/**
 * Given tools, which are carried over in the platform's current format. squadc reads their names,
 * the variables that their texts read, and those that their response sets.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import { derived, type Origin, type Traced, traced, within, withPart } from '../ir/provenance.js';
import { isSchema, membersByName, partOf, schemaTemplate, writeTemplate } from '../ir/template.js';
import type { GivenTool } from '../ir/workflow.js';
import { takeResponses } from './captures.js';
import { type Found, Reading, tracedOf } from './reading.js';
import { hasLiquid, textsWithin, withoutArguments } from './template.js';

/** The tools that a talk node contains, and those that it refers to. */
export function takeTools(node: Reading): GivenTool[] {
  const tools = node.takeInsides('tools').flatMap((tool) => readTool(tool) ?? []);
  const saved = node.takeEach('a text', 'toolIds', (id) =>
    id.value === '' ? [] : [savedTool(node, id, id.value)],
  );
  const versions = node.takeInsides('toolRefs').flatMap((ref) => {
    const id = ref.requireString('a reference to a tool', 'toolId');
    return id === null ? [] : [savedTool(ref, id, id.value)];
  });
  return [...tools, ...saved, ...versions];
}

/** A tool given in full; null if it has no type, or one that cannot be carried over. */
export function readTool(tool: Reading): GivenTool | null {
  const { at, value, faults, ledger } = tool;
  tool.takeAll(Object.keys(value));
  const present = presentForm(tracedOf(tool)!);
  const { type = null, function: declared = null, body = null, name } = present.value;
  if (typeof type !== 'string' || type === '') {
    tool.report('shape/missing-field', at, { field: 'type', of: 'a tool' });
    return null;
  }
  if (type === 'handoff') {
    // A handoff leads the call to a place that squadc cannot see.
    tool.report('shape/unsupported-tool', child(at, 'type'), { type });
    return null;
  }
  const { variableExtractionPlan: _, ...others } = value;
  // The whole tool is carried over, so its unknown fields are not reported.
  const { variables } = takeResponses(new Reading(value, at, { ...ledger, readings: [] }, 'tool'));
  const { name: own, parameters = null } = asObject(declared ?? null);
  const form = type === 'function' ? parameters : body;
  const texts = withoutArguments(textsWithin(others, at, faults), form);
  for (const text of texts) {
    if (/\/(?:url|serverUrl|number|headers\/.*)$/.test(text.at)) tool.checkPlaceholder(text);
  }
  return {
    // The name of its function, its own name, or its type.
    name: [own, name || null].find((it) => typeof it === 'string') ?? type,
    value: present,
    savedAs: null,
    version: null,
    // A response is not a variable, so reads of it in an alias raise no question.
    texts: [...texts, ...variables.flatMap((variable) => variable.value ?? [])],
    variables: variables.map((variable) => variable.name),
    at,
  };
}

/** A saved tool; only its id is known. */
export function savedTool(node: Reading, id: Found<string>, name: string): GivenTool {
  node.report('shape/tool-by-id', id.at, { id: id.value });
  const version = tracedOf(node.takeString('version', 'toolVersion'));
  return { name, value: null, savedAs: tracedOf(id), version, texts: [], variables: [], at: id.at };
}

/** Placeholder functions that an editor declares for tools that are not functions. */
export const stubs: readonly Json[] = ['untitled_tool', 'api_request_tool'];

type Members = Map<string, Traced<Json>>;

function membersOf(object: Traced<JsonObject>): Members {
  return new Map(membersByName(object).map(({ key, value }) => [key, value]));
}

/** Headers or a body with `value` for a template under another keyword, as editors wrote it. */
export function fixValues(given: Traced<JsonObject>): Traced<JsonObject> {
  if (!isSchema(given.value) || !isObject(given.value['properties'] ?? null)) return given;
  const all = partOf(given, 'properties') as Traced<JsonObject>;
  const properties = membersByName(all).map(({ key, value: schema }): [string, Traced<Json>] => {
    const own = asObject(schema.value);
    const isTemplate = (it: string) => typeof own[it] === 'string' && hasLiquid(own[it]);
    const fixer = Object.hasOwn(own, 'value') ? undefined : ['default', 'enum'].find(isTemplate);
    if (fixer === undefined) return [key, schema];
    const { default: _, enum: __, ...others } = own;
    const origin = withPart(schema.origin, 'value', within(schema.origin, fixer));
    return [key, traced({ ...others, value: own[fixer]! }, origin)];
  });
  return join(given.origin, membersOf(given).set('properties', join(all.origin, properties)));
}

/** Moves members that the target does not have yet and drops the others. */
function move(from: Members, to: Members, ...keys: readonly string[]): void {
  for (const key of keys) {
    const value = from.get(key);
    if (value !== undefined && !to.has(key)) to.set(key, value);
    from.delete(key);
  }
}

/**
 * A tool in the platform's current format. In older formats a function named its server itself, or
 * had its parts beside the type, and tools that are not functions declared one too.
 */
function presentForm(tool: Traced<JsonObject>): Traced<JsonObject> {
  const fields = membersOf(tool);
  for (const [key, { value }] of fields) if (value === null) fields.delete(key);
  const type = fields.get('type')?.value;
  const given = fields.get('function');
  const isDeclared = given !== undefined && isObject(given.value);
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
    // The header in which the platform sent it.
    if (secret?.value) server.set('headers', join(secret.origin, [['X-Vapi-Secret', secret]]));
    fields.set('server', join(url.origin, server));
  }
  for (const key of ['headers', 'body']) {
    const schema = fields.get(key);
    if (schema === undefined || !isObject(schema.value) || !isSchema(schema.value)) continue;
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
