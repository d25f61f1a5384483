/**
 * The texts of a node as one list, for reading, renaming, comparing and checking.
 *
 * In: a node. Out: every text of it that may contain Liquid, in a fixed order: its line and
 * instructions, its transfer, its request, its tools, its captures, its aliases. Conditions (of a
 * global node, of edges) are not in the list: they are read after the node's own captures.
 *
 *     { type: 'gather', systemPrompt: 'Hi {{name}}' }  →  [{ kind: 'instruction', value, moment: 'entry' }]
 */
import { asObject, type Json, type JsonObject } from '../../text/json.js';
import type { FlowGraph } from './flow-graph.js';
import { fromAnswer, type Traced, traced, within, withPart } from './provenance.js';
import type { LedgerKind } from './result.js';
import type { UnreachedReads } from './variables.js';
import { destinationsOf, type GivenTool, type Text, type WorkflowNode } from './workflow.js';

/**
 * When a text is used: when the assistant becomes active; spoken when a tool is called; with a
 * tool, including what the model fills in; by the platform before the model fills anything in; or
 * at a handoff.
 */
export type Moment = 'entry' | 'start' | 'run' | 'ahead' | 'handoff';

export interface NodeText {
  readonly value: Text;
  readonly moment: Moment;
  /** How the ledger counts it; null if its node or its variable accounts for it. */
  readonly kind: LedgerKind | null;
  /** The given tool that it is a text of. */
  readonly tool?: GivenTool;
}

export function textsOf(node: WorkflowNode): NodeText[] {
  const { firstMessage, systemPrompt, request, tools, captures } = node;
  const texts: NodeText[] = [];
  const add = (value: Text | null, moment: Moment, kind: LedgerKind | null = null) => {
    if (value !== null) texts.push({ value, moment, kind });
  };
  add(firstMessage, node.lineBy === null ? 'entry' : 'start', 'line');
  add(systemPrompt, 'entry', 'instruction');
  for (const it of destinationsOf(node)) {
    add(it.message, 'start', 'transfer-message');
    add(it.address, 'run');
    add(it.description, 'entry', 'instruction');
    for (const text of it.passedTexts) add(text, 'run');
  }
  const line = startLineOf(node);
  for (const text of request?.texts ?? []) {
    if (text.at === request!.description?.at) add(text, 'entry', 'instruction');
    else add(text, text === line ? 'start' : momentOf(placeInTool(node, text)));
  }
  for (const tool of tools) {
    for (const value of tool.texts) {
      const place = value.at.slice(tool.at.length);
      const moment = value === line ? 'start' : onEntry.test(place) ? 'entry' : momentOf(place);
      texts.push({ value, moment, kind: null, tool });
    }
  }
  for (const { description } of captures) add(description, 'entry');
  for (const { alias = null } of captures) add(alias, 'handoff');
  return texts;
}

/** Descriptions of a tool and of its arguments, which a model reads together with its prompt. */
const onEntry = /^\/(?:function|body|description|destinations)\b.*\bdescription$|^\/description$/;

function momentOf(place: string): Moment {
  return /^\/(?:server|rejectionPlan)\//.test(place) ? 'ahead' : 'run';
}

/** The text's place in the tool that the node is. */
function placeInTool(node: WorkflowNode, { at }: Text): string {
  return at.slice(node.at.length).replace(/^\/tool\//, '/');
}

/** What a node's tool says when it is called, if that is always the same text. */
export function startLineOf(node: WorkflowNode): Text | null {
  const { request, tools, role } = node;
  if (role !== 'act') return null;
  const [given] = tools;
  const passed = request?.passed.find(({ key }) => key === 'messages')?.value.value;
  const place = `/messages/${indexOfStart(passed ?? given?.value?.value['messages'])}/content`;
  const texts = request?.texts ?? given?.texts ?? [];
  return texts.find((text) => placeInTool(node, text) === place) ?? null;
}

/** Its position among the messages of the tool; -1 if there is none. */
export function indexOfStart(messages: Json | undefined): number {
  if (!Array.isArray(messages)) return -1;
  const objects = messages.map(asObject);
  const starts = objects.filter(({ type = 'request-start' }) => type === 'request-start');
  const [only = {}, ...others] = starts;
  const isPlain = !['conditions', 'contents'].some((key) => Object.hasOwn(only, key));
  return isPlain && others.length === 0 ? objects.indexOf(only) : -1;
}

/** What the tool of an exit can say: the line before the end, and the messages of transfers. */
export function linesOfTool(node: WorkflowNode): readonly Text[] {
  const line = node.lineBy === null ? null : node.firstMessage;
  const messages = destinationsOf(node).map(({ message }) => message);
  return [line, ...messages].filter((text) => text !== null);
}

/** The lines before the end that the tool that ends the call cannot say: it has one for all exits. */
export function linesBesideEnd(
  exits: readonly WorkflowNode[],
  nodes: readonly WorkflowNode[],
  hasTool: boolean,
): readonly Text[] {
  const ends = exits.filter(({ role, transfer }) => role === 'exit' && transfer === null);
  const keyOf = ({ lineBy, firstMessage: line }: WorkflowNode) => [lineBy?.value, line?.value];
  const lines = new Set(ends.map((it) => JSON.stringify(keyOf(it))));
  const tools = nodes.flatMap((node) => node.tools);
  const hasOther = tools.some(({ value }) => value?.value['type'] === 'endCall');
  return lines.size === 1 && hasTool && !hasOther ? [] : ends.flatMap(linesOfTool);
}

/**
 * The node with `change` applied to each of its texts, and to each text inside the values that are
 * carried unchanged (url, headers, body, tools …). `change` must depend only on the words of the
 * text, and must return the same text where it changes nothing. A changed text has the origin that
 * `changedBy` names.
 */
export function mapTexts(node: WorkflowNode, change: (text: Text) => Text): WorkflowNode {
  const map = <T>(holder: T): T => {
    const changes = new Map<string, Text>();
    const mapIn = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part;
      if (Array.isArray(part)) return part.map(mapIn);
      if ('value' in part && 'origin' in part) return replaceIn(part as Traced<Json>, changes);
      if (!('value' in part && 'uses' in part)) {
        const mapMember = ([key, member]: [string, unknown]) =>
          [key, withoutTemplates.has(key) ? member : mapIn(member)] as const;
        return Object.fromEntries(Object.entries(part).map(mapMember));
      }
      const before = part as Text;
      const text = change(before);
      if (text.value !== before.value) changes.set(before.value, text);
      return text;
    };
    // All changes of its texts are known the second time, and no text changes again.
    return mapIn(mapIn(holder)) as T;
  };
  const { firstMessage, systemPrompt, captures, transfer, request, tools } = node;
  const spoken = { firstMessage: map(firstMessage), systemPrompt: map(systemPrompt) };
  const called = { transfer: map(transfer), request: map(request), tools: tools.map(map) };
  return { ...node, ...spoken, ...called, captures: captures.map(map) };
}

/** Names, ids and schemas contain no templates. */
const withoutTemplates: ReadonlySet<string> = new Set([
  ...['origin', 'toolName', 'credentialId', 'responseSchema', 'details'],
]);

/**
 * Only what changed gets another origin; the rest stays the source's. Values are no deeper than a
 * document may be, so the recursion is bounded.
 */
function replaceIn({ value, origin }: Traced<Json>, changes: ReadonlyMap<string, Text>) {
  if (typeof value === 'string') {
    const text = changes.get(value);
    if (text === undefined) return { value, origin };
    const { changedBy } = text;
    const at = origin.kind === 'source' ? origin.at : undefined;
    return traced(text.value, changedBy === undefined ? origin : fromAnswer(changedBy, at));
  }
  if (typeof value !== 'object' || value === null) return { value, origin };
  let whole = origin;
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const part: Traced<Json> = replaceIn({ value: member, origin: within(origin, key) }, changes);
    if (part.value !== member) whole = withPart(whole, key, part.origin);
    return [key, part.value];
  });
  if (members.every(([key, it]) => it === (value as JsonObject)[key])) return { value, origin };
  const isList = Array.isArray(value);
  return traced(isList ? members.map(([, it]) => it) : Object.fromEntries(members), whole);
}

/** The texts that read a variable where no definition reaches it, in walk order. */
export function listUnreached(
  { workflow: { nodes, globalPrompt }, order, leaving }: FlowGraph,
  name: string,
  { texts, conditions, globals, globalPrompt: isInPrompt }: UnreachedReads,
): Text[] {
  const all = order.flatMap((node) => [
    ...(texts.has(node) ? textsOf(nodes[node]!).map(({ value }) => value) : []),
    ...(conditions.has(node) ? leaving[node]!.map(({ condition }) => condition) : []),
    ...(globals.has(node) ? [nodes[node]!.global!.condition] : []),
  ]);
  return [isInPrompt ? globalPrompt : null, ...all].flatMap((text) =>
    text?.uses.some((use) => use.name === name) ? [text] : [],
  );
}
