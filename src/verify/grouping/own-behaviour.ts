/**
 * What a node does by itself, as a number: two nodes have the same one when nothing but their
 * continuations can tell them apart.
 *
 * In: the graph. Out: for each node a number, or -1 where no other node does the same; null where
 * that is so of all. The start and the global nodes are equal to none, nor are assistants that the
 * source holds whole. Most nodes have a text that no other has, so they are set aside by that text
 * alone, and only the rest is looked at as a whole.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import {
  type Request,
  settingNames,
  type Text,
  type Transfer,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import type { SourceGraph } from '../source-graph.js';
import { canonicalText } from '../tools/canonical-text.js';

export function numberBehaviours(graph: SourceGraph): Int32Array | null {
  const doubtful = listDoubtful(graph);
  if (doubtful.length === 0) return null;
  const numbers = new Int32Array(graph.workflow.nodes.length).fill(-1);
  const intern = createInterner();
  const behaviours = new Map<string, NodeIndex[]>();
  for (const node of doubtful) {
    const key = behaviourOf(graph.nodeAt(node), intern);
    const alike = behaviours.get(key);
    if (alike === undefined) behaviours.set(key, [node]);
    else alike.push(node);
  }
  let next = 0;
  for (const alike of behaviours.values()) {
    if (alike.length === 1) continue;
    for (const node of alike) numbers[node] = next;
    next += 1;
  }
  return numbers;
}

/** Nodes that share their most telling text with another one, in walk order. */
function listDoubtful(graph: SourceGraph): NodeIndex[] {
  const first = new Map<string, NodeIndex>();
  const isDoubtful = new Uint8Array(graph.workflow.nodes.length);
  let count = 0;
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    const isWhole = node.assistant !== null && node.assistant.savedAs === null;
    if (index === graph.start || node.global !== null || isWhole) continue;
    const text = tellingText(node);
    const other = first.get(text);
    if (other === undefined) {
      first.set(text, index);
      continue;
    }
    isDoubtful[other] = 1;
    isDoubtful[index] = 1;
    count += 1;
  }
  return count === 0 ? [] : graph.order.filter((node) => isDoubtful[node] === 1);
}

function tellingText(node: WorkflowNode): string {
  const { systemPrompt, firstMessage, request, type, assistant } = node;
  if (assistant?.savedAs) return assistant.savedAs.value;
  return systemPrompt?.value ?? firstMessage?.value ?? request?.url?.value ?? type;
}

/** Gives equal texts equal numbers, so that long texts are compared once; 0 is no text. */
type Intern = (text: string | null) => number;

function createInterner(): Intern {
  const numbers = new Map<string, number>();
  return (text) => {
    if (text === null) return 0;
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size + 1);
    return numbers.size;
  };
}

/** Most nodes have nothing but a type and two texts. */
function behaviourOf(node: WorkflowNode, intern: Intern): string {
  const { type, firstMessage, systemPrompt } = node;
  const details = hasDetails(node) ? intern(detailsOf(node, intern)) : 0;
  return `${type} ${textOf(firstMessage, intern)} ${textOf(systemPrompt, intern)} ${details}`;
}

function hasDetails(node: WorkflowNode): boolean {
  const { captures, transfer, request, settings, assistant, tools } = node;
  if (assistant !== null || tools.length > 0) return true;
  if (captures.length > 0 || transfer !== null || request !== null) return true;
  if (callsOfSource(node).length > 0) return true;
  return settingNames.some((name) => (settings[name]?.value ?? null) !== null);
}

function detailsOf(node: WorkflowNode, intern: Intern): string {
  const { captures, transfer, request, settings } = node;
  return JSON.stringify([
    captures.map(({ name, type, description, enum: values, details, alias = null }) => {
      const said = [textOf(description, intern), textOf(alias, intern)];
      return [name, type, ...said, values, details?.value ?? null];
    }),
    callsOfSource(node).map((it) => [it.tool, it.node, it.variables]),
    transfer && detailsOfTransfer(transfer, intern),
    request && detailsOfRequest(request, intern),
    givenToolsOf(node),
    settingNames.map((name) => settings[name]?.value ?? null),
    node.assistant?.savedAs?.value ?? null,
  ]);
}

function detailsOfTransfer(transfer: Transfer, intern: Intern): unknown[] {
  const { destination, message, description, passed, others } = transfer;
  return [
    destination?.value ?? null,
    textOf(message, intern),
    textOf(description, intern),
    passed.map(({ key, value }) => [key, value.value]),
    others.map((other) => detailsOfTransfer(other, intern)),
  ];
}

function detailsOfRequest(request: Request, intern: Intern): unknown[] {
  const { url, method, headers, body, timeoutSeconds, credentialId, operation } = request;
  const { responseSchema, description, responses, statics, passed } = request;
  const parts = [url, method, headers, body, timeoutSeconds, credentialId, operation?.id ?? null];
  return [
    [...parts, responseSchema].map((part) => part?.value ?? null),
    responses.map(({ name, path, value }) => [name, path, textOf(value, intern)]),
    textOf(description, intern),
    [statics, passed, operation?.bound ?? [], operation?.account ?? []].map((fields) =>
      fields.map(({ key, value }) => [key, value.value]),
    ),
  ];
}

/** The tools that a node has in the platform's own words, in whatever order, as texts. */
export function givenToolsOf({ tools }: WorkflowNode): string[] {
  const texts = tools.map(({ value, savedAs }) =>
    value === null ? `id ${savedAs?.value}` : canonicalText(value.value),
  );
  return [...new Set(texts)].sort();
}

function textOf(text: Text | null, intern: Intern): number {
  return intern(text === null ? null : text.value);
}

/**
 * The tools that a node calls as far as the grouping knows: an answer about a critical variable
 * may bring more, but it can only be asked about when the assistants are known.
 */
export function callsOfSource({ calls }: WorkflowNode): WorkflowNode['calls'] {
  return calls.length === 0 ? calls : calls.filter(({ moment }) => moment === 'judging');
}
