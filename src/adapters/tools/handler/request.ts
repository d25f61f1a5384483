/**
 * From a request of anyone to the calls in it: who may call, the body as far as it may go, the calls.
 *
 * Who may call is whoever knows the secret, or whom a function of the configuration lets in. Secrets
 * are compared all of them and to their last character, so that the time that it takes tells nothing
 * of what is in any. No more of a body is read than is allowed, whatever the headers say.
 *
 * A call comes in one of three shapes, or as an entry of `toolWithToolCallList`:
 *
 *     { id, name, arguments: {} }
 *     { id, name, parameters: {} }
 *     { id, type, function: { name, arguments: "<json>" } }
 *     { name, toolCall: { id, parameters } }
 *
 * Arguments are handed on as they came: what they are worth is judged where the tool is known.
 */
import type { Eventual } from './options.js';
import {
  type Authorize,
  type DoorOptions,
  type Secret,
  type ToolRequest,
  wrongOption,
} from './options.js';
import { isObject } from './schema-check.js';

/** `body` is read only if it is asked for. */
export type Door<Incoming> = (
  request: Incoming,
  body: () => Promise<Uint8Array>,
) => Eventual<boolean>;

export function createDoor<Incoming extends ToolRequest>({
  secret,
  authorize,
}: DoorOptions<Incoming>): Door<Incoming> {
  if ((secret === undefined) === (authorize === undefined)) throw wrongOption('secret');
  return authorize === undefined ? bySecret(secret) : byFunction(authorize);
}

/** What could not be judged is not let in; a body that cannot be read is a fault of its own. */
function byFunction<Incoming extends ToolRequest>(authorize: Authorize<Incoming>): Door<Incoming> {
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

function bySecret(secret: Secret): Door<ToolRequest> {
  const { header, value, values = [value] } = Object(secret) as Secret;
  if (header !== undefined && !/^[\w-]+$/.test(header)) throw wrongOption('secret.header');
  if (values.length === 0) throw wrongOption('secret.values');
  const known = values.map((each) => {
    // What no header can carry would never be right.
    if (!/^[\x21-\x7e]+$/.test(`${each ?? ''}`)) throw wrongOption('secret.value');
    return `${each}`;
  });
  const names = header === undefined ? ['authorization', 'x-vapi-secret'] : [header.toLowerCase()];
  return ({ headers }) => {
    let admitted = false;
    for (const name of names) {
      const given = presented(headers, name);
      for (const each of known) admitted = isSame(each, given) || admitted;
    }
    return admitted;
  };
}

/** Empty where there is none, which no secret is. */
function presented(headers: ToolRequest['headers'], name: string): string {
  const text = headers.get(name) ?? '';
  return name === 'authorization' ? text.replace(/^Bearer +/i, '') : text;
}

/** Takes as long as the secret is, wherever the first difference is. */
function isSame(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length;
  for (let at = 0; at < secret.length; at += 1) {
    difference |= secret.charCodeAt(at) ^ given.charCodeAt(at);
  }
  return difference === 0;
}

/** A request that is answered with a status and nothing else. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the request is answered with ${status}`);
    this.status = status;
  }
}

export function bodyReader(request: ToolRequest, maxBytes: number): () => Promise<Uint8Array> {
  let reading: Promise<Uint8Array> | undefined;
  return () => {
    reading ??= readBody(request, maxBytes);
    return reading;
  };
}

async function readBody(request: ToolRequest, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw new Refusal(413);
  let body: Uint8Array | null;
  try {
    body = await (request.read?.(maxBytes) ?? readPieces(request, maxBytes));
  } catch {
    // Broken off, or read before by someone else.
    throw new Refusal(400);
  }
  if (body === null) throw new Refusal(413);
  return body;
}

async function readPieces({ body }: ToolRequest, maxBytes: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > maxBytes) return null;
    pieces.push(piece);
  }
  return joined(pieces, length);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal(400);
  }
}

/** The message of an authenticated request. Nothing but its type is checked. */
export interface ToolCallsMessage {
  readonly type: 'tool-calls';
  readonly [name: string]: unknown;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly given: unknown;
}

/** Ids and names that are longer are none of the platform's. */
const maxLength = 256;

export function readMessage(body: unknown): ToolCallsMessage | null {
  const message = member(body, 'message');
  return member(message, 'type') === 'tool-calls' ? (message as ToolCallsMessage) : null;
}

/** A phone call or a chat. */
export interface Conversation {
  readonly of: 'call' | 'chat';
  readonly id: string;
}

/** Null where the message does not tell to which conversation it belongs. */
export function conversationOf(message: ToolCallsMessage): Conversation | null {
  for (const of of ['call', 'chat'] as const) {
    const id = member(message[of], 'id');
    if (typeof id === 'string' && id !== '') return { of, id };
  }
  return null;
}

export function readCalls(message: ToolCallsMessage): ToolCall[] {
  const calls = new Map<string, ToolCall>();
  for (const list of [message['toolCallList'], message['toolWithToolCallList']]) {
    for (const entry of Array.isArray(list) ? list : []) {
      const call = readCall(entry);
      // Both lists have the same calls.
      if (call && !calls.has(call.id)) calls.set(call.id, call);
    }
  }
  return [...calls.values()];
}

/** Without an id there is nobody to answer. */
function readCall(entry: unknown): ToolCall | null {
  const call = isObject(member(entry, 'toolCall')) ? member(entry, 'toolCall') : entry;
  const id = member(call, 'id');
  if (typeof id !== 'string' || id === '' || id.length > maxLength) return null;
  const called = member(call, 'function');
  const name = member(call, 'name') ?? member(called, 'name') ?? member(entry, 'name');
  const given =
    member(call, 'arguments') ?? member(call, 'parameters') ?? member(called, 'arguments');
  return { id, name: typeof name === 'string' && name.length <= maxLength ? name : '', given };
}

/** The names are ours, and none of them leads into a prototype. */
function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}
