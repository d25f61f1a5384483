/**
 * The tools of a handler with what is bound for them, and what the arguments of a call come to.
 *
 * In: options; then, for each call, arguments from a model that anyone may have talked into anything.
 * Out: values that are valid by the schemas of the tool, bound ones included; or why the call is refused.
 * Invariants: what is bound comes from the configuration only, and is taken out of the arguments before
 * they are judged; an unknown name is refused. A bound text with `{{…}}` is filled in by the platform:
 * its value comes with each call, as a text, and is checked like what a caller says.
 */
import { faultOf, isObject, namesBill, parametersLeft } from './arguments.js';
import { type Bound, type ToolBinding, type ToolHandlerOptions, wrongOption } from './options.js';
import { type CallResult, isSayable, results, type SayableFact } from './say.js';
import { type ToolDefinition, type ToolParameter, toolDefinitions } from './table.js';

export interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
  readonly sayable: readonly SayableFact[];
  /** What the configuration binds for this tool only; absent for a tool of the table. */
  readonly bind?: Bound;
  /** Parameters that the platform fills in. */
  readonly filled: ReadonlySet<string>;
}

/** A tool with everything that is bound for it. */
export interface BoundTool extends Tool {
  readonly bound: Bound;
  /** What is left for the caller. */
  readonly asked: readonly ToolParameter[];
  /** The parameter because of which the tool cannot work. */
  readonly fault: string | undefined;
}

/**
 * The tools by name; throws for everything that can be wrong before there is a message.
 * A map, as a model may write any name.
 */
export function settleTools(options: ToolHandlerOptions): ReadonlyMap<string, Tool> {
  const { bind = {}, allow = [], say = {}, tools: given = {} } = options;
  for (const operation of allow) {
    const service = operation.startsWith('bills.') ? 'bills' : 'documents';
    const isKnown = toolDefinitions[operation] !== undefined && options[service] !== undefined;
    if (!isKnown) throw wrongOption(`allow: ${operation}`);
  }
  for (const [operation, facts] of Object.entries(say)) {
    const isRight = toolDefinitions[operation] && facts.every(isSayable);
    if (!isRight) throw wrongOption(`say.${operation}`);
  }
  const sayableOf = ({ operation, sayable }: ToolDefinition): readonly SayableFact[] =>
    Object.hasOwn(say, operation) ? [...sayable, ...say[operation]!] : sayable;
  const tools = new Map<string, Tool>();
  for (const definition of Object.values(toolDefinitions)) {
    const { name } = definition;
    tools.set(name, { name, definition, sayable: sayableOf(definition), filled: new Set() });
  }
  for (const [name, binding] of Object.entries(given)) {
    const tool = toolOf(name, binding);
    tools.set(name, { ...tool, sayable: sayableOf(tool.definition) });
  }
  // What a function binds is only known, and checked, with a message.
  if (typeof bind === 'function') return tools;
  checkNames(bind, 'bind');
  for (const operation of allow) {
    const those = [...tools.values()].filter((each) => each.definition.operation === operation);
    const configured = those.filter((each) => each.bind !== undefined);
    // A squad with a tool of its own does not call that of the table.
    for (const tool of configured.length > 0 ? configured : those) {
      const { fault } = bindTool(tool, bind);
      const option = tool.bind === undefined ? 'bind' : `tools.${tool.name}.bind`;
      if (fault !== undefined) throw wrongOption(`${option}.${fault}`);
    }
  }
  return tools;
}

function toolOf(name: string, binding: string | ToolBinding | null): Omit<Tool, 'sayable'> {
  const given = typeof binding === 'string' ? { operation: binding } : binding;
  const { operation, bind = {} }: Partial<ToolBinding> = given ?? {};
  const definition = toolDefinitions[`${operation}`];
  if (!definition) throw wrongOption(`tools.${name}`);
  checkNames(bind, `tools.${name}.bind`);
  const filled = Object.keys(bind).filter((key) => isTemplate(bind[key]));
  for (const key of filled) {
    // What callers do not decide must not come with a call.
    const parameter = definition.parameters.find((each) => each.name === key);
    if (parameter?.from !== 'caller') throw wrongOption(`tools.${name}.bind.${key}`);
  }
  const fixed = Object.entries(bind).filter(([key]) => !filled.includes(key));
  return { name, definition, bind: Object.fromEntries(fixed), filled: new Set(filled) };
}

const knownNames: ReadonlySet<string> = new Set([
  ...Object.values(toolDefinitions).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  'entry',
  'orgId',
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

/** What is bound for the tool takes precedence over what is bound for all. */
export function bindTool(tool: Tool, shared: Bound): BoundTool {
  const { definition } = tool;
  const bound = { ...shared, ...tool.bind };
  const left = parametersLeft(definition, Object.keys(bound));
  // With one key for all calls, several bills would become one.
  const wrong = definition.parameters.find(
    (each) =>
      Object.hasOwn(bound, each.name) &&
      (each.in === 'header' || faultOf(each, bound[each.name]) !== undefined),
  );
  const missing = left.find(({ from, required }) => from === 'binding' && required);
  const fault = (wrong ?? missing)?.name ?? accountFault(definition, bound);
  return { ...tool, bound, fault, asked: left.filter(({ from }) => from === 'caller') };
}

/** Whose bills a call is about: by the entry, the organization, or both. */
function accountFault(definition: ToolDefinition, { entry, orgId }: Bound): string | undefined {
  if (!namesBill(definition)) return undefined;
  if (entry === undefined ? orgId === undefined : typeof entry !== 'string' || entry === '') {
    return 'entry';
  }
  return orgId === undefined || Number.isSafeInteger(orgId) ? undefined : 'orgId';
}

export type Values = Readonly<Record<string, unknown>>;

/** The values of a call; or why it is refused. */
export function readValues(
  { definition, bound, asked, filled }: BoundTool,
  given: unknown,
  hosts: ReadonlySet<string>,
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
    values[name] = parameter.at?.endsWith('/url') ? readAddress(`${value}`, hosts) : value;
    if (values[name] === null) return results.badAddress;
  }
  const known = new Set([...Object.keys(bound), ...asked.map(({ name }) => name)]);
  if (Object.keys(parsed).some((name) => !known.has(name))) return results.unknownDetail;
  // A body without values would change nothing.
  const body = definition.parameters.filter((each) => each.in === 'body');
  const isEmpty = body.length > 0 && body.every(({ name }) => values[name] === undefined);
  return isEmpty ? results.nothingSaid : { values };
}

/** The platform fills in texts, and an empty one for a variable without a value. */
function readFilled(value: unknown, { schema: { type } }: ToolParameter): unknown {
  if (value === '') return undefined;
  if (typeof value !== 'string') return value;
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) return Number(value);
  return type === 'boolean' && /^(?:true|false)$/.test(value) ? value === 'true' : value;
}

function parse(text: string): unknown {
  // Some models write nothing if there are no arguments.
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function readFileHosts(hosts: readonly string[] = []): ReadonlySet<string> {
  for (const host of hosts) {
    const address = `https://${host}/`;
    // A host that is not in its normal form would never match.
    if (!URL.canParse(address) || new URL(address).host !== host) throw wrongOption('fileHosts');
  }
  return new Set(hosts);
}

/**
 * The address of a file in its normal form: what is checked is what is sent. Null if it must not be
 * passed on, as a service fetches whatever address it is given.
 */
function readAddress(value: string, hosts: ReadonlySet<string>): string | null {
  // Parsers of addresses disagree about controls, blanks and invisible characters.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password, pathname, href } = new URL(value);
  const isSafe = protocol === 'https:' && username === '' && password === '';
  const hasControls = /%(?:[01][\da-f]|7f)/i.test(pathname);
  return isSafe && hosts.has(host) && !hasControls ? href : null;
}
