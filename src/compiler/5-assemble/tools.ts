/** Tools of the IR → tools of the document: what both targets write. */

import { append } from '../graph/lists.js';
import { child, type EdgeIndex, type JsonPointer, type NodeIndex } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import { synthesized, traced } from '../ir/provenance.js';
import type {
  AliasIr,
  AssistantIr,
  DestinationIr,
  FunctionToolIr,
  HandoffToolIr,
  PlanProperty,
  RequestToolIr,
  SquadIr,
  ToolIr,
  TransferToolIr,
} from '../ir/squad-ir.js';
import { compose, fixed, note, type SourceMap } from './tracing.js';

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

export function assembleHandoff(
  assembly: Assembly,
  tool: HandoffToolIr,
  at: JsonPointer,
): JsonObject {
  return {
    type: fixed('handoff', child(at, 'type'), assembly.map),
    destinations: tool.destinations.map((destination, index) =>
      assembleDestination(assembly, destination, child(child(at, 'destinations'), index)),
    ),
  };
}

function assembleDestination(
  { squad, map, placements }: Assembly,
  destination: DestinationIr,
  at: JsonPointer,
): JsonObject {
  for (const edge of destination.edges) append(placements.edges, edge, at);
  for (const global of destination.globals) append(placements.globals, global, at);
  return {
    type: fixed('assistant', child(at, 'type'), map),
    assistantName: note(
      squad.assistants[destination.region]!.name,
      child(at, 'assistantName'),
      map,
    ),
    description: compose(destination.description, child(at, 'description'), map),
    contextEngineeringPlan: note(squad.context, child(at, 'contextEngineeringPlan'), map),
    ...assemblePlan(destination.plan, child(at, 'variableExtractionPlan'), map),
  };
}

function assemblePlan(plan: readonly PlanProperty[], at: JsonPointer, map: SourceMap): JsonObject {
  if (plan.length === 0) return {};
  const schema = child(at, 'schema');
  const properties = child(schema, 'properties');
  return {
    variableExtractionPlan: {
      schema: {
        type: fixed('object', child(schema, 'type'), map),
        properties: Object.fromEntries(
          plan.map((it) => [it.name, assembleProperty(it, child(properties, it.name), map)]),
        ),
        required: plan.map(({ name, captures }, index) => {
          const origin = synthesized('plan-required', captures);
          return note(traced(name, origin), child(child(schema, 'required'), index), map);
        }),
      },
    },
  };
}

/** A variable as a property of a JSON Schema. */
export function assembleProperty(
  property: PlanProperty,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const origin = synthesized('plan-property', property.captures);
  const choices = property.enum === null ? {} : { enum: property.enum };
  return {
    type: note(traced(property.type, origin), child(at, 'type'), map),
    description: compose(property.description, child(at, 'description'), map),
    ...noteMembers(choices, origin, at, map),
  };
}

function noteMembers(
  object: JsonObject,
  origin: ReturnType<typeof synthesized>,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  for (const key of Object.keys(object)) note(traced(object[key]!, origin), child(at, key), map);
  return object;
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
    ...assembleBound(tool, child(at, 'parameters'), map),
    ...assembleAliases(tool.aliases, child(at, 'variableExtractionPlan'), map),
  };
}

function assembleBound({ bound }: FunctionToolIr, at: JsonPointer, map: SourceMap): JsonObject {
  if (bound.length === 0) return {};
  return {
    parameters: bound.map(({ key, value }, index) => {
      const place = child(at, index);
      return {
        key: note(traced(key, value.origin), child(place, 'key'), map),
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
