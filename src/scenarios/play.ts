/**
 * Plays a script through a workflow, or through its squad as the platform does.
 *
 * A call has one bag of variables. An assistant's prompt and first message are rendered from it
 * when the assistant becomes active, the fields of a tool when it runs, with the arguments that the
 * model fills in. What the caller says is known only to the model until a handoff carries it.
 */

import { factsOf } from '../call/facts.js';
import {
  type Act,
  givenBefore,
  type Machine,
  machineOfWorkflow,
  nodeOf,
  type Step,
  stepsFrom,
} from '../call/machine.js';
import { carriedBy, type Destination, formOf } from '../call/squad.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { isSchema } from '../compiler/ir/template.js';
import { isExpression } from '../compiler/ir/tokens.js';
import type { Condition, Text, WorkflowNode } from '../compiler/ir/workflow.js';
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { elements } from '../text/parts.js';
import type { JsonPointer } from '../text/pointer.js';
import { findMove, type Tracks } from './explore.js';
import { type Bag, render, renderMarked, resolve } from './render.js';

/** The names of all variables that something in the workflow sets. */
export function definedVariables(graph: FlowGraph): string[] {
  const own = graph.order.flatMap((to) => {
    const { captures, responds } = factsOf(graph, nodeOf(graph, to));
    return [...captures.map(({ name }) => name), ...responds, ...givenBefore(graph, { to })];
  });
  return [...new Set(own)].sort();
}

/** What the model and the caller do. */
export interface Script {
  /** The steps taken after the start. */
  readonly steps: readonly Step[];
  /** What is known when the call starts. */
  readonly given: Bag;
  /** The captured or returned value at this visit; null if that fails. */
  readonly value: (variable: string, visit: number) => string | null;
}

type Happening<Kind, Data> = { readonly kind: Kind } & Readonly<Data>;
type Event =
  | Happening<'node', { node: number }>
  /** An assistant becomes active: its rendered prompt, and the variables of the call. */
  | Happening<'active', { member: number; assistant: string; prompt: string; bag: Bag }>
  /** `at` is the text of the source; null for a line that is spoken out of turn. */
  | Happening<'said', { at: JsonPointer | null; text: string; by: 'platform' | 'model' }>
  /** What a text of the source says to the model at this point; `place` is in the squad. */
  | Happening<'read', { at: JsonPointer; text: string; place?: JsonPointer }>
  | Happening<'found', { variable: string; value: string | null }>
  | Happening<'sent', { at: JsonPointer; request: Sent }>
  | Happening<'response', { variable: string; value: string }>
  | Happening<'handoff', { to: string; carried: Bag }>
  | Happening<'choices', { steps: readonly Step[] }>;

/** An event of a call; `visit` counts the nodes that it reaches. */
export type CallEvent = { readonly visit: number } & Event;

/** What a request sends, by the path of the field; null for a value that the model gives. */
export type Sent = Readonly<Record<string, string | null>>;

/** Plays the script through the workflow. */
export function runWorkflow(graph: FlowGraph, script: Script): CallEvent[] {
  return run(machineOfWorkflow(graph), graph, script);
}

/** Plays the script through the squad; throws if the squad has no transition for a step. */
export function runSquad({ squad, graph }: Tracks, script: Script): CallEvent[] {
  return run(squad, graph, script);
}

/** What is known in a call. */
interface Memory {
  /** The variables of the call, and those that it had when the assistant became active. */
  readonly bag: Map<string, string>;
  readonly shown: Bag;
  /** What the model knows: told on entry, found out, or from a tool. */
  readonly known: Map<string, string>;
  readonly captured: Map<string, string>;
}

function run(machine: Machine, graph: FlowGraph, { steps, given, value }: Script): CallEvent[] {
  const events: CallEvent[] = [];
  const bag = new Map(given);
  // A workflow has one memory.
  let memory: Memory = { bag, shown: bag, known: bag, captured: bag };
  let place = machine.places[0]!;
  for (const [visit, step] of [null, ...steps].entries()) {
    const tell = (...all: readonly Event[]) => {
      for (const event of all) events.push({ visit, ...event });
    };
    const happen = (act: Act) => tell(...play(act, memory, (name) => value(name, visit)));
    const move = step && findMove(machine, graph, place, step);
    if (move !== null) {
      happen({ kind: 'response', variables: move.responds });
      place = machine.places[move.to]!;
    }
    const assistant = machine.assistants[place.member];
    if (assistant !== undefined && move?.handoff !== null) {
      const { member, prompt } = assistant;
      if (move) {
        const carried = carry(move.handoff, memory);
        for (const [name, text] of carried) bag.set(name, text);
        tell({ kind: 'handoff', to: member.called, carried });
      }
      const shown = new Map(bag);
      memory = { bag, shown, known: pick(bag, prompt?.known ?? []), captured: new Map() };
      const { called, index } = member;
      const text = render(member.prompt, shown);
      tell({ kind: 'active', member: index, assistant: called, prompt: text, bag: shown });
    }
    tell({ kind: 'node', node: place.node });
    for (const act of place.acts) happen(act);
  }
  const visit = steps.length;
  return [...events, { visit, kind: 'choices', steps: stepsFrom(graph, place.node) }];
}

function play(act: Act, memory: Memory, value: (name: string) => string | null): Event[] {
  const { bag, shown, known, captured } = memory;
  const keep = (name: string, text: string | null, ...maps: readonly Map<string, string>[]) => {
    if (text !== null) for (const map of [known, ...maps]) map.set(name, text);
    return text;
  };
  if (act.kind === 'response') {
    return act.variables.flatMap((variable): Event[] => {
      const text = keep(variable, value(variable), bag);
      return text === null ? [] : [{ kind: 'response', variable, value: text }];
    });
  }
  if (act.kind === 'found') {
    const { name: variable, alias } = act.capture;
    const text = alias === undefined ? value(variable) : render(alias.value, known);
    return [{ kind: 'found', variable, value: keep(variable, text, captured) }];
  }
  if (act.kind === 'sent') {
    const written = requestOf(act.node);
    if (written === null) return [];
    const filled = act.tool === null ? [] : fill(act.tool, written, known);
    const sent = send(act.tool ?? written, new Map([...bag, ...filled]));
    const fields = filled.map(([key, text]) => [`body/${key}`, text]);
    return [{ kind: 'sent', at: act.node.at, request: { ...sent, ...Object.fromEntries(fields) } }];
  }
  const { kind, text: source, whole, isEarly, by, place } = act;
  const seen = renderMarked(whole, isEarly ? shown : bag);
  const text = by === 'platform' ? seen : readAs(source!, resolve(seen, known), known);
  if (kind === 'said') return [{ kind, at: source?.at ?? null, text, by }];
  return [{ kind, at: source!.at, text, ...(place !== undefined && { place }) }];
}

function pick(values: Bag, names: readonly string[]): Map<string, string> {
  return new Map(names.flatMap((it) => (values.has(it) ? [[it, values.get(it)!] as const] : [])));
}

/** The text as it is read; an expression is read unchanged, with the values of its names. */
function readAs(text: Text | Condition, rendered: string, known: Bag): string {
  if (!isExpression(text)) return rendered;
  const isGiven = 'routing' in text && text.routing === 'tool';
  const names = isGiven ? [] : [...new Set(text.uses.map(({ name }) => name))];
  return `${text.value} [${names.map((name) => `${name}: ${known.get(name) ?? '?'}`).join(', ')}]`;
}

/** The request of a node as a tool; null if it sends none. */
function requestOf({ request, tools, role }: WorkflowNode): JsonObject | null {
  if (request === null) return role === 'act' ? (tools[0]?.value?.value ?? null) : null;
  const { url, method, headers, body, statics } = request;
  return {
    url: url?.value ?? '',
    method: method?.value ?? '',
    headers: headers?.value ?? {},
    body: body?.value ?? {},
    parameters: statics.map(({ key, value }) => ({ key, value: value.value })),
  };
}

/** What a tool sends, rendered with these values. */
function send(tool: JsonObject, values: Bag): Sent {
  const sent: Record<string, string | null> = {};
  const put = (at: string, value: Json | undefined, isSchemaOf = false): void => {
    if (typeof value !== 'object' || value === null) {
      if (value !== undefined) sent[at] = render(String(value), values);
    } else if (isObject(value) && (isSchemaOf || isSchema(value))) {
      const fixed = ['value', 'const'].find((key) => Object.hasOwn(value, key));
      const fields = Object.entries(value['properties'] ?? {});
      for (const [key, each] of fields) put(`${at}/${key}`, each, true);
      if (fixed !== undefined) put(at, value[fixed]);
      else if (fields.length === 0 && isSchemaOf) sent[at] = null;
    } else for (const [key, each] of Object.entries(value)) put(`${at}/${key}`, each);
  };
  const server = asObject(tool['server']);
  put('url', tool['url'] ?? server['url']);
  put('method', tool['method']);
  put('headers', tool['headers'] ?? server['headers']);
  put('body', formOf(tool));
  for (const each of elements(tool['parameters'])) {
    if (isObject(each)) put(`body/${each['key']}`, each['value']);
  }
  return sent;
}

/**
 * The arguments that the model gives, as far as it knows them; optional ones are omitted. A field
 * of the source that consists of a variable shows what its argument stands for.
 */
function fill(tool: JsonObject, request: JsonObject, known: Bag): (readonly [string, string])[] {
  const [written, given] = [send(request, new Map()), send(tool, new Map())];
  const required = elements(asObject(formOf(tool))['required']).map(String);
  return required.flatMap((key) => {
    const name = /^\{\{([^{}.]+)\}\}$/.exec(written[`body/${key}`] ?? '')?.[1] ?? key;
    const isAsked = given[`body/${key}`] === null && known.has(name);
    return isAsked ? [[key, known.get(name)!] as const] : [];
  });
}

/** What crosses: captured values in the plan or the arguments, and rendered aliases. */
function carry(by: Destination, { captured, bag }: Memory): Map<string, string> {
  const carried = pick(captured, carriedBy(by));
  const { aliases } = asObject(by.value['variableExtractionPlan']);
  for (const { key, value } of elements(aliases).map(asObject)) {
    carried.set(String(key), render(String(value), new Map([...bag, ...carried])));
  }
  return carried;
}
