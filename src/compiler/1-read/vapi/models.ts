/**
 * The model of a node, of an assistant or of the workflow: its settings, and what else stands in it
 * that is none: a prompt and tools.
 */
import { child } from '../../ir/ids.js';
import { isJsonObject, type JsonObject } from '../../ir/json.js';
import type { GivenTool, Settings, Text } from '../../ir/workflow.js';
import { readObjects } from '../fields.js';
import { readSettings, settingFields } from '../read-settings.js';
import { readText } from '../texts.js';
import { takeTools } from './given-tools.js';
import { openReading, type Reading, take } from './reading.js';

/** Model, voice and transcriber, without what the compiler writes into a model itself. */
export function takeSettings(holder: Reading): Settings {
  for (const field of settingFields) take(holder, field);
  return readSettings(holder, []);
}

export interface ModelParts {
  /** The first message of the system. */
  readonly systemPrompt: Text | null;
  readonly tools: readonly GivenTool[];
}

/** Prompt and tools of the model; `hasPrompt`: the node has another one, so this one is left. */
export function takeModelParts(holder: Reading, hasPrompt = false): ModelParts {
  const model = openModel(holder);
  if (model === null) return { systemPrompt: null, tools: [] };
  return { systemPrompt: hasPrompt ? null : takePrompt(model), tools: takeTools(model) };
}

/** The parts of the model that are no settings, so that what nobody takes of them is told. */
export function openModel({ value, at, faults, ledger }: Reading): Reading | null {
  const { model } = value;
  if (!isJsonObject(model)) return null;
  const { messages, tools, toolIds } = model;
  const parts = Object.entries({ messages, tools, toolIds }).filter(([, it]) => it !== undefined);
  const parted = Object.fromEntries(parts) as JsonObject;
  return openReading({ value: parted, at: child(at, 'model'), faults }, ledger);
}

/** One message of the system is taken; with others beside it they are all left, and told. */
function takePrompt(model: Reading): Text | null {
  const messages = readObjects(model, 'messages');
  const system = messages.find(({ value }) => value['role'] === 'system');
  if (messages.length < 2) take(model, 'messages');
  return system === undefined ? null : readText(system, 'content');
}
