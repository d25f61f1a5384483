/**
 * What a tool does, field by field, as comparable values.
 *
 * Two tools do the same where their contents are equal. What a tool is called, when it is called
 * and when its call is refused is looked at apart. The contents of the source's tools are in
 * wanted-content.ts, those of the squad's tools in given-content.ts.
 */
import type { Json } from '../../compiler/ir/json.js';
import { objectOf, textOf } from '../squad-reading.js';
import { canonicalText } from './canonical-text.js';
import { isEqualJson } from './equal-json.js';
import type { StaticField } from './platform-schema.js';

export interface Content {
  readonly type: string;
  /** By the field's path within the tool. */
  readonly fields: ReadonlyMap<string, Json>;
}

export type Fields = Map<string, Json>;

/** Where the fields of a transfer's destination stand. */
export function destinationField(index: number): string {
  return `destinations/${index}`;
}

export const parametersField = 'function/parameters';

/** On the platform these are schemas. */
const schemas: ReadonlySet<string> = new Set(['headers', 'body', parametersField]);

/** Whether two tools have the same in a field. */
export function isSameField(field: string, one: Json, other: Json, wrapped: boolean): boolean {
  return isEqualJson(one, other, !wrapped && schemas.has(field));
}

/** All of it as one text, by which tools that do the same are found. */
export function keyOf({ type, fields }: Content, wrapped: boolean): string {
  const textOf = (name: string) => canonicalText(fields.get(name)!, !wrapped && schemas.has(name));
  const names = [...fields.keys()].sort();
  return names.reduce((key, name) => `${key}\n${name}=${textOf(name)}`, type);
}

/** Fields that say what a tool is, how it is called, or when: not what it does. */
export const apart: ReadonlySet<string> = new Set(['type', 'name', 'description', 'rejectionPlan']);

export function putStatic(fields: Fields, all: readonly StaticField[]): void {
  if (all.length > 0) fields.set('parameters', sortStatic(all as unknown as readonly Json[]));
}

/** Static fields by their keys: their order says nothing. */
export function sortStatic(all: readonly Json[]): readonly Json[] {
  if (all.length < 2) return all;
  const keyOf = (field: Json) => textOf(objectOf(field)['key']) ?? '';
  return [...all].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** A variable that a response sets, and the path that it is read from. */
export type Alias = readonly [key: string, path: string];

/** What a response sets; a schema stands beside the aliases. */
export function putResponses(fields: Fields, schema: Json, aliases: readonly Alias[]): void {
  putAliases(fields, aliases);
  if (schema !== null) fields.set(schemaField, schema);
}

const schemaField = 'variableExtractionPlan/schema';

/** The path that a template reads, white space aside; the template where it does more. */
export function pathOf(template: string): string {
  return /^\s*\{\{\s*(\$\S*?)\s*\}\}\s*$/.exec(template)?.[1] ?? template;
}

/** Aliases by their keys: their order says nothing. */
export function putAliases(fields: Fields, aliases: readonly Alias[]): void {
  if (aliases.length === 0) return;
  const sorted =
    aliases.length < 2 ? aliases : [...aliases].sort(([one], [other]) => (one < other ? -1 : 1));
  fields.set('variableExtractionPlan', sorted);
}
