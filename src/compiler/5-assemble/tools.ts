/** Tools of the IR → tools of the document, as both targets write them; handoffs are in handoffs.ts. */

import { append } from '../graph/lists.js';
import { child, type EdgeIndex, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import { traced } from '../ir/provenance.js';
import type {
  AliasIr,
  AssistantIr,
  FunctionToolIr,
  HandoffToolIr,
  RequestToolIr,
  SquadIr,
  ToolIr,
  TransferToolIr,
} from '../ir/squad-ir.js';
import { compose, derived, fixed, note, type SourceMap } from './tracing.js';

/** Where the things of the source stand in the document, beside what the source map says. */
export interface Placements {
  readonly edges: Map<EdgeIndex, JsonPointer[]>;
  readonly globals: Map<NodeIndex, JsonPointer[]>;
}

export interface Assembly {
  readonly squad: SquadIr;
  readonly map: SourceMap;
  readonly placements: Placements;
  /** Whether each destination is a tool of its own. */
  readonly isSeparate: (assistant: number) => boolean;
}

/** The assistant's tools as they are to be written, one after the other. */
export function listTools(assembly: Assembly, { index, tools }: AssistantIr): ToolIr[] {
  const isSeparate = assembly.isSeparate(index);
  return tools.flatMap((tool) => (tool.kind === 'handoff' && isSeparate ? separate(tool) : [tool]));
}

function separate(tool: HandoffToolIr): HandoffToolIr[] {
  return tool.destinations.map((destination) => ({ ...tool, destinations: [destination] }));
}

/** `more` are the target's own fields of the destination. */
export function assembleTransfer(
  { map, placements }: Assembly,
  tool: TransferToolIr,
  at: JsonPointer,
  more: JsonObject,
): JsonObject {
  for (const edge of tool.edges) append(placements.edges, edge, at);
  append(placements.globals, tool.node, at);
  const place = `${at}/destinations/0`;
  const { type, ...address } = tool.destination.value;
  const { origin } = tool.destination;
  const [field] = Object.keys(address);
  return {
    type: fixed('transferCall', child(at, 'type'), map),
    destinations: [
      {
        type: fixed(type!, child(place, 'type'), map),
        [field!]: note(traced(address[field!]!, origin), child(place, field!), map),
        ...(tool.message === null
          ? {}
          : { message: note(tool.message, child(place, 'message'), map) }),
        description: compose(tool.description, child(place, 'description'), map),
        ...more,
      },
    ],
  };
}

/** `payload` are headers and body, as the target writes them. */
export function assembleRequest(
  { map }: Assembly,
  tool: RequestToolIr,
  at: JsonPointer,
  payload: JsonObject,
): JsonObject {
  const optional = (['timeoutSeconds', 'credentialId'] as const).flatMap(
    (field): [string, Json][] => {
      const value = tool[field];
      return value === null ? [] : [[field, note<Json>(value, child(at, field), map)]];
    },
  );
  return {
    type: fixed('apiRequest', child(at, 'type'), map),
    name: note(tool.name, child(at, 'name'), map),
    ...(tool.description === null
      ? {}
      : { description: compose(tool.description, child(at, 'description'), map) }),
    url: note(tool.url, child(at, 'url'), map),
    method: note(tool.method, child(at, 'method'), map),
    ...payload,
    ...Object.fromEntries(optional),
    ...assembleAliases(tool.aliases, child(at, 'variableExtractionPlan'), map),
  };
}

/** `parameters` are the arguments that the model fills, as the target writes them. */
export function assembleFunction(
  { map }: Assembly,
  tool: FunctionToolIr,
  at: JsonPointer,
  parameters: JsonObject,
): JsonObject {
  const place = child(at, 'function');
  return {
    type: fixed('function', child(at, 'type'), map),
    function: {
      name: note(tool.name, child(place, 'name'), map),
      description: compose(tool.description, child(place, 'description'), map),
      parameters,
    },
    ...assembleStatic(tool.bound, at, map),
    ...assembleAliases(tool.aliases, child(at, 'variableExtractionPlan'), map),
  };
}

/** Fields that are sent as they are; the model neither sees nor fills them. */
export function assembleStatic(
  bound: FunctionToolIr['bound'],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  // There is no way to send nothing under a key.
  const fields = bound.filter(({ value }) => value.value !== null);
  if (fields.length === 0) return {};
  return {
    parameters: fields.map(({ key, value }, index) => {
      const place = child(child(at, 'parameters'), index);
      return {
        key: note(traced(key, derived('static-field', value.origin)), child(place, 'key'), map),
        value: note(value, child(place, 'value'), map),
      };
    }),
  };
}

function assembleAliases(aliases: readonly AliasIr[], at: JsonPointer, map: SourceMap): JsonObject {
  if (aliases.length === 0) return {};
  return {
    variableExtractionPlan: {
      aliases: aliases.map(({ key, value }, index) => {
        const place = child(child(at, 'aliases'), index);
        return {
          key: note(traced(key, value.origin), child(place, 'key'), map),
          value: note(value, child(place, 'value'), map),
        };
      }),
    },
  };
}
