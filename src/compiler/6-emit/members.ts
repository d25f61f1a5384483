/** Members, their assistants and their settings, as both targets write them. */
import type { JsonObject } from '../ir/json.js';
import type { AssistantIr, SettingIr } from '../ir/squad-ir.js';
import type { Assembly } from './tools.js';
import { composeWhole, fixed, inside, note, type Place } from './tracing.js';
import { type Draft, putAll, putSettings } from './writing.js';

/** What a target writes in its own way. */
export interface Shape {
  /** Adds what the assistant says first. */
  readonly putOpening: (draft: Draft, assistant: AssistantIr, at: Place) => void;
  readonly tools: (assembly: Assembly, assistant: AssistantIr, at: Place) => JsonObject[];
  /** Adds what a saved assistant is told; the member stands there. */
  readonly putAdditions: (
    draft: Draft,
    assembly: Assembly,
    assistant: AssistantIr,
    at: Place,
  ) => void;
}

export function assembleMembers(assembly: Assembly, shape: Shape, at: Place): JsonObject[] {
  return assembly.squad.assistants.map((assistant, index) =>
    assembleMember(assembly, shape, assistant, inside(at, index)),
  );
}

function assembleMember(
  assembly: Assembly,
  shape: Shape,
  assistant: AssistantIr,
  at: Place,
): JsonObject {
  const { savedAs } = assistant;
  if (savedAs === null) {
    return { assistant: assembleAssistant(assembly, shape, assistant, inside(at, 'assistant')) };
  }
  const draft: Draft = { assistantId: note(savedAs, inside(at, 'assistantId')) };
  shape.putAdditions(draft, assembly, assistant, at);
  return draft;
}

/** Adds the settings of all members; nothing where there are none. */
export function putShared(draft: Draft, key: string, { squad }: Assembly, at: Place): void {
  if (squad.shared.length === 0) return;
  const settings: Draft = {};
  putSettings(settings, squad.shared, inside(at, key));
  draft[key] = settings;
}

function assembleAssistant(
  assembly: Assembly,
  shape: Shape,
  assistant: AssistantIr,
  at: Place,
): JsonObject {
  const { name, firstMessage, settings } = assistant;
  const draft: Draft = {};
  draft['name'] = note(name, inside(at, 'name'));
  // How an assistant opens by itself is not for a target to say.
  if (!settings.some(opensByItself)) shape.putOpening(draft, assistant, at);
  else if (firstMessage !== null) {
    draft['firstMessage'] = note(firstMessage, inside(at, 'firstMessage'));
  }
  draft['model'] = assembleModel(assembly, shape, assistant, inside(at, 'model'));
  putSettings(draft, settings, at);
  return draft;
}

function opensByItself({ key }: SettingIr): boolean {
  return key === 'firstMessageMode';
}

function assembleModel(
  assembly: Assembly,
  shape: Shape,
  assistant: AssistantIr,
  at: Place,
): JsonObject {
  const message = inside(inside(at, 'messages'), 0);
  const model = note(assistant.model, at);
  const content = composeWhole(assistant.prompt, inside(message, 'content'));
  const tools = shape.tools(assembly, assistant, inside(at, 'tools'));
  const toolIds = assembleToolIds(assistant, inside(at, 'toolIds'));
  const role = fixed('system', inside(message, 'role'));
  const draft: Draft = {};
  putAll(draft, model);
  draft['messages'] = [{ role, content }];
  if (tools.length > 0) draft['tools'] = tools;
  if (toolIds.length > 0) draft['toolIds'] = toolIds;
  return draft;
}

function assembleToolIds({ savedTools }: AssistantIr, at: Place): readonly string[] {
  if (savedTools.length === 0) return noIds;
  return savedTools.map((id, index) => note(id, inside(at, index)));
}

const noIds: readonly string[] = [];
