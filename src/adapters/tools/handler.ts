/**
 * Answers the tool calls of a voice platform.
 *
 * In: a request of the platform, or of anyone who pretends to be it. Out: a response. The request
 * has to be a POST (405), of somebody who may (401), not too large (413) and JSON (400); then the
 * answer is 200 with one result per call, each of them a line that an assistant can say.
 * Guarantees: nothing is called that is not allowed; what is bound is never taken from a message; a
 * call that is delivered again does nothing again; the answer is there by the deadline.
 *
 *     const handle = createToolHandler({ bills, secret: { value }, allow: ['bills.get'], bind: { entry } });
 *     const response = await handle(request);
 */
import { createCaller, type ToolCall } from './call.js';
import { isObject } from './check.js';
import {
  type Authorize,
  type Eventual,
  type Secret,
  settleLimits,
  type ToolCallsMessage,
  type ToolHandlerOptions,
  wrongOption,
} from './options.js';
import { isAnswered } from './say.js';

/** Answers a message of tool calls; never rejects. */
export type ToolHandler = (request: Request) => Promise<Response>;

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createToolHandler(options: ToolHandlerOptions): ToolHandler {
  const limits = settleLimits(options.limits);
  const mayEnter = doorOf(options);
  const callerFor = createCaller(options, limits);

  async function answerTo(message: ToolCallsMessage, request: Request): Promise<object> {
    const answer = callerFor(message, request);
    const results = readCalls(message).map(async (call, index) => {
      const result = await answer(call, index);
      return {
        toolCallId: call.id,
        name: call.name,
        [isAnswered(result) ? 'result' : 'error']: result.line,
      };
    });
    return { results: await Promise.all(results) };
  }

  return async (request) => {
    try {
      if (request.method !== 'POST') throw new Refusal(405);
      let reading: Promise<Uint8Array> | undefined;
      const body = () => {
        reading ??= readBody(request, limits.requestBytes);
        return reading;
      };
      if (!(await mayEnter(request, body))) throw new Refusal(401);
      const message = member(parse(await body()), 'message');
      const isOurs = member(message, 'type') === 'tool-calls';
      return json(200, isOurs ? await answerTo(message as ToolCallsMessage, request) : {});
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { status } = error;
      return json(status, { error: reasons[status] }, status === 405 ? { allow: 'POST' } : {});
    }
  };
}

/** A request that is answered with a status and nothing else. */
class Refusal extends Error {
  constructor(readonly status: number) {
    super(`the request is answered with ${status}`);
  }
}

const reasons: Readonly<Record<number, string>> = {
  400: 'not JSON',
  401: 'not authenticated',
  405: 'not POST',
  413: 'too large',
};

function json(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** Who may call. `body` is read only where it is asked for. */
type Door = (request: Request, body: () => Promise<Uint8Array>) => Eventual<boolean>;

function doorOf({ secret, authorize }: ToolHandlerOptions): Door {
  if ((secret === undefined) === (authorize === undefined)) throw wrongOption('secret');
  return authorize === undefined ? bySecret(secret!) : byFunction(authorize);
}

/** What could not be judged is not let in; a body that cannot be read is a fault of its own. */
function byFunction(authorize: Authorize): Door {
  if (typeof authorize !== 'function') throw wrongOption('authorize');
  return async (request, body) => {
    const bytes = await body();
    try {
      return (await authorize(request, bytes)) === true;
    } catch {
      return false;
    }
  };
}

function bySecret(secret: Secret): Door {
  const { header, value, values = [value] } = Object(secret) as Secret;
  if (header !== undefined && !/^[\w-]+$/.test(header)) throw wrongOption('secret.header');
  if (values.length === 0) throw wrongOption('secret.values');
  // What no header can carry would never be right.
  if (values.some((each) => !/^[\x21-\x7e]+$/.test(each ?? ''))) throw wrongOption('secret.value');
  const names = header === undefined ? ['authorization', 'x-vapi-secret'] : [header.toLowerCase()];
  return ({ headers }) => {
    let admitted = false;
    for (const name of names) {
      const sent = headers.get(name) ?? '';
      const given = name === 'authorization' ? sent.replace(/^Bearer +/i, '') : sent;
      for (const each of values) admitted = isSame(`${each}`, given) || admitted;
    }
    return admitted;
  };
}

/** Takes as long as the secret is, wherever the first difference is. */
function isSame(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length;
  for (let at = 0; at < secret.length; at += 1) {
    difference |= secret.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}

/** No more is read than is allowed, whatever the headers say. */
async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw new Refusal(413);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.length;
      if (length > maxBytes) break;
      pieces.push(piece);
    }
  } catch {
    // Broken off, or read before by someone else.
    throw new Refusal(400);
  }
  if (length > maxBytes) throw new Refusal(413);
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400);
  }
}

/** Ids and names that are longer are none of the platform's. */
const maxLength = 256;

/**
 * The calls of a message. One comes in one of three shapes, or as an entry of `toolWithToolCallList`:
 *
 *     { id, name, arguments: {} }
 *     { id, name, parameters: {} }
 *     { id, type, function: { name, arguments: "<json>" } }
 *     { name, toolCall: { id, parameters } }
 */
function readCalls(message: ToolCallsMessage): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const list of [message['toolCallList'], message['toolWithToolCallList']]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const call = isObject(member(entry, 'toolCall')) ? member(entry, 'toolCall') : entry;
      const id = member(call, 'id');
      // Without an id there is nobody to answer; both lists have the same calls.
      if (typeof id !== 'string' || id === '' || id.length > maxLength || calls.has(id)) continue;
      const called = member(call, 'function');
      const name = member(call, 'name') ?? member(called, 'name') ?? member(entry, 'name');
      const given =
        member(call, 'arguments') ?? member(call, 'parameters') ?? member(called, 'arguments');
      const isName = typeof name === 'string' && name.length <= maxLength;
      calls.set(id, { id, name: isName ? name : '', given });
    }
  }
  return [...calls.values()];
}

/** The names are ours, and none of them leads into a prototype. */
function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
