/**
 * What a node says when it is entered. Exports keep it in the message plan, on the node itself, or,
 * for nodes that are tools, among the messages of the tool.
 */
import { child } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import type { Role, Text } from '../../ir/workflow.js';
import { readList } from '../fields.js';
import { readText } from '../texts.js';
import { type Reading, take, takeInside, takeText } from './reading.js';

const lineFields = ['firstMessage', 'exact', 'text', 'message'];

/** The line of a node; what is said at the end of a call is that of a node that ends it. */
export function takeLine(node: Reading, role: Role): Text | null {
  const plan = takeInside(node, 'messagePlan');
  const planned = plan === null ? null : takeText(plan, 'firstMessage');
  return planned ?? takeText(node, ...lineFields, ...(role === 'exit' ? ['endMessage'] : []));
}

/**
 * What a tool says while the caller waits: the first of its messages that has words. The others
 * are left, so that they are told.
 */
export function takeToolLine(tool: Reading): Text | null {
  const messages = readList(tool, 'messages') ?? [];
  const first = messages.findIndex((it) => isJsonObject(it) && typeof it['content'] === 'string');
  const message = messages[first];
  if (message === undefined || !isJsonObject(message)) return null;
  if (messages.length === 1) take(tool, 'messages');
  const at = child(child(tool.at, 'messages'), first);
  return readText({ value: message, at, faults: tool.faults }, 'content');
}
