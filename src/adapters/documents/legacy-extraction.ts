/**
 * Reads old and new extractions into one form: schema, value and metadata.
 *
 * In: configuration and output of a run. Old configurations list `fields`, and their outputs mix
 * values and metadata; new ones have a schema and separate the two.
 * Out: the new form. A schema made from fields follows the rules for extraction schemas as far as
 * the fields do. Metadata is listed by path (`lines[0].amount`).
 * Names are untrusted: nothing is assigned to an object by name, so `__proto__` is just a name.
 */
import { isObject, parts } from './extraction-schema.js';
import type { ExtractOutput, JsonObject, LegacyField, ValueMetadata } from './types.js';

export interface Extraction extends Partial<ExtractOutput> {
  readonly schema?: JsonObject;
}

export interface ReadExtractionOptions {
  /** Part of keyword names: `{vendorPrefix}:type`. Default: `service`. */
  readonly vendorPrefix?: string;
}

/** Anything deeper is left as it is; the service itself stops at five levels. */
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
 * A field may also be called `metadata`, but then it is a result. Without fields, an output is old
 * if all of its entries are results.
 */
function readOutput(output: JsonObject, fields: readonly LegacyField[] | undefined): ExtractOutput {
  const { value: later, metadata: about } = output;
  const isLater = isObject(later) && isObject(about) && !isResult(about);
  if (isLater || (fields === undefined && !Object.values(output).every(isResult))) {
    return output as unknown as ExtractOutput;
  }
  const metadata: [path: string, about: ValueMetadata][] = [];

  function readEntries(
    entries: JsonObject,
    fields: readonly LegacyField[],
    path: string,
    depth: number,
  ): JsonObject {
    const read = Object.entries(entries).map(([name, entry]) => {
      const field = fields.find((each) => each.name === name || each.id === name);
      const place = path === '' ? name : `${path}.${name}`;
      return [name, isResult(entry) ? readResult(entry, field, place, depth) : entry];
    });
    return Object.fromEntries(read);
  }

  function readResult(
    result: JsonObject,
    field: LegacyField | undefined,
    path: string,
    depth: number,
  ): unknown {
    metadata.push([path, metadataOf(result)]);
    const inner = fieldsOf(result.schema) ?? field?.schema ?? [];
    const { value = null } = result;
    /** A row of an array may itself be a result. */
    const readRow = (row: unknown, place: string): unknown => {
      if (!isObject(row)) return row;
      const named = inner.some(({ name }) => Object.hasOwn(row, name));
      if (!named && isResult(row)) return readResult(row, undefined, place, depth + 1);
      return readEntries(row, inner, place, depth + 1);
    };
    if (depth >= deepest) return value;
    if (!Array.isArray(value)) return readRow(value, path);
    return value.map((row, index) => readRow(row, `${path}[${index}]`));
  }

  const value = readEntries(output, fields ?? [], '', 0);
  return { value, metadata: Object.fromEntries(metadata) };
}

/** Whether this is the wrapper that old outputs put around a value. */
function isResult(entry: unknown): entry is JsonObject {
  const { id, type, ...rest } = asObject(entry);
  const about = ['value', 'references', 'confidence'].some((name) => name in rest);
  return typeof id === 'string' && typeof type === 'string' && about;
}

/** Old outputs call citations `references`. */
function metadataOf({ confidence, references, insights }: JsonObject): ValueMetadata {
  return {
    ...(typeof confidence === 'number' && { confidence }),
    citations: Array.isArray(references) ? references.filter(isObject) : [],
    ...(insights !== undefined && { insights }),
  };
}

function objectSchema(fields: readonly LegacyField[], prefix: string, depth: number): JsonObject {
  const inner = depth >= deepest ? [] : fields;
  const properties = inner.map((field) => {
    const { name, description } = field;
    const described = typeof description === 'string' ? { description } : {};
    return [name, { ...typeSchema(field, prefix, depth), ...described }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: inner.map(({ name }) => name),
    additionalProperties: false,
  };
}

function typeSchema(field: LegacyField, prefix: string, depth: number): JsonObject {
  const { type } = field;
  const inner = () => objectSchema(fieldsOf(field.schema) ?? [], prefix, depth + 1);
  if (type === 'number' || type === 'boolean') return { type: [type, 'null'] };
  if (type === 'date') return { type: ['string', 'null'], [`${prefix}type`]: type };
  if (type === 'currency' || type === 'signature') {
    const named = Object.entries(parts[type]).map(([name, of]) => ({ id: name, name, type: of }));
    return { ...objectSchema(named, prefix, depth), [`${prefix}type`]: type };
  }
  if (type === 'object') return inner();
  if (type === 'array') return { type, items: inner() };
  if (type === 'enum') {
    const given: unknown = field.enum;
    const choices = (Array.isArray(given) ? given : [])
      .map(asObject)
      .filter(({ value }) => typeof value === 'string');
    const descriptions = choices.map(({ description }) => description ?? '');
    return {
      enum: [...choices.map(({ value }) => value), null],
      ...(descriptions.some(Boolean) ? { [`${prefix}descriptions`]: descriptions } : {}),
    };
  }
  return { type: ['string', 'null'] };
}

/** The fields that have a name; undefined if there is no list. */
function fieldsOf(list: unknown): readonly LegacyField[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.filter((each) => typeof asObject(each).name === 'string') as LegacyField[];
}

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
