/**
 * Answers the tool calls of a voice platform.
 *
 * In: a request of the platform, or of anyone who pretends to be it. Out: a response. The request has
 * to be a POST (405), authorized (401), not too large (413) and JSON (400); then the answer is 200 with
 * one result per call, each of them a line that an assistant can say.
 * Guarantees: only allowed operations are called; what is bound is never taken from a message; a call
 * that is delivered again does nothing again; the answer is there by the deadline.
 *
 *     const handle = createToolHandler({ bills, secret: { value }, allow: ['bills.get'], bind: { entry } });
 *     const response = await handle(request);
 */
import { isObject } from '../text/json.js';
import { memberOf } from './arguments.js';
import { createCaller, type ToolCall } from './call.js';
import {
  type Authorize,
  resolveLimits,
  type Secret,
  type ToolCallsMessage,
  type ToolHandlerOptions,
  wrongOption,
} from './options.js';
import { isAnswered } from './say.js';

/** Answers a message of tool calls; never rejects. */
export type ToolHandler = (request: Request) => Promise<Response>;

/** Throws an ApiError (`api/invalid-option`) if an option is wrong. */
export function createToolHandler(options: ToolHandlerOptions): ToolHandler {
  const limits = resolveLimits(options.limits);
  const { secret, authorize } = options;
  if ((secret === undefined) === (authorize === undefined)) throw wrongOption('secret');
  if (!secret && typeof authorize !== 'function') throw wrongOption('authorize');
  const hasSecret = secret ? secretCheck(secret) : () => true;
  const callerFor = createCaller(options, limits);

  async function answerTo(message: ToolCallsMessage, request: Request): Promise<object> {
    const answer = callerFor(message, request);
    const results = readCalls(message).map(async (call, index) => {
      const result = await answer(call, index);
      const key = isAnswered(result) ? 'result' : 'error';
      return { toolCallId: call.id, name: call.name, [key]: result.line };
    });
    return { results: await Promise.all(results) };
  }

  return async (request) => {
    if (request.method !== 'POST') return json(405, { error: 'not POST' }, { allow: 'POST' });
    // Without the secret, nothing is read; a function also judges the body.
    if (!hasSecret(request)) return json(401, notAuthenticated);
    const body = await readBody(request, limits.requestBytes);
    if (!body) return json(413, { error: 'too large' });
    const isAuthorized = !authorize || (await judge(authorize, request, body));
    if (!isAuthorized) return json(401, notAuthenticated);
    const parsed = parse(body);
    if (parsed === undefined) return json(400, { error: 'not JSON' });
    const message = memberOf(parsed, 'message');
    const isOurs = memberOf(message, 'type') === 'tool-calls';
    return json(200, isOurs ? await answerTo(message as ToolCallsMessage, request) : {});
  };
}

const notAuthenticated = { error: 'not authenticated' };

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

async function judge(authorize: Authorize, request: Request, body: Uint8Array) {
  try {
    return (await authorize(request, body)) === true;
  } catch {
    return false;
  }
}

function secretCheck({ header, value }: Secret): (request: Request) => boolean {
  const values = [value].flat();
  if (header !== undefined && !/^[\w-]+$/.test(header)) throw wrongOption('secret.header');
  // A header cannot carry any other text.
  const isRight = values.length > 0 && values.every((each) => /^[\x21-\x7e]+$/.test(each ?? ''));
  if (!isRight) throw wrongOption('secret.value');
  const names = header === undefined ? ['authorization', 'x-vapi-secret'] : [header.toLowerCase()];
  return ({ headers }) => {
    let admitted = false;
    for (const name of names) {
      const sent = headers.get(name) ?? '';
      const given = name === 'authorization' ? sent.replace(/^Bearer +/i, '') : sent;
      for (const each of values) admitted = isSame(each, given) || admitted;
    }
    return admitted;
  };
}

/** Takes the same time wherever the first difference is. */
function isSame(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length;
  for (let at = 0; at < secret.length; at += 1) {
    difference |= secret.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}

/** Reads no more than is allowed, whatever the headers say; null if there is more. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array | null> {
  if (Number(request.headers.get('content-length')) > maxBytes) return null;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.length;
      if (length > maxBytes) return null;
      pieces.push(piece);
    }
  } catch {
    // What arrived of a request that broke off is no JSON.
    pieces.length = 0;
  }
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

/** Undefined if it is not JSON. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The platform uses no longer ids and names. */
const isShort = (text: unknown): text is string =>
  typeof text === 'string' && text !== '' && text.length <= 256;

/**
 * The calls of a message. One comes in one of three shapes, or as an entry of `toolWithToolCallList`:
 *
 *     { id, name, arguments: {} }
 *     { id, name, parameters: {} }
 *     { id, type, function: { name, arguments: "<json>" } }
 *     { name, toolCall: { id, parameters } }
 *
 * The lists contain the same calls. One without an id is read from the first list that has any, and has
 * an empty id.
 */
function readCalls(message: ToolCallsMessage): ToolCall[] {
  const calls = new Map<unknown, ToolCall>();
  let isFirst = true;
  for (const list of ['toolCallList', 'toolWithToolCallList', 'toolCalls']) {
    const entries = message[list];
    if (!Array.isArray(entries) || entries.length === 0) continue;
    for (const entry of entries) {
      const call = isObject(memberOf(entry, 'toolCall')) ? memberOf(entry, 'toolCall') : entry;
      const given = memberOf(call, 'id');
      const id = isShort(given) ? given : '';
      if (id === '' ? !isFirst : calls.has(id)) continue;
      const called = memberOf(call, 'function');
      const name = memberOf(call, 'name') ?? memberOf(called, 'name') ?? memberOf(entry, 'name');
      const args =
        memberOf(call, 'arguments') ??
        memberOf(call, 'parameters') ??
        memberOf(called, 'arguments');
      calls.set(id || {}, { id, name: isShort(name) ? name : '', given: args });
    }
    isFirst = false;
  }
  return [...calls.values()];
}
