/** Members, their assistants and their settings, as both targets write them. */
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { AssistantIr, SettingIr } from '../ir/squad-ir.js';
import type { Assembly } from './tools.js';
import { compose, fixed, note, type SourceMap } from './tracing.js';

/** A document, and where in it the members stand. */
export interface Written {
  readonly document: JsonObject;
  readonly membersAt: JsonPointer;
}

/** What a target writes in its own way. */
export interface Shape {
  /** What the assistant says first. */
  readonly opening: (assistant: AssistantIr, at: JsonPointer, map: SourceMap) => JsonObject;
  readonly tools: (assembly: Assembly, assistant: AssistantIr, at: JsonPointer) => JsonObject[];
  /** What is added to a saved assistant, which stands there. */
  readonly additions: (assembly: Assembly, assistant: AssistantIr, at: JsonPointer) => JsonObject;
}

export function assembleMembers(assembly: Assembly, shape: Shape, at: JsonPointer): JsonObject[] {
  return assembly.squad.assistants.map((assistant, index) => {
    const place = child(at, index);
    const { savedAs } = assistant;
    if (savedAs === null) {
      return {
        assistant: assembleAssistant(assembly, shape, assistant, child(place, 'assistant')),
      };
    }
    return {
      assistantId: note(savedAs, child(place, 'assistantId'), assembly.map),
      ...shape.additions(assembly, assistant, child(place, 'assistantOverrides')),
    };
  });
}

/** Settings of all members; nothing where there are none. */
export function assembleShared({ squad, map }: Assembly, key: string, at: JsonPointer): JsonObject {
  if (squad.shared.length === 0) return {};
  return { [key]: assembleSettings(squad.shared, child(at, key), map) };
}

function assembleAssistant(
  assembly: Assembly,
  shape: Shape,
  assistant: AssistantIr,
  at: JsonPointer,
): JsonObject {
  const { map } = assembly;
  return {
    name: note(assistant.name, child(at, 'name'), map),
    ...assembleOpening(shape, assistant, at, map),
    model: assembleModel(assembly, shape, assistant, child(at, 'model')),
    ...assembleSettings(assistant.settings, at, map),
  };
}

/** How an assistant opens by itself is not for a target to say. */
function assembleOpening(
  shape: Shape,
  assistant: AssistantIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const { firstMessage, settings } = assistant;
  if (!settings.some(({ key }) => key === 'firstMessageMode')) {
    return shape.opening(assistant, at, map);
  }
  if (firstMessage === null) return {};
  return { firstMessage: note(firstMessage, child(at, 'firstMessage'), map) };
}

function assembleModel(
  assembly: Assembly,
  shape: Shape,
  assistant: AssistantIr,
  at: JsonPointer,
): JsonObject {
  const message = `${at}/messages/0`;
  const { map } = assembly;
  const model = note(assistant.model, at, map);
  const content = compose(assistant.prompt, child(message, 'content'), map);
  const tools = shape.tools(assembly, assistant, child(at, 'tools'));
  const toolIds = assistant.savedTools.map((id, index) =>
    note(id, child(child(at, 'toolIds'), index), map),
  );
  return {
    ...model,
    messages: [{ role: fixed('system', child(message, 'role'), map), content }],
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolIds.length === 0 ? {} : { toolIds }),
  };
}

export function assembleSettings(
  settings: readonly SettingIr[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  return Object.fromEntries(
    settings.map(({ key, value }) => [key, note(value, child(at, key), map)]),
  );
}
