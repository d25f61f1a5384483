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
import { invalidArgument } from '../../http/error.js';
import { child } from './finding.js';
import { type ExtractionSchemaOptions, isPropertyName, unsupported } from './lint.js';
import { deepest, isObject, type Kind, own, readType } from './place.js';

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
  if (!Array.isArray(variables) || variables.length > maxParts) {
    refuse('', 'is no list, or too long');
  }
  const left = { parts: maxParts };
  const drafts = new Map<string, Draft>();
  for (const [index, variable] of variables.entries()) {
    const at = `/${index}`;
    const draft = readVariable(variable, at, 1, left);
    const name = own(variable, 'name');
    if (typeof name !== 'string' || !isPropertyName(name)) {
      return refuse(at, 'has no name that a property can have');
    }
    const earlier = drafts.get(name);
    drafts.set(name, earlier === undefined ? draft : join(earlier, draft, at));
  }
  return objectOf([...drafts], prefix);
}

/** A field that can be joined with another capture of the same variable. */
interface Draft {
  readonly kind: Kind;
  readonly descriptions: readonly string[];
  /** Null where any value will do. */
  readonly choices: readonly string[] | null;
  readonly isDate: boolean;
  /** What a list holds. */
  readonly items: Draft | null;
  /** The properties of an object, by name. */
  readonly properties: readonly (readonly [name: string, field: Draft])[];
}

/**
 * Refuses what cannot be left out without changing what is extracted. `level` counts the objects
 * around the variable, the schema itself included; `left` what may still come, so that the schema is
 * one that can be read again.
 */
function readVariable(value: unknown, at: string, level: number, left: { parts: number }): Draft {
  if (!isObject(value)) return refuse(at, 'is no variable');
  const construct = Object.keys(value).find((key) => unsupported.has(key));
  if (construct !== undefined) refuse(child(at, construct), 'is not supported');
  // Nothing said is a text.
  const kind = own(value, 'type') === undefined ? 'string' : readType(value).kind;
  if (kind === null) return refuse(child(at, 'type'), 'is no type');
  const description = own(value, 'description') ?? '';
  if (typeof description !== 'string') return refuse(child(at, 'description'), 'is no text');
  const choices = own(value, 'enum') ?? [];
  if (!Array.isArray(choices)) return refuse(child(at, 'enum'), 'is no list');
  left.parts -= 1 + choices.length;
  if (left.parts < 0) refuse(child(at, 'enum'), 'is more than a schema should hold');
  const chosen = choices.filter((each) => each !== null);
  const scalars = ['string', 'number', 'boolean'];
  if (!chosen.every((each) => scalars.includes(typeof each))) {
    refuse(child(at, 'enum'), 'holds a choice that is no scalar');
  }
  return {
    kind,
    descriptions: description.trim() === '' ? [] : [description],
    choices: chosen.length === 0 ? null : [...new Set(chosen.map(String))],
    isDate: kind === 'string' && own(value, 'format') === 'date',
    items: kind === 'array' ? itemsOf(value, child(at, 'items'), level, left) : null,
    properties: kind === 'object' ? propertiesOf(value, at, level + 1, left) : [],
  };
}

function itemsOf(value: object, at: string, level: number, left: { parts: number }): Draft {
  const items = readVariable(own(value, 'items') ?? {}, at, level, left);
  return items.kind === 'array' ? refuse(at, 'is a list in a list') : items;
}

function propertiesOf(
  value: object,
  above: string,
  level: number,
  left: { parts: number },
): Draft['properties'] {
  const at = child(above, 'properties');
  const given = own(value, 'properties');
  if (level > deepest) return refuse(above, 'is nested deeper than level 5');
  if (!isObject(given) || Object.keys(given).length === 0) return refuse(at, 'is missing');
  return Object.keys(given).map((name) => {
    if (!isPropertyName(name)) refuse(at, 'holds a name that is not allowed');
    return [name, readVariable(own(given, name), child(at, name), level, left)];
  });
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
function descriptionOf({ kind, descriptions, choices }: Draft, name: string) {
  const parts = descriptions.length === 0 && name !== '' ? [name] : [...descriptions];
  if (choices !== null && kind !== 'string') parts.push(`one of ${choices.join(', ')}`);
  return parts.length === 0 ? {} : { description: parts.join('; ') };
}

function refuse(at: string, why: string): never {
  throw invalidArgument('toExtractionSchema', `variables${at} ${why}`);
}
