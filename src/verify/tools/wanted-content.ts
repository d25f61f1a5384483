/** What the tools that the source wants do. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { isE164 } from '../../compiler/ir/phone-numbers.js';
import type { Operation, Request, Transfer, WorkflowNode } from '../../compiler/ir/workflow.js';
import { objectOf, textOf } from '../squad-reading.js';
import {
  type Alias,
  apart,
  type Content,
  destinationField,
  type Fields,
  parametersField,
  pathOf,
  putAliases,
  putResponses,
  putStatic,
} from './content.js';
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
function fixedBeside({ statics }: Request): StaticField[] {
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
