/** Handoff tools with their destinations and extraction plans, as both targets write them. */
import { extend } from '../../graph/lists.js';
import { child } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { DestinationIr, HandoffToolIr, PlanAlias, PlanProperty } from '../ir/squad-ir.js';
import type { Assembly } from './tools.js';
import {
  composeWhole,
  fixed,
  inside,
  made,
  type NotedPlace,
  note,
  type Place,
  placeWays,
} from './tracing.js';
import { assembleSchema } from './vapi-schemas.js';
import { type Draft, put } from './writing.js';

export function assembleHandoff(assembly: Assembly, tool: HandoffToolIr, at: Place): Draft {
  const places = inside(at, 'destinations');
  return {
    type: fixed('handoff', inside(at, 'type')),
    destinations: tool.destinations.map((destination, index) =>
      assembleDestination(assembly, destination, inside(places, index)),
    ),
  };
}

function assembleDestination(
  { squad }: Assembly,
  destination: DestinationIr,
  at: Place,
): JsonObject {
  placeWays(destination.edges, destination.globals, at);
  const { name, savedAs } = squad.assistants[destination.region]!;
  const draft: Draft = {};
  draft['type'] = fixed('assistant', inside(at, 'type'));
  if (savedAs === null) draft['assistantName'] = note(name, inside(at, 'assistantName'));
  else draft['assistantId'] = note(savedAs, inside(at, 'assistantId'));
  draft['description'] = composeWhole(destination.description, inside(at, 'description'));
  draft['contextEngineeringPlan'] = note(squad.context, inside(at, 'contextEngineeringPlan'));
  if (destination.plan.length + destination.aliases.length > 0) {
    draft['variableExtractionPlan'] = assemblePlan(
      destination,
      inside(at, 'variableExtractionPlan'),
    );
  }
  return draft;
}

function assemblePlan({ plan, aliases }: DestinationIr, at: Place): JsonObject {
  const draft: Draft = {};
  if (plan.length > 0) draft['schema'] = assembleProperties(plan, inside(at, 'schema'));
  if (aliases.length > 0) draft['aliases'] = assembleAliases(aliases, inside(at, 'aliases'));
  return draft;
}

function assembleProperties(plan: readonly PlanProperty[], at: Place): JsonObject {
  const type = fixed('object', inside(at, 'type'));
  const properties: Draft = {};
  putProperties(properties, plan, inside(at, 'properties'));
  const places = inside(at, 'required');
  const required = plan.map(({ name, captures }, index) =>
    made(name, 'plan-required', captures, inside(places, index)),
  );
  return { type, properties, required };
}

function assembleAliases(aliases: readonly PlanAlias[], at: Place): JsonObject[] {
  return aliases.map(({ key, value }, index) => {
    const place = inside(at, index);
    return { key: note(key, inside(place, 'key')), value: note(value, inside(place, 'value')) };
  });
}

/** Adds variables as properties of a JSON Schema. */
export function putProperties(draft: Draft, plan: readonly PlanProperty[], at: Place): void {
  for (const property of plan) {
    put(draft, property.name, assembleProperty(property, inside(at, property.name)));
  }
}

function assembleProperty(property: PlanProperty, at: Place): JsonObject {
  const { captures, details } = property;
  const draft: Draft = {
    type: made(property.type, rule, captures, inside(at, 'type')),
    description: composeWhole(property.description, inside(at, 'description')),
  };
  if (property.enum !== null) {
    draft['enum'] = made<Json>(property.enum, rule, captures, inside(at, 'enum'));
  }
  return details === null ? draft : { ...draft, ...assembleDetails(property, at) };
}

const rule = 'plan-property';

/** What a schema of the source says, in the few words that a plan may have. */
function assembleDetails({ type, details }: PlanProperty, at: Place): JsonObject {
  const whole = traced<JsonObject>({ ...details!.value, type }, details!.origin);
  const { type: _, description: __, ...said } = assembleSchema(whole, null, {});
  if (at !== null) noteDetails(whole, Object.keys(said), at);
  return said;
}

/** Notes of the whole what stands under these of its keys. */
function noteDetails(
  whole: Traced<JsonObject>,
  said: readonly string[],
  { pointer, notes }: NotedPlace,
): void {
  const sourceMap: SourceMapEntry[] = [];
  assembleSchema(whole, { pointer, notes: { ...notes, sourceMap } }, {});
  const places = said.map((key) => `${child(pointer, key)}/`);
  const isSaid = (entry: SourceMapEntry) =>
    places.some((place) => `${entry.output}/`.startsWith(place));
  extend(notes.sourceMap, sourceMap.filter(isSaid));
}
