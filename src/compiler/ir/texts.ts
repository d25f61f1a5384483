/**
 * The texts of a node as data: one list for whoever reads, renames, compares or checks them.
 *
 * In: a node. Out: every text of it that may hold Liquid, in a fixed order: what it says and
 * instructs, its transfer, its request, its tools, what it captures, its aliases. The conditions
 * (of a global node, of edges) are apart: they are read after the node's own captures.
 *
 *     { type: 'gather', systemPrompt: 'Hi {{name}}' }  →  [{ kind: 'instruction', value, moment: 'entry' }]
 */
import type { Json } from './json.js';
import { fromAnswer, type Traced, traced, within, withPart } from './provenance.js';
import type { LedgerKind } from './result.js';
import type { Text, WorkflowNode } from './workflow.js';

/** When a text is read: as the assistant becomes active, with a tool, or as the call is handed over. */
export type Moment = 'entry' | 'run' | 'handoff';

export interface NodeText {
  readonly value: Text;
  readonly moment: Moment;
  /** What the ledger counts it as; null for what its node or its variable stands for. */
  readonly kind: LedgerKind | null;
}

export function textsOf(node: WorkflowNode): NodeText[] {
  const { firstMessage, systemPrompt, transfer, request, tools, captures } = node;
  const texts: NodeText[] = [];
  const add = (value: Text | null, moment: Moment, kind: LedgerKind | null = null) => {
    if (value !== null) texts.push({ value, moment, kind });
  };
  add(firstMessage, 'entry', 'line');
  add(systemPrompt, 'entry', 'instruction');
  for (const it of transfer === null ? [] : [transfer, ...transfer.others]) {
    add(it.message, 'run', 'transfer-message');
    add(it.address, 'run');
    add(it.description, 'entry', 'instruction');
    for (const text of it.passedTexts) add(text, 'run');
  }
  for (const text of request?.texts ?? []) {
    if (text.at === request!.description?.at) add(text, 'entry', 'instruction');
    else add(text, 'run');
  }
  for (const tool of tools) for (const text of tool.texts) add(text, 'run');
  for (const { description } of captures) add(description, 'entry');
  for (const { alias = null } of captures) add(alias, 'handoff');
  return texts;
}

/**
 * The node with `change` applied to each of its texts, and to each text inside the values that are
 * carried as they are (url, headers, body, tools …). `change` must be a function of the text's
 * words alone, and gives the same text back where it changes nothing; what it changed has the
 * origin that `changedBy` names.
 */
export function mapTexts(node: WorkflowNode, change: (text: Text) => Text): WorkflowNode {
  const map = <T>(holder: T): T => {
    const changes = new Map<string, Text>();
    const changed = mapParts(holder, (part) => {
      if ('origin' in part) return part;
      const text = change(part);
      if (text.value !== part.value) changes.set(part.value, text);
      return text;
    });
    return mapParts(changed, (part) => ('origin' in part ? replaceIn(part, changes) : part));
  };
  const { firstMessage, systemPrompt, captures, transfer, request, tools } = node;
  const spoken = { firstMessage: map(firstMessage), systemPrompt: map(systemPrompt) };
  const called = { transfer: map(transfer), request: map(request), tools: tools.map(map) };
  return { ...node, ...spoken, ...called, captures: captures.map(map) };
}

/** Names, ids and schemas hold no templates. */
const untouched: ReadonlySet<string> = new Set([
  ...['origin', 'toolName', 'credentialId', 'responseSchema', 'details'],
]);

/** The same with each text and each value that has an origin replaced, wherever they stand. */
function mapParts<T>(whole: T, map: (part: Text | Traced<Json>) => unknown): T {
  const mapIn = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(mapIn);
    if ('value' in part && ('uses' in part || 'origin' in part)) return map(part as Text);
    const members = Object.entries(part);
    return Object.fromEntries(
      members.map(([key, member]) => [key, untouched.has(key) ? member : mapIn(member)]),
    );
  };
  return mapIn(whole) as T;
}

/**
 * Only what changed has another origin; the rest stays the source's. Values are at most as deep as
 * a document may be, so the recursion is bounded.
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
  let isSame = true;
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const part: Traced<Json> = replaceIn({ value: member, origin: within(origin, key) }, changes);
    if (part.value === member) return [key, member];
    whole = withPart(whole, key, part.origin);
    isSame = false;
    return [key, part.value];
  });
  if (isSame) return { value, origin };
  const isList = Array.isArray(value);
  return traced(isList ? members.map(([, it]) => it) : Object.fromEntries(members), whole);
}
