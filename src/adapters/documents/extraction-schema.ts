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
  const places = isObject(schema) ? [...placesIn(schema, prefix)] : [notASchema];
  return places.flatMap((place) =>
    Object.entries<Rule>(rules).flatMap(([code, { says, severity = 'error', breaks }]) =>
      breaks(place).map((keys) => ({
        code: code as FindingCode,
        severity,
        message: says.replace('%', () => quoted(keys.at(-1) ?? '')),
        at: place.at + keys.map(pointer).join(''),
      })),
    ),
  );
}

export type Schema = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array';

const kinds: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

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

/** A schema, and where it stands. */
interface Place {
  readonly schema: Schema;
  readonly at: string;
  /** A `part` belongs to a currency or a signature, and needs no description. */
  readonly role: 'root' | 'field' | 'part' | 'items';
  /** The one type besides null; undefined if there is none, or none that is known. */
  readonly kind: Kind | undefined;
  readonly nullable: boolean;
  readonly properties: Schema;
  /** Number of objects from the root down to here; arrays add none. */
  readonly level: number;
  readonly prefix: string;
  /** The value of `<prefix>:type`. */
  readonly special: unknown;
}

const notASchema = placeOf({}, '', 'root', 0, '');

function placeOf(
  schema: Schema,
  at: string,
  role: Place['role'],
  above: number,
  prefix: string,
): Place {
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const place = { schema, at, role, properties, prefix, special: schema[`${prefix}:type`] };
  const { kind, nullable } = typeOf(schema);
  return { ...place, kind, nullable, level: above + (kind === 'object' ? 1 : 0) };
}

function typeOf({ type, enum: choices }: Schema): Pick<Place, 'kind' | 'nullable'> {
  // Choices without a type are those of a string.
  if (type === undefined && choices !== undefined) return { kind: 'string', nullable: true };
  const types = [type].flat();
  const others = types.filter((each) => each !== 'null');
  const isKnown = others.length === 1 && kinds.includes(others[0]);
  return { kind: isKnown ? (others[0] as Kind) : undefined, nullable: types.includes('null') };
}

function* placesIn(
  schema: Schema,
  prefix: string,
  at = '',
  role: Place['role'] = 'root',
  above = 0,
): Generator<Place> {
  const place = placeOf(schema, at, role, above, prefix);
  yield place;
  const { kind, level, special, properties } = place;
  if (level > deepest) return;
  const inner = special === 'currency' || special === 'signature' ? 'part' : 'field';
  for (const [name, property] of kind === 'object' ? Object.entries(properties) : []) {
    const below = `${at}/properties${pointer(name)}`;
    if (isObject(property)) yield* placesIn(property, prefix, below, inner, level);
  }
  const { items } = schema;
  if (kind === 'array' && isObject(items) && typeOf(items).kind !== 'array') {
    yield* placesIn(items, prefix, `${at}/items`, 'items', level);
  }
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
  /** `%` stands for the last key of the place. */
  readonly says: string;
  readonly severity?: Severity;
  /** The places that break the rule, as keys from the schema down. */
  readonly breaks: (place: Place) => readonly (readonly string[])[];
}

/** The schema itself breaks a rule, or its keyword if it is there. */
const itself = (isBroken: boolean, key?: string, schema?: Schema) =>
  isBroken ? [key && schema?.[key] !== undefined ? [key] : []] : [];

const isScalar = (kind: Kind | undefined) =>
  kind !== undefined && kind !== 'object' && kind !== 'array';

const choicesOf = ({ schema }: Place): readonly unknown[] =>
  Array.isArray(schema['enum']) ? schema['enum'] : [];

/** Never rename a code: people filter by it. Rules 1 to 9 are those of the specification. */
const rules = {
  // 1
  'extraction/root': {
    says: 'The schema itself must be an object: its type must be "object".',
    breaks: ({ role, kind }) => itself(role === 'root' && kind !== 'object'),
  },
  'extraction/not-a-schema': {
    says: 'Expected a schema, which is an object.',
    breaks: ({ properties }) =>
      Object.keys(properties)
        .filter((name) => !isObject(properties[name]))
        .map((name) => ['properties', name]),
  },
  'extraction/malformed': {
    says: '% has an invalid value.',
    breaks: ({ schema, prefix }) =>
      Object.entries(forms)
        .map(([key, fits]) => [key.replace(/^:/, `${prefix}:`), fits] as const)
        .filter(([key, fits]) => schema[key] !== undefined && !fits(schema[key]))
        .map(([key]) => [key]),
  },
  // 2. Array items may leave null out: no item is missing.
  'extraction/type': {
    says: 'The type must be string, number, integer or boolean, each with null, or object, or array.',
    breaks: ({ schema, role, kind }) =>
      itself(role !== 'root' && kind === undefined, 'type', schema),
  },
  'extraction/not-nullable': {
    says: 'A scalar field can be missing: add "null" to its type.',
    breaks: ({ schema, role, kind, nullable }) =>
      itself(/field|part/.test(role) && isScalar(kind) && !nullable, 'type', schema),
  },
  // 3
  'extraction/nullable-container': {
    says: 'Objects and arrays cannot be null: use a single type.',
    breaks: ({ schema, kind, nullable }) =>
      itself(nullable && /object|array/.test(`${kind}`), 'type', schema),
  },
  'extraction/items': {
    says: 'An array needs one schema for its items, an object or a scalar.',
    breaks: ({ schema, kind }) => {
      const { items } = schema;
      const fits = isObject(items) && typeOf(items).kind !== 'array';
      return itself(kind === 'array' && !fits, 'items', schema);
    },
  },
  // 4. The root is the first level. One finding on each branch.
  'extraction/too-deep': {
    says: 'This object is nested more than 5 levels deep.',
    breaks: ({ kind, level }) => itself(kind === 'object' && level > deepest),
  },
  // 5
  'extraction/property-name': {
    says: '% may only contain letters, digits, underscores and hyphens.',
    breaks: ({ properties }) =>
      Object.keys(properties)
        .filter((name) => !/^[A-Za-z0-9_-]+$/.test(name))
        .map((name) => ['properties', name]),
  },
  // 6
  'extraction/properties': {
    says: 'An object must list its properties.',
    breaks: ({ schema, kind }) => itself(kind === 'object' && schema['properties'] === undefined),
  },
  'extraction/required': {
    says: '% must be listed in required.',
    breaks: ({ schema, kind, properties }) => {
      const { required } = schema;
      const listed = new Set<unknown>(Array.isArray(required) ? required : []);
      const missing = Object.keys(properties).filter((name) => !listed.has(name));
      return kind === 'object' ? missing.map((name) => ['properties', name]) : [];
    },
  },
  'extraction/additional-properties': {
    says: 'An object must set additionalProperties to false.',
    breaks: ({ schema, kind }) => {
      const key = 'additionalProperties';
      return itself(kind === 'object' && schema[key] !== false, key, schema);
    },
  },
  // 7. The choices of array items need no null if their type has none.
  'extraction/enum-null': {
    says: 'Choices must include null.',
    breaks: (place) => {
      const { schema, role, nullable } = place;
      const isWanted = Array.isArray(schema['enum']) && (role !== 'items' || nullable);
      return itself(isWanted && !choicesOf(place).includes(null), 'enum', schema);
    },
  },
  'extraction/enum-value': {
    says: 'Choices must be texts, and null.',
    breaks: (place) =>
      choicesOf(place).flatMap((each, index) =>
        isText(each) || each === null ? [] : [['enum', `${index}`]],
      ),
  },
  'extraction/enum-type': {
    says: 'Only a string can have choices.',
    breaks: ({ schema, kind }) =>
      itself(
        schema['enum'] !== undefined && kind !== 'string' && kind !== undefined,
        'enum',
        schema,
      ),
  },
  // 8
  'extraction/unsupported': {
    says: '% is not supported.',
    breaks: ({ schema }) =>
      Object.keys(schema)
        .filter((key) => unsupported.has(key))
        .map((key) => [key]),
  },
  // 9
  'extraction/no-description': {
    says: 'A description would guide the extraction.',
    severity: 'info',
    breaks: ({ schema, role }) => {
      const { description = '' } = schema;
      return itself(role === 'field' && isText(description) && !description.trim());
    },
  },
  'extraction/special-type': {
    says: '% must be "date", "currency" or "signature".',
    breaks: ({ special, prefix }) =>
      [undefined, 'date', 'currency', 'signature'].includes(special as string)
        ? []
        : [[`${prefix}:type`]],
  },
  'extraction/date': {
    says: 'A date must be a string.',
    breaks: ({ special, kind, prefix }) =>
      special === 'date' && kind !== 'string' ? [[`${prefix}:type`]] : [],
  },
  'extraction/currency': {
    says: 'A currency is an object with amount, a number, and iso_4217_currency_code, a string.',
    breaks: (place) => partsMissing(place, 'currency'),
  },
  'extraction/signature': {
    says: 'A signature is an object with printed_name, signature_date, is_signed (a boolean) and title_or_role.',
    breaks: (place) => partsMissing(place, 'signature'),
  },
  'extraction/descriptions-count': {
    says: '% must have one entry for each choice but null.',
    breaks: (place) => {
      const key = `${place.prefix}:descriptions`;
      const given = place.schema[key];
      const count = choicesOf(place).filter((each) => each !== null).length;
      return Array.isArray(given) && given.length !== count ? [[key]] : [];
    },
  },
} satisfies Readonly<Record<`extraction/${string}`, Rule>>;

export type FindingCode = keyof typeof rules;

function partsMissing({ special, properties, prefix }: Place, name: 'currency' | 'signature') {
  if (special !== name) return [];
  const isWrong = Object.entries(parts[name]).some(([part, wanted]) => {
    const given = properties[part];
    const kind = isObject(given) ? typeOf(given).kind : undefined;
    return kind !== wanted && !(wanted === 'number' && kind === 'integer');
  });
  return isWrong ? [[`${prefix}:type`]] : [];
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
