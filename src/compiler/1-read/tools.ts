/**
 * Tools: those given in full, which are carried over in the platform's current format; references to
 * saved ones; and transfers. squadc reads their names, the variables that their texts read, and
 * those that their response sets.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import {
  derived,
  fromSource,
  type Origin,
  type Traced,
  traced,
  within,
  withPart,
} from '../ir/provenance.js';
import {
  fixed,
  isSchema,
  objectOf,
  partOf,
  schemaTemplate,
  writeTemplate,
} from '../ir/template.js';
import { isE164 } from '../ir/tool.js';
import type { GivenTool, NamedSetting, Text, Transfer } from '../ir/workflow.js';
import { takeResponses } from './captures.js';
import { names, withoutEffect } from './dialect.js';
import { type Found, Reading, tracedOf } from './reading.js';
import { hasLiquid, textAt, textsWithin, withoutArguments } from './template.js';

/** The tools that a talk node contains, and those that it refers to. */
export function takeTools(node: Reading): GivenTool[] {
  const tools = node.takeInsides('tools').flatMap((tool) => readTool(tool) ?? []);
  const saved = Array.from(node.takeEach('a text', 'toolIds'), (id) => {
    return id.value === '' ? [] : [savedTool(node, id, id.value)];
  }).flat();
  const versions = node.takeInsides('toolRefs').flatMap((ref) => {
    const id = ref.requireString('a reference to a tool', 'toolId');
    return id === null ? [] : [savedTool(ref, id, id.value)];
  });
  return [...tools, ...saved, ...versions];
}

/** A tool given in full; null if it has no type, or one that cannot be carried over. */
export function readTool(tool: Reading): GivenTool | null {
  const { at, value, faults, intake } = tool;
  tool.absorb('internal to the platform');
  tool.takeAll(Object.keys(value));
  const present = presentForm(tracedOf(tool)!);
  const { type = null, function: declared, body = null, name } = present.value;
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
  const { variables } = takeResponses(new Reading(value, at, { ...intake, readings: [] }, 'tool'));
  const { name: own, parameters = null } = asObject(declared);
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

const membersOf = (object: Traced<JsonObject>): Members =>
  new Map(Object.keys(object.value).map((key) => [key, partOf(object, key)]));

/** Headers or a body with `value` for a template under another keyword, as editors wrote it. */
export function fixValues(given: Traced<JsonObject>): Traced<JsonObject> {
  if (!isSchema(given.value) || !isObject(given.value['properties'])) return given;
  const all = objectOf(partOf(given, 'properties'));
  const properties = Array.from(membersOf(all), ([key, schema]): [string, Traced<Json>] => {
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
  const internal: readonly string[] = withoutEffect['internal to the platform'];
  for (const [key, { value }] of fields) {
    if (value === null || internal.includes(key)) fields.delete(key);
  }
  const type = fields.get('type')?.value;
  const given = fields.get('function');
  const declared = membersOf(objectOf(given ?? fixed(null)));
  if (isObject(given?.value)) {
    move(declared, fields, 'serverUrl', 'serverUrlSecret', 'async', 'server');
  } else if (type === 'function') {
    move(fields, declared, 'name', 'description', 'parameters', 'strict');
  }
  fields.delete('function');
  if (type === 'function') fields.set('function', join(given?.origin ?? tool.origin, declared));
  const isStub = stubs.includes(declared.get('name')?.value ?? null);
  if (type === 'apiRequest' && !isStub) move(declared, fields, 'name', 'description');
  const server: Members = new Map();
  move(fields, server, 'serverUrl', 'serverUrlSecret');
  const url = server.get('serverUrl');
  if (url !== undefined && !fields.has('server')) {
    fields.set('server', serverOf(url, server.get('serverUrlSecret')));
  }
  for (const key of ['headers', 'body']) {
    const schema = objectOf(fields.get(key) ?? fixed(null));
    if (!isSchema(schema.value)) continue;
    const whole = fixValues(schema);
    const plain = writeTemplate(schemaTemplate(whole), '', []);
    const isPlain = JSON.stringify(plain) === JSON.stringify(whole.value);
    fields.set(key, isPlain ? whole : traced(plain, derived('plain-schema', whole.origin)));
  }
  return join(tool.origin, fields);
}

/** A server whose address and secret stand beside each other, as they did in older formats. */
function serverOf(url: Traced<Json>, secret?: Traced<Json>): Traced<JsonObject> {
  // The header in which the platform sent it.
  const headers = secret?.value ? [['X-Vapi-Secret', secret] as const] : [];
  const sent = headers.map((it) => ['headers', join(it[1].origin, [it])] as const);
  return join(url.origin, [['url', url], ...sent]);
}

/** The server that an older document has in two fields; none if it has a current one. */
export function takeOlderServer(holder: Reading): NamedSetting[] {
  if (!holder.has('serverUrl') || holder.has('server')) return [];
  const [url, secret] = holder.takeSettings(['serverUrl', 'serverUrlSecret']);
  return [{ key: 'server', value: serverOf(url!.value, secret?.value) }];
}

/** An object of members that may come from elsewhere. */
function join(origin: Origin, members: Iterable<readonly [string, Traced<Json>]>) {
  const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
  const whole = sorted.reduce((all, [key, member]) => withPart(all, key, member.origin), origin);
  return traced(Object.fromEntries(sorted.map(([key, { value }]) => [key, value])), whole);
}

/** A transfer without any information. */
const unknownTransfer: Transfer = {
  ...{ destination: null, address: null, message: null, description: null },
  ...{ passed: [], passedTexts: [], others: [], messages: null },
};

/** The destinations of a transfer tool, or of a node that contains them itself. */
export function takeTransfer(holder: Reading): Transfer {
  // A plan beside the destination contains only the message; a plan inside has more.
  const plan = holder.takeInside('transferPlan');
  const message = plan && takeMessage(plan);
  const listed = holder.takeInsides('destinations').map((destination, index) => {
    const read = readDestination(destination);
    // A question asks for the first one.
    if (index > 0 && read.destination === null) {
      const args = { field: 'number', of: 'a destination' };
      destination.report('shape/missing-field', destination.at, args);
    }
    return read;
  });
  const inside = isObject(holder.value['destination']) ? holder.takeInside('destination') : null;
  const own = inside === null ? takeAddress(holder) : readDestination(inside);
  const [first = unknownTransfer, ...others] = own === null ? listed : [...listed, own];
  return { ...first, message: first.message ?? message, others };
}

/** What the caller is told; an empty text means silence, an absent one the platform's own line. */
function takeMessage(holder: Reading): Text | null {
  const isSilent = holder.has('message') && holder.value['message'] === '';
  const said = holder.takeText('message');
  return isSilent ? { value: '', at: child(holder.at, 'message'), uses: [] } : said;
}

function readDestination(destination: Reading): Transfer {
  const { at, faults } = destination;
  const type = destination.takeString('type')?.value.toLowerCase() ?? 'number';
  if (type !== 'number' && type !== 'sip') {
    const args = { field: 'type', expected: '"number" or "sip"', found: JSON.stringify(type) };
    destination.report('shape/wrong-type', child(at, 'type'), args);
  }
  const address = takeAddress(destination) ?? unknownTransfer;
  // Whether the number is checked follows from the number.
  destination.take('numberE164CheckEnabled');
  // A message may be an object with its own words for each language or voice.
  const words = isObject(destination.value['message']) ? ['message'] : [];
  const fields = ['callerId', 'extension', 'sipHeaders', 'transferPlan', ...words];
  const passed = destination.takeSettings(fields);
  const message = words.length > 0 ? null : takeMessage(destination);
  const description = destination.takeText('description');
  const passedTexts = passed.flatMap(({ key, value }) =>
    textsWithin(value.value, child(at, key), faults),
  );
  return { ...address, message, description, passed, passedTexts };
}

/** A number or a SIP address; null if absent. White space counts as absent. */
function takeAddress(holder: Reading): Transfer | null {
  const { value = '', at = '' } = holder.takeString(...names.address) ?? {};
  if (value.trim() === '') {
    return names.address.some((field) => holder.has(field)) ? unknownTransfer : null;
  }
  const address = textAt(value, at, holder.faults);
  holder.checkPlaceholder(address);
  const isSip = /^sips?:/i.test(value);
  const bare = value.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, '0');
  if (!isSip && !isE164(value)) holder.report('flow/not-e164', at, { number: value });
  // What cannot be dialled is no number, so a question asks for it.
  if (!isSip && (/\p{L}/u.test(bare) || !/\d/.test(bare))) return { ...unknownTransfer, address };
  const destination = traced(destinationOf(isSip, value), fromSource(at));
  return { ...unknownTransfer, destination, address };
}

export function destinationOf(isSip: boolean, address: string) {
  if (isSip) return { type: 'sip', sipUri: address } as const;
  return { type: 'number', number: address } as const;
}
