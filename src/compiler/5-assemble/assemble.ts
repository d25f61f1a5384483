/**
 * SquadIr → the document of the target, with its source map.
 *
 * In: the squad and the target. Out: plain JSON in the target's shape, keys in a fixed order, and
 * for every value where it came from. Guarantees: nothing is decided here; what is written was
 * lowered before.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { AssistantIr, SettingIr, SquadIr } from '../ir/squad-ir.js';
import { type Assembly, assembleTools, type Placements } from './tools.js';
import { compose, fixed, note, type SourceMap } from './tracing.js';

export interface Assembled {
  readonly document: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
  readonly placements: Placements;
  /** Pointer of the member at a position. */
  readonly memberAt: (index: number) => JsonPointer;
}

export function assemble(squad: SquadIr, options: Settled): Assembled {
  const map: SourceMap = [];
  const placements: Placements = { edges: new Map(), globals: new Map() };
  const isSeparate = (assistant: number) => wantsSeparate(squad, assistant, options);
  const assembly: Assembly = { squad, map, placements, isSeparate };
  const root = '/squad';
  const memberAt = (index: number) => child(child(root, 'members'), index);
  const document = {
    squad: {
      members: squad.assistants.map((assistant, index) => ({
        assistant: assembleAssistant(assembly, assistant, child(memberAt(index), 'assistant')),
      })),
      ...assembleShared(squad.shared, child(root, 'memberOverrides'), map),
    },
  };
  return { document, sourceMap: map, placements, memberAt };
}

/** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
function wantsSeparate(squad: SquadIr, assistant: number, { handoffTools }: Settled): boolean {
  if (handoffTools !== 'auto') return handoffTools === 'separate';
  return squad.assistants[assistant]!.model.value['provider'] === 'openai';
}

function assembleAssistant(
  assembly: Assembly,
  assistant: AssistantIr,
  at: JsonPointer,
): JsonObject {
  const { map } = assembly;
  const { firstMessage } = assistant;
  return {
    name: note(assistant.name, child(at, 'name'), map),
    ...(firstMessage === null
      ? {}
      : { firstMessage: note(firstMessage, child(at, 'firstMessage'), map) }),
    model: assembleModel(assembly, assistant, child(at, 'model')),
    ...assembleSettings(assistant.settings, at, map),
  };
}

function assembleModel(assembly: Assembly, assistant: AssistantIr, at: JsonPointer): JsonObject {
  const message = `${at}/messages/0`;
  const tools = child(at, 'tools');
  const { map } = assembly;
  return {
    ...note(assistant.model, at, map),
    messages: [
      {
        role: fixed('system', child(message, 'role'), map),
        content: compose(assistant.prompt, child(message, 'content'), map),
      },
    ],
    ...(assistant.tools.length === 0
      ? {}
      : { tools: assembleTools(assembly, assistant.tools, assistant.index, tools) }),
  };
}

function assembleShared(
  settings: readonly SettingIr[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  return settings.length === 0 ? {} : { memberOverrides: assembleSettings(settings, at, map) };
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
