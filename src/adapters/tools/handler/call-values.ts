/**
 * What a call comes to: values by the names of parameters, or why it is refused.
 *
 * In: arguments as they came, from a model that anyone may have talked into anything. Out: values
 * that are right by the schemas of the tool, bound ones among them.
 * Invariants: what is bound is taken out of the arguments before anything is judged; a name that is
 * nobody's parameter is refused, whatever its value; no name is looked up in a prototype.
 */
import type { ToolParameter } from '../table/tool.js';
import type { BoundTool } from './binding.js';
import type { CallResult } from './result.js';
import { isObject } from './schema-check.js';
import { texts } from './texts.js';
import type { Tool } from './tools-by-name.js';

/** One of both. */
export type Reading =
  | { readonly values: Readonly<Record<string, unknown>>; readonly refusal?: never }
  | { readonly values?: never; readonly refusal: CallResult };

export function readValues(
  { tool, bound, asked }: BoundTool,
  given: unknown,
  maxChars: number,
): Reading {
  if (typeof given === 'string' && given.length > maxChars) return { refusal: texts.tooMuch };
  const parsed = typeof given === 'string' ? parse(given) : (given ?? {});
  if (!isObject(parsed)) return { refusal: texts.unreadable };
  const values: Record<string, unknown> = { ...bound };
  for (const parameter of asked) {
    const { name, required } = parameter;
    const said = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    const value = tool.filled.has(name) ? readFilled(said, parameter) : said;
    if (value === undefined) {
      if (required) return { refusal: texts.missing(name) };
      continue;
    }
    const fault = tool.checks.get(name)?.(value);
    if (fault !== undefined) return { refusal: texts.wrong(name, fault) };
    values[name] = value;
  }
  for (const name of Object.keys(parsed)) {
    const belongs = Object.hasOwn(bound, name) || asked.some((each) => each.name === name);
    if (!belongs) return { refusal: texts.unknownDetail };
  }
  return saysNothing(tool, values) ? { refusal: texts.nothingSaid } : { values };
}

/** A change of nothing: the operation has a body, and no value for it. */
function saysNothing({ definition }: Tool, values: Readonly<Record<string, unknown>>): boolean {
  const body = definition.parameters.filter((each) => each.in === 'body');
  return body.length > 0 && body.every(({ name }) => values[name] === undefined);
}

/** The platform fills in texts, and an empty one where there is nothing to fill in. */
function readFilled(value: unknown, { schema }: ToolParameter): unknown {
  if (value === '') return undefined;
  if (typeof value !== 'string') return value;
  const type = `${schema['type']}`;
  if (/^(?:integer|number)$/.test(type) && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) {
    return Number(value);
  }
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

function parse(text: string): unknown {
  // Some models write nothing where there is nothing to say.
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
