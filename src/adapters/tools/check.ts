/**
 * Whether a value is right by a schema of the table, and what it must be where it is not.
 *
 * The schemas are compiled ahead of time (schemas/compile.mjs), so that the handler runs where no
 * code may be made at run time.
 */
import { type SchemaFault, validateTools } from '../../schemas/tools-validators.generated.js';
import { type ToolParameter, valueName } from './tool.js';

/** What a value must be or do, as the end of a sentence that begins with "it"; undefined: right. */
export function faultOf(
  parameter: Pick<ToolParameter, 'name' | 'in' | 'at'>,
  value: unknown,
): string | undefined {
  if (validateTools({ [valueName(parameter)]: value })) return undefined;
  return faultWords(validateTools.errors![0]!);
}

/** A fault that ajv has found, in words; of the value nothing is in them. */
export function faultWords({ keyword, params }: Pick<SchemaFault, 'keyword' | 'params'>): string {
  return words[keyword]?.(params) ?? 'is not right';
}

const types: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'a set of details',
};

const words: Readonly<Record<string, (params: SchemaFault['params']) => string>> = {
  type: ({ type }) => `must be ${types[`${type}`]}`,
  const: ({ allowedValue }) => `must be ${allowedValue}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  minLength: () => 'is too short',
  maxLength: () => 'is too long',
  pattern: () => 'is not in the right format',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minItems: () => 'has too few entries',
  maxItems: () => 'has too many entries',
  required: () => 'is not complete',
  additionalProperties: () => 'has details that are not expected',
  propertyNames: () => 'is not in the right format',
  maxProperties: () => 'has too many details',
};

/** JSON that is an object. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
