/**
 * Reads one node of any dialect: by its type, and a tool node by the type of its tool.
 *
 * In: the node, its id, and its position in the list. Out: the node, or null if it has no usable id
 * or type; its other faults are reported as well.
 */
import { isObject, type Json, type JsonObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import type { NodeIndex } from '../ir/ids.js';
import { findNearest } from '../ir/names.js';
import { fromSource, synthesized, type Traced, traced, withPart } from '../ir/provenance.js';
import {
  type NodeType,
  planNames,
  roleOf,
  type Settings,
  type Text,
  type WorkflowNode,
  writtenByCompiler,
} from '../ir/workflow.js';
import { takeCaptures } from './captures.js';
import { isReservedKey } from './copy-json.js';
import { type NodeKind, names } from './dialect.js';
import { constantOf } from './logical.js';
import { type Found, type Reading, tracedOf } from './reading.js';
import { takeRequest, takeRequestTool } from './requests.js';
import { joinTexts, textsWithin } from './template.js';
import { readTool, savedTool, takeOlderServer, takeTools, takeTransfer } from './tools.js';

/** The parts in which node types differ; the rest is common to all. */
type Parts = Pick<WorkflowNode, 'type' | 'settings' | 'assistant' | keyof typeof noWork> & Planned;
const noWork = {
  ...{ firstMessage: null, lineBy: null, systemPrompt: null, captures: [], tools: [] },
  ...{ transfer: null, request: null },
};
const noParts: Parts = { type: 'conversation', settings: {}, assistant: null, ...noWork };

export function readNode(node: Reading, id: string | null, index: number): WorkflowNode | null {
  const { at } = node;
  const kind = takeKind(node);
  if (kind !== null && node.known !== null) reportMisplaced(node, kind);
  const name = idField(node) === 'name' ? null : (node.takeString('name')?.value ?? null);
  node.absorb('layout of the editor');
  node.take('isStart');
  const own = readKind(node, kind, id ?? '');
  const entering = takeGlobal(node, id ?? '');
  const isTalk = kind === 'conversation' || kind === 'gather';
  const { settings, model } = takeModel(node, isTalk ? planNames : []);
  const parts = isTalk ? withModel(own, model) : own;
  if (id === null || kind === null || parts === null) return null;
  const role = roleOf[parts.type];
  const nameAt = node.placeOf(['name', 'id']);
  return {
    ...{ index: index as NodeIndex, id, at, role, name, nameAt, ...entering, ...parts },
    ...{ calls: [], ownSettings: [] },
    settings: addHook({ ...settings, ...parts.settings }, parts.idle, node.intake.around),
  };
}

/** The field that holds the id of a node; if none is given, the one that should. */
function idField({ intake, value }: Reading): string {
  const { id } = intake.vocabulary;
  return id.find((field) => (value[field] ?? null) !== null) ?? id.at(-1)!;
}

/** The id of a node, whatever else is wrong with it. */
export function idOf(node: Reading): Found<string> | null {
  const field = idField(node);
  const value = node.value[field];
  return typeof value === 'string' && value !== '' ? { value, at: node.placeIn(field) } : null;
}

/** The id of a node; a node without one in an export is named after its type and position. */
export function takeId(node: Reading, index: number, taken: ReadonlySet<string>): string | null {
  const field = idField(node);
  const { known, value } = node;
  if (value['id'] === '' && field === 'id') {
    node.take('id');
    node.report('shape/empty-id', node.placeIn('id'), {});
    return null;
  }
  if (known === null && (value[field] ?? '') === '') {
    const { type } = value;
    let made = `${typeof type === 'string' ? type.toLowerCase() : 'node'}_${index + 1}`;
    while (taken.has(made)) made += '_';
    node.report('shape/made-up-id', node.at, { id: made });
    return made;
  }
  const id = node.requireString('a node', field);
  if (id === null || !isReservedKey(id.value)) return id?.value ?? null;
  node.report('shape/reserved-name', id.at, { name: id.value });
  return null;
}

/** The kind of a node without a type: the first with one of these fields. */
const kinds: readonly (readonly [NodeKind, readonly string[]])[] = [
  ['tool', ['tool', 'toolId']],
  ['assistant', ['assistant', 'assistantId']],
  ['apiRequest', ['url']],
  ['conversation', ['messagePlan', ...names.line, ...names.instructions]],
];

function takeKind(node: Reading): NodeKind | null {
  const { types } = node.intake.vocabulary;
  if (node.known === null && !node.has('type')) {
    const [guess] = kinds.find(([, fields]) => fields.some((it) => node.has(it))) ?? [];
    const args = { found: 'a node without a type', as: `a node of the type ${guess}` };
    if (guess !== undefined) node.report('shape/read-as', node.at, args);
    if (guess !== undefined) return guess;
  }
  const type = node.requireString('a node', 'type');
  if (type === null) return null;
  const folded = type.value.toLowerCase().replaceAll(/[-_\s]/g, '');
  const kind = types.get(node.known === null ? folded : type.value);
  if (kind !== undefined) return kind;
  const args = { type: type.value, near: findNearest(type.value, types.keys()) };
  node.report('shape/unknown-node-type', type.at, args);
  return null;
}

/** Fields of the spec's shape that only some types use. */
const placed: readonly (readonly [belongs: string, fields: readonly string[]])[] = [
  ['transferCall', ['destination', 'transferPlan']],
  ['apiRequest', ['url', 'method', 'headers', 'body', 'timeoutSeconds', 'responseVariables']],
  ['conversation, gather or apiRequest', ['extractVariables']],
];

/** Misplaced fields are ignored and reported. */
function reportMisplaced(node: Reading, type: NodeKind): void {
  for (const [belongs, fields] of placed) {
    if (belongs.split(/, | or /).includes(type)) continue;
    for (const field of fields.filter((it) => node.has(it))) {
      node.misplaced.push(field);
      node.report('shape/misplaced-field', child(node.at, field), { field, type, belongs });
    }
  }
}

/** A node without a known type is read by its fields, so that all its faults are reported. */
function readKind(node: Reading, kind: NodeKind | null, id: string): Parts | null {
  if (kind === 'assistant') return readAssistant(node);
  if (kind === 'tool') return readToolNode(node, id);
  const talk = takeTalk(node, kind ?? 'conversation');
  const isTalking = roleOf[talk.type] === 'talk';
  const isCapturing = isTalking || (node.known !== null && kind === 'apiRequest');
  const has = (type: NodeKind, sign: string) => kind === type || (kind === null && node.has(sign));
  return {
    ...talk,
    captures: isCapturing ? takeCaptures(node) : [],
    transfer: has('transferCall', 'transferPlan') ? takeTransfer(node) : null,
    request: has('apiRequest', 'url') ? takeRequest(node) : null,
    tools: isTalking ? takeTools(node) : [],
  };
}

/** What a node says and its instructions. */
function takeTalk(node: Reading, type: NodeType): Parts {
  const lines = roleOf[type] === 'exit' ? [...names.line, ...names.lastLine] : names.line;
  const plan = node.takeInside('messagePlan');
  const planned = plan?.takeText('firstMessage') ?? [];
  const [firstMessage = null, ...others] = [planned, node.takeTexts(lines)].flat();
  for (const { value, at } of others) {
    // A node has one line.
    if (value !== firstMessage!.value) node.report('shape/lost-text', at, { field: 'this field' });
  }
  const systemPrompt = joinTexts(node.takeTexts(names.instructions));
  const idle = roleOf[type] === 'talk' ? takeIdle(plan) : null;
  return { ...noParts, type, firstMessage, systemPrompt, idle };
}

type Idle = Traced<readonly Json[]> | null;
type Planned = { readonly idle?: Idle };
/** What is said while the caller is silent, as the platform's hook, with the older defaults. */
export function takeIdle(plan: Reading | null): Idle {
  const exact = Array.from(plan?.takeEach('a text', 'idleMessages') ?? [], ({ value }) => value);
  if (plan === null || exact.length === 0) return null;
  const numberIn = (field: string) => plan.takeAs('a number', field)?.value;
  const count = numberIn('idleMessageMaxSpokenCount');
  const timeoutSeconds = numberIn('idleTimeoutSeconds') ?? 10;
  const options = { timeoutSeconds, ...(count !== undefined && { triggerMaxCount: count }) };
  const hook = { on: 'customer.speech.timeout', options, do: [{ type: 'say', exact }] };
  return traced([hook], synthesized('idle-messages', [child(plan.at, 'idleMessages')]));
}

/** The settings with another hook after their own, or those of the workflow around. */
export function addHook(settings: Settings, hook: Idle = null, around = settings): Settings {
  if (hook === null) return settings;
  const { value = [] } = settings.hooks ?? around.hooks ?? {};
  const all = [...(Array.isArray(value) ? (value as Json[]) : []), ...hook.value];
  return { ...settings, hooks: traced(all, hook.origin) };
}

/** Model, voice and other settings; `model` holds instructions and tools, which are not settings. */
export function takeModel(holder: Reading, plans: readonly string[] = planNames) {
  const model = holder.takeInside('model');
  const [voice, transcriber] = ['voice', 'transcriber'].map((name) =>
    tracedOf(holder.takeAs('an object', name)),
  );
  const older = plans.length === 0 ? [] : takeOlderServer(holder);
  const planned = [...holder.takeSettings(plans), ...older].map((it) => [it.key, it.value]);
  const heard = { ...(voice && { voice }), ...(transcriber && { transcriber }) };
  const settings: Settings = { ...Object.fromEntries(planned), ...heard };
  if (model === null) return { settings, model };
  const others = [...writtenByCompiler, ...names.instructions, 'workflow'];
  const kept = Object.entries(model.value).filter(([key]) => !others.includes(key));
  for (const [key] of kept) model.taken.add(key);
  if (['provider', 'model'].every((key) => model.takeString(key) !== null)) {
    const own = traced(Object.fromEntries(kept), fromSource(model.at));
    return { settings: { ...settings, model: own }, model };
  }
  // The model of an assistant that only refers to a workflow is not one.
  if (!model.has('workflow')) holder.report('shape/unusable-model', model.at, {});
  return { settings, model };
}

/** Instructions of a model, and a message of the caller if there is one: some write the line there. */
export function takeInstructions(model: Reading) {
  const callers: Reading[] = [];
  const messages = model.takeInsides('messages').flatMap((message) => {
    const role = message.takeString('role')?.value.toLowerCase() ?? 'system';
    if (role === 'user') callers.push(message);
    // A message in the assistant's role is neither spoken nor an instruction.
    return role === 'assistant' || role === 'user' ? [] : takeContent(message);
  });
  if (callers.length > 1) for (const it of callers.splice(0)) reportExample(it);
  const prompts = [...model.takeTexts(names.instructions), ...messages];
  return { prompts, message: callers[0] ?? null };
}

/** Reports a message that is neither spoken nor an instruction. */
export function reportExample(message: Reading | null): void {
  const as = 'part of an example, which a squad does not contain';
  message?.take('content');
  message?.report('shape/read-as', message.at, { found: 'a message of the caller', as });
}

/** The content of a message: a text, or a list of texts. */
function takeContent(message: Reading): Text[] {
  if (!Array.isArray(message.value['content'])) return message.takeTexts(['content']);
  return message.takeInsides('content').flatMap((part) => {
    part.take('type');
    return part.takeTexts(['text']);
  });
}

/** Instructions and tools may also stand in the model. */
function withModel<T extends Parts | null>(parts: T, model: Reading | null): T {
  if (parts === null || model === null) return parts;
  const { prompts, message } = takeInstructions(model);
  const systemPrompt = joinTexts([parts.systemPrompt, ...prompts]);
  const tools = [...parts.tools, ...takeTools(model)];
  const [line = null] = parts.firstMessage === null && message ? takeContent(message) : [];
  const args = { found: 'a message of the caller', as: 'the first message' };
  if (line === null) reportExample(message);
  else message!.report('shape/read-as', child(message!.at, 'role'), args);
  return { ...parts, firstMessage: parts.firstMessage ?? line, systemPrompt, tools };
}

/**
 * A node that is already an assistant: its lines and instructions are read like a talk node's, and
 * it stays a member of its own. Of a saved assistant there is only the id.
 */
function readAssistant(node: Reading): Parts | null {
  const savedAs = tracedOf(node.takeString('assistantId'));
  if (savedAs !== null) {
    // The id stands unchanged in members, in destinations and in prompts.
    const isUsable = /^[\w.-]{1,100}$/.test(savedAs.value);
    const code = isUsable ? 'shape/saved-assistant' : 'shape/assistant-id';
    node.report(code, node.placeIn('assistantId'), { id: savedAs.value });
    const version = tracedOf(node.takeString('assistantVersion'));
    return { ...noParts, assistant: { savedAs, version, settings: [] } };
  }
  const inside = node.takeInside('assistant');
  if (inside === null) {
    takeTalk(node, 'conversation');
    node.report('shape/missing-field', node.at, { field: 'assistant', of: 'an assistant node' });
    return null;
  }
  inside.absorb('internal to the platform');
  const { settings, model } = takeModel(inside);
  inside.take('name');
  const parts = withModel<Parts>({ ...takeTalk(inside, 'conversation'), settings }, model);
  // The prompt says how the assistant opens; the other fields are its own settings.
  const others = Object.keys(inside.value).filter((key) => !inside.taken.has(key));
  const own = { savedAs: null, version: null, settings: inside.takeSettings(others) };
  return { ...parts, assistant: own };
}

/** A node that is a tool does what the tool does. */
function readToolNode(node: Reading, id: string): Parts | null {
  const talk = takeTalk(node, 'tool');
  const tool = isObject(node.value['tool']) ? node.takeInside('tool') : null;
  if (tool === null) {
    // A saved tool is called by the name of its node.
    const saved = node.takeString('toolId');
    if (saved !== null) return { ...talk, tools: [savedTool(node, saved, id)] };
    node.report('shape/missing-field', node.at, { field: 'tool', of: 'a tool node' });
    return null;
  }
  const { type } = tool.value;
  if (type === 'apiRequest') return { ...talk, type, request: takeRequestTool(tool) };
  if (type !== 'transferCall' && type !== 'endCall') {
    const given = readTool(tool);
    return given && { ...talk, tools: [given] };
  }
  tool.takeAll(['type', 'name', 'function']);
  const { line, lineBy, others, texts } = takeMessages(tool, type);
  const transfer = type === 'transferCall' ? takeTransfer(tool) : null;
  const firstMessage = talk.firstMessage ?? line;
  if (line !== null && line !== firstMessage) {
    tool.report('shape/lost-text', line.at, { field: 'content' });
  }
  const passedTexts = [...(transfer?.passedTexts ?? []), ...texts];
  const whole = transfer && { ...transfer, messages: others, passedTexts };
  return {
    ...talk,
    type,
    transfer: whole,
    firstMessage,
    lineBy: talk.firstMessage ? null : lineBy,
  };
}

/** What a tool that ends the call says first becomes the node's line; a transfer keeps the rest. */
function takeMessages(tool: Reading, type: string) {
  let line: Text | null = null;
  let lineBy: Traced<JsonObject> | null = null;
  let others: Traced<readonly Json[]> | null = null;
  const texts: Text[] = [];
  for (const message of tool.takeInsides('messages')) {
    const { type: moment = 'request-start' } = message.value;
    const isFirst =
      moment === 'request-start' || (type === 'endCall' && moment === 'request-complete');
    const flags = ['role', 'blocking', 'endCallAfterSpokenEnabled'];
    message.takeAll(isFirst ? ['type', ...flags] : Object.keys(message.value));
    if (isFirst && line === null) {
      [line = null] = takeContent(message);
      // Only a message that waits can be blocking, and only the other kinds have a role.
      const ofKind = flags.filter((key) => (key === 'blocking') === (moment === 'request-start'));
      const kept = Object.entries(message.value).filter(([key]) => ofKind.includes(key));
      if (type === 'endCall' && line !== null) {
        lineBy = traced({ type: moment, ...Object.fromEntries(kept) }, fromSource(message.at));
      }
    }
    const args = { found: 'a further message at the end', as: 'a line that a squad does not say' };
    if (!isFirst && type !== 'transferCall') message.report('shape/read-as', message.at, args);
    if (isFirst || type !== 'transferCall') continue;
    others ??= traced<readonly Json[]>([], fromSource(child(tool.at, 'messages')));
    const origin = withPart(others.origin, String(others.value.length), fromSource(message.at));
    others = traced([...others.value, message.value], origin);
    texts.push(...textsWithin(message.value, message.at, tool.faults));
  }
  return { line, lineBy, others, texts };
}

/** Whether the node can be entered from anywhere, and when. */
function takeGlobal(node: Reading, id: string): Pick<WorkflowNode, 'global' | 'loneCondition'> {
  const plan = node.takeInside('globalNodePlan');
  const [flag, when] = plan ? ['enabled', 'enterCondition'] : ['isGlobal', 'condition'];
  const isGlobal = (plan ?? node).takeAs('true or false', flag!)?.value === true;
  const condition = (plan ?? node).takeCondition([when!]);
  const constant = constantOf(condition);
  if (isGlobal && constant === false) {
    node.report('flow/never-taken', condition!.at, { what: 'global node' });
    return { global: null, loneCondition: null };
  }
  if (isGlobal) return { global: { condition: constant ? null : condition }, loneCondition: null };
  if (condition !== null) node.report('flow/condition-without-global', condition.at, { id });
  return { global: null, loneCondition: condition };
}
