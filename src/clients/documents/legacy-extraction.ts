/**
 * Reads old and new extractions into one form: schema, value and metadata.
 *
 * In: configuration and output of a run. Old configurations list `fields`, and their outputs mix
 * values and metadata; new ones have a schema and separate the two.
 * Out: the new form. A schema made from fields follows the rules for extraction schemas as far as
 * the fields do. Metadata is listed by path (`lines[0].amount`).
 * Names are untrusted: nothing is assigned to an object by name, so `__proto__` is just a name.
 */
import { isObject } from '../../text/json.js';
import { objectSchema, parts } from './extraction-schema.js';
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
  { config, output }: { readonly config?: unknown; readonly output?: unknown },
  { vendorPrefix = 'service' }: ReadExtractionOptions = {},
): Extraction {
  const { schema, fields } = isObject(config) ? config : {};
  const found = Array.isArray(fields) ? schemaOf(fields, `${vendorPrefix}:`) : schema;
  return {
    ...(found !== undefined && { schema: found as JsonObject }),
    ...(isObject(output) && readOutput(output)),
  };
}

/** An old output may have results that are called `value` and `metadata`. */
function readOutput(output: JsonObject): ExtractOutput {
  const { value, metadata } = output;
  if (isObject(value) && isObject(metadata) && !isResult(metadata)) {
    return output as unknown as ExtractOutput;
  }
  const found: [path: string, about: ValueMetadata][] = [];
  function read(entry: unknown, path: string, depth: number): unknown {
    if (depth > deepest) return entry;
    if (isResult(entry)) {
      found.push([path, metadataOf(entry)]);
      return read(entry.value ?? null, path, depth + 1);
    }
    if (Array.isArray(entry)) {
      return entry.map((each, index) => read(each, `${path}[${index}]`, depth + 1));
    }
    if (!isObject(entry)) return entry;
    const members = Object.entries(entry).map(([name, each]) => {
      return [name, read(each, path === '' ? name : `${path}.${name}`, depth + 1)];
    });
    return Object.fromEntries(members);
  }
  return { value: read(output, '', 0) as JsonObject, metadata: Object.fromEntries(found) };
}

/** Whether this is the wrapper that old outputs put around a value. */
function isResult(entry: unknown): entry is JsonObject {
  const { id, type, references } = isObject(entry) ? entry : {};
  return typeof id === 'string' && typeof type === 'string' && Array.isArray(references);
}

/** Old outputs call citations `references`. */
function metadataOf({ confidence, references, insights }: JsonObject): ValueMetadata {
  return {
    ...(typeof confidence === 'number' && { confidence }),
    citations: (references as unknown[]).filter(isObject),
    ...(insights !== undefined && { insights }),
  };
}

/** Fields without a name are left out. */
function schemaOf(fields: unknown, prefix: string, depth = 0): JsonObject {
  const list: readonly unknown[] = Array.isArray(fields) && depth < deepest ? fields : [];
  const named = list.filter((each) => isObject(each) && typeof each['name'] === 'string');
  return objectSchema(
    (named as LegacyField[]).map((field) => {
      const { name, description } = field;
      const described = typeof description === 'string' ? { description } : {};
      return [name, { ...propertyOf(field, prefix, depth), ...described }];
    }),
  );
}

function propertyOf(field: LegacyField, prefix: string, depth: number): JsonObject {
  const { type } = field;
  const scalar = (kind: string) => ({ type: [kind, 'null'] });
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
      return schemaOf(field.schema, prefix, depth + 1);
    case 'array':
      return { type, items: schemaOf(field.schema, prefix, depth + 1) };
    case 'enum': {
      const given: readonly unknown[] = Array.isArray(field.enum) ? field.enum : [];
      const choices = given.filter((each) => isObject(each) && typeof each['value'] === 'string');
      const of = (key: string) => (choices as JsonObject[]).map((each) => each[key] ?? '');
      return {
        enum: [...of('value'), null],
        ...(of('description').some(Boolean) && { [`${prefix}descriptions`]: of('description') }),
      };
    }
    default:
      return scalar('string');
  }
}
