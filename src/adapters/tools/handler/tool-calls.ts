/**
 * Reads the calls out of a message of the platform.
 *
 * In: any JSON. Out: the calls, each id once, in the order of the message; null where it is another
 * message. A call comes in one of three shapes, or as an entry of `toolWithToolCallList`:
 *
 *     { id, name, arguments: {} }
 *     { id, name, parameters: {} }
 *     { id, type, function: { name, arguments: "<json>" } }
 *     { name, toolCall: { id, parameters } }
 *
 * Arguments are handed on as they came: what they are worth is judged where the tool is known.
 */
import { isObject } from './schema-check.js';

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
