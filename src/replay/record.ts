/**
 * A call as the platform records it → what it did, in order. Names are taken from it, and nothing that
 * anybody said: of a value only the name of its variable, of a tool call only the function.
 *
 * A call of a workflow records its nodes, one of a squad its assistants and, among its messages, the
 * functions that they called.
 */

import { asObject, isObject, type OpenObject } from '../text/json.js';

/** One thing of a record that moves a call, or shows where it is. */
export interface Item {
  /** A handoff is a function only if no assistant followed. */
  readonly kind: 'node' | 'assistant' | 'function';
  readonly name: string;
  /** The function that handed off to the assistant, if it is known. */
  readonly by: string | null;
  /** The variables that have a value then. */
  readonly values: readonly string[];
}

export interface CallRecord {
  readonly id: string | null;
  readonly kind: 'workflow' | 'squad' | null;
  /** The id of the workflow or the squad that was called. */
  readonly calledId: string | null;
  readonly items: readonly Item[];
  /** The variables that the call began with. */
  readonly given: readonly string[];
  /** Whether it says which variables have values. */
  readonly hasValues: boolean;
}

type Handoffs = (name: string) => ReadonlySet<string> | null;

/** `handoffs`: the names of the assistants that a function hands off to; null if it is a tool. */
export function readRecord(call: unknown, handoffs: Handoffs): CallRecord {
  const { id, artifact, assistantId, assistant, ...around } = asObject(call);
  const { nodes, assistantActivations, messages, variableValues } = asObject(artifact);
  const atEnd = namesIn(variableValues);
  const visits = listOf(nodes).flatMap(({ nodeName, variableValues: values }): Item[] => {
    const name = nameOf(nodeName);
    return name === null ? [] : [{ kind: 'node', name, by: null, values: namesIn(values) }];
  });
  const last = visits.pop();
  if (last !== undefined)
    visits.push({ ...last, values: [...new Set([...last.values, ...atEnd])] });
  const names = listOf(assistantActivations).flatMap(
    (it) => nameOf(it['assistantName']) ?? nameOf(it['assistantId']) ?? [],
  );
  const isOfAssistant = nameOf(assistantId) !== null || isObject(assistant);
  const isOfSquad = names.length > 0 && (nameOf(around['squadId']) !== null || !isOfAssistant);
  const kind = last !== undefined ? 'workflow' : isOfSquad ? 'squad' : null;
  const overrides = ['workflowOverrides', 'squadOverrides', 'assistantOverrides'];
  return {
    id: nameOf(id),
    kind,
    calledId: nameOf(around[`${kind}Id`]),
    items: kind === 'squad' ? inOrder(names, functionsIn(messages), handoffs) : visits,
    given: overrides.flatMap((it) => namesIn(asObject(around[it])['variableValues'])),
    hasValues: listOf(nodes).some((it) => isObject(it['variableValues'])),
  };
}

/**
 * Activations have no time, so the handoffs among the functions say where they belong. The messages
 * may begin late: they are paired from the end. Without a handoff nothing tells when a tool was called.
 */
function inOrder(names: readonly string[], functions: readonly string[], handoffs: Handoffs) {
  const items: Item[] = [];
  let left = names.length;
  const enter = (by: string | null): void => {
    left -= 1;
    items.push({ kind: 'assistant', name: names[left]!, by, values: [] });
  };
  const isPlaced = names.length === 1 || functions.some((it) => handoffs(it) !== null);
  for (const name of isPlaced ? functions.toReversed() : []) {
    if (left > 1 && handoffs(name)?.has(names[left - 1]!)) enter(name);
    else items.push({ kind: 'function', name, by: null, values: [] });
  }
  while (left > 0) enter(null);
  return items.reverse();
}

/** The functions that were called, in order. */
function functionsIn(messages: unknown): string[] {
  const calls = listOf(messages).flatMap((it) => listOf(it['toolCalls'] ?? it['tool_calls']));
  return calls.flatMap((it) => nameOf(asObject(it['function'])['name'] ?? it['name']) ?? []);
}

/** The variables that have a value. */
function namesIn(values: unknown): string[] {
  const there = Object.entries(asObject(values)).filter(([, it]) => (it ?? '') !== '');
  return there.map(([name]) => name);
}

function listOf(value: unknown): readonly OpenObject[] {
  return Array.isArray(value) ? value.map(asObject) : [];
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
