/**
 * The texts of a node as data: one list for whoever reads, renames, compares or checks them.
 *
 * In: a node. Out: every text of it that may hold Liquid, in a fixed order: what it says and
 * instructs, its transfer, its request, its tools, what it captures, its aliases. The conditions
 * (of a global node, of edges) are apart: they are read after the node's own captures.
 *
 *     { type: 'gather', systemPrompt: 'Hi {{name}}' }  →  [{ path: ['systemPrompt'], value, moment: 'entry' }]
 */
import type { Json, JsonObject } from './json.js';
import { fromAnswer, type Traced, traced, within, withPart } from './provenance.js';
import type { NamedSetting, Request, Text, Transfer, WorkflowNode } from './workflow.js';

/**
 * When a text is read: when the node's assistant becomes active, when its tool runs, when the tool
 * has answered, or when the call is handed over.
 */
export type Moment = 'entry' | 'run' | 'response' | 'handoff';

export interface NodeText {
  /** Where the text stands in the `WorkflowNode`, e.g. `['captures', 0, 'description']`. */
  readonly path: readonly (string | number)[];
  readonly value: Text;
  readonly moment: Moment;
}

export function textsOf(node: WorkflowNode): NodeText[] {
  const found: NodeText[] = [];
  const add = (path: NodeText['path'], value: Text | null | undefined, moment: Moment) => {
    if (value) found.push({ path, value, moment });
  };
  add(['firstMessage'], node.firstMessage, 'entry');
  add(['systemPrompt'], node.systemPrompt, 'entry');
  const addTransfer = (path: NodeText['path'], transfer: Transfer) => {
    add([...path, 'message'], transfer.message, 'run');
    add([...path, 'address'], transfer.address, 'run');
    add([...path, 'description'], transfer.description, 'entry');
    transfer.passedTexts.forEach((text, at) => {
      add([...path, 'passedTexts', at], text, 'run');
    });
  };
  if (node.transfer !== null) {
    addTransfer(['transfer'], node.transfer);
    for (const [at, other] of node.transfer.others.entries()) {
      addTransfer(['transfer', 'others', at], other);
    }
  }
  if (node.request !== null) {
    const { texts, description, responses } = node.request;
    const answered = new Set(responses.map(({ value }) => value?.at));
    texts.forEach((text, at) => {
      const isDescription = text.at === description?.at;
      const moment = isDescription ? 'entry' : answered.has(text.at) ? 'response' : 'run';
      add(['request', 'texts', at], text, moment);
    });
  }
  for (const [index, { texts }] of node.tools.entries()) {
    texts.forEach((text, at) => {
      add(['tools', index, 'texts', at], text, 'run');
    });
  }
  for (const [at, { description }] of node.captures.entries()) {
    add(['captures', at, 'description'], description, 'entry');
  }
  for (const [at, { alias }] of node.captures.entries()) {
    add(['captures', at, 'alias'], alias, 'handoff');
  }
  return found;
}

/**
 * The node with `change` applied to each of its texts, and to each text inside the values that are
 * carried as they are (url, headers, body, tools …). `change` must be a function of the text's
 * words alone, and gives the same text back where it changes nothing; what it changed has the
 * origin that `changedBy` names.
 */
export function mapTexts(node: WorkflowNode, change: (text: Text) => Text): WorkflowNode {
  const map = <T extends Text | null>(text: T): T => (text === null ? text : (change(text) as T));
  const { transfer, request } = node;
  return {
    ...node,
    firstMessage: map(node.firstMessage),
    systemPrompt: map(node.systemPrompt),
    captures: node.captures.map((capture) => ({
      ...capture,
      description: map(capture.description),
      ...(capture.alias === undefined ? {} : { alias: map(capture.alias) }),
    })),
    transfer: transfer && {
      ...mapTransfer(transfer, map),
      others: transfer.others.map((other) => mapTransfer(other, map)),
    },
    request: request && mapRequest(request, map),
    tools: node.tools.map((tool) => {
      const texts = tool.texts.map(map);
      return { ...tool, texts, value: replaceIn(tool.value, changesOf(tool.texts, texts)) };
    }),
  };
}

type MapText = <T extends Text | null>(text: T) => T;

function mapTransfer(transfer: Transfer, map: MapText): Transfer {
  const address = map(transfer.address);
  const passedTexts = transfer.passedTexts.map(map);
  const moved = changesOf([transfer.address], [address]);
  return {
    ...transfer,
    message: map(transfer.message),
    description: map(transfer.description),
    address,
    destination: replaceIn(transfer.destination as Traced<JsonObject> | null, moved),
    passed: replaceAll(transfer.passed, changesOf(transfer.passedTexts, passedTexts)),
    passedTexts,
  } as Transfer;
}

function mapRequest(request: Request, map: MapText): Request {
  const texts = request.texts.map(map);
  const furtherTexts = request.furtherTexts.map(map);
  const responses = request.responses.map((it) => ({ ...it, value: map(it.value) }));
  const changes = changesOf(request.texts, texts);
  return {
    ...request,
    url: replaceIn(request.url, changes),
    headers: replaceIn(request.headers, changes),
    body: replaceIn(request.body, changes),
    description: map(request.description),
    statics: replaceAll(request.statics, changes),
    passed: replaceAll(request.passed, changes),
    responses,
    texts,
    furtherTexts,
  };
}

/** By the words of a text that changed, the text that it became. */
type Changes = ReadonlyMap<string, Text>;

function changesOf(before: readonly (Text | null)[], after: readonly (Text | null)[]): Changes {
  const changes = new Map<string, Text>();
  before.forEach((text, index) => {
    const changed = after[index];
    if (text && changed && changed.value !== text.value) changes.set(text.value, changed);
  });
  return changes;
}

function replaceAll(settings: readonly NamedSetting[], changes: Changes): NamedSetting[] {
  return settings.map(({ key, value }) => ({ key, value: replaceIn(value, changes) }));
}

/**
 * Only what changed has another origin; the rest stays the source's. Values are at most as deep as
 * a document may be, so the recursion is bounded.
 */
function replaceIn<T extends Traced<Json> | null>(part: T, changes: Changes): T {
  return (part && changes.size > 0 ? replaceWithin(part, changes) : part) as T;
}

function replaceWithin({ value, origin }: Traced<Json>, changes: Changes): Traced<Json> {
  if (typeof value === 'string') {
    const text = changes.get(value);
    if (text === undefined) return { value, origin };
    return traced(text.value, text.changedBy === undefined ? origin : fromAnswer(text.changedBy));
  }
  if (typeof value !== 'object' || value === null) return { value, origin };
  let whole = origin;
  let isSame = true;
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const part = replaceWithin({ value: member, origin: within(origin, key) }, changes);
    if (part.value !== member) {
      whole = withPart(whole, key, part.origin);
      isSame = false;
    }
    return [key, part.value];
  });
  if (isSame) return { value, origin };
  const list = Array.isArray(value);
  return traced(list ? members.map(([, it]) => it) : Object.fromEntries(members), whole);
}
