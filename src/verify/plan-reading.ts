/** What handoffs of the document carry, and whether it is as the captures have it. */
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import type { Capture } from '../compiler/ir/workflow.js';
import { type Destination, elements, objectOf, textOf } from './squad-reading.js';

export interface Plan {
  readonly properties: JsonObject;
  readonly required: readonly string[];
}

/**
 * What a handoff carries: the properties of its plan and the arguments of its tool, which an
 * answer can demand in the place of a plan; null where it has neither.
 */
export function readPlan({ value, tool }: Destination): Plan | null {
  const plan = value['variableExtractionPlan'];
  const { parameters } = objectOf(tool['function']);
  if (plan === undefined && parameters === undefined) return null;
  const schemas = [objectOf(objectOf(plan)['schema']), withoutTarget(objectOf(parameters))];
  return {
    properties: Object.assign({}, ...schemas.map(({ properties }) => objectOf(properties))),
    required: schemas.flatMap(({ required }) => elements(required).map((it) => textOf(it) ?? '')),
  };
}

/** The argument that names the destination is no variable. */
function withoutTarget({ properties, required }: JsonObject): JsonObject {
  const { destination: _, ...variables } = objectOf(properties);
  return {
    properties: variables,
    required: elements(required).filter((it) => it !== 'destination'),
  };
}

/** Whether the plan derives further variables. */
export function hasAliases({ value }: Destination): boolean {
  return elements(objectOf(value['variableExtractionPlan'])['aliases']).length > 0;
}

/**
 * What of the property is not as its captures have it; null where all is. Types that differ give a
 * text; descriptions that differ are joined by `; or `; values are enumerated where every capture
 * enumerates them.
 */
export function faultOfProperty(
  property: Json | undefined,
  name: string,
  captures: readonly Capture[],
): 'type' | 'description' | 'enumeration' | null {
  if (!isJsonObject(property)) return 'type';
  const types = new Set(captures.map((it) => it.type));
  const [type] = types.size === 1 ? types : ['string'];
  if (property['type'] !== type) return 'type';
  if (!isJoined(textOf(property['description']) ?? '', describe(captures, name))) {
    return 'description';
  }
  return sameValues(property['enum'], types.size === 1 ? allowedBy(captures) : null)
    ? null
    : 'enumeration';
}

/** The descriptions, each once; captures without any are known by the name of the variable. */
function describe(captures: readonly Capture[], name: string): readonly string[] {
  const texts = captures.flatMap(({ description }) => description?.value ?? []);
  return texts.length > 0 ? [...new Set(texts)] : [name];
}

/** Whether the text is all of the parts with `; or ` between them, in whatever order. */
function isJoined(text: string, parts: readonly string[]): boolean {
  const between = '; or ';
  const length = parts.reduce(
    (sum, part) => sum + part.length,
    between.length * (parts.length - 1),
  );
  return text.length === length && parts.every((part) => text.includes(part));
}

function allowedBy(captures: readonly Capture[]): ReadonlySet<string> | null {
  const lists = captures.map((it) => it.enum);
  return lists.includes(null) ? null : new Set(lists.flatMap((list) => list ?? []));
}

function sameValues(given: Json | undefined, wanted: ReadonlySet<string> | null): boolean {
  if (given === undefined || wanted === null) return given === undefined && wanted === null;
  const values = elements(given);
  return values.length === wanted.size && values.every((it) => wanted.has(textOf(it) ?? ''));
}
