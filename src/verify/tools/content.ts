/**
 * What a tool does, field by field, as comparable text: of the source's tools and of the squad's.
 *
 * Two tools do the same where their contents are equal. What a tool is called, when it is called
 * and when its call is refused is looked at apart.
 */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { isE164 } from '../../compiler/ir/phone-numbers.js';
import type { Request, WorkflowNode } from '../../compiler/ir/workflow.js';
import { elements, objectOf, type Tool, textOf } from '../squad-reading.js';
import { canonicalText } from './canonical-text.js';
import {
  platformBody,
  platformFields,
  platformHeaders,
  platformParameters,
  type StaticField,
} from './platform-schema.js';

export interface Content {
  readonly type: string;
  /** By the field's path within the tool. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The one destination of a transfer. */
export const destinationField = 'destinations/0';

/** All of it as one text, by which tools that do the same are found. */
export function keyOf({ type, fields }: Content): string {
  const names = [...fields.keys()].sort();
  return names.reduce((key, name) => `${key}\n${name}=${fields.get(name)}`, type);
}

/** What the tool of a request node does, in the shape of target `squad` or not. */
export function contentOfRequest({ request }: WorkflowNode, wrapped: boolean): Content {
  const fields = new Map<string, string>();
  put(fields, 'variableExtractionPlan', aliasesOfRequest(request));
  if (request === null) return { type: 'apiRequest', fields };
  if (request.operation !== null) return contentOfOperation(request, fields, wrapped);
  const { url, method, timeoutSeconds, credentialId, headers, body } = request;
  for (const [name, traced] of Object.entries({ url, method, timeoutSeconds, credentialId })) {
    if (traced !== null) put(fields, name, textOfValue(traced.value));
  }
  if (wrapped) {
    if (headers !== null) put(fields, 'headers', canonicalText(headers.value));
    if (body !== null) put(fields, 'body', canonicalText(body.value));
    return { type: 'apiRequest', fields };
  }
  if (headers !== null) put(fields, 'headers', canonicalText(platformHeaders(headers.value), true));
  const sent = platformBody(body?.value ?? null);
  if (sent.body !== null) put(fields, 'body', canonicalText(sent.body, true));
  if (sent.fixed.length > 0) put(fields, 'parameters', textOfStatic(sent.fixed));
  return { type: 'apiRequest', fields };
}

function contentOfOperation(
  { operation, body }: Request,
  fields: Map<string, string>,
  wrapped: boolean,
): Content {
  const declared = { type: 'object', properties: {}, ...objectOf(body?.value) };
  const parameters = wrapped
    ? canonicalText(declared)
    : canonicalText(platformParameters(declared), true);
  put(fields, 'function/parameters', parameters);
  const { bind } = operation!.value;
  const bound = wrapped
    ? Object.entries(bind).map(([key, value]) => ({ key, value }))
    : platformFields(bind);
  if (bound.length > 0) put(fields, 'parameters', textOfStatic(bound));
  return { type: 'function', fields };
}

/** What a custom tool that gives these variables does; its parameters are looked at apart. */
export function contentOfCustom(variables: Iterable<string>): Content {
  const fields = new Map<string, string>();
  const aliases = [...variables].map((name): Alias => [name, `$.${name}`]);
  put(fields, 'variableExtractionPlan', textOfAliases(aliases));
  return { type: 'function', fields };
}

/** What the tool of a transferCall node does. */
export function contentOfTransfer({ transfer }: WorkflowNode, wrapped: boolean): Content {
  const fields = new Map<string, string>();
  const destination: JsonObject = { ...transfer?.destination?.value };
  const message: JsonObject = transfer?.message ? { message: transfer.message.value } : {};
  for (const [name, value] of Object.entries({ ...destination, ...message })) {
    put(fields, `${destinationField}/${name}`, textOfValue(value));
  }
  if (wrapped) return { type: 'transferCall', fields };
  put(fields, `${destinationField}/transferPlan`, canonicalText({ mode: 'blind-transfer' }));
  const number = textOf(destination['number']);
  if (number !== null && !isE164(number)) {
    put(fields, `${destinationField}/numberE164CheckEnabled`, 'false');
  }
  return { type: 'transferCall', fields };
}

export const contentOfEnding: Content = { type: 'endCall', fields: new Map() };

/** Fields that say what a tool is, how it is called, or when: not what it does. */
const apart: ReadonlySet<string> = new Set(['type', 'name', 'description', 'rejectionPlan']);

/** Fields that a squad may have from elsewhere without doing other things. */
const harmless: ReadonlySet<string> = new Set(['messages', 'backoffPlan']);

/** What a tool of the squad does; `exact`: squadc itself writes nothing beside what is wanted. */
export function contentOfTool({ type, value }: Tool, wrapped: boolean, exact: boolean): Content {
  const fields = new Map<string, string>();
  for (const [name, part] of Object.entries(value)) {
    if (apart.has(name) || (!exact && harmless.has(name))) continue;
    if (name === 'function' && type === 'function') {
      put(fields, 'function/parameters', textOfSchema(objectOf(part)['parameters'], wrapped));
    } else if (name === 'server' && type === 'function') {
      // Whoever implements the tool says where.
    } else if (name === 'destinations' && type === 'transferCall') {
      readTransfer(fields, elements(part), wrapped, exact);
    } else if (name === 'variableExtractionPlan') {
      put(fields, name, textOfPlan(part));
    } else if (name === 'parameters') {
      put(fields, name, textOfStatic(elements(part)));
    } else if (name === 'headers' || name === 'body') {
      put(fields, name, textOfSchema(part, wrapped));
    } else {
      put(fields, name, textOfValue(part));
    }
  }
  return { type, fields };
}

function readTransfer(
  fields: Map<string, string>,
  destinations: readonly Json[],
  wrapped: boolean,
  exact: boolean,
): void {
  const destination = objectOf(destinations[0]);
  for (const [name, part] of Object.entries(destination)) {
    if (name !== 'description') put(fields, `${destinationField}/${name}`, textOfValue(part));
  }
  if (destinations.length !== 1) put(fields, 'destinations', `${destinations.length}`);
  if (exact || wrapped) return;
  const { mode = 'blind-transfer' } = objectOf(destination['transferPlan']);
  // A transfer that nobody announces is what the platform does by itself.
  put(fields, `${destinationField}/transferPlan`, canonicalText({ mode }));
  const check = `${destinationField}/numberE164CheckEnabled`;
  if (isE164(textOf(destination['number']) ?? '')) fields.delete(check);
}

function textOfSchema(value: Json | undefined, wrapped: boolean): string | null {
  return value === undefined ? null : canonicalText(value, !wrapped);
}

/** Static fields, whatever their order. */
function textOfStatic(fields: readonly (Json | StaticField)[]): string {
  const texts = fields.map((field) => canonicalText(field as unknown as JsonObject));
  return JSON.stringify(texts.sort());
}

/** A variable that a response sets, and the path that it is read from. */
type Alias = readonly [key: string, path: string];

/** Where a response sets a variable twice, the later counts. */
function aliasesOfRequest(request: Request | null): string | null {
  const aliases = (request?.responses ?? []).map(
    ({ name, path }): Alias => [name, path.startsWith('[') ? `$${path}` : `$.${path}`],
  );
  return textOfAliases([...new Map(aliases)]);
}

/** The aliases of a response's plan; a plan that does more is another text. */
function textOfPlan(plan: Json): string | null {
  const { aliases, ...others } = objectOf(plan);
  const read = elements(aliases).map((alias): Alias => {
    const { key, value } = objectOf(alias);
    return [textOf(key) ?? '', pathOf(textOf(value) ?? '')];
  });
  const text = textOfAliases(read);
  return Object.keys(others).length === 0 ? text : `${text} ${canonicalText(others)}`;
}

/** The path that a template reads, white space aside; the template where it does more. */
function pathOf(template: string): string {
  return /^\s*\{\{\s*(\$\S*?)\s*\}\}\s*$/.exec(template)?.[1] ?? template;
}

function textOfAliases(aliases: readonly Alias[]): string | null {
  if (aliases.length === 0) return null;
  return JSON.stringify(aliases.map((alias) => JSON.stringify(alias)).sort());
}

/** As canonical; a text is only marked as one, which is quicker. */
function textOfValue(value: Json): string {
  return typeof value === 'string' ? `"${value}` : canonicalText(value);
}

function put(fields: Map<string, string>, name: string, text: string | null): void {
  if (text !== null) fields.set(name, text);
}
