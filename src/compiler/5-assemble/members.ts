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
}

export function assembleMembers(assembly: Assembly, shape: Shape, at: JsonPointer): JsonObject[] {
  return assembly.squad.assistants.map((assistant, index) => {
    const place = child(child(at, index), 'assistant');
    return { assistant: assembleAssistant(assembly, shape, assistant, place) };
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
    ...shape.opening(assistant, at, map),
    model: assembleModel(assembly, shape, assistant, child(at, 'model')),
    ...assembleSettings(assistant.settings, at, map),
  };
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
  return {
    ...model,
    messages: [{ role: fixed('system', child(message, 'role'), map), content }],
    ...(tools.length === 0 ? {} : { tools }),
  };
}

function assembleSettings(
  settings: readonly SettingIr[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  return Object.fromEntries(
    settings.map(({ key, value }) => [key, note(value, child(at, key), map)]),
  );
}
