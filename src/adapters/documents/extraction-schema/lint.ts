/**
 * The rules for extraction schemas.
 *
 * In: any value. Out: one finding for each place that breaks a rule, all at once: a schema before
 * the schemas inside it, and at one place in the order of the rules below. No findings: the schema
 * is valid.
 *
 * Example: { type: 'object', properties: { age: { type: 'integer' } }, … } →
 * extraction/not-nullable at /properties/age/type.
 */
import { child, type ExtractionFinding, type Find, findingsInto } from './finding.js';
import { deepest, has, isObject, own, type Place, parts, places, readType } from './place.js';

export interface ExtractionSchemaOptions {
  /** Prefix of the service's own keywords. Default: `service`, as in `service:type`. */
  readonly prefix?: string;
}

export function lintExtractionSchema(
  schema: unknown,
  { prefix = 'service' }: ExtractionSchemaOptions = {},
): ExtractionFinding[] {
  const findings: ExtractionFinding[] = [];
  const find = findingsInto(findings);
  if (!isObject(schema)) find('extraction/root', '');
  else {
    for (const place of places(schema, prefix, find)) {
      for (const rule of rules) rule(place, find, prefix);
    }
  }
  return findings;
}

/** Checks one rule at one place. */
type Rule = (place: Place, find: Find, prefix: string) => void;

function isPropertyName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name);
}

/** Constructs that the service does not support, and similar ones. */
export const unsupported: ReadonlySet<string> = new Set([
  ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties'],
  ...['if', 'then', 'else', 'dependencies', 'dependentSchemas', 'dependentRequired'],
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions'],
  ...['prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  ...['propertyNames', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** Keywords that say what a value is: if there is no type, they are the fault. */
const standIns = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'const', '$ref', '$dynamicRef'];

const known = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description'],
  ...['$schema', '$id', '$comment', 'title', 'examples'],
]);

const ofService = ['type', 'name', 'descriptions'];

/** Keywords that apply to one type only. */
const subjects: Readonly<Record<string, string>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  items: 'array',
};

const rules: readonly Rule[] = [
  // 1. The root must have type object.
  ({ role, type, at }, find) => {
    if (role === 'root' && type.kind !== 'object') find('extraction/root', at);
  },

  // 2. Every primitive field must be nullable. Array items may leave null out: no item is missing.
  ({ schema, role, type: { kind, nullable }, at }, find) => {
    if (role === 'root') return;
    const given = has(schema, 'type');
    if (kind === null && (given || !standIns.some((each) => has(schema, each)))) {
      find('extraction/type', given ? child(at, 'type') : at);
    }
    const isScalar = kind !== null && kind !== 'object' && kind !== 'array';
    if (isScalar && !nullable && role !== 'items') {
      find('extraction/not-nullable', child(at, 'type'));
    }
  },

  // 3. Objects and arrays cannot be nullable. Arrays hold objects or scalars.
  ({ schema, type: { kind, nullable }, at }, find) => {
    if (nullable && (kind === 'object' || kind === 'array')) {
      find('extraction/nullable-container', child(at, 'type'));
    }
    const items = own(schema, 'items');
    if (kind === 'array' && (!isObject(items) || readType(items).kind === 'array')) {
      find('extraction/items', has(schema, 'items') ? child(at, 'items') : at);
    }
  },

  // 4. Maximum nesting depth is 5 levels: the root is the first, arrays add none. Reported once on
  // each branch.
  ({ level, isObject, at }, find) => {
    if (isObject && level > deepest) find('extraction/too-deep', at);
  },

  // 5. Property names contain only letters, numbers, underscores and hyphens.
  ({ names, at }, find) => {
    for (const name of names) {
      if (isPropertyName(name)) continue;
      find('extraction/property-name', child(child(at, 'properties'), name), name);
    }
  },

  // 6. Every object lists all of its properties in `required` and sets `additionalProperties` to
  // false. Missing names are one finding, because they are fixed in one place.
  (place, find) => {
    if (!place.isObject) return;
    const { schema, names } = place;
    const at = (key: string) => (has(schema, key) ? child(place.at, key) : place.at);
    if (!isObject(own(schema, 'properties'))) find('extraction/properties', at('properties'));
    const required = own(schema, 'required') ?? [];
    if (Array.isArray(required)) {
      const listed = new Set<unknown>(required);
      const missing = names.filter((name) => !listed.has(name));
      if (missing.length > 0) find('extraction/required', at('required'), missing.join(', '));
      const existing = new Set(names);
      const seen = new Set<unknown>();
      for (const [index, name] of required.entries()) {
        const entry = child(at('required'), index);
        if (typeof name !== 'string') find('extraction/malformed', entry, 'required');
        else if (seen.has(name)) find('extraction/duplicate', entry, name);
        else if (!existing.has(name)) find('extraction/required-unknown', entry, name);
        seen.add(name);
      }
    } else find('extraction/malformed', at('required'), 'required');
    if (own(schema, 'additionalProperties') !== false) {
      find('extraction/additional-properties', at('additionalProperties'));
    }
  },

  // 7. Enumerations include null and contain only string values. The items of an array need no null
  // there if their type has none. Only the first wrong value is reported.
  ({ schema, role, type, ...place }, find) => {
    const choices = own(schema, 'enum');
    if (choices === undefined) return;
    const at = child(place.at, 'enum');
    if (!Array.isArray(choices)) return find('extraction/malformed', at, 'enum');
    const isChoice = (each: unknown) => typeof each === 'string' || each === null;
    const wrong = choices.findIndex((each) => !isChoice(each));
    if (wrong >= 0) find('extraction/enum-value', child(at, wrong));
    const seen = new Set<unknown>();
    for (const [index, each] of choices.entries()) {
      if (isChoice(each) && seen.has(each)) {
        find('extraction/duplicate', child(at, index), `${each}`);
      }
      seen.add(each);
    }
    const needsNull = role !== 'items' || type.nullable;
    if (needsNull && !choices.includes(null)) find('extraction/enum-null', at);
    const isText = type.kind === null || type.kind === 'string';
    if (wrong < 0 && !isText) find('extraction/enum-type', at);
  },

  // 8. Unsupported constructs: anyOf, oneOf, allOf, regex patterns, conditional schemas, const. A
  // keyword of another service is a warning; an unknown one is only mentioned.
  ({ keys, type, at }, find, prefix) => {
    for (const key of keys) {
      if (unsupported.has(key)) find('extraction/unsupported', child(at, key), key);
      else if (known.has(key) || ofService.some((each) => key === `${prefix}:${each}`)) continue;
      else if (key.includes(':')) find('extraction/foreign-keyword', child(at, key), key);
      else find('extraction/unknown-keyword', child(at, key), key);
    }
    for (const [key, kind] of Object.entries(subjects)) {
      if (type.kind !== null && type.kind !== kind && keys.includes(key)) {
        find('extraction/misplaced', child(at, key), key);
      }
    }
  },

  // 9. `description` guides extraction.
  ({ schema, role, at }, find) => {
    const description = own(schema, 'description');
    if (description !== undefined && typeof description !== 'string') {
      find('extraction/malformed', child(at, 'description'), 'description');
    } else if (role === 'field' && !description?.trim()) {
      find('extraction/no-description', at);
    }
  },

  // `service:type`: date on a string field, currency and signature on objects with their parts. A
  // part with an unknown type already has a finding of its own.
  ({ schema, special, type, names, ...place }, find, prefix) => {
    const at = child(place.at, `${prefix}:type`);
    if (special === undefined) return;
    if (special === 'date') {
      if (type.kind !== 'string') find('extraction/date', at);
    } else if (special === 'currency' || special === 'signature') {
      const wanted = parts[special] ?? {};
      const wrong = Object.entries(wanted).filter(([name, kinds]) => {
        const part = names.includes(name) && own(Object(own(schema, 'properties')), name);
        const kind = isObject(part) ? readType(part).kind : null;
        return !names.includes(name) || (kind !== null && !kinds.includes(kind));
      });
      const extra = names.filter((name) => !Object.hasOwn(wanted, name));
      if (wrong.length > 0) {
        find(`extraction/${special}`, at, wrong.map(([name]) => name).join(', '));
      }
      if (extra.length > 0) find('extraction/extra-part', at, extra.join(', '));
    } else find('extraction/special-type', at, `${prefix}:type`);
  },

  // `service:descriptions`: an array next to an enumeration, one description per non-null value.
  ({ schema, ...place }, find, prefix) => {
    const keyword = `${prefix}:descriptions`;
    const given = own(schema, keyword);
    const choices = own(schema, 'enum');
    const at = child(place.at, keyword);
    if (given === undefined) return;
    if (!Array.isArray(given) || given.some((each) => typeof each !== 'string')) {
      find('extraction/malformed', at, keyword);
    } else if (!Array.isArray(choices)) {
      find('extraction/descriptions-alone', at, keyword);
    } else if (given.length !== choices.filter((each) => each !== null).length) {
      find('extraction/descriptions-count', at, keyword);
    }
  },

  // `service:name`: the display name; it does not change the keys of the output.
  ({ schema, at }, find, prefix) => {
    const keyword = `${prefix}:name`;
    const name = own(schema, keyword);
    if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
      find('extraction/malformed', child(at, keyword), keyword);
    }
  },
];
