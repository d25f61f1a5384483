/**
 * How a workflow runs: at a node its texts are read, then its captures happen, then its tools
 * respond, then the conditions of the possible steps are read.
 *
 * In: the graph and a script, which replaces the model and the caller. Out: the events in readable
 * form; squad.ts plays the same script through a squad.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../text/pointer.js';
import { isJsonObject, type Json, type JsonObject } from '../text/json.js';
import { isSchema } from '../compiler/ir/template.js';
import { startLineOf, textsOf } from '../compiler/ir/texts.js';
import { isExpression } from '../compiler/ir/tokens.js';
import type { Condition, Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { type Bag, render } from './render.js';
import { nodeOf, type Step, stepsFrom } from './walks.js';

/** What the model and the caller do. */
export interface Script {
  /** The steps taken after the start. */
  readonly steps: readonly Step[];
  /** What is known when the call starts. */
  readonly given: Bag;
  /** The captured or returned value at this visit; null if that fails. */
  readonly value: (variable: string, visit: number) => string | null;
}

/** An event of a call; `visit` counts the nodes that it reaches. */
export type CallEvent = { readonly visit: number } & (
  | { readonly kind: 'node'; readonly node: number }
  /** An assistant becomes active: its rendered prompt, and the variables of the call. */
  | {
      readonly kind: 'active';
      readonly member: number;
      readonly assistant: string;
      readonly prompt: string;
      readonly bag: Bag;
    }
  /** `at` is the text of the source; null for a line that is spoken out of turn. */
  | {
      readonly kind: 'said';
      readonly at: JsonPointer | null;
      readonly text: string;
      readonly by: 'platform' | 'model';
    }
  /** What a text of the source says to the model at this point; `place` is in the squad. */
  | {
      readonly kind: 'read';
      readonly at: JsonPointer;
      readonly text: string;
      readonly place?: JsonPointer;
    }
  | { readonly kind: 'found'; readonly variable: string; readonly value: string | null }
  | { readonly kind: 'sent'; readonly at: JsonPointer; readonly request: Sent }
  | { readonly kind: 'response'; readonly variable: string; readonly value: string }
  | { readonly kind: 'handoff'; readonly to: string; readonly carried: Bag }
  | { readonly kind: 'choices'; readonly steps: readonly Step[] }
);

/** What a request sends, by the path of the field; null for a value that the model gives. */
export type Sent = Readonly<Record<string, string | null>>;

/** Plays the script through the workflow. */
export function runWorkflow(graph: FlowGraph, { steps, given, value }: Script): CallEvent[] {
  const events: CallEvent[] = [];
  const values = new Map(given);
  for (const [visit, { to, edge }] of [{ to: graph.start, edge: undefined }, ...steps].entries()) {
    const respond = (variable: string) => {
      const text = value(variable, visit);
      if (text === null) return;
      values.set(variable, text);
      events.push({ visit, kind: 'response', variable, value: text });
    };
    const node = nodeOf(graph, to);
    if (visit > 0 && edge === undefined) node.global?.condition?.call?.variables.forEach(respond);
    events.push({ visit, kind: 'node', node: to });
    for (const { text, kind } of textsAt(graph, to)) {
      const read = readAs(text, render(text.value, values), values);
      if (kind === 'read') events.push({ visit, kind, at: text.at, text: read });
      else events.push({ visit, kind, at: text.at, text: read, by: 'model' });
    }
    const request = requestOf(node);
    if (request !== null) {
      events.push({ visit, kind: 'sent', at: node.at, request: send(request, values) });
    }
    for (const { name: variable, alias } of node.captures) {
      const found = alias === undefined ? value(variable, visit) : render(alias.value, values);
      if (found !== null) values.set(variable, found);
      events.push({ visit, kind: 'found', variable, value: found });
    }
    respondersOf(node).forEach(respond);
    for (const text of writtenConditionsAt(graph, to)) {
      const read = readAs(text, render(text.value, values), values);
      events.push({ visit, kind: 'read', at: text.at, text: read });
    }
  }
  const last = steps.at(-1)?.to ?? graph.start;
  events.push({ visit: steps.length, kind: 'choices', steps: stepsFrom(graph, last) });
  return events;
}

/** The text as it is read; an expression is read unchanged, with the values of its names. */
export function readAs(text: Text | Condition, rendered: string, known: Bag): string {
  if (!isExpression(text)) return rendered;
  const isGiven = 'routing' in text && text.routing === 'tool';
  const names = isGiven ? [] : [...new Set(text.uses.map(({ name }) => name))];
  return `${text.value} [${names.map((name) => `${name}: ${known.get(name) ?? '?'}`).join(', ')}]`;
}

/** The texts of a node that the model reads or that are spoken, in order. */
export function textsAt(graph: FlowGraph, index: number) {
  const node = nodeOf(graph, index);
  const { firstMessage, systemPrompt, captures, transfer, request } = node;
  const described = captures.map(({ description }) => description);
  const transfers = transfer === null ? [] : [transfer, ...transfer.others];
  // A capture that an answer added has no text in the source.
  const as = (kind: 'said' | 'read', texts: readonly (Text | null)[]) =>
    texts.flatMap((text) => {
      // A blank instruction has no effect; a blank line is spoken.
      const said = kind === 'read' ? text?.value.trim() : text?.value;
      return text && said && text.at !== node.at ? [{ kind, text }] : [];
    });
  return [
    ...as('said', [firstMessage]),
    ...as('read', [graph.workflow.globalPrompt, systemPrompt, request?.description ?? null]),
    ...as('read', described),
    ...as('said', [...transfers.map(({ message }) => message), startLineOf(node)]),
  ];
}

/** The conditions of the possible steps. */
export function conditionsAt(graph: FlowGraph, index: number): Condition[] {
  return stepsFrom(graph, index).flatMap(
    ({ to, edge }) => (edge ?? nodeOf(graph, to).global)?.condition ?? [],
  );
}

/** Conditions of the source; one from an answer has the place of its node. */
export function writtenConditionsAt(graph: FlowGraph, index: number): Condition[] {
  const isWritten = ({ at }: Condition) => graph.globals.every((it) => nodeOf(graph, it).at !== at);
  return conditionsAt(graph, index).filter(isWritten);
}

/** The variables that tools set at the end of a node's work. */
function respondersOf({ request, tools, calls, role }: WorkflowNode): string[] {
  return [
    ...(request?.responses ?? []).map(({ name }) => name),
    ...(role === 'act' ? tools : []).flatMap(({ variables }) => variables),
    ...calls.flatMap(({ variables }) => variables),
  ];
}

/** The request of a node as a tool; null if it sends none. */
export function requestOf({ request, tools, role }: WorkflowNode): JsonObject | null {
  if (request === null) return role === 'act' ? (tools[0]?.value?.value ?? null) : null;
  const { url, method, headers, body, statics } = request;
  const parameters = statics.map(({ key, value }) => ({ key, value: value.value }));
  const [sent, fields] = [headers?.value ?? {}, body?.value ?? {}];
  const made = { url: url?.value ?? '', method: method?.value ?? '', headers: sent };
  return { ...made, body: fields, parameters };
}

/** What a tool sends, rendered with these values. */
export function send(tool: JsonObject, values: Bag): Sent {
  const sent: Record<string, string | null> = {};
  const put = (at: string, value: Json | undefined, isSchemaOf = false): void => {
    if (typeof value !== 'object' || value === null) {
      if (value !== undefined) sent[at] = render(String(value), values);
    } else if (isJsonObject(value) && (isSchemaOf || isSchema(value))) {
      const fixed = ['value', 'const'].find((key) => Object.hasOwn(value, key));
      const fields = Object.entries(value['properties'] ?? {});
      for (const [key, each] of fields) put(`${at}/${key}`, each, true);
      if (fixed !== undefined) put(at, value[fixed]);
      else if (fields.length === 0 && isSchemaOf) sent[at] = null;
    } else for (const [key, each] of Object.entries(value)) put(`${at}/${key}`, each);
  };
  const { url, method, server, headers, body, parameters } = tool;
  const own = tool['function'];
  put('url', url ?? (isJsonObject(server) ? server['url'] : undefined));
  put('method', method);
  put('headers', headers ?? (isJsonObject(server) ? server['headers'] : undefined));
  put('body', body ?? (isJsonObject(own) ? own['parameters'] : undefined));
  for (const each of Array.isArray(parameters) ? parameters : []) {
    if (isJsonObject(each)) put(`body/${each['key']}`, each['value']);
  }
  return sent;
}

/** The names of all variables that something in the workflow sets. */
export function definedVariables({ order, workflow }: FlowGraph): string[] {
  const own = order.flatMap((index) => {
    const { captures, global, ...node } = workflow.nodes[index]!;
    const given = global?.condition?.call?.variables ?? [];
    const found = captures.map(({ name }) => name);
    return [...found, ...respondersOf({ captures, global, ...node }), ...given];
  });
  return [...new Set(own)].sort();
}

/** What a node does with a variable, in this order. */
export function usesAt(graph: FlowGraph, index: number, variable: string) {
  const node = nodeOf(graph, index);
  const isRead = ({ uses }: Text) => uses.some(({ name }) => name === variable);
  const texts = textsOf(node).flatMap(({ moment, value }) => (moment === 'handoff' ? [] : value));
  return {
    onEntry: [...texts, graph.workflow.globalPrompt ?? []].flat().some(isRead),
    captures: node.captures.some(({ name }) => name === variable),
    responds: respondersOf(node).includes(variable),
    onLeaving: conditionsAt(graph, index).some((it) => it.routing !== 'tool' && isRead(it)),
  };
}
