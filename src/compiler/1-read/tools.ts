/**
 * What a node calls: a request or a transfer of its own, or a tool in the platform's words. These are
 * carried as they are: squadc reads what they are called by, the variables that their texts read,
 * and those that their response sets. An address or a method that is missing is asked for.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import {
  derived,
  fromSource,
  type Origin,
  type Traced,
  traced,
  within,
  withPart,
} from '../ir/provenance.js';
import { isSchema, membersByName, partOf, schemaTemplate, writeTemplate } from '../ir/template.js';
import { isE164 } from '../ir/tool.js';
import type {
  GivenTool,
  Request,
  RequestMethod,
  ResponseVariable,
  Text,
  Transfer,
} from '../ir/workflow.js';
import { checkAliasKey, checkSetOnce, checkVariableName, takeAlias } from './captures.js';
import { names } from './dialect.js';
import { type Found, Reading, tracedOf } from './reading.js';
import { hasLiquid, joinTexts, textAt, textsWithin, withoutArguments } from './template.js';

/** Functions that an editor declares for tools that are none; they say nothing. */
const stubs: readonly Json[] = ['untitled_tool', 'api_request_tool'];

/** A request that is a tool may declare a function, as other tools do. */
export function takeRequestTool(tool: Reading): Request {
  tool.take('type');
  const own = tracedOf(tool.takeString('name'));
  const { name = null, parameters } = isJsonObject(tool.value['function'])
    ? tool.value['function']
    : {};
  if (stubs.includes(name)) tool.take('function');
  const declared = stubs.includes(name) ? null : tool.takeInside('function');
  if (isJsonObject(parameters) && !hasMembers(parameters['properties']))
    declared?.take('parameters');
  const toolName = own ?? tracedOf(declared?.takeString('name') ?? null);
  const request = takeRequest(tool);
  const description = joinTexts([request.description, declared?.takeText('description') ?? null]);
  return { ...request, toolName, description };
}

function hasMembers(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

export function takeRequest(tool: Reading): Request {
  const textsIn = (part: Traced<Json> | null): Text[] => {
    if (part === null || part.origin.kind !== 'source') return [];
    return textsWithin(part.value, part.origin.at, tool.faults);
  };
  const url = tracedOf(tool.takeString('url'));
  const given = tracedOf(tool.takeAs('an object', 'headers'));
  const headers = given && fixValues(given);
  const form = tracedOf(tool.takeAs('an object', 'body'));
  const body = form && fixValues(form);
  const timeoutSeconds = takeTimeout(tool);
  checkSecrets(tool, tool.value, tool.at);
  const method = takeMethod(tool);
  const isListed = Array.isArray(tool.value['output']);
  const listed = [
    ...takeListedResponses(tool, 'responseVariables', ['name'], ['path']),
    ...(isListed
      ? takeListedResponses(tool, 'output', ['target', 'name', 'key'], ['path', 'key', 'name'])
      : []),
  ];
  const addressed = [url, given].flatMap(textsIn);
  for (const text of addressed) checkPlaceholder(text, tool);
  const sent = withoutArguments([...addressed, ...textsIn(form)], body?.value ?? null);
  const planned = takeResponses(tool);
  const output = isJsonObject(tool.value['output']) ? takeSchema(tool, 'output') : noResponses;
  const credentialId = tracedOf(tool.takeString('credentialId'));
  const passed = tool.takeSettings(['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan']);
  // Arguments that the model neither sees nor fills.
  const statics = tool.takeInsides('parameters').flatMap((entry) => {
    const key = entry.takeString('key');
    const value = entry.takeValue('value');
    return key === null || value === null ? [] : [{ key: key.value, value }];
  });
  // A request that a call waits for is what a request is.
  if (tool.value['mode'] === 'blocking') tool.take('mode');
  const description = tool.takeText('description');
  const responses = [...listed, ...planned.variables, ...output.variables];
  const furtherTexts = [
    ...[...statics, ...passed].flatMap(({ value }) => textsIn(value)),
    ...(description === null ? [] : [description]),
    ...responses.flatMap(({ value }) => value ?? []),
  ];
  return {
    url,
    method,
    headers,
    body,
    timeoutSeconds,
    credentialId,
    statics,
    passed,
    responses,
    responseSchema: planned.schema ?? output.schema,
    toolName: null,
    description,
    texts: [...sent, ...furtherTexts],
    furtherTexts,
    authenticated: credentialId !== null || authenticates(headers?.value ?? null),
  };
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function takeMethod(tool: Reading): Traced<RequestMethod> | null {
  const method = tool.takeString('method');
  if (method === null) return null;
  const upper = method.value.toUpperCase();
  if (methods.includes(upper)) return traced(upper as RequestMethod, fromSource(method.at));
  tool.report('shape/unknown-method', method.at, { method: method.value });
  return null;
}

/** The platform waits between one second and five minutes. */
function takeTimeout(tool: Reading): Traced<number> | null {
  const field = 'timeoutSeconds';
  const seconds = tool.takeAs('a number', field);
  if (seconds === null || (seconds.value >= 1 && seconds.value <= 300)) return tracedOf(seconds);
  const args = { field, expected: 'a number from 1 to 300', found: String(seconds.value) };
  tool.report('shape/wrong-type', seconds.at, args);
  return null;
}

/** A literal in a header that authenticates is a secret in plain sight. */
function checkSecrets(tool: Reading, holder: Json, at: JsonPointer): void {
  const headers = isJsonObject(holder) ? holder['headers'] : null;
  for (const { name, path } of listSecrets(isJsonObject(headers) ? headers : null)) {
    const place = ['headers', ...path].reduce(child, at);
    tool.report('data/literal-secret', place, { header: name });
  }
}

const responsePath =
  /^(?:\$\.?)?(?:[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])*$/u;

function takeListedResponses(
  tool: Reading,
  field: string,
  called: readonly string[],
  found: readonly string[],
): ResponseVariable[] {
  const variables = tool.takeInsides(field).flatMap((entry) => {
    const name = entry.requireString('a response variable', ...called);
    const path = entry.requireString('a response variable', ...found);
    // What the value is and what it is for is not asked.
    for (const word of ['type', 'description']) entry.take(word);
    if (name === null || path === null) return [];
    checkAliasKey(name, tool.faults);
    if (!responsePath.test(path.value)) {
      entry.report('shape/response-path', path.at, { path: path.value });
    }
    return [atPath(name.value, path.value, entry.at, path.at)];
  });
  checkSetOnce(variables, tool.faults);
  return variables;
}

/** A value that an editor's placeholder stands for, which nobody has filled in. */
const placeholder = /\$\{[^}]*\}|<[A-Za-z][\w .-]*>|\byour[-_]\w+/i;

function checkPlaceholder({ value, at }: Text, holder: Reading): void {
  const [found] = placeholder.exec(value) ?? [];
  if (found !== undefined) holder.report('data/unfilled-placeholder', at, { placeholder: found });
}

/** Headers or a body with `value` where a template stands as another keyword: editors did so. */
function fixValues(given: Traced<JsonObject>): Traced<JsonObject> {
  const { properties = null } = given.value;
  if (!isSchema(given.value) || !isJsonObject(properties)) return given;
  const fixed = membersByName(partOf(given, 'properties') as Traced<JsonObject>).map(
    ({ key, value: schema }): [string, Traced<Json>] => {
      const own = isJsonObject(schema.value) ? schema.value : {};
      const isTemplate = (it: string) => typeof own[it] === 'string' && hasLiquid(own[it]);
      const fixer = Object.hasOwn(own, 'value') ? undefined : ['default', 'enum'].find(isTemplate);
      if (fixer === undefined) return [key, schema];
      const { default: _, enum: __, ...others } = own;
      const origin = withPart(schema.origin, 'value', within(schema.origin, fixer));
      return [key, traced({ ...others, value: own[fixer]! }, origin)];
    },
  );
  return join(given.origin, [
    ...membersByName(given)
      .map(({ key, value }) => [key, value] as const)
      .filter(([key]) => key !== 'properties'),
    ['properties', join(within(given.origin, 'properties'), fixed)] as const,
  ]);
}

function atPath(
  name: string,
  path: string,
  at: JsonPointer,
  sourceAt: JsonPointer,
): ResponseVariable {
  return { name, path: path.replace(/^\$\.?/, ''), value: null, at, sourceAt };
}

interface Responses {
  readonly variables: readonly ResponseVariable[];
  readonly schema: Traced<JsonObject> | null;
}
const noResponses: Responses = { variables: [], schema: null };

/** What the tool's extraction plan takes from the response: aliases, and properties of a schema. */
function takeResponses(tool: Reading): Responses {
  const plan = tool.takeInside('variableExtractionPlan');
  if (plan === null) return noResponses;
  const { variables, schema } = takeSchema(plan, 'schema');
  const all = [...variables, ...plan.takeInsides('aliases').flatMap(readAlias)];
  checkSetOnce(all, tool.faults);
  return { variables: all, schema };
}

/** A schema whose properties are variables; older request nodes call it their output. */
function takeSchema(holder: Reading, field: string): Responses {
  const inside = holder.takeInside(field);
  if (inside === null) return noResponses;
  for (const key of Object.keys(inside.value)) inside.take(key);
  const properties = inside.takeAs('an object', 'properties');
  if (properties === null || Object.keys(properties.value).length === 0) return noResponses;
  const variables = Object.keys(properties.value)
    .sort()
    .map((name) => {
      const at = child(properties.at, name);
      checkVariableName(name, at, inside.faults);
      return atPath(name, '', at, at);
    });
  return { variables, schema: tracedOf(inside) };
}

/**
 * An alias is a template; one that is nothing but a path into the response counts as that path. In
 * the others `$` and `tool` stand for the response; Liquid knows no `$`, so it is read as a name as
 * long.
 */
function readAlias(alias: Reading): ResponseVariable[] {
  return takeAlias(alias).map(([{ value: name }, { value, at: sourceAt }]) => {
    const inside = /^\s*\{\{-?\s*(\$[^\s|}]*?)\s*-?\}\}\s*$/.exec(value)?.[1] ?? '';
    if (responsePath.test(inside)) return atPath(name, inside, alias.at, sourceAt);
    const text = textAt(value.replaceAll('$', '_'), sourceAt, alias.faults);
    const uses = text.uses.filter((use) => use.name !== '_' && use.name !== 'tool');
    return { ...atPath(name, '', alias.at, sourceAt), value: { ...text, value, uses } };
  });
}

/** The tools that a talk node offers, and those that it names. */
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

/** A tool that is given in full; null where it has no type, or one that cannot be carried. */
export function readTool(tool: Reading): GivenTool | null {
  const { at, value, faults, ledger } = tool;
  for (const key of Object.keys(value)) tool.take(key);
  const present = presentForm(tracedOf(tool)!);
  const { type = null, server = null, function: declared = null, name = null } = present.value;
  if (typeof type !== 'string' || type === '') {
    tool.report('shape/missing-field', at, { field: 'type', of: 'a tool' });
    return null;
  }
  if (type === 'handoff') {
    // A call goes on elsewhere behind this one, where squadc sees nothing of it.
    tool.report('shape/unsupported-tool', child(at, 'type'), { type });
    return null;
  }
  checkSecrets(tool, value, at);
  checkSecrets(tool, server, child(at, 'server'));
  const { variableExtractionPlan: _, ...others } = value;
  // All of the tool is carried, so what nobody understands in it is not told.
  const { variables } = takeResponses(new Reading(value, at, { ...ledger, readings: [] }, 'tool'));
  // A function has a name; other tools are called by it, by their own name, or by their type.
  const called = [isJsonObject(declared) ? declared['name'] : null, name === '' ? null : name];
  const texts = textsWithin(others, at, faults);
  for (const text of texts) {
    if (/\/(?:url|serverUrl|number|headers\/.*)$/.test(text.at)) checkPlaceholder(text, tool);
  }
  return {
    name: called.find((it) => typeof it === 'string') ?? type,
    value: present,
    savedAs: null,
    version: null,
    // A response is no variable, so what an alias reads of it is not asked about.
    texts: [...texts, ...variables.flatMap((variable) => variable.value ?? [])],
    variables: variables.map((variable) => variable.name),
    at,
  };
}

/** Fields of older function tools that have another place now. */
const olderFields = ['serverUrl', 'serverUrlSecret', 'async', 'server'];

/**
 * A tool as the platform takes it now. Once a function said itself which server carries it out, or
 * its parts stood beside the type; and tools that are no functions declared one too.
 */
function presentForm(tool: Traced<JsonObject>): Traced<JsonObject> {
  const fields = new Map(membersByName(tool).map(({ key, value }) => [key, value]));
  for (const [key, { value }] of fields) if (value === null) fields.delete(key);
  const isFunction = fields.get('type')?.value === 'function';
  const given = fields.get('function');
  const declared = new Map<string, Traced<Json>>();
  const move = (
    from: Map<string, Traced<Json>>,
    to: Map<string, Traced<Json>>,
    keys: readonly string[],
  ) => {
    for (const key of keys) {
      const value = from.get(key);
      if (value === undefined) continue;
      if (!to.has(key)) to.set(key, value);
      from.delete(key);
    }
  };
  if (given !== undefined && isJsonObject(given.value)) {
    for (const { key, value } of membersByName(given as Traced<JsonObject>))
      declared.set(key, value);
    move(declared, fields, olderFields);
  } else if (isFunction) move(fields, declared, ['name', 'description', 'parameters', 'strict']);
  if (isFunction) fields.set('function', join(given?.origin ?? tool.origin, declared));
  else if (given !== undefined) {
    // Other tools have a name and a description of their own.
    const isStub = stubs.includes(declared.get('name')?.value ?? null);
    if (fields.get('type')?.value === 'apiRequest' && !isStub)
      move(declared, fields, ['name', 'description']);
    fields.delete('function');
  }
  const url = fields.get('serverUrl');
  const secret = fields.get('serverUrlSecret');
  for (const key of ['serverUrl', 'serverUrlSecret']) fields.delete(key);
  if (url !== undefined && !fields.has('server')) {
    const server = new Map<string, Traced<Json>>([['url', url]]);
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

/** A tool that the platform keeps; nothing of it is to be seen but its id. */
export function savedTool(node: Reading, id: Found<string>, name: string): GivenTool {
  node.report('shape/tool-by-id', id.at, { id: id.value });
  const version = tracedOf(node.takeString('version', 'toolVersion'));
  return { name, value: null, savedAs: tracedOf(id), version, texts: [], variables: [], at: id.at };
}

/** A transfer of which nothing is known. */
const nowhere: Transfer = {
  destination: null,
  address: null,
  message: null,
  description: null,
  passed: [],
  passedTexts: [],
  others: [],
  messages: null,
};

/** The destinations of a transfer tool, or of a node that says them itself. */
export function takeTransfer(holder: Reading): Transfer {
  // A plan beside the destination has nothing but what is said; one inside of it has more.
  const plan = holder.takeInside('transferPlan');
  const message = plan && takeSaid(plan);
  const listed = holder.takeInsides('destinations').map(readDestination);
  const isInside = isJsonObject(holder.value['destination']);
  const inside = isInside ? holder.takeInside('destination') : null;
  const own = inside === null ? takeAddress(holder) : readDestination(inside);
  const [first = nowhere, ...others] = own === null ? listed : [...listed, own];
  return { ...first, message: first.message ?? message, others };
}

/** What the caller is told; an empty text is silence, where none is the platform's own line. */
function takeSaid(holder: Reading): Text | null {
  if (holder.has('message') && holder.value['message'] === '') {
    holder.take('message');
    return { value: '', at: child(holder.at, 'message'), uses: [] };
  }
  return holder.takeText('message');
}

function readDestination(destination: Reading): Transfer {
  const { at, faults } = destination;
  const type = destination.takeString('type')?.value.toLowerCase() ?? 'number';
  if (type !== 'number' && type !== 'sip') {
    const args = { field: 'type', expected: '"number" or "sip"', found: JSON.stringify(type) };
    destination.report('shape/wrong-type', child(at, 'type'), args);
  }
  const address = takeAddress(destination) ?? nowhere;
  // Whether the number is checked follows from the number.
  destination.take('numberE164CheckEnabled');
  // A message may be an object, in which each language or voice has its own words.
  const isObject = isJsonObject(destination.value['message']);
  const passed = destination.takeSettings([
    ...['callerId', 'extension', 'sipHeaders', 'transferPlan'],
    ...(isObject ? ['message'] : []),
  ]);
  const message = isObject ? null : takeSaid(destination);
  const description = destination.takeText('description');
  const passedTexts = passed.flatMap(({ key, value }) =>
    textsWithin(value.value, child(at, key), faults),
  );
  return { ...address, message, description, passed, passedTexts };
}

/** A number or a SIP address, null where none is given; white space alone says nothing. */
function takeAddress(holder: Reading): Transfer | null {
  const found = holder.takeString(...names.address);
  if (found === null || found.value.trim() === '') {
    return names.address.some((field) => holder.has(field)) ? nowhere : null;
  }
  const { value, at } = found;
  const address = textAt(value, at, holder.faults);
  checkPlaceholder(address, holder);
  const isSip = /^sips?:/i.test(value);
  if (!isSip && !isE164(value)) holder.report('flow/not-e164', at, { number: value });
  const destination = isSip
    ? ({ type: 'sip', sipUri: value } as const)
    : ({ type: 'number', number: value } as const);
  return { ...nowhere, destination: traced(destination, fromSource(at)), address };
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
