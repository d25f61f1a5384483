/**
 * The tools of a handler with all that is bound for them, and what a call of one comes to.
 *
 * In: options; then, for each call, arguments as they came, from a model that anyone may have talked
 * into anything. Out: values that are right by the schemas of the tool, bound ones among them; or why
 * the call is refused.
 * Invariants: what is bound comes from the configuration alone and is taken out of the arguments
 * before anything is judged; a name that is nobody's parameter is refused, whatever its value; no
 * name is looked up in a prototype. A bound text with `{{…}}` is one that the platform fills in: its
 * value comes with each call, as a text, and is judged like what a caller says.
 */
import { faultOf, isObject } from './check.js';
import { type Bound, type ToolHandlerOptions, wrongOption } from './options.js';
import { type CallResult, isSayable, results } from './say.js';
import { namesBill, parametersLeft, toolDefinitions } from './table.js';
import type { ToolDefinition, ToolParameter } from './tool.js';

export interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** The option that has its bound values: `bind` for a tool that the table alone has made. */
  readonly option: string;
  readonly bind: Bound;
  /** Parameters that the platform fills in. */
  readonly filled: ReadonlySet<string>;
}

/** Whose bills a call is about; at least one of both is there. */
export interface Account {
  readonly entry?: unknown;
  readonly orgId?: unknown;
}

/** A tool with all that is bound for it. */
export interface BoundTool extends Tool {
  readonly bound: Bound;
  /** What is left for the caller to say. */
  readonly asked: readonly ToolParameter[];
  /** The name of a parameter because of which the tool cannot work; undefined where it can. */
  readonly fault: string | undefined;
}

/**
 * The tools by name; throws for all that can be wrong with the options before there is a message.
 * A map: a name of a tool is anything that a model may write.
 */
export function settleTools(options: ToolHandlerOptions): ReadonlyMap<string, Tool> {
  const { bind = {}, allow = [], say = {}, tools: given = {} } = options;
  const tools = new Map<string, Tool>();
  for (const definition of Object.values(toolDefinitions)) {
    const { name } = definition;
    tools.set(name, { name, definition, option: 'bind', bind: {}, filled: new Set() });
  }
  // Of the same name, the configuration's counts.
  for (const [name, binding] of Object.entries(given)) tools.set(name, toolOf(name, binding));
  for (const operation of allow) {
    const service = operation.startsWith('bills.') ? 'bills' : 'documents';
    const known = toolDefinitions[operation] !== undefined && options[service] !== undefined;
    if (!known) throw wrongOption(`allow: ${operation}`);
  }
  for (const [operation, facts] of Object.entries(say)) {
    const right = toolDefinitions[operation] && facts.every(isSayable);
    if (!right) throw wrongOption(`say.${operation}`);
  }
  // What a function binds is known with a message only, and judged then.
  if (typeof bind === 'function') return tools;
  checkNames(bind, 'bind');
  for (const operation of allow) {
    const those = [...tools.values()].filter((each) => each.definition.operation === operation);
    const configured = those.filter(({ option }) => option !== 'bind');
    // Where a squad has a tool of its own, the one of the table is not called.
    for (const tool of configured.length > 0 ? configured : those) {
      const { fault } = bindTool(tool, bind);
      if (fault !== undefined) throw wrongOption(`${tool.option}.${fault}`);
    }
  }
  return tools;
}

function toolOf(
  name: string,
  binding: NonNullable<ToolHandlerOptions['tools']>[string] | null,
): Tool {
  const { operation, bind = {} } =
    typeof binding === 'string' ? { operation: binding } : (binding ?? { operation: '' });
  const definition = toolDefinitions[`${operation}`];
  if (!definition) throw wrongOption(`tools.${name}`);
  const option = `tools.${name}.bind`;
  checkNames(bind, option);
  const filled = Object.keys(bind).filter((key) => isTemplate(bind[key]));
  for (const key of filled) {
    // What no caller decides must not come with a call.
    const parameter = definition.parameters.find((each) => each.name === key);
    if (parameter?.from !== 'caller') throw wrongOption(`${option}.${key}`);
  }
  const fixed = Object.entries(bind).filter(([key]) => !filled.includes(key));
  return { name, definition, option, bind: Object.fromEntries(fixed), filled: new Set(filled) };
}

const knownNames: ReadonlySet<string> = new Set([
  ...Object.values(toolDefinitions).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  ...['entry', 'orgId'],
]);

/** A misspelt name would bind nothing, and leave to callers what it was meant to fix. */
function checkNames(bound: Bound, option: string): void {
  for (const [name, value] of Object.entries(bound)) {
    const isRight = knownNames.has(name) && !(option === 'bind' && isTemplate(value));
    if (!isRight) throw wrongOption(`${option}.${name}`);
  }
}

function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\{[{%]/.test(value);
}

/** What the tool has bound of its own goes before what is bound for all. */
export function bindTool(tool: Tool, shared: Bound): BoundTool {
  const { definition } = tool;
  const bound = { ...shared, ...tool.bind };
  const left = parametersLeft(definition, Object.keys(bound));
  // One key for all calls would make one bill of several.
  const wrong = definition.parameters.find(
    (each) =>
      Object.hasOwn(bound, each.name) &&
      (each.in === 'header' || faultOf(each, bound[each.name]) !== undefined),
  );
  const missing = left.find(({ from, required }) => from === 'binding' && required);
  const fault = (wrong ?? missing)?.name ?? accountFault(definition, bound);
  return { ...tool, bound, fault, asked: left.filter(({ from }) => from === 'caller') };
}

function accountFault(definition: ToolDefinition, { entry, orgId }: Account): string | undefined {
  if (!namesBill(definition)) return undefined;
  if (entry === undefined) return Number.isSafeInteger(orgId) ? undefined : 'entry';
  if (typeof entry !== 'string' || entry === '') return 'entry';
  return orgId === undefined || Number.isSafeInteger(orgId) ? undefined : 'orgId';
}

export type Values = Readonly<Record<string, unknown>>;

/** The values of a call; or why it is refused. */
export function readValues(
  { definition, bound, asked, filled }: BoundTool,
  given: unknown,
  hosts: FileHosts,
  maxChars: number,
): { readonly values: Values } | CallResult {
  if (typeof given === 'string' && given.length > maxChars) return results.tooMuch;
  const parsed = typeof given === 'string' ? parse(given) : (given ?? {});
  if (!isObject(parsed)) return results.unreadable;
  const values: Record<string, unknown> = { ...bound };
  for (const parameter of asked) {
    const { name, required } = parameter;
    const said = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    const value = filled.has(name) ? readFilled(said, parameter) : said;
    if (value === undefined) {
      if (required) return results.missing(name);
      continue;
    }
    const fault = faultOf(parameter, value);
    if (fault !== undefined) return results.wrong(name, fault);
    const address = parameter.at?.endsWith('/url') ? addressOf(`${value}`, hosts) : undefined;
    if (address === null) return results.badAddress;
    values[name] = address ?? value;
  }
  for (const name of Object.keys(parsed)) {
    const belongs = Object.hasOwn(bound, name) || asked.some((each) => each.name === name);
    if (!belongs) return results.unknownDetail;
  }
  // A change of nothing: the operation has a body, and no value for it.
  const body = definition.parameters.filter((each) => each.in === 'body');
  const saysNothing = body.length > 0 && body.every(({ name }) => values[name] === undefined);
  return saysNothing ? results.nothingSaid : { values };
}

/** The platform fills in texts, and an empty one where there is nothing to fill in. */
function readFilled(value: unknown, { schema: { type } }: ToolParameter): unknown {
  if (value === '') return undefined;
  if (typeof value !== 'string') return value;
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) return Number(value);
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
 * The address of a file, in the form that every reader of addresses agrees on: what is judged is what
 * is sent. Null where it must not be passed on, as a service fetches from wherever it is told to.
 */
function addressOf(value: string, hosts: FileHosts): string | null {
  // Controls, blanks and invisible signs are dropped or escaped in different ways.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password, pathname, href } = new URL(value);
  const isSafe = protocol === 'https:' && username === '' && password === '';
  // An escaped control is one to whoever reads the path.
  return isSafe && hosts.has(host) && !/%(?:[01][\da-f]|7f)/i.test(pathname) ? href : null;
}
