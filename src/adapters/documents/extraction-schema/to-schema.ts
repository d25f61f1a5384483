/**
 * Makes the schema that extracts from a document what a workflow captures in a call.
 *
 * In: captured variables, of one node or of several. Out: a schema without a finding. A variable
 * that is captured more than once is one field: types that differ make it a text, descriptions that
 * differ are joined in order, choices are those of all captures, if each has some. One without a
 * description is described by its name. Constraints beside type and choices are left out.
 *
 * Example: [{ name: 'age', type: 'number', description: 'Age in years' }] → { type: 'object',
 * properties: { age: { type: ['number', 'null'], description: 'Age in years' } }, required:
 * ['age'], additionalProperties: false }.
 */
import type { ExtractionSchemaOptions } from './lint.js';
import { own } from './reading.js';
import { isPropertyName } from './rules/rule-5-names.js';
import { type Draft, readVariable, refuse } from './variable.js';

export interface ExtractionVariable {
  readonly name: string;
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object';
  readonly description?: string | null;
  readonly enum?: readonly (string | number | boolean | null)[] | null;
  /** A JSON Schema of what a list holds; without one it holds texts. */
  readonly items?: object;
  /** JSON Schemas of the properties of an object. */
  readonly properties?: Readonly<Record<string, object>>;
  /** `date` asks for a date in a text. */
  readonly format?: string;
}

export interface ExtractionObject {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Readonly<Record<string, ExtractionField>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

export interface ExtractionScalar {
  readonly type: readonly [type: 'string' | 'number' | 'integer' | 'boolean', none: 'null'];
  readonly description?: string;
  readonly enum?: readonly (string | null)[];
  /** Keywords of the service. */
  readonly [keyword: `${string}:${string}`]: unknown;
}

export interface ExtractionArray {
  readonly type: 'array';
  readonly description?: string;
  readonly items: ExtractionObject | ExtractionScalar;
}

export type ExtractionField = ExtractionObject | ExtractionArray | ExtractionScalar;

/** Fields and choices of one schema, those inside of lists and objects included. */
const maxParts = 4000;

/** Throws an ApiError (`api/invalid-argument`) for a variable that no schema can hold. */
export function toExtractionSchema(
  variables: readonly ExtractionVariable[],
  { prefix = 'service' }: ExtractionSchemaOptions = {},
): ExtractionObject {
  if (!Array.isArray(variables) || variables.length > maxParts)
    refuse('', 'is no list, or too long');
  const left = { parts: maxParts };
  const drafts = new Map<string, Draft>();
  for (const [index, variable] of variables.entries()) {
    const draft = readVariable(variable, `/${index}`, 1, left);
    const name = nameOf(variable, `/${index}`);
    const earlier = drafts.get(name);
    drafts.set(name, earlier === undefined ? draft : join(earlier, draft, `/${index}`));
  }
  return objectOf([...drafts], prefix);
}

function nameOf(variable: object, at: string): string {
  const name = own(variable, 'name');
  const isName = typeof name === 'string' && isPropertyName(name);
  return isName ? name : refuse(at, 'has no name that a property can have');
}

function join(a: Draft, b: Draft, at: string): Draft {
  const descriptions = [...new Set([...a.descriptions, ...b.descriptions])];
  const choices = a.choices && b.choices && [...new Set([...a.choices, ...b.choices])];
  if (a.kind !== b.kind) {
    return { kind: 'string', descriptions, choices, isDate: false, items: null, properties: [] };
  }
  const inside = ({ items, properties }: Draft) => JSON.stringify([items, properties]);
  if (inside(a) !== inside(b)) refuse(at, 'holds something else than an earlier one of its name');
  return { ...a, descriptions, choices, isDate: a.isDate && b.isDate };
}

function objectOf(drafts: Draft['properties'], prefix: string): ExtractionObject {
  const fields = drafts.map(([name, draft]) => [name, fieldOf(draft, name, prefix)] as const);
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: drafts.map(([name]) => name),
    additionalProperties: false,
  };
}

/** A field says what it is for, if only by its name; what a list holds need not. */
function fieldOf(draft: Draft, name: string, prefix: string): ExtractionField {
  const { items } = draft;
  if (items === null) return elementOf(draft, name, prefix);
  return { type: 'array', items: elementOf(items, '', prefix), ...descriptionOf(draft, name) };
}

function elementOf(
  draft: Draft,
  name: string,
  prefix: string,
): ExtractionObject | ExtractionScalar {
  const { kind, choices, isDate, properties } = draft;
  const description = descriptionOf(draft, name);
  if (kind === 'object') return { ...objectOf(properties, prefix), ...description };
  return {
    type: [kind as ExtractionScalar['type'][0], 'null'],
    ...description,
    ...(kind === 'string' && choices !== null && { enum: [...choices, null] }),
    ...(isDate && { [`${prefix}:type`]: 'date' }),
  };
}

/** Only texts have choices in a schema; those of other types stand in the description. */
function descriptionOf(
  { kind, descriptions, choices }: Draft,
  name: string,
): { description?: string } {
  const parts = descriptions.length === 0 && name !== '' ? [name] : [...descriptions];
  if (choices !== null && kind !== 'string') parts.push(`one of ${choices.join(', ')}`);
  return parts.length === 0 ? {} : { description: parts.join('; ') };
}
