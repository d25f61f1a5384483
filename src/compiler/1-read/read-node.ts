/**
 * One node of any dialect: by its type, and for a tool node by the type of its tool.
 *
 * In: the node, its id, and its place in the list. Out: the node, or null where it has no usable id
 * or type; all its other faults are told as well.
 */
import { child, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import {
  type NodeType,
  roleOf,
  type Settings,
  settingNames,
  type Text,
  type WorkflowNode,
  writtenByCompiler,
} from '../ir/workflow.js';
import { takeCaptures } from './captures.js';
import { isReservedKey } from './copy-json.js';
import { editorLayout, type NodeKind, names, platformRecord } from './dialect.js';
import { type Found, Reading, tracedOf } from './reading.js';
import { textAt } from './template.js';
import { readTool, savedTool, takeRequest, takeTools, takeTransfer } from './tools.js';

/** What tells one type of node from another; the rest all nodes have. */
type Parts = Pick<WorkflowNode, 'type' | 'firstMessage' | 'systemPrompt' | 'captures'> &
  Pick<WorkflowNode, 'transfer' | 'request' | 'tools' | 'settings' | 'assistant'>;

const noParts: Parts = {
  type: 'conversation',
  firstMessage: null,
  systemPrompt: null,
  captures: [],
  transfer: null,
  request: null,
  tools: [],
  settings: {},
  assistant: null,
};

export function readNode(node: Reading, id: string | null, index: number): WorkflowNode | null {
  const { at } = node;
  const kind = takeKind(node);
  if (kind !== null && node.words.isStrict) reportMisplaced(node, kind);
  const name = idField(node) === 'name' ? null : (node.takeString('name')?.value ?? null);
  node.absorb(editorLayout);
  node.take('isStart');
  const own = readKind(node, kind, id ?? '');
  const global = takeGlobal(node, id ?? '');
  const { settings, model } = takeModel(node);
  const parts = kind === 'conversation' || kind === 'gather' ? withModel(own, model) : own;
  if (id === null || kind === null || parts === null) return null;
  return {
    index: index as NodeIndex,
    id,
    at,
    type: parts.type,
    role: roleOf[parts.type],
    name,
    nameAt: child(at, node.has('name') ? 'name' : 'id'),
    firstMessage: parts.firstMessage,
    systemPrompt: parts.systemPrompt,
    captures: parts.captures,
    global,
    transfer: parts.transfer,
    request: parts.request,
    calls: [],
    tools: parts.tools,
    settings: { ...settings, ...parts.settings },
    assistant: parts.assistant,
  };
}

/** The field that holds the id of a node; where none is given, the one that should. */
function idField({ words, value }: Reading): string {
  return words.id.find((field) => (value[field] ?? null) !== null) ?? words.id.at(-1)!;
}

/** The id that the node bears, whatever else is wrong with it. */
export function idOf(node: Reading): Found<string> | null {
  const field = idField(node);
  const value = node.value[field];
  return typeof value === 'string' && value !== '' ? { value, at: child(node.at, field) } : null;
}

export function requireId(node: Reading): string | null {
  if (node.value['id'] === '') {
    node.take('id');
    node.report('shape/empty-id', child(node.at, 'id'), {});
    return null;
  }
  const id = node.requireString('a node', idField(node));
  if (id === null || !isReservedKey(id.value)) return id?.value ?? null;
  node.report('shape/reserved-name', id.at, { name: id.value });
  return null;
}

function takeKind(node: Reading): NodeKind | null {
  const { isStrict, types } = node.words;
  const type = node.requireString('a node', 'type');
  if (type === null) return null;
  const folded = isStrict ? type.value : type.value.toLowerCase().replaceAll(/[-_\s]/g, '');
  const kind = types.get(folded);
  if (kind !== undefined) return kind;
  const args = { type: type.value, near: findNearest(type.value, [...types.keys()]) };
  node.report('shape/unknown-node-type', type.at, args);
  return null;
}

/** Fields of the spec's shape that only some types have a use for. */
const placed: readonly { readonly types: readonly NodeKind[]; readonly fields: string[] }[] = [
  { types: ['transferCall'], fields: ['destination', 'transferPlan'] },
  {
    types: ['apiRequest'],
    fields: ['url', 'method', 'headers', 'body', 'timeoutSeconds', 'responseVariables'],
  },
  { types: ['conversation', 'gather', 'apiRequest'], fields: ['extractVariables'] },
];

/** What stands where it has no use is left out, and told. */
function reportMisplaced(node: Reading, type: NodeKind): void {
  for (const { types, fields } of placed) {
    for (const field of types.includes(type) ? [] : fields) {
      if (!node.has(field)) continue;
      const belongs = [types.slice(0, -1).join(', '), types.at(-1)].filter(Boolean).join(' or ');
      node.misplaced.push(field);
      node.report('shape/misplaced-field', child(node.at, field), { field, type, belongs });
    }
  }
}

/** A node of the spec without a type is read by what it has, so that all its faults are told. */
function readKind(node: Reading, kind: NodeKind | null, id: string): Parts | null {
  const { isStrict } = node.words;
  if (kind === null && !isStrict) return null;
  if (kind === 'assistant') return readAssistant(node);
  if (kind === 'tool') return readToolNode(node, id);
  const talk = takeTalk(node, kind ?? 'conversation');
  const isTalking = roleOf[talk.type] === 'talk';
  const isCapturing = isTalking || (isStrict && kind === 'apiRequest');
  const isTransfer = kind === 'transferCall' || (kind === null && node.has('transferPlan'));
  const isRequest = kind === 'apiRequest' || (kind === null && node.has('url'));
  return {
    ...talk,
    captures: isCapturing ? takeCaptures(node) : [],
    transfer: isTransfer ? takeTransfer(node) : null,
    request: isRequest ? takeRequest(node) : null,
    tools: isTalking ? takeTools(node) : [],
  };
}

/** What a node says and is told to do. */
function takeTalk(node: Reading, type: NodeType): Parts {
  const planned = node.takeInside('messagePlan')?.takeText('firstMessage') ?? null;
  const lines = roleOf[type] === 'exit' ? [...names.line, ...names.lastLine] : names.line;
  const firstMessage = planned ?? node.takeText(...lines);
  return { ...noParts, type, firstMessage, systemPrompt: node.takeText(...names.instructions) };
}

/** Model, voice and transcriber; `model` holds what is no setting: a prompt and tools. */
export function takeModel(holder: Reading): { settings: Settings; model: Reading | null } {
  let settings: Settings = {};
  let model: Reading | null = null;
  for (const name of settingNames) {
    let setting = tracedOf(holder.takeAs('an object', name));
    if (setting === null) continue;
    if (name === 'model') {
      model = new Reading(setting.value, child(holder.at, name), holder.ledger, name);
      // A model without a provider or a name is none that the target could take.
      for (const field of ['provider', 'model']) model.requireString('model', field);
      const members = Object.entries(setting.value);
      const kept = members.filter(([key]) => !writtenByCompiler.includes(key));
      for (const [key] of kept) model.taken.add(key);
      setting = { ...setting, value: Object.fromEntries(kept) };
    }
    settings = { ...settings, [name]: setting };
  }
  return { settings, model };
}

/** A prompt and tools may stand in the model too; a prompt of the node's own counts. */
function withModel<T extends Parts | null>(parts: T, model: Reading | null): T {
  if (parts === null || model === null) return parts;
  const isOfSystem = ({ role }: JsonObject) => role === 'system';
  const systemPrompt = parts.systemPrompt ?? takeMessage(model, isOfSystem);
  return { ...parts, systemPrompt, tools: [...parts.tools, ...takeTools(model)] };
}

/** The first message that fits; where there are others beside it all are left, and told. */
function takeMessage(holder: Reading, fits: (message: JsonObject) => boolean): Text | null {
  const given = holder.has('messages') ? (holder.value['messages'] ?? null) : null;
  const messages = Array.isArray(given) && given.length > 1 ? given : null;
  for (const [index, it] of (
    messages ??
    holder.takeAs('a list', 'messages')?.value ??
    []
  ).entries()) {
    if (!isJsonObject(it) || !fits(it)) continue;
    const content = it['content'];
    if (typeof content !== 'string' || content === '') return null;
    const at = child(child(child(holder.at, 'messages'), index), 'content');
    return textAt(content, at, holder.faults);
  }
  return null;
}

/**
 * A node that is an assistant already: what it says and does is read like a talk node's, and it
 * stays a member of its own. Of one that the platform keeps there is only the id.
 */
function readAssistant(node: Reading): Parts | null {
  const type = 'conversation';
  const savedAs = tracedOf(node.takeString('assistantId'));
  if (savedAs !== null) {
    // The id stands in members, in destinations and in prompts, as it is.
    const isUsable = /^[\w.-]{1,100}$/.test(savedAs.value);
    const code = isUsable ? 'shape/saved-assistant' : 'shape/assistant-id';
    node.report(code, child(node.at, 'assistantId'), { id: savedAs.value });
    return { ...noParts, type, assistant: { savedAs, settings: [] } };
  }
  const inside = node.takeInside('assistant');
  if (inside === null) {
    node.report('shape/missing-field', node.at, { field: 'assistant', of: 'an assistant node' });
    return null;
  }
  const firstMessage = inside.takeText('firstMessage');
  inside.absorb(platformRecord);
  const { settings, model } = takeModel(inside);
  inside.take('name');
  const parts = withModel<Parts>({ ...noParts, type, firstMessage, settings }, model);
  // The prompt says how the assistant opens; what is left are settings of its own.
  const others = Object.keys(inside.value).filter((key) => !inside.taken.has(key));
  return { ...parts, assistant: { savedAs: null, settings: inside.takeSettings(others.sort()) } };
}

/** A node that is a tool does what the tool does. */
function readToolNode(node: Reading, id: string): Parts | null {
  const talk = takeTalk(node, 'tool');
  const tool = isJsonObject(node.value['tool']) ? node.takeInside('tool') : null;
  if (tool === null) {
    // A tool that the platform keeps is called by the name of its node.
    const saved = node.takeString('toolId');
    if (saved !== null) return { ...talk, tools: [savedTool(node, saved, id)] };
    node.report('shape/missing-field', node.at, { field: 'tool', of: 'a tool node' });
    return null;
  }
  const { type } = tool.value;
  if (type === 'apiRequest') {
    tool.take('type');
    const declared = tool.takeInside('function');
    tool.take('name');
    const toolName = tracedOf((declared?.has('name') ? declared : tool).takeString('name'));
    return { ...talk, type, request: { ...takeRequest(tool), toolName } };
  }
  if (type !== 'transferCall' && type !== 'endCall') {
    const given = readTool(tool);
    return given && { ...talk, tools: [given] };
  }
  const transfer = type === 'transferCall' ? takeTransfer(tool) : null;
  for (const field of ['type', 'name', 'function']) tool.take(field);
  // A call ends with it, so what the tool says while the caller waits is said before.
  const isSaid = ({ content }: JsonObject) => typeof content === 'string';
  const firstMessage = talk.firstMessage ?? takeMessage(tool, isSaid);
  return { ...talk, type, transfer, firstMessage };
}

/** Whether the node can be entered from anywhere, and when. */
function takeGlobal(node: Reading, id: string): WorkflowNode['global'] {
  const plan = node.takeInside('globalNodePlan');
  const [holder, flag, when] =
    plan === null
      ? ([node, 'isGlobal', 'condition'] as const)
      : ([plan, 'enabled', 'enterCondition'] as const);
  const isGlobal = holder.takeAs('true or false', flag)?.value === true;
  const condition = holder.takeCondition([when]);
  if (isGlobal) return { condition };
  if (condition !== null) node.report('flow/condition-without-global', condition.at, { id });
  return null;
}
