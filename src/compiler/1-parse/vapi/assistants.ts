/**
 * A node that is an assistant already: what it says and does is read like a talk node's, and it
 * stays a member of its own. Of one that the platform keeps there is only the id.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { isJsonObject, type JsonObject } from '../../ir/json.js';
import { fromSource, traced } from '../../ir/provenance.js';
import type { GivenTool, NamedSetting, ReadyAssistant, Settings, Text } from '../../ir/workflow.js';
import { readObjects, readString, type Source } from '../fields.js';
import { readSettings } from '../read-settings.js';
import { readText } from '../texts.js';
import { takeTools } from './given-tools.js';
import {
  absorb,
  openReading,
  type Reading,
  take,
  takeInside,
  takeText,
  takeValue,
} from './reading.js';
import { platformRecord, recordFields } from './records.js';

export interface AssistantParts {
  readonly firstMessage: Text | null;
  readonly systemPrompt: Text | null;
  readonly tools: readonly GivenTool[];
  readonly settings: Settings;
  readonly assistant: ReadyAssistant;
}

/** Null where the node has neither an assistant nor the id of one; that is told. */
export function takeAssistant(node: Reading): AssistantParts | null {
  const field = take(node, 'assistantId');
  const id = field === null ? null : readString(node, field);
  if (id !== null) {
    const at = child(node.at, 'assistantId');
    const code = idPattern.test(id) ? 'shape/saved-assistant' : 'shape/assistant-id';
    node.faults.push(diagnose(code, at, { id }));
    return { ...empty, assistant: { savedAs: traced(id, fromSource(at)), settings: [] } };
  }
  const inside = takeInside(node, 'assistant');
  if (inside !== null) return readAssistant(inside);
  const args = { field: 'assistant', of: 'an assistant node' };
  node.faults.push(diagnose('shape/missing-field', node.at, args));
  return null;
}

/** The id stands in members, in destinations and in prompts, as it is. */
const idPattern = /^[\w.-]{1,100}$/;

const empty = { firstMessage: null, systemPrompt: null, tools: [], settings: {} };

function readAssistant(assistant: Reading): AssistantParts {
  const firstMessage = takeText(assistant, 'firstMessage');
  absorb(assistant, recordFields, platformRecord);
  const settings = readSettings(withoutToolIds(assistant), []);
  take(assistant, 'model');
  take(assistant, 'voice');
  take(assistant, 'transcriber');
  take(assistant, 'name');
  const model = openModel(assistant);
  const systemPrompt = model === null ? null : takePrompt(model);
  const tools = model === null ? [] : takeTools(model);
  // The prompt says how the assistant opens; what is left are settings of its own.
  const others = Object.keys(assistant.value).filter((key) => !assistant.taken.has(key));
  const own = others.sort().flatMap((key): NamedSetting[] => {
    const value = takeValue(assistant, key);
    return value === null ? [] : [{ key, value }];
  });
  return {
    firstMessage,
    systemPrompt,
    tools,
    settings,
    assistant: { savedAs: null, settings: own },
  };
}

/** Tools that the platform keeps are tools, and no setting of the model. */
function withoutToolIds({ value, at, faults }: Reading): Source {
  const { model } = value;
  if (!isJsonObject(model)) return { value, at, faults };
  const { toolIds: _, ...others } = model;
  return { value: { ...value, model: others }, at, faults };
}

/** The model, of which the prompt and the tools are taken; the rest are its settings. */
function openModel({ value, at, faults, ledger }: Reading): Reading | null {
  const { model } = value;
  if (!isJsonObject(model)) return null;
  const { messages, tools, toolIds } = model;
  const parts = Object.entries({ messages, tools, toolIds }).filter(([, it]) => it !== undefined);
  const parted = Object.fromEntries(parts) as JsonObject;
  return openReading({ value: parted, at: child(at, 'model'), faults }, ledger);
}

/** The first message of the system; others are left, so that they are told. */
function takePrompt(model: Reading): Text | null {
  const messages = readObjects(model, 'messages');
  const system = messages.find(({ value }) => value['role'] === 'system');
  if (messages.length < 2) take(model, 'messages');
  return system === undefined ? null : readText(system, 'content');
}
