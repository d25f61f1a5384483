/** The facts of a tool in words, as the terminal and the table of all tools show them. */
import type { Effect, ToolDefinition, ValueSchema } from '../adapters/tools/tool.js';
import { day, secureUrl } from '../adapters/tools/tool.js';

/** What a value may be: `a whole number, 1 to 100`. */
export function valueWords(schema: ValueSchema): string {
  if ('const' in schema) return `always ${schema['const']}`;
  if (Array.isArray(schema['enum'])) return `one of ${schema['enum'].join(', ')}`;
  if (schema === day) return 'a day, YYYY-MM-DD';
  const kind = schema === secureUrl ? 'an https address' : kinds[`${schema['type']}`];
  return [kind ?? 'anything', ...boundsOf(schema)].join(', ');
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'a list',
  object: 'an object',
};

function boundsOf({ minimum, maximum, maxLength, maxItems }: ValueSchema): string[] {
  const range =
    maximum === Number.MAX_SAFE_INTEGER ? `${minimum} or more` : `${minimum} to ${maximum}`;
  return [
    ...(minimum === undefined ? [] : [range]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems}`]),
  ];
}

export const effectWords: Readonly<Record<Effect, string>> = {
  reads: 'reads only',
  processes: 'makes something new and leaves what there is',
  changes: 'changes records',
};

export const repeatWords: Readonly<Record<ToolDefinition['repeat'], string>> = {
  always: 'any time; twice does what once does',
  'with-key': 'only with its key, while the service keeps that',
  never: 'never',
};

/** The first sentence: what a tool does, without how to use it. */
export function purposeOf({ description }: ToolDefinition): string {
  return description.split(/(?<=\.) /)[0] ?? '';
}
