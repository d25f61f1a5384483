/**
 * Reads old and new extractions into one form: schema, value and metadata.
 *
 * In: configuration and output of a run. Old configurations list `fields`, and their outputs mix
 * values and metadata; new ones have a schema and separate the two.
 * Out: the new form. A schema made from fields follows the rules for extraction schemas as far as
 * the fields do. Metadata is listed by path (`lines[0].amount`).
 * Names are untrusted: nothing is assigned to an object by name, so `__proto__` is just a name.
 */
import { asObject, isObject } from '../../text/json.js';
import { objectSchema, parts } from './extraction-schema.js';
import type { ExtractOutput, JsonObject, ValueMetadata } from './types.js';

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
  { config, output }: { readonly config?: unknown; readonly output?: unknown },
  { vendorPrefix = 'service' }: ReadExtractionOptions = {},
): Extraction {
  const { schema, fields } = asObject(config);
  const found = Array.isArray(fields) ? schemaOf(fields, `${vendorPrefix}:`) : schema;
  return {
    ...(found !== undefined && { schema: found as JsonObject }),
    ...(isObject(output) && readOutput(output)),
  };
}

function readOutput(output: JsonObject): Partial<ExtractOutput> {
  const { value, metadata } = output;
  // An old output may have results that are called `value` and `metadata`.
  if (isObject(value) && isObject(metadata) && !isResult(metadata)) return output;
  const found: [path: string, about: ValueMetadata][] = [];
  const read = (entry: unknown, path: string, depth: number): unknown => {
    if (depth > deepest) return entry;
    if (isResult(entry)) {
      // Old outputs call citations `references`.
      const { confidence, references, insights, value = null } = entry;
      found.push([
        path,
        {
          ...(typeof confidence === 'number' && { confidence }),
          citations: (references as unknown[]).filter(isObject),
          ...(insights !== undefined && { insights }),
        },
      ]);
      return read(value, path, depth + 1);
    }
    if (Array.isArray(entry)) {
      return entry.map((each, index) => read(each, `${path}[${index}]`, depth + 1));
    }
    if (!isObject(entry)) return entry;
    const members = Object.entries(entry).map(([name, each]) => {
      return [name, read(each, path === '' ? name : `${path}.${name}`, depth + 1)];
    });
    return Object.fromEntries(members);
  };
  return { value: read(output, '', 0) as JsonObject, metadata: Object.fromEntries(found) };
}

/** Whether this is the wrapper that old outputs put around a value. */
function isResult(entry: unknown): entry is JsonObject {
  const { id, type, references } = asObject(entry);
  return typeof id === 'string' && typeof type === 'string' && Array.isArray(references);
}

/** The objects of a list that have a text of this name. */
function withText(list: unknown, name: string): JsonObject[] {
  const objects = Array.isArray(list) ? list.filter(isObject) : [];
  return objects.filter((each) => typeof each[name] === 'string');
}

/** Fields without a name are left out. */
function schemaOf(fields: unknown, prefix: string, depth = 0): JsonObject {
  const named = depth < deepest ? withText(fields, 'name') : [];
  return objectSchema(
    named.map((field) => {
      const { name, description } = field;
      const described = typeof description === 'string' ? { description } : {};
      return [name as string, { ...propertyOf(field, prefix, depth), ...described }];
    }),
  );
}

const scalar = (type: string) => ({ type: [type, 'null'] });

function propertyOf(field: JsonObject, prefix: string, depth: number): JsonObject {
  const { type, schema, enum: given } = field;
  switch (type) {
    case 'number':
    case 'boolean':
      return scalar(type);
    case 'date':
      return { ...scalar('string'), [`${prefix}type`]: type };
    case 'currency':
    case 'signature': {
      const inner = Object.entries(parts[type]).map(
        ([name, kind]) => [name, scalar(kind)] as const,
      );
      return { ...objectSchema(inner), [`${prefix}type`]: type };
    }
    case 'object':
      return schemaOf(schema, prefix, depth + 1);
    case 'array':
      return { type, items: schemaOf(schema, prefix, depth + 1) };
    case 'enum': {
      const choices = withText(given, 'value');
      const descriptions = choices.map(({ description = '' }) => description);
      const isDescribed = descriptions.some(Boolean) && { [`${prefix}descriptions`]: descriptions };
      return { enum: [...choices.map(({ value }) => value), null], ...isDescribed };
    }
    default:
      return scalar('string');
  }
}
