/** Handoff tools with their destinations and extraction plans, as both targets write them. */
import { append } from '../graph/lists.js';
import { child, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { DestinationIr, HandoffToolIr, PlanAlias, PlanProperty } from '../ir/squad-ir.js';
import type { Assembly } from './tools.js';
import { compose, fixed, note, type SourceMap } from './tracing.js';
import { assembleSchema } from './vapi-schemas.js';

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
  const { name, savedAs } = squad.assistants[destination.region]!;
  return {
    type: fixed('assistant', child(at, 'type'), map),
    ...(savedAs === null
      ? { assistantName: note(name, child(at, 'assistantName'), map) }
      : { assistantId: note(savedAs, child(at, 'assistantId'), map) }),
    description: compose(destination.description, child(at, 'description'), map),
    contextEngineeringPlan: note(squad.context, child(at, 'contextEngineeringPlan'), map),
    ...assemblePlan(destination, child(at, 'variableExtractionPlan'), map),
  };
}

function assemblePlan(
  { plan, aliases }: DestinationIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (plan.length + aliases.length === 0) return {};
  return {
    variableExtractionPlan: {
      ...(plan.length === 0 ? {} : { schema: assembleProperties(plan, child(at, 'schema'), map) }),
      ...(aliases.length === 0
        ? {}
        : { aliases: assembleAliases(aliases, child(at, 'aliases'), map) }),
    },
  };
}

function assembleProperties(
  plan: readonly PlanProperty[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const properties = child(at, 'properties');
  return {
    type: fixed('object', child(at, 'type'), map),
    properties: Object.fromEntries(
      plan.map((it) => [it.name, assembleProperty(it, child(properties, it.name), map)]),
    ),
    required: plan.map(({ name, captures }, index) => {
      const origin = synthesized('plan-required', captures);
      return note(traced(name, origin), child(child(at, 'required'), index), map);
    }),
  };
}

function assembleAliases(
  aliases: readonly PlanAlias[],
  at: JsonPointer,
  map: SourceMap,
): JsonObject[] {
  return aliases.map(({ key, value }, index) => {
    const place = child(at, index);
    return {
      key: note(key, child(place, 'key'), map),
      value: note(value, child(place, 'value'), map),
    };
  });
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
    ...assembleDetails(property, at, map),
  };
}

/** What a schema of the source says, in the few words that a plan may have. */
function assembleDetails(
  { type, details }: PlanProperty,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (details === null) return {};
  const places: SourceMap = [];
  const whole = traced<JsonObject>({ ...details.value, type }, details.origin);
  const { type: _, description: __, ...said } = assembleSchema(whole, at, places, {});
  const isSaid = (output: JsonPointer) =>
    Object.keys(said).some((key) => `${output}/`.startsWith(`${child(at, key)}/`));
  map.push(...places.filter(({ output }) => isSaid(output)));
  return said;
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
