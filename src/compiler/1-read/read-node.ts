/**
 * One node of any dialect: by its type, and for a tool node by the type of its tool.
 *
 * In: the node, its id, and its place in the list. Out: the node, or null where it has no usable id
 * or type; all its other faults are told as well.
 */
import { child, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import { fromSource, traced } from '../ir/provenance.js';
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
import { editorLayout, type NodeKind, platformRecord } from './dialect.js';
import { type Found, Reading } from './reading.js';
import { textAt } from './texts.js';
import { readTool, savedTool, takeRequest, takeTools, takeTransfer } from './tools.js';

/** What tells one type of node from another; the rest all nodes have. */
type Parts = Pick<WorkflowNode, 'type' | 'firstMessage' | 'systemPrompt' | 'captures'> &
  Pick<WorkflowNode, 'transfer' | 'request' | 'tools' | 'settings' | 'assistant'>;

export function readNode(node: Reading, id: string | null, index: number): WorkflowNode | null {
  const { at, words } = node;
  const kind = takeKind(node);
  if (words.isStrict) reportMisplaced(node, kind);
  const name = idField(node) === 'name' ? null : (node.takeString('name')?.value ?? null);
  node.absorb(words.layout, editorLayout);
  if (!words.isStrict) node.take('isStart');
  const own = readKind(node, kind, id ?? '');
  const global = takeGlobal(node, id ?? '');
  const { settings, model } = takeModel(node);
  const parts = kind === 'conversation' || kind === 'gather' ? withModel(own, model) : own;
  if (id === null || kind === null || parts === null) return null;
  return {
    index: index as NodeIndex,
    id,
    at,
    role: roleOf[parts.type],
    name,
    nameAt: child(at, node.has('name') ? 'name' : 'id'),
    global,
    calls: [],
    ...parts,
    settings: { ...settings, ...parts.settings },
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
const placed: readonly (readonly [
  where: string,
  types: readonly string[],
  fields: readonly string[],
])[] = [
  ['transferCall', ['transferCall'], ['destination', 'transferPlan']],
  [
    'apiRequest',
    ['apiRequest'],
    ['url', 'method', 'headers', 'body', 'timeoutSeconds', 'responseVariables'],
  ],
  [
    'conversation, gather or apiRequest',
    ['conversation', 'gather', 'apiRequest'],
    ['extractVariables'],
  ],
];

/** What stands where it has no use is left out, and told. A node without a type may use anything. */
function reportMisplaced(node: Reading, type: NodeKind | null): void {
  for (const [belongs, types, fields] of placed) {
    for (const field of type !== null && types.includes(type) ? [] : fields) {
      if (type === null || !node.has(field)) node.asked.push(field);
      else node.report('shape/misplaced-field', child(node.at, field), { field, type, belongs });
    }
  }
}

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

const noParts: Omit<Parts, 'type'> = {
  ...{ firstMessage: null, systemPrompt: null, captures: [], transfer: null },
  ...{ request: null, tools: [], settings: {}, assistant: null },
};

/** What a node says and is told to do. */
function takeTalk(node: Reading, type: NodeType): Parts {
  const { isStrict, line, lastLine, instructions } = node.words;
  const plan = isStrict ? null : node.takeInside('messagePlan');
  const planned = plan?.takeText('firstMessage') ?? null;
  const lines = roleOf[type] === 'exit' ? [...line, ...lastLine] : line;
  const firstMessage = planned ?? node.takeText(...lines);
  return { ...noParts, type, firstMessage, systemPrompt: node.takeText(...instructions) };
}

/** Model, voice and transcriber; `model` is what else stands in the model and is no setting. */
export function takeModel(holder: Reading): { settings: Settings; model: Reading | null } {
  const { at, ledger } = holder;
  let settings: Settings = {};
  let model: Reading | null = null;
  for (const name of settingNames) {
    let value = holder.takeObject(name);
    if (value === null) continue;
    const place = child(at, name);
    if (name === 'model') {
      // A model without a provider or a name is none that the target could take.
      const whole = new Reading(value, place, { ...ledger, readings: [] });
      for (const field of ['provider', 'model']) whole.requireString('model', field);
      const isPart = ([key]: [string, Json]) => writtenByCompiler.includes(key);
      const members = Object.entries(value);
      value = Object.fromEntries(members.filter((member) => !isPart(member)));
      model = new Reading(Object.fromEntries(members.filter(isPart)), place, ledger);
    }
    settings = { ...settings, [name]: traced(value, fromSource(place)) };
  }
  return { settings, model };
}

/** A prompt and tools may stand in the model too; a prompt of the node's own counts. */
function withModel<T extends Parts | null>(parts: T, model: Reading | null): T {
  if (parts === null || model === null || model.words.isStrict) return parts;
  const isOfSystem = ({ role }: JsonObject) => role === 'system';
  const systemPrompt = parts.systemPrompt ?? takeMessage(model, isOfSystem);
  return { ...parts, systemPrompt, tools: [...parts.tools, ...takeTools(model)] };
}

/** The first message that fits; where there are others beside it all are left, and told. */
function takeMessage(holder: Reading, fits: (message: JsonObject) => boolean): Text | null {
  const messages: Json = holder.value['messages'] ?? null;
  if (!Array.isArray(messages) || messages.length < 2) holder.takeList('messages');
  if (!Array.isArray(messages)) return null;
  const index = messages.findIndex((it: Json) => isJsonObject(it) && fits(it));
  const content = index < 0 ? '' : (messages[index] as JsonObject)['content'];
  if (typeof content !== 'string' || content === '') return null;
  const at = child(child(child(holder.at, 'messages'), index), 'content');
  return textAt(content, at, holder.faults);
}

/**
 * A node that is an assistant already: what it says and does is read like a talk node's, and it
 * stays a member of its own. Of one that the platform keeps there is only the id.
 */
function readAssistant(node: Reading): Parts | null {
  const type = 'conversation';
  const savedAs = node.takeTraced('assistantId');
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
  inside.absorb(node.words.record, platformRecord);
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
    if (saved !== null) return { ...talk, tools: [savedTool(node, saved.value, id, saved.at)] };
    node.report('shape/missing-field', node.at, { field: 'tool', of: 'a tool node' });
    return null;
  }
  switch (tool.value['type']) {
    case 'apiRequest': {
      tool.take('type');
      const declared = tool.takeInside('function');
      tool.take('name');
      const toolName = (declared?.has('name') ? declared : tool).takeTraced('name');
      return { ...talk, type: 'apiRequest', request: { ...takeRequest(tool), toolName } };
    }
    case 'transferCall':
      return readExit(tool, { ...talk, type: 'transferCall', transfer: takeTransfer(tool) });
    case 'endCall':
      return readExit(tool, { ...talk, type: 'endCall' });
    default: {
      const given = readTool(tool);
      return given && { ...talk, tools: [given] };
    }
  }
}

/** A call ends with it, so what the tool says while the caller waits is said before. */
function readExit(tool: Reading, parts: Parts): Parts {
  for (const field of ['type', 'name', 'function']) tool.take(field);
  const isSaid = ({ content }: JsonObject) => typeof content === 'string';
  return { ...parts, firstMessage: parts.firstMessage ?? takeMessage(tool, isSaid) };
}

/** Whether the node can be entered from anywhere, and when. */
function takeGlobal(node: Reading, id: string): WorkflowNode['global'] {
  const plan = node.words.isStrict ? null : node.takeInside('globalNodePlan');
  const holder = plan ?? node;
  const isGlobal = holder.takeBoolean(plan === null ? 'isGlobal' : 'enabled') === true;
  const condition = holder.takeCondition([plan === null ? 'condition' : 'enterCondition']);
  if (isGlobal) return { condition };
  if (condition !== null) node.report('flow/condition-without-global', condition.at, { id });
  return null;
}
