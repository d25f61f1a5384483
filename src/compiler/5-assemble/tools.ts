/** Tools of the IR → tools of the document, as both targets write them; handoffs are in handoffs.ts. */

import { append } from '../graph/lists.js';
import { child, type EdgeIndex, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import { traced } from '../ir/provenance.js';
import type {
  AssistantIr,
  FunctionToolIr,
  GivenToolIr,
  HandoffToolIr,
  RequestToolIr,
  ResponsesIr,
  SettingIr,
  SquadIr,
  ToolIr,
  TransferDestinationIr,
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

/** Fields of a destination that only one target has. */
export type MoreOfDestination = (
  destination: TransferDestinationIr,
  at: JsonPointer,
  map: SourceMap,
) => JsonObject;

export function assembleTransfer(
  { map, placements }: Assembly,
  tool: TransferToolIr,
  at: JsonPointer,
  more: MoreOfDestination,
): JsonObject {
  for (const edge of tool.edges) append(placements.edges, edge, at);
  append(placements.globals, tool.node, at);
  const places = child(at, 'destinations');
  return {
    type: fixed('transferCall', child(at, 'type'), map),
    destinations: tool.destinations.map((destination, index) =>
      assembleTransferDestination(destination, child(places, index), map, more),
    ),
  };
}

function assembleTransferDestination(
  destination: TransferDestinationIr,
  at: JsonPointer,
  map: SourceMap,
  more: MoreOfDestination,
): JsonObject {
  const { type, ...address } = destination.address.value;
  const { origin } = destination.address;
  const { message } = destination;
  const [field] = Object.keys(address);
  return {
    type: fixed(type!, child(at, 'type'), map),
    [field!]: note(traced(address[field!]!, origin), child(at, field!), map),
    ...(message === null ? {} : { message: note(message, child(at, 'message'), map) }),
    description: compose(destination.description, child(at, 'description'), map),
    ...assembleFields(destination.passed, at, map),
    ...more(destination, at, map),
  };
}

/** Fields that are carried as they are. */
function assembleFields(fields: readonly SettingIr[], at: JsonPointer, map: SourceMap): JsonObject {
  return Object.fromEntries(
    fields.map(({ key, value }) => [key, note(value, child(at, key), map)]),
  );
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
    ...assembleResponses(tool.responses, child(at, 'variableExtractionPlan'), map),
    ...assembleFields(tool.passed, at, map),
  };
}

/** A tool that is carried as it is. */
export function assembleGiven(
  { map }: Assembly,
  { value }: GivenToolIr,
  at: JsonPointer,
): JsonObject {
  return note(value, at, map);
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
    ...(tool.server === null ? {} : { server: note(tool.server, child(at, 'server'), map) }),
    ...assembleStatic(tool.bound, at, map),
    ...assembleResponses(tool.responses, child(at, 'variableExtractionPlan'), map),
    ...assembleFields(tool.passed, at, map),
  };
}

/** Fields that are sent as they are; the model neither sees nor fills them. */
export function assembleStatic(
  bound: readonly SettingIr[],
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

function assembleResponses(
  { schema, aliases }: ResponsesIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (aliases.length === 0 && schema === null) return {};
  const mappings = aliases.map(({ key, value }, index) => {
    const place = child(child(at, 'aliases'), index);
    return {
      key: note(traced(key, derived('alias-key', value.origin)), child(place, 'key'), map),
      value: note(value, child(place, 'value'), map),
    };
  });
  return {
    variableExtractionPlan: {
      ...(schema === null ? {} : { schema: note(schema, child(at, 'schema'), map) }),
      ...(aliases.length === 0 ? {} : { aliases: mappings }),
    },
  };
}
