/**
 * The request that a node or a tool sends, and the variables that its response sets. An address or a
 * method that is missing is asked for.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Request, RequestMethod, ResponseVariable, Text } from '../ir/workflow.js';
import { checkAliasKey, checkSetOnce, checkVariableName, takeAlias } from './captures.js';
import { authenticates } from './headers.js';
import { fixValues, stubs } from './older-forms.js';
import { type Reading, tracedOf } from './reading.js';
import { joinTexts, textAt, textsWithin, withoutArguments } from './template.js';

/** A request that is a tool may declare a function, as other tools do. */
export function takeRequestTool(tool: Reading): Request {
  tool.take('type');
  const own = tool.takeTracedString('name');
  const { function: said } = tool.value;
  const { name = null, parameters = null } = isJsonObject(said) ? said : {};
  const isStub = stubs.includes(name);
  if (isStub) tool.take('function');
  const declared = isStub ? null : tool.takeInside('function');
  const { properties } = isJsonObject(parameters) ? parameters : {};
  if (parameters !== null && Object.keys(properties ?? {}).length === 0) {
    declared?.take('parameters');
  }
  const toolName = own ?? declared?.takeTracedString('name') ?? null;
  const request = takeRequest(tool);
  const description = joinTexts([request.description, declared?.takeText('description') ?? null]);
  return { ...request, toolName, description };
}

export function takeRequest(tool: Reading): Request {
  const { faults, value } = tool;
  const textsIn = (part: Traced<Json> | null): Text[] => {
    if (part === null || part.origin.kind !== 'source') return [];
    return textsWithin(part.value, part.origin.at, faults);
  };
  const url = tool.takeTracedString('url');
  const given = tool.takeTraced('an object', 'headers');
  const headers = given && fixValues(given);
  const form = tool.takeTraced('an object', 'body');
  const body = form && fixValues(form);
  const timeoutSeconds = takeTimeout(tool);
  const method = takeMethod(tool);
  const listed = [
    ...takeListedResponses(tool, 'responseVariables', ['name'], ['path']),
    ...(Array.isArray(value['output'])
      ? takeListedResponses(tool, 'output', ['target', 'name', 'key'], ['path', 'key', 'name'])
      : []),
  ];
  const addressed = [url, given].flatMap(textsIn);
  for (const text of addressed) tool.checkPlaceholder(text);
  const sent = withoutArguments([...addressed, ...textsIn(form)], body?.value ?? null);
  const planned = takeResponses(tool);
  const output = isJsonObject(value['output']) ? takeSchema(tool, 'output') : noResponses;
  const credentialId = tool.takeTracedString('credentialId');
  const passed = tool.takeSettings(['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan']);
  // Arguments that the model neither sees nor fills.
  const statics = tool.takeInsides('parameters').flatMap((entry) => {
    const key = entry.takeString('key')?.value;
    const [fixed] = entry.takeSettings(['value']);
    return key === undefined || fixed === undefined ? [] : [{ key, value: fixed.value }];
  });
  // A request that a call waits for is what a request is.
  if (value['mode'] === 'blocking') tool.take('mode');
  const description = tool.takeText('description');
  const responses = [...listed, ...planned.variables, ...output.variables];
  const furtherTexts = [
    ...[...statics, ...passed].flatMap((it) => textsIn(it.value)),
    ...(description === null ? [] : [description]),
    ...responses.flatMap((it) => it.value ?? []),
  ];
  return {
    ...{ url, method, headers, body, timeoutSeconds, credentialId, statics, passed, responses },
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

const responsePath =
  /^(?:\$\.?)?(?:[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])*$/u;

/** `called` and `found` are the fields for the name and for the path. */
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

function atPath(name: string, path: string, at: JsonPointer, sourceAt: JsonPointer) {
  return { name, path: path.replace(/^\$\.?/, ''), value: null, at, sourceAt };
}

interface Responses {
  readonly variables: readonly ResponseVariable[];
  readonly schema: Traced<JsonObject> | null;
}
const noResponses: Responses = { variables: [], schema: null };

/** What the tool's extraction plan takes from the response: aliases, and properties of a schema. */
export function takeResponses(tool: Reading): Responses {
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
  const names = Object.keys(properties?.value ?? {});
  if (names.length === 0) return noResponses;
  const variables = names.map((name) => {
    const at = child(properties!.at, name);
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
