/**
 * What a tool does, field by field, as comparable values: of the source's tools and of the squad's.
 *
 * Two tools do the same where their contents are equal. What a tool is called, when it is called
 * and when its call is refused is looked at apart.
 */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { isE164 } from '../../compiler/ir/phone-numbers.js';
import type { Operation, Request, Transfer, WorkflowNode } from '../../compiler/ir/workflow.js';
import { elements, objectOf, type Tool, textOf } from '../squad-reading.js';
import { canonicalText } from './canonical-text.js';
import { isEqualJson } from './equal-json.js';
import {
  addressOfOperation,
  fixedOfOperation,
  parametersOfOperation,
} from './operation-content.js';
import {
  platformBody,
  platformHeaders,
  platformParameters,
  type StaticField,
} from './platform-schema.js';

export interface Content {
  readonly type: string;
  /** By the field's path within the tool. */
  readonly fields: ReadonlyMap<string, Json>;
}

type Fields = Map<string, Json>;

/** Where the fields of a transfer's destination stand. */
export function destinationField(index: number): string {
  return `destinations/${index}`;
}

export const parametersField = 'function/parameters';

/** On the platform these are schemas. */
const schemas: ReadonlySet<string> = new Set(['headers', 'body', parametersField]);

/** Whether two tools have the same in a field. */
export function isSameField(field: string, one: Json, other: Json, wrapped: boolean): boolean {
  return isEqualJson(one, other, !wrapped && schemas.has(field));
}

/** All of it as one text, by which tools that do the same are found. */
export function keyOf({ type, fields }: Content, wrapped: boolean): string {
  const textOf = (name: string) => canonicalText(fields.get(name)!, !wrapped && schemas.has(name));
  const names = [...fields.keys()].sort();
  return names.reduce((key, name) => `${key}\n${name}=${textOf(name)}`, type);
}

/** What the tool of a request node does, in the shape of target `squad` or not. */
export function contentOfRequest({ request }: WorkflowNode, wrapped: boolean): Content {
  const fields: Fields = new Map();
  putResponses(fields, request?.responseSchema?.value ?? null, aliasesOfRequest(request));
  if (request === null) return { type: 'apiRequest', fields };
  const { url, method, timeoutSeconds, credentialId, headers, body, passed, operation } = request;
  if (operation?.direct === false) return contentOfOperation(operation, request, fields, wrapped);
  for (const { key, value } of passed) if (!apart.has(key)) fields.set(key, value.value);
  for (const [name, traced] of Object.entries({ url, method, timeoutSeconds, credentialId })) {
    if (traced !== null) fields.set(name, traced.value);
  }
  if (operation !== null) fields.set('url', addressOfOperation(operation, url!.value));
  if (wrapped) {
    if (headers !== null) fields.set('headers', headers.value);
    if (body !== null) fields.set('body', body.value);
    putStatic(fields, fixedBeside(request));
    return { type: 'apiRequest', fields };
  }
  if (headers !== null) fields.set('headers', platformHeaders(headers.value));
  const sent = platformBody(body?.value ?? null);
  if (sent.body !== null) fields.set('body', sent.body);
  putStatic(fields, [...sent.fixed, ...fixedBeside(request)]);
  return { type: 'apiRequest', fields };
}

/** Static fields that the source has beside the body. */
function fixedBeside({ statics, operation }: Request): StaticField[] {
  // What of them counts for an operation is part of its address.
  if (operation !== null) return [];
  return statics.map(({ key, value }) => ({ key, value: value.value }));
}

/** What says how a request is sent says nothing of an operation; what is said meanwhile does. */
function contentOfOperation(
  operation: Operation,
  { passed }: Request,
  fields: Fields,
  wrapped: boolean,
): Content {
  const declared = parametersOfOperation(operation);
  fields.set(parametersField, wrapped ? declared : platformParameters(declared));
  const said = passed.find(({ key }) => key === 'messages');
  if (said !== undefined) fields.set('messages', said.value.value);
  putStatic(fields, fixedOfOperation(operation));
  return { type: 'function', fields };
}

/** What a custom tool that gives these variables does; its parameters are looked at apart. */
export function contentOfCustom(variables: Iterable<string>): Content {
  const fields: Fields = new Map();
  putAliases(
    fields,
    Array.from(variables, (name): Alias => [name, `$.${name}`]),
  );
  return { type: 'function', fields };
}

/** What the tool of a transferCall node does. */
export function contentOfTransfer({ transfer }: WorkflowNode, wrapped: boolean): Content {
  const fields: Fields = new Map();
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const known = all.filter(({ destination }) => destination !== null);
  known.forEach((it, index) => {
    putDestination(fields, it, destinationField(index), wrapped);
  });
  return { type: 'transferCall', fields };
}

function putDestination(
  fields: Fields,
  { destination: address, message, passed }: Transfer,
  at: string,
  wrapped: boolean,
): void {
  const destination: JsonObject = { ...address!.value };
  const carried = passed.map(({ key, value }) => [key, value.value] as const);
  for (const [name, value] of [...Object.entries(destination), ...carried]) {
    fields.set(`${at}/${name}`, value);
  }
  if (message !== null) fields.set(`${at}/message`, message.value);
  if (wrapped) return;
  // A plan must say its mode; a transfer that nobody announces is the plainest.
  const plan = objectOf(fields.get(`${at}/transferPlan`));
  fields.set(`${at}/transferPlan`, { mode: 'blind-transfer', ...plan });
  const number = textOf(destination['number']);
  if (number !== null && !isE164(number)) fields.set(`${at}/numberE164CheckEnabled`, false);
}

export const contentOfEnding: Content = { type: 'endCall', fields: new Map() };

/** Fields that say what a tool is, how it is called, or when: not what it does. */
const apart: ReadonlySet<string> = new Set(['type', 'name', 'description', 'rejectionPlan']);

/** Fields that a squad may have from elsewhere without doing other things. */
export const harmless: ReadonlySet<string> = new Set(['messages', 'backoffPlan']);

/** What a tool of the squad does; `exact`: squadc itself writes nothing beside what is wanted. */
export function contentOfTool({ type, value }: Tool, wrapped: boolean, exact: boolean): Content {
  const fields: Fields = new Map();
  for (const name of Object.keys(value)) {
    const part = value[name]!;
    if (apart.has(name) || (!exact && harmless.has(name))) continue;
    if (name === 'function' && type === 'function') {
      const { parameters } = objectOf(part);
      if (parameters !== undefined) fields.set(parametersField, parameters);
    } else if (name === 'server' && type === 'function') {
      // Whoever implements the tool says where.
    } else if (name === 'destinations' && type === 'transferCall') {
      readTransfer(fields, elements(part), wrapped, exact);
    } else if (name === 'variableExtractionPlan') {
      readPlan(fields, part);
    } else if (name === 'parameters') {
      fields.set(name, sortStatic(elements(part)));
    } else {
      fields.set(name, part);
    }
  }
  return { type, fields };
}

function readTransfer(
  fields: Fields,
  destinations: readonly Json[],
  wrapped: boolean,
  exact: boolean,
): void {
  if (destinations.length === 0) fields.set('destinations', 0);
  destinations.map(objectOf).forEach((destination, index) => {
    const at = destinationField(index);
    for (const name of Object.keys(destination)) {
      if (name !== 'description') fields.set(`${at}/${name}`, destination[name]!);
    }
    if (exact || wrapped) return;
    const plan = objectOf(destination['transferPlan']);
    // A transfer that nobody announces is what the platform does by itself.
    fields.set(`${at}/transferPlan`, { mode: 'blind-transfer', ...plan });
    const check = `${at}/numberE164CheckEnabled`;
    if (isE164(textOf(destination['number']) ?? '')) fields.delete(check);
  });
}

function putStatic(fields: Fields, all: readonly StaticField[]): void {
  if (all.length > 0) fields.set('parameters', sortStatic(all as unknown as readonly Json[]));
}

/** Static fields by their keys: their order says nothing. */
function sortStatic(all: readonly Json[]): readonly Json[] {
  if (all.length < 2) return all;
  const keyOf = (field: Json) => textOf(objectOf(field)['key']) ?? '';
  return [...all].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A variable that a response sets, and the path that it is read from. */
type Alias = readonly [key: string, path: string];

/** Where a response sets a variable twice, the later counts. */
function aliasesOfRequest(request: Request | null): Alias[] {
  const aliases = (request?.responses ?? []).flatMap(({ name, path, value }): Alias[] => {
    if (value !== null) return [[name, pathOf(value.value)]];
    // What has neither a path nor a template is a property of the schema.
    if (path === '') return [];
    return [[name, path.startsWith('[') ? `$${path}` : `$.${path}`]];
  });
  return aliases.length < 2 ? aliases : [...new Map(aliases)];
}

/** The aliases of a response's plan; a plan that does more is another value. */
function readPlan(fields: Fields, plan: Json): void {
  const { aliases, ...others } = objectOf(plan);
  const read = elements(aliases).map((alias): Alias => {
    const { key, value } = objectOf(alias);
    return [textOf(key) ?? '', pathOf(textOf(value) ?? '')];
  });
  const { schema = null, ...more } = others;
  if (Object.keys(more).length > 0) fields.set('variableExtractionPlan', { ...others, read });
  else putResponses(fields, schema, read);
}

/** What a response sets; a schema stands beside the aliases. */
function putResponses(fields: Fields, schema: Json, aliases: readonly Alias[]): void {
  putAliases(fields, aliases);
  if (schema !== null) fields.set(schemaField, schema);
}

const schemaField = 'variableExtractionPlan/schema';

/** The path that a template reads, white space aside; the template where it does more. */
function pathOf(template: string): string {
  return /^\s*\{\{\s*(\$\S*?)\s*\}\}\s*$/.exec(template)?.[1] ?? template;
}

/** Aliases by their keys: their order says nothing. */
function putAliases(fields: Fields, aliases: readonly Alias[]): void {
  if (aliases.length === 0) return;
  const sorted =
    aliases.length < 2 ? aliases : [...aliases].sort(([one], [other]) => (one < other ? -1 : 1));
  fields.set('variableExtractionPlan', sorted);
}
