/**
 * What a call comes to: values by the names of parameters, or why it is refused.
 *
 * In: arguments as they came, from a model that anyone may have talked into anything. Out: values
 * that are right by the schemas of the tool, bound ones among them.
 * Invariants: what is bound is taken out of the arguments before anything is judged; a name that is
 * nobody's parameter is refused, whatever its value; no name is looked up in a prototype. A service
 * fetches a file from wherever it is told to, so only hosts that the configuration names are passed
 * on, over https, and what was judged is what is sent, in the form that every reader of addresses
 * agrees on.
 */
import type { ToolDefinition, ToolParameter } from '../table/tool.js';
import type { BoundTool, Tool } from './board.js';
import { wrongOption } from './options.js';
import { isObject } from './schema-check.js';
import { type CallResult, texts } from './texts.js';

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

export type FileHosts = ReadonlySet<string>;

export function fileHostsOf(hosts: readonly string[] = []): FileHosts {
  for (const host of hosts) {
    const address = `https://${host}/`;
    // As an address writes it: nothing else ever equals it.
    if (!URL.canParse(address) || new URL(address).host !== host) throw wrongOption('fileHosts');
  }
  return new Set(hosts);
}

/**
 * The values, with the addresses of files in their usual form; null where one of them must not be
 * passed on.
 */
export function takeFiles(
  { parameters }: ToolDefinition,
  values: Readonly<Record<string, unknown>>,
  bound: Readonly<Record<string, unknown>>,
  hosts: FileHosts,
): Readonly<Record<string, unknown>> | null {
  const taken = { ...values };
  for (const { at, name } of parameters) {
    if (!at?.endsWith('/url') || Object.hasOwn(bound, name) || values[name] === undefined) continue;
    const address = readAddress(values[name], hosts);
    if (address === null) return null;
    taken[name] = address;
  }
  return taken;
}

/** Controls, blanks and invisible signs are dropped or escaped in different ways. */
const odd = /[\s\p{Cc}\p{Cf}\\]/u;

function readAddress(value: unknown, hosts: FileHosts): string | null {
  if (typeof value !== 'string' || odd.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password, pathname, href } = new URL(value);
  const isSafe = protocol === 'https:' && username === '' && password === '';
  // An escaped control is one to whoever reads the path.
  return isSafe && hosts.has(host) && !/%(?:[01][\da-f]|7f)/i.test(pathname) ? href : null;
}
