/**
 * What a node calls: a request or a transfer of its own, or a tool in the platform's words. These are
 * carried as they are: squadc reads what they are called by, the variables that their texts read,
 * and those that their response sets. An address or a method that is missing is asked for.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import { isE164 } from '../ir/tool.js';
import type {
  GivenTool,
  Request,
  RequestMethod,
  ResponseVariable,
  Transfer,
} from '../ir/workflow.js';
import { authenticates, listSecrets } from './auth-headers.js';
import { checkAliasKey, checkSetOnce, checkVariableName, takeAlias } from './captures.js';
import { Reading } from './reading.js';
import { textAt, textsWithin, withoutArguments } from './texts.js';

/** Fields that are passed on as they are. */
const passedFields = ['backoffPlan', 'encryptedPaths', 'messages', 'rejectionPlan'];
const responsePath =
  /^(?:\$\.?)?(?:[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])*$/u;

export function takeRequest(tool: Reading): Request {
  const { at, faults, words } = tool;
  const url = tool.takeTraced('url');
  const headers = takeTracedObject(tool, 'headers');
  const body = takeTracedObject(tool, 'body');
  const timeoutSeconds = takeTimeout(tool);
  checkSecrets(tool, headers?.value, child(at, 'headers'));
  const method = takeMethod(tool);
  const listed = takeListedResponses(tool);
  const texts = withoutArguments(
    [
      ...textsWithin(url?.value ?? null, child(at, 'url'), faults),
      ...textsWithin(headers?.value ?? null, child(at, 'headers'), faults),
      ...textsWithin(body?.value ?? null, child(at, 'body'), faults),
    ],
    body?.value ?? null,
  );
  const authenticated = authenticates(headers?.value ?? null);
  const request: Request = {
    ...{ url, method, headers, body, timeoutSeconds, authenticated, texts, responses: listed },
    ...{ credentialId: null, responseSchema: null, toolName: null, description: null },
    ...{ statics: [], passed: [], furtherTexts: [] },
  };
  if (words.isStrict) return request;
  const planned = takeResponses(tool);
  const output = isJsonObject(tool.value['output']) ? takeSchema(tool, 'output') : noResponses;
  const credentialId = tool.takeTraced('credentialId');
  const passed = tool.takeSettings(passedFields);
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
    ...[...statics, ...passed].flatMap(({ value: { value, origin } }) =>
      textsWithin(value, origin.kind === 'source' ? origin.at : at, faults),
    ),
    ...(description === null ? [] : [description]),
    ...responses.flatMap(({ value }) => value ?? []),
  ];
  return {
    ...request,
    ...{ credentialId, responses, description, statics, passed, furtherTexts },
    authenticated: authenticated || credentialId !== null,
    responseSchema: planned.schema ?? output.schema,
    texts: [...texts, ...furtherTexts],
  };
}

function takeTracedObject(tool: Reading, field: string): Traced<JsonObject> | null {
  const value = tool.takeObject(field);
  return value && traced(value, fromSource(child(tool.at, field)));
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
  const at = child(tool.at, field);
  const seconds = tool.takeNumber(field);
  if (seconds === null) return null;
  if (seconds >= 1 && seconds <= 300) return traced(seconds, fromSource(at));
  const args = { field, expected: 'a number from 1 to 300', found: String(seconds) };
  tool.report('shape/wrong-type', at, args);
  return null;
}

/** A literal in a header that authenticates is a secret in plain sight. */
function checkSecrets(tool: Reading, headers: Json | undefined, at: JsonPointer): void {
  for (const { name, path } of listSecrets(isJsonObject(headers) ? headers : null)) {
    tool.report('data/literal-secret', path.reduce(child, at), { header: name });
  }
}

function takeListedResponses(tool: Reading): ResponseVariable[] {
  const variables = tool.takeInsides('responseVariables').flatMap((entry) => {
    const name = entry.requireString('a response variable', 'name');
    const path = entry.requireString('a response variable', 'path');
    // What the value is and what it is for is not asked.
    for (const field of ['type', 'description']) entry.take(field);
    if (name === null || path === null) return [];
    checkAliasKey(name, tool.faults);
    if (!responsePath.test(path.value)) {
      entry.report('shape/response-path', path.at, { path: path.value });
    }
    const inside = path.value.replace(/^\$\.?/, '');
    return [{ name: name.value, path: inside, value: null, at: entry.at, sourceAt: path.at }];
  });
  checkSetOnce(variables, tool.faults);
  return variables;
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
  const names = Object.keys(inside.takeObject('properties') ?? {}).sort();
  if (names.length === 0) return noResponses;
  const variables = names.map((name) => {
    const at = child(child(inside.at, 'properties'), name);
    checkVariableName(name, at, inside.faults);
    return { name, path: '', value: null, at, sourceAt: at };
  });
  return { variables, schema: traced(inside.value, fromSource(inside.at)) };
}

/**
 * An alias is a template; one that is nothing but a path into the response counts as that path. In
 * the others `$` and `tool` stand for the response; Liquid knows no `$`, so it is read as a name as
 * long.
 */
function readAlias(alias: Reading): ResponseVariable[] {
  const [name, template] = takeAlias(alias);
  if (name === null || template === null) return [];
  const { value, at: sourceAt } = template;
  const inside = /^\s*\{\{-?\s*(\$[^\s|}]*?)\s*-?\}\}\s*$/.exec(value)?.[1] ?? '';
  const variable = { name: name.value, at: alias.at, sourceAt };
  if (responsePath.test(inside)) {
    return [{ ...variable, path: inside.replace(/^\$\.?/, ''), value: null }];
  }
  const { uses } = textAt(value.replaceAll('$', '_'), sourceAt, alias.faults);
  const read = uses.filter((use) => use.name !== '_' && use.name !== 'tool');
  return [{ ...variable, path: '', value: { value, at: sourceAt, uses: read } }];
}

/** The tools that a talk node offers, and those that it names. */
export function takeTools(node: Reading): GivenTool[] {
  if (node.words.isStrict) return [];
  const tools = node.takeInsides('tools').flatMap((tool) => readTool(tool) ?? []);
  const saved = node.takeStrings('toolIds', (id, at) =>
    id === '' ? [] : [savedTool(node, id, id, at)],
  );
  return [...tools, ...saved];
}

/** A tool that is given in full; null where it has no type, or one that cannot be carried. */
export function readTool(tool: Reading): GivenTool | null {
  const { at, value, faults, ledger } = tool;
  for (const key of Object.keys(value)) tool.take(key);
  const type = tool.requireString('a tool', 'type');
  if (type === null) return null;
  if (type.value === 'handoff') {
    // A call goes on elsewhere behind this one, where squadc sees nothing of it.
    tool.report('shape/unsupported-tool', type.at, { type: type.value });
    return null;
  }
  const { variableExtractionPlan: _, ...others } = value;
  const { headers, server = null, function: declared = null, name } = value;
  checkSecrets(tool, headers, child(at, 'headers'));
  const serverHeaders = isJsonObject(server) ? server['headers'] : undefined;
  checkSecrets(tool, serverHeaders, child(child(at, 'server'), 'headers'));
  // All of the tool is carried, so what nobody understands in it is not told.
  const { variables } = takeResponses(new Reading(value, at, { ...ledger, readings: [] }));
  // A function has a name; other tools are called by it, by their own name, or by their type.
  const names = [isJsonObject(declared) ? declared['name'] : null, name === '' ? null : name];
  return {
    name: names.find((it) => typeof it === 'string') ?? type.value,
    value: traced(value, fromSource(at)),
    savedAs: null,
    // A response is no variable, so what an alias reads of it is not asked about.
    texts: [
      ...textsWithin(others, at, faults),
      ...variables.flatMap((variable) => variable.value ?? []),
    ],
    variables: variables.map((variable) => variable.name),
    at,
  };
}

/** A tool that the platform keeps; nothing of it is to be seen but its id. */
export function savedTool(node: Reading, id: string, name: string, at: JsonPointer): GivenTool {
  node.report('shape/tool-by-id', at, { id });
  return { name, value: null, savedAs: traced(id, fromSource(at)), texts: [], variables: [], at };
}

/** What a destination says beside its address and its message. */
const destinationFields = ['callerId', 'extension', 'sipHeaders', 'transferPlan'];

/** A transfer of which nothing is known. */
const nowhere: Transfer = {
  ...{ destination: null, address: null, message: null, description: null },
  ...{ passed: [], passedTexts: [], others: [] },
};

/** The destinations of a transfer tool, or of a node that says them itself. */
export function takeTransfer(holder: Reading): Transfer {
  const { isStrict } = holder.words;
  // A plan beside the destination has nothing but what is said; one inside of it has more.
  const message = holder.takeInside('transferPlan')?.takeText('message') ?? null;
  const listed = isStrict ? [] : holder.takeInsides('destinations').map(readDestination);
  const isInside = !isStrict && isJsonObject(holder.value['destination']);
  const inside = isInside ? holder.takeInside('destination') : null;
  const own = inside === null ? takeAddress(holder) : readDestination(inside);
  const [first = nowhere, ...others] = own === null ? listed : [...listed, own];
  return { ...first, message: first.message ?? message, others };
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
  const passed = destination.takeSettings(destinationFields);
  const message = destination.takeText('message');
  const description = destination.takeText('description');
  const passedTexts = passed.flatMap(({ key, value }) =>
    textsWithin(value.value, child(at, key), faults),
  );
  return { ...address, message, description, passed, passedTexts };
}

/** A number or a SIP address, null where none is given; white space alone says nothing. */
function takeAddress(holder: Reading): Transfer | null {
  const { words, faults } = holder;
  const found = holder.takeString(...words.address);
  if (found === null || found.value.trim() === '') {
    return words.address.some((field) => holder.has(field)) ? nowhere : null;
  }
  const { value, at } = found;
  const address = textAt(value, at, faults);
  const isSip = /^sips?:/i.test(value);
  if (!isSip && !isE164(value)) holder.report('flow/not-e164', at, { number: value });
  const destination = isSip
    ? ({ type: 'sip', sipUri: value } as const)
    : ({ type: 'number', number: value } as const);
  return { ...nowhere, destination: traced(destination, fromSource(at)), address };
}
