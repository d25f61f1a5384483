/**
 * What a handoff carries, as the document has it: by its extraction plan, and as arguments of its
 * tool, which an answer or an option can demand in the place of the plan. Of whatever shape the
 * document is, what cannot be read as a property carries nothing and makes the schema one that is
 * not plain.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { type Destination, elements, objectOf } from './squad-reading.js';

export interface PlanReading {
  /** Null where the handoff has no plan. */
  readonly plan: CarryingSchema | null;
  /** Null where the function of its tool says nothing about arguments. */
  readonly demand: CarryingSchema | null;
  /** What the plan derives, in its order; null where that cannot be read. */
  readonly aliases: readonly AliasReading[] | null;
}

/** A schema of the variables that cross. */
export interface CarryingSchema {
  readonly at: JsonPointer;
  readonly properties: JsonObject;
  readonly required: readonly Json[];
  /** Whether it says what its variables are, which are required, and no more. */
  readonly isPlain: boolean;
}

export function readPlan(destination: Destination): PlanReading {
  return {
    plan: readExtraction(destination),
    demand: readArguments(destination),
    aliases: readAliases(objectOf(destination.value[planField])['aliases']),
  };
}

/** The names of all that crosses, each once. */
export function listNames({ plan, demand, aliases }: PlanReading): ReadonlySet<string> {
  const names = [plan, demand].flatMap((it) => (it === null ? [] : Object.keys(it.properties)));
  return new Set([...names, ...(aliases ?? []).map(({ key }) => key)]);
}

/** A variable that the plan derives by a template. */
export interface AliasReading {
  readonly key: string;
  readonly value: string;
}

function readAliases(aliases: Json | undefined): readonly AliasReading[] | null {
  if (aliases === undefined) return noAliases;
  const read = elements(aliases).flatMap((alias) => {
    const { key, value } = objectOf(alias);
    const isAlias = typeof key === 'string' && typeof value === 'string';
    return isAlias && hasOnly(alias, ['key', 'value']) ? [{ key, value }] : [];
  });
  return Array.isArray(aliases) && read.length === aliases.length ? read : null;
}

const noAliases: readonly AliasReading[] = [];

const planField = 'variableExtractionPlan';

function readExtraction(destination: Destination): CarryingSchema | null {
  const { value } = destination;
  if (!Object.hasOwn(value, planField)) return null;
  const plan = value[planField];
  const { schema } = objectOf(plan);
  // A plan that only derives has no schema.
  const isSchema = schema === undefined ? hasOnly(plan, ['aliases']) : isObjectSchema(schema);
  const isPlain = hasOnly(plan, ofPlans) && isSchema;
  const { properties, required } = objectOf(schema);
  return new ExtractionSchema(destination, objectOf(properties), elements(required), isPlain);
}

/** The plan of a destination; only faults and evidence ask where it stands. */
class ExtractionSchema implements CarryingSchema {
  constructor(
    private readonly destination: Destination,
    readonly properties: JsonObject,
    readonly required: readonly Json[],
    readonly isPlain: boolean,
  ) {}

  get at(): JsonPointer {
    return `${this.destination.at}/${planField}`;
  }
}

/** The argument that names the destination is no variable; a tool with arguments needs it. */
function readArguments(holder: Destination): CarryingSchema | null {
  const { tool } = holder;
  const declared = objectOf(tool['function']);
  if (!Object.hasOwn(declared, 'parameters')) return null;
  const { parameters } = declared;
  const { properties, required } = objectOf(parameters);
  const { destination, ...variables } = objectOf(properties);
  const demanded = elements(required);
  return {
    at: `${holder.toolAt}/function/parameters`,
    properties: variables,
    required: demanded.filter((it) => it !== 'destination'),
    isPlain:
      isObjectSchema(parameters) &&
      demanded.filter((it) => it === 'destination').length === 1 &&
      isChoiceOf(destination, namesOf(tool)),
  };
}

const ofPlans: readonly string[] = ['schema', 'aliases'];
const ofObjects: readonly string[] = ['type', 'properties', 'required'];

function isObjectSchema(schema: Json | undefined): boolean {
  if (!hasOnly(schema, ofObjects)) return false;
  const { type, properties, required } = objectOf(schema);
  return type === 'object' && isJsonObject(properties) && Array.isArray(required);
}

function hasOnly(value: Json | undefined, keys: readonly string[]): boolean {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}

function isChoiceOf(property: Json | undefined, names: ReadonlySet<Json>): boolean {
  if (!hasOnly(property, ['type', 'enum', 'description'])) return false;
  const { type, enum: choices } = objectOf(property);
  const listed = elements(choices);
  const found = new Set(listed);
  const isEach = listed.length === names.size && [...names].every((name) => found.has(name));
  return type === 'string' && isEach;
}

/** Whom the destinations of the tool name. */
function namesOf(tool: JsonObject): ReadonlySet<Json> {
  const named = elements(tool['destinations']).map((it) => {
    const { assistantName, assistantId } = objectOf(it);
    return assistantName ?? assistantId ?? null;
  });
  return new Set(named);
}
