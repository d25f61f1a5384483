/**
 * The rules for extraction schemas, as a table.
 *
 * In: any value. Out: one finding for each place that breaks a rule, all at once: a schema before
 * the schemas inside it, and at one place in the order of the table. No findings: the schema is
 * valid. Whatever is inside an object that is nested too deep, or inside an array within an array,
 * is skipped: that is a finding already.
 *
 * Example: { type: 'object', properties: { age: { type: 'integer' } }, … } →
 * extraction/not-nullable at /properties/age/type.
 */

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

export function lintExtractionSchema(
  schema: unknown,
  { prefix = 'service' }: ExtractionSchemaOptions = {},
): ExtractionFinding[] {
  const findings: ExtractionFinding[] = [];
  function visit(schema: Schema, at: string, role: Place['role'], above: number): void {
    const { kind, nullable } = typeOf(schema);
    const level = above + (kind === 'object' ? 1 : 0);
    const properties = isObject(schema['properties']) ? schema['properties'] : {};
    const choices = Array.isArray(schema['enum']) ? schema['enum'] : [];
    const special = schema[`${prefix}:type`];
    const place = { schema, role, kind, nullable, level, properties, choices, special, prefix };
    for (const [code, rule] of Object.entries<Rule>(rules)) {
      const { says, severity = 'error', below } = rule;
      for (const key of [rule.breaks(place)].flat()) {
        if (key === false) continue;
        const isThere = below !== undefined || (key !== '' && schema[key] !== undefined);
        findings.push({
          code: code as FindingCode,
          severity,
          message: says.replace('%', () => quoted(key)),
          at: at + (below ? `/${below}` : '') + (isThere ? pointer(key) : ''),
        });
      }
    }
    if (level > deepest) return;
    const inner = special === 'currency' || special === 'signature' ? 'part' : 'field';
    for (const [name, property] of kind === 'object' ? Object.entries(properties) : []) {
      if (isObject(property)) visit(property, `${at}/properties${pointer(name)}`, inner, level);
    }
    if (kind === 'array' && hasItems(schema)) visit(schema.items, `${at}/items`, 'items', level);
  }
  visit(isObject(schema) ? schema : {}, '', 'root', 0);
  return findings;
}

export type Schema = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** A schema where it stands. */
interface Place {
  readonly schema: Schema;
  /** A `part` belongs to a currency or a signature, and needs no description. */
  readonly role: 'root' | 'field' | 'part' | 'items';
  /** The one type besides null; undefined if there is none, or none that is known. */
  readonly kind: Kind | undefined;
  readonly nullable: boolean;
  /** Number of objects from the root down to here; arrays add none. */
  readonly level: number;
  readonly properties: Schema;
  readonly choices: readonly unknown[];
  /** The value of `<prefix>:type`. */
  readonly special: unknown;
  readonly prefix: string;
}

function typeOf({ type, enum: choices }: Schema): Pick<Place, 'kind' | 'nullable'> {
  // Choices without a type are those of a string.
  if (type === undefined && choices !== undefined) return { kind: 'string', nullable: true };
  const types = [type].flat();
  const others = types.filter((each) => each !== 'null');
  const isKnown = others.length === 1 && kinds.includes(others[0]);
  return { kind: isKnown ? (others[0] as Kind) : undefined, nullable: types.includes('null') };
}

function hasItems(schema: Schema): schema is Schema & { readonly items: Schema } {
  const { items } = schema;
  return isObject(items) && typeOf(items).kind !== 'array';
}

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
export const parts: Readonly<Record<'currency' | 'signature', Readonly<Record<string, Kind>>>> = {
  currency: { amount: 'number', iso_4217_currency_code: 'string' },
  signature: {
    printed_name: 'string',
    signature_date: 'string',
    is_signed: 'boolean',
    title_or_role: 'string',
  },
};

function lacksParts({ special, properties, prefix }: Place, name: keyof typeof parts) {
  const isWhole = Object.entries(parts[name]).every(([part, wanted]) => {
    const given = properties[part];
    const kind = isObject(given) ? typeOf(given).kind : undefined;
    return kind === wanted || (wanted === 'number' && kind === 'integer');
  });
  return special === name && !isWhole && `${prefix}:type`;
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

interface Rule {
  /** `%` stands for the key. */
  readonly says: string;
  readonly severity?: Severity;
  /** The keyword that holds the keys; otherwise, they are those of the schema. */
  readonly below?: 'properties' | 'enum';
  /** The keys that break the rule; the schema itself for '' and for a key that it does not have. */
  readonly breaks: (place: Place) => string | false | readonly string[];
}

/** Never rename a code: people filter by it. Rules 1 to 9 are those of the specification. */
const rules = {
  // 1
  'extraction/root': {
    says: 'The schema itself must be an object: its type must be "object".',
    breaks: ({ role, kind }) => role === 'root' && kind !== 'object' && '',
  },
  'extraction/not-a-schema': {
    says: 'Expected a schema, which is an object.',
    below: 'properties',
    breaks: ({ properties: all }) => Object.keys(all).filter((name) => !isObject(all[name])),
  },
  'extraction/malformed': {
    says: '% has an invalid value.',
    breaks: ({ schema, prefix }) =>
      Object.entries(forms)
        .map(([key, fits]) => [key.replace(/^:/, `${prefix}:`), fits] as const)
        .filter(([key, fits]) => schema[key] !== undefined && !fits(schema[key]))
        .map(([key]) => key),
  },
  // 2. Array items may leave null out: no item is missing.
  'extraction/type': {
    says: 'The type must be string, number, integer or boolean, each with null, or object, or array.',
    breaks: ({ role, kind }) => role !== 'root' && kind === undefined && 'type',
  },
  'extraction/not-nullable': {
    says: 'A scalar field can be missing: add "null" to its type.',
    breaks: ({ role, kind = 'array', nullable }) =>
      /field|part/.test(role) && !/object|array/.test(kind) && !nullable && 'type',
  },
  // 3
  'extraction/nullable-container': {
    says: 'Objects and arrays cannot be null: use a single type.',
    breaks: ({ kind = '', nullable }) => nullable && /object|array/.test(kind) && 'type',
  },
  'extraction/items': {
    says: 'An array needs one schema for its items, an object or a scalar.',
    breaks: ({ schema, kind }) => kind === 'array' && !hasItems(schema) && 'items',
  },
  // 4. The root is the first level. One finding on each branch.
  'extraction/too-deep': {
    says: 'This object is nested more than 5 levels deep.',
    breaks: ({ kind, level }) => kind === 'object' && level > deepest && '',
  },
  // 5
  'extraction/property-name': {
    says: '% may only contain letters, digits, underscores and hyphens.',
    below: 'properties',
    breaks: ({ properties }) =>
      Object.keys(properties).filter((name) => !/^[A-Za-z0-9_-]+$/.test(name)),
  },
  // 6
  'extraction/properties': {
    says: 'An object must list its properties.',
    breaks: ({ schema, kind }) =>
      kind === 'object' && schema['properties'] === undefined && 'properties',
  },
  'extraction/required': {
    says: '% must be listed in required.',
    below: 'properties',
    breaks: ({ schema: { required }, kind, properties }) => {
      const listed = new Set<unknown>(Array.isArray(required) ? required : []);
      return kind === 'object' && Object.keys(properties).filter((name) => !listed.has(name));
    },
  },
  'extraction/additional-properties': {
    says: 'An object must set additionalProperties to false.',
    breaks: ({ schema, kind }) =>
      kind === 'object' && schema['additionalProperties'] !== false && 'additionalProperties',
  },
  // 7. The choices of array items need no null if their type has none.
  'extraction/enum-null': {
    says: 'Choices must include null.',
    breaks: ({ schema, choices, role, nullable }) =>
      Array.isArray(schema['enum']) &&
      (role !== 'items' || nullable) &&
      !choices.includes(null) &&
      'enum',
  },
  'extraction/enum-value': {
    says: 'Choices must be texts, and null.',
    below: 'enum',
    breaks: ({ choices }) => Object.keys(choices).filter((index) => !isText(choices[+index] ?? '')),
  },
  'extraction/enum-type': {
    says: 'Only a string can have choices.',
    breaks: ({ schema, kind = 'string' }) =>
      schema['enum'] !== undefined && kind !== 'string' && 'enum',
  },
  // 8
  'extraction/unsupported': {
    says: '% is not supported.',
    breaks: ({ schema }) => Object.keys(schema).filter((key) => unsupported.has(key)),
  },
  // 9
  'extraction/no-description': {
    says: 'A description would guide the extraction.',
    severity: 'info',
    breaks: ({ schema: { description = '' }, role }) =>
      role === 'field' && isText(description) && !description.trim() && '',
  },
  'extraction/special-type': {
    says: '% must be "date", "currency" or "signature".',
    breaks: ({ special, prefix }) =>
      ![undefined, 'date', 'currency', 'signature'].includes(special as string) && `${prefix}:type`,
  },
  'extraction/date': {
    says: 'A date must be a string.',
    breaks: ({ special, kind, prefix }) =>
      special === 'date' && kind !== 'string' && `${prefix}:type`,
  },
  'extraction/currency': {
    says: 'A currency is an object with amount, a number, and iso_4217_currency_code, a string.',
    breaks: (place) => lacksParts(place, 'currency'),
  },
  'extraction/signature': {
    says: 'A signature is an object with printed_name, signature_date, is_signed (a boolean) and title_or_role.',
    breaks: (place) => lacksParts(place, 'signature'),
  },
  'extraction/descriptions-count': {
    says: '% must have one entry for each choice but null.',
    breaks: ({ schema, choices, prefix }) => {
      const key = `${prefix}:descriptions`;
      const given = schema[key];
      const count = choices.filter((each) => each !== null).length;
      return Array.isArray(given) && given.length !== count && key;
    },
  },
} satisfies Readonly<Record<`extraction/${string}`, Rule>>;

export type FindingCode = keyof typeof rules;

/** An object as the rules want it. */
export function objectSchema(properties: readonly (readonly [string, object])[]) {
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  } as const;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

/** One step of a JSON Pointer. */
function pointer(key: string): string {
  return `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Shortened and escaped, so that a text of the schema can neither flood nor manipulate a display. */
function quoted(text: string): string {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return shown.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`,
  );
}
