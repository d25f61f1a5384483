/**
 * The rules for extraction schemas.
 *
 * In: any value. Out: one finding for each place that breaks a rule, all at once, a schema before the
 * schemas inside it. No findings: the schema is valid. Whatever is inside an object that is nested too
 * deep, or inside an array within an array, is skipped: that is a finding already.
 *
 * Example: { type: 'object', properties: { age: { type: 'integer' } }, … } →
 * extraction/not-nullable at /properties/age/type.
 */
import { escapeControls } from '../../text/escape.js';
import { asObject, isObject, type OpenObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';

export interface ExtractionSchemaOptions {
  /** Prefix of the service's own keywords. Default: `service`, as in `service:type`. */
  readonly prefix?: string;
}

/** `info`: the service accepts the schema, but could do better with more. */
export type Severity = 'error' | 'info';

export interface ExtractionFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** JSON Pointer into the schema; the empty string is the whole schema. */
  readonly at: string;
}

/** What is wrong, and what to do; `%` is the key at fault. Never rename a code: people filter by it. */
export const findingTexts = {
  'extraction/root': 'The schema itself is not an object. Set its type to "object".',
  'extraction/not-a-schema': 'Expected a schema. Write an object with a type.',
  'extraction/malformed': '% has an invalid value. Correct it.',
  'extraction/type':
    'The type is not supported. Use string, number, integer or boolean, each in a list with "null", or object, or array.',
  'extraction/not-nullable': 'A scalar is not nullable. Use a type such as ["string", "null"].',
  'extraction/nullable-container': 'An object or array is nullable. Use a type without "null".',
  'extraction/items': 'An array has no items. Add items with one schema, an object or a scalar.',
  'extraction/too-deep': 'An object is nested more than 5 levels deep. Move its fields up.',
  'extraction/property-name': '% is not a valid name. Use only letters, digits, _ and -.',
  'extraction/properties': 'An object does not list its properties. Add properties.',
  'extraction/required': '% is not in required. List it there; what is missing will be null.',
  'extraction/required-names': 'required has other names. List each property once, and no other.',
  'extraction/additional-properties': 'An object allows more. Set additionalProperties to false.',
  'extraction/enum-null': 'An enum does not include null. Add null to it.',
  'extraction/enum-value': 'An enum value is not a string. Write it as a string.',
  'extraction/enum-type': 'The type does not fit the enum. Use ["string", "null"], or no enum.',
  'extraction/unsupported': '% is not supported. Remove it, or say the same in the description.',
  'extraction/no-description': 'A field has no description. Add one to guide the extraction.',
  'extraction/special-type': '% has an unknown value. Use "date", "currency" or "signature".',
  'extraction/date': 'A date is not a string. Use the type ["string", "null"].',
  'extraction/currency':
    'A currency lacks properties. Add amount, a number, and iso_4217_currency_code, a string.',
  'extraction/signature':
    'A signature lacks properties. Add printed_name, signature_date, is_signed (a boolean) and title_or_role.',
  'extraction/descriptions-count': '% has the wrong length. Write one for each value except null.',
} as const;

export type FindingCode = keyof typeof findingTexts;

/** Greatest number of nested objects, including the root. */
export const deepest = 5;

/** Constructs that the service does not support, and similar ones. */
export const unsupported: ReadonlySet<string> = new Set([
  ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties'],
  ...['if', 'then', 'else', 'dependencies', 'dependentSchemas', 'dependentRequired'],
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions'],
  ...['prefixItems', 'additionalItems', 'contains', 'minContains', 'maxContains'],
  ...['propertyNames', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** The parts of the special object types. A number may also be an integer. */
export const parts = {
  currency: { amount: 'number', iso_4217_currency_code: 'string' },
  signature: {
    printed_name: 'string',
    signature_date: 'string',
    is_signed: 'boolean',
    title_or_role: 'string',
  },
} as const;

/** What a schema is for. A `part` belongs to a currency or a signature, and needs no description. */
type Role = 'root' | 'field' | 'part' | 'items';

export function lintExtractionSchema(
  schema: unknown,
  { prefix = 'service' }: ExtractionSchemaOptions = {},
): ExtractionFinding[] {
  const findings: ExtractionFinding[] = [];
  check(asObject(schema), '', 'root', 0);
  return findings;

  /** `above`: the number of objects around it; arrays count as none. */
  function check(schema: OpenObject, at: string, role: Role, above: number): void {
    const { kind, isNullable } = typeOf(schema);
    const level = above + (kind === 'object' ? 1 : 0);
    const { required, description = '', items } = schema;
    const properties = asObject(schema['properties']);
    const names = Object.keys(properties);
    const choices = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
    const special = schema[`${prefix}:type`];
    const descriptions = schema[`${prefix}:descriptions`];
    const isContainer = kind === 'object' || kind === 'array';
    const isObjectType = kind === 'object';

    /** Reports a key of the schema, or of one of its members; what is not there, at the schema. */
    const report = (code: FindingCode, broken: boolean, key = '', member?: string): void => {
      if (!broken) return;
      const holder = member === undefined ? at : child(at, member);
      const isThere = member !== undefined || (key !== '' && schema[key] !== undefined);
      findings.push({
        code,
        severity: code === 'extraction/no-description' ? 'info' : 'error',
        message: findingTexts[code].replace('%', () => quoted(key)),
        at: isThere ? child(holder, key) : holder,
      });
    };

    // 1
    report('extraction/root', role === 'root' && !isObjectType);
    for (const name of names) {
      report('extraction/not-a-schema', !isObject(properties[name]), name, 'properties');
    }
    for (const [form, fits] of Object.entries(forms)) {
      const key = form.replace(/^:/, `${prefix}:`);
      report('extraction/malformed', schema[key] !== undefined && !fits(schema[key]), key);
    }
    // 2. Items of an array are fields, too.
    report('extraction/type', role !== 'root' && kind === undefined, 'type');
    report('extraction/not-nullable', !!kind && !isContainer && !isNullable, 'type');
    // 3
    report('extraction/nullable-container', isContainer && isNullable, 'type');
    report('extraction/items', kind === 'array' && !isItemSchema(items), 'items');
    // 4. The root is the first level. One finding on each branch.
    report('extraction/too-deep', isObjectType && level > deepest);
    // 5
    for (const name of names) {
      report('extraction/property-name', !/^[A-Za-z0-9_-]+$/.test(name), name, 'properties');
    }
    // 6
    if (isObjectType) {
      const listed: readonly unknown[] = Array.isArray(required) ? required : [];
      const isExact = listed.every(
        (name, at) => names.includes(`${name}`) && listed.indexOf(name) === at,
      );
      report('extraction/properties', schema['properties'] === undefined, 'properties');
      for (const name of names) {
        report('extraction/required', !listed.includes(name), name, 'properties');
      }
      report('extraction/required-names', !isExact, 'required');
      const extra = schema['additionalProperties'];
      report('extraction/additional-properties', extra !== false, 'additionalProperties');
    }
    // 7
    report('extraction/enum-null', !!choices && !choices.includes(null), 'enum');
    for (const [index, choice] of choices?.entries() ?? []) {
      report('extraction/enum-value', !isText(choice ?? ''), `${index}`, 'enum');
    }
    const isOther = schema['enum'] !== undefined && kind !== undefined && kind !== 'string';
    report('extraction/enum-type', isOther, 'enum');
    // 8
    for (const key of Object.keys(schema)) {
      report('extraction/unsupported', unsupported.has(key), key);
    }
    // 9
    report(
      'extraction/no-description',
      role === 'field' && isText(description) && !description.trim(),
    );
    const isSpecial = special === 'date' || special === 'currency' || special === 'signature';
    const key = `${prefix}:type`;
    report('extraction/special-type', special !== undefined && !isSpecial, key);
    report('extraction/date', special === 'date' && kind !== 'string', key);
    const isPartial = isSpecial && special !== 'date' && !hasParts(properties, parts[special]);
    report(`extraction/${special as keyof typeof parts}`, isPartial, key);
    const count = choices?.filter((each) => each !== null).length ?? 0;
    const isMiscounted = Array.isArray(descriptions) && descriptions.length !== count;
    report('extraction/descriptions-count', isMiscounted, `${prefix}:descriptions`);

    if (level > deepest) return;
    const inner = special === 'currency' || special === 'signature' ? 'part' : 'field';
    for (const [name, property] of isObjectType ? Object.entries(properties) : []) {
      const place = child(child(at, 'properties'), name);
      if (isObject(property)) check(property, place, inner, level);
    }
    if (kind === 'array' && isItemSchema(items)) check(items, child(at, 'items'), 'items', level);
  }
}

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** The one type besides null; undefined if there is none, or none that is known. */
function typeOf({ type, enum: choices }: OpenObject): { kind?: Kind; isNullable: boolean } {
  // Choices without a type are those of a string.
  if (type === undefined && choices !== undefined) return { kind: 'string', isNullable: true };
  const types = [type].flat();
  const others = types.filter((each) => each !== 'null');
  const isKnown = others.length === 1 && kinds.includes(others[0]);
  return { ...(isKnown && { kind: others[0] as Kind }), isNullable: types.includes('null') };
}

function isItemSchema(items: unknown): items is OpenObject {
  return isObject(items) && typeOf(items).kind !== 'array';
}

function hasParts(properties: OpenObject, wanted: Readonly<Record<string, Kind>>): boolean {
  return Object.entries(wanted).every(([part, kind]) => {
    const found = typeOf(asObject(properties[part])).kind;
    return found === kind || (kind === 'number' && found === 'integer');
  });
}

/** What the values of keywords must be; `:` stands for the prefix of the service. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  properties: isObject,
  required: isTexts,
  enum: Array.isArray,
  description: isText,
  ':descriptions': isTexts,
  ':name': (name) => isText(name) && name.trim() !== '',
};

/** An object as the rules want it. */
export function objectSchema(properties: readonly (readonly [string, object])[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  } as const;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** Shortened and escaped, so that a text of the schema can neither flood nor manipulate a display. */
function quoted(text: string): string {
  return escapeControls(JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text));
}
