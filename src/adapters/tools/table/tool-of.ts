/** Builds a definition: what the operation's own table tells, and what is written for assistants. */
import type { Operation } from '../../http/operation.js';
import type { Sayable, ToolDefinition, ToolParameter, ValueSchema } from './tool.js';

type Written = Pick<ToolDefinition, 'name' | 'description' | 'effect' | 'parameters' | 'sayable'>;

/** `service` stands before the id of the operation, where its table leaves it out. */
export function toolOf(
  service: string,
  { id, method, path, repeat }: Operation,
  { name, description, effect, parameters, sayable }: Written,
): ToolDefinition {
  const operation = id.startsWith(`${service}.`) ? id : `${service}.${id}`;
  const direct = effect === 'reads';
  return {
    operation,
    name,
    description,
    method,
    path,
    parameters,
    effect,
    repeat,
    direct,
    sayable,
  };
}

type More = Partial<Pick<ToolParameter, 'required' | 'unless' | 'at'>>;

const parameterFrom =
  (from: ToolParameter['from']) =>
  (
    name: string,
    place: ToolParameter['in'],
    schema: ValueSchema,
    description: string,
    more: More = {},
  ): ToolParameter => ({
    name,
    from,
    required: place === 'path',
    description,
    schema,
    in: place,
    ...more,
  });

/** What a caller may say. */
export const said = parameterFrom('caller');

/** What the configuration fixes. */
export const fixed = parameterFrom('binding');

/** Sayable values of one kind: their names, and where they stand below a place. */
export function saying(
  as: Sayable['as'],
  below: string,
  keys: Readonly<Record<string, string>>,
): Sayable[] {
  return Object.entries(keys).map(([name, key]) => ({ name, at: `${below}/${key}`, as }));
}
