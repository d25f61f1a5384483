/**
 * What a model may give to a tool, as a JSON Schema (draft 2020-12).
 *
 * In: a tool, and the names that are bound. Out: an object with what is left for the caller to say,
 * closed. `required` is there even where it is empty: some platforms want it.
 *
 * Example: `get_bill` with nothing bound has the one property `idBill`.
 */
import type { ToolDefinition, ToolParameter, ValueSchema } from './tool.js';

export interface ParametersSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/** The schema of what a model may say to a tool; `bound` are the names that it may not. */
export function parametersSchema(
  definition: ToolDefinition,
  bound: readonly string[] = [],
): ParametersSchema {
  const left = parametersLeft(definition, bound).filter(({ from }) => from === 'caller');
  return {
    type: 'object',
    properties: Object.fromEntries(
      left.map(({ name, schema, description }) => [name, { ...schema, description }]),
    ),
    required: left.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The parameters that are neither bound, nor replaced by one that is, nor without a choice. */
export function parametersLeft(
  { parameters }: ToolDefinition,
  bound: readonly string[],
): ToolParameter[] {
  const settled = new Set(bound);
  return parameters.filter(
    ({ name, unless, schema }) =>
      !(settled.has(name) || (unless !== undefined && settled.has(unless)) || 'const' in schema),
  );
}
