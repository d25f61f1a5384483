/**
 * The request that a node or a tool sends, and its authentication. A missing URL, method or
 * authentication becomes a question.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import { maskSecrets } from '../ir/secrets.js';
import { isSchema } from '../ir/template.js';
import type { Request, RequestMethod, Text } from '../ir/workflow.js';
import { takeListedResponses, takeResponses, takeSchema } from './captures.js';
import { nameType, type Reading, tracedOf } from './reading.js';
import { joinTexts, textsWithin, withoutArguments } from './template.js';
import { fixValues, stubs } from './tools.js';

/** A request tool may declare a function, as other tools do. */
export function takeRequestTool(tool: Reading): Request {
  tool.take('type');
  const own = tool.takeString('name');
  const { name = null, parameters = null } = asObject(tool.value['function']);
  const isStub = stubs.includes(name);
  if (isStub) tool.take('function');
  const declared = isStub ? null : tool.takeInside('function');
  const { properties } = asObject(parameters);
  if (Object.keys(properties ?? {}).length === 0) declared?.take('parameters');
  const toolName = tracedOf(own ?? declared?.takeString('name') ?? null);
  const request = takeRequest(tool);
  const description = joinTexts([request.description, declared?.takeText('description') ?? null]);
  return { ...request, toolName, description };
}

export function takeRequest(tool: Reading): Request {
  const { faults, value } = tool;
  const textsIn = (part: Traced<Json> | null): Text[] =>
    part?.origin.kind === 'source' ? textsWithin(part.value, part.origin.at, faults) : [];
  const url = tracedOf(tool.takeString('url'));
  const given = tracedOf(tool.takeAs('an object', 'headers'));
  const isForm = given !== null && isSchema(given.value);
  const sentHeaders = isForm ? asObject(given.value['properties']) : given?.value;
  for (const [key, found] of Object.entries(sentHeaders ?? {})) {
    const args = { field: key, expected: isForm ? 'an object' : 'a text', found: nameType(found) };
    const at = child(`${tool.placeIn('headers')}${isForm ? '/properties' : ''}`, key);
    if ((typeof found === 'object') !== isForm) tool.report('shape/wrong-type', at, args);
  }
  const headers = given && fixValues(given);
  const form = tracedOf(tool.takeAs('an object', 'body'));
  const body = form && fixValues(form);
  const timeoutSeconds = takeTimeout(tool);
  const method = takeMethod(tool);
  const listed = takeListedResponses(tool);
  const addressed = [url, given].flatMap(textsIn);
  for (const text of addressed) tool.checkPlaceholder(text);
  const sent = withoutArguments([...addressed, ...textsIn(form)], body?.value ?? null);
  const planned = takeResponses(tool);
  const output = takeSchema(isObject(value['output']) ? tool : null, 'output');
  const credentialId = tracedOf(tool.takeString('credentialId'));
  const passed = tool.takeSettings(['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan']);
  // Arguments that the model neither sees nor fills in.
  const statics = tool.takeInsides('parameters').flatMap((entry) => {
    const key = entry.takeString('key')?.value;
    const [bound] = entry.takeSettings(['value']);
    return key === undefined || bound === undefined ? [] : [{ key, value: bound.value }];
  });
  // Requests always block the call.
  if (value['mode'] === 'blocking') tool.take('mode');
  const description = tool.takeText('description');
  const responses = [...listed, ...planned.variables, ...output.variables];
  const furtherTexts = [
    ...[...statics, ...passed].flatMap((it) => textsIn(it.value)),
    ...(description === null ? [] : [description]),
    ...responses.flatMap((it) => it.value ?? []),
  ];
  const authenticated = credentialId !== null || authenticates(headers?.value ?? null);
  return {
    ...{ url, method, headers, body, timeoutSeconds, credentialId, statics, passed, responses },
    ...{ responseSchema: planned.schema ?? output.schema, toolName: null, description },
    ...{ texts: [...sent, ...furtherTexts], furtherTexts, authenticated },
  };
}

function takeMethod(tool: Reading): Traced<RequestMethod> | null {
  const method = tool.takeString('method');
  if (method === null) return null;
  const upper = method.value.toUpperCase();
  const isKnown = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(upper);
  if (isKnown) return traced(upper as RequestMethod, fromSource(method.at));
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

/** Returns true if the URL can be called: the platform sends requests over HTTP only. */
export function isCallable(url: string): boolean {
  return /^\s*(?:https?:\/\/|\{\{|\{%)/i.test(url);
}

/** True if a header identifies the sender; if none does, and no credential, a question asks. */
export function authenticates(headers: JsonObject | null): boolean {
  return maskSecrets({ headers }).authenticates;
}
