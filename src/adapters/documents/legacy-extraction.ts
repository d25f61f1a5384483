/**
 * Reads extractions of either age into one form: schema, value and metadata.
 *
 * In: configuration and output of a run. Earlier configurations list `fields`, and their outputs mix
 * a value with what is known about it; later ones have a schema and keep both apart.
 * Out: the later form. A schema made of fields keeps the rules for extraction schemas as far as the
 * fields do; metadata is found by path (`lines[0].amount`).
 * Names come from outside: no object is written to by name, so that `__proto__` is a name.
 */
import type { JsonObject, LegacyField } from './requests.js';
import type { Citation, ExtractOutput, ValueMetadata } from './resources.js';

export interface Extraction extends Partial<ExtractOutput> {
  readonly schema?: JsonObject;
}

export interface ReadExtractionOptions {
  /** In the names of keywords: `{vendorPrefix}:type`. Default: `service`. */
  readonly vendorPrefix?: string;
}

/** What is deeper is left as it is; the service itself ends at five levels. */
const deepest = 32;

export function readExtraction(
  run: { readonly config?: unknown; readonly output?: unknown },
  { vendorPrefix = 'service' }: ReadExtractionOptions = {},
): Extraction {
  const { schema, fields } = asObject(run.config);
  const list = fieldsOf(fields);
  const found = list ? objectSchema(list, `${vendorPrefix}:`, 0) : schema;
  return {
    ...(found === undefined ? {} : { schema: found as JsonObject }),
    ...(isObject(run.output) ? readOutput(run.output, list) : {}),
  };
}

/**
 * A field may be called `metadata`, too, but then it is a result; without fields, every entry of an
 * earlier output is one.
 */
function readOutput(output: JsonObject, fields: readonly LegacyField[] | undefined): ExtractOutput {
  const { value: later, metadata: about } = output;
  const isLater = isObject(later) && isObject(about) && !isResult(about);
  if (isLater || (fields === undefined && !Object.values(output).every(isResult))) {
    return output as unknown as ExtractOutput;
  }
  const metadata: [path: string, ValueMetadata][] = [];
  const value = readEntries(output, fields ?? [], '', metadata, 0);
  return { value, metadata: Object.fromEntries(metadata) };
}

type Metadata = [path: string, ValueMetadata][];

function readEntries(
  entries: JsonObject,
  fields: readonly LegacyField[],
  path: string,
  metadata: Metadata,
  depth: number,
): JsonObject {
  const read = Object.entries(entries).map(([name, entry]) => {
    const field = fields.find((each) => each.name === name || each.id === name);
    const place = path === '' ? name : `${path}.${name}`;
    return [name, isResult(entry) ? readResult(entry, field, place, metadata, depth) : entry];
  });
  return Object.fromEntries(read);
}

function readResult(
  result: JsonObject,
  field: LegacyField | undefined,
  path: string,
  metadata: Metadata,
  depth: number,
): unknown {
  metadata.push([path, metadataOf(result)]);
  const inner = fieldsOf(result.schema) ?? field?.schema ?? [];
  const { value = null } = result;
  if (depth >= deepest) return value;
  if (Array.isArray(value)) {
    return value.map((row, index) => readRow(row, inner, `${path}[${index}]`, metadata, depth + 1));
  }
  return readRow(value, inner, path, metadata, depth + 1);
}

/** An entry of an array may be a result itself. */
function readRow(
  row: unknown,
  fields: readonly LegacyField[],
  path: string,
  metadata: Metadata,
  depth: number,
): unknown {
  if (!isObject(row)) return row;
  const named = fields.some(({ name }) => Object.hasOwn(row, name));
  if (!named && isResult(row)) return readResult(row, undefined, path, metadata, depth);
  return readEntries(row, fields, path, metadata, depth);
}

/** What earlier outputs put around a value. */
function isResult(entry: unknown): entry is JsonObject {
  if (!isObject(entry)) return false;
  const { id, type } = entry;
  return (
    typeof id === 'string' && typeof type === 'string' && aboutValue.some((name) => name in entry)
  );
}

const aboutValue = ['value', 'references', 'confidence'];

function metadataOf({ confidence, references, insights }: JsonObject): ValueMetadata {
  return {
    ...(typeof confidence === 'number' ? { confidence } : {}),
    citations: Array.isArray(references) ? references.flatMap(citationsOf) : [],
    ...(insights === undefined ? {} : { insights }),
  };
}

/** One for each box; one without a box where only the page is known. */
function citationsOf(reference: unknown): Citation[] {
  const { page, boundingBoxes } = asObject(reference);
  if (typeof page !== 'number') return [];
  const boxes = Array.isArray(boundingBoxes) ? boundingBoxes.filter(isBox) : [];
  if (boxes.length === 0) return [{ page }];
  return boxes.map(({ left, top, right, bottom }) => ({
    page,
    polygon: [
      { x: left, y: top },
      { x: right, y: top },
      { x: right, y: bottom },
      { x: left, y: bottom },
    ],
  }));
}

type Box = Readonly<Record<'left' | 'top' | 'right' | 'bottom', number>>;

function isBox(box: unknown): box is Box {
  const { left, top, right, bottom } = asObject(box);
  return [left, top, right, bottom].every((each) => typeof each === 'number');
}

function objectSchema(fields: readonly LegacyField[], prefix: string, depth: number): JsonObject {
  const inner = depth >= deepest ? [] : fields;
  return {
    type: 'object',
    properties: Object.fromEntries(
      inner.map((field) => [field.name, fieldSchema(field, prefix, depth)]),
    ),
    required: inner.map(({ name }) => name),
    additionalProperties: false,
  };
}

function fieldSchema(field: LegacyField, prefix: string, depth: number): JsonObject {
  const { description } = field;
  return {
    ...typeSchema(field, prefix, depth),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

function typeSchema(field: LegacyField, prefix: string, depth: number): JsonObject {
  const kind = `${prefix}type`;
  switch (field.type) {
    case 'number':
    case 'boolean':
      return { type: [field.type, 'null'] };
    case 'date':
      return { type: ['string', 'null'], [kind]: 'date' };
    case 'enum':
      return enumSchema(field.enum, prefix);
    case 'currency':
    case 'signature':
      return { ...objectSchema(parts[field.type], prefix, depth), [kind]: field.type };
    case 'object':
      return objectSchema(fieldsOf(field.schema) ?? [], prefix, depth + 1);
    case 'array':
      return {
        type: 'array',
        items: objectSchema(fieldsOf(field.schema) ?? [], prefix, depth + 1),
      };
    default:
      return { type: ['string', 'null'] };
  }
}

const part = (name: string, type: string): LegacyField => ({ id: name, name, type });

const parts = {
  currency: [part('amount', 'number'), part('iso_4217_currency_code', 'string')],
  signature: [
    part('printed_name', 'string'),
    part('signature_date', 'date'),
    part('is_signed', 'boolean'),
    part('title_or_role', 'string'),
  ],
};

function enumSchema(options: unknown, prefix: string): JsonObject {
  const known = (Array.isArray(options) ? options : [])
    .map(asObject)
    .filter(({ value }) => typeof value === 'string');
  const descriptions = known.map(({ description }) => description ?? '');
  return {
    enum: [...known.map(({ value }) => value), null],
    ...(descriptions.some(Boolean) ? { [`${prefix}descriptions`]: descriptions } : {}),
  };
}

/** Those that have a name; undefined where there is no list. */
function fieldsOf(list: unknown): readonly LegacyField[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.filter((each) => typeof asObject(each).name === 'string') as LegacyField[];
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
