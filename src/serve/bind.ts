/**
 * The tools of a handler with what is bound for them, and what the arguments of a call come to.
 *
 * In: options; then, for each call, arguments from a model that anyone may have talked into anything.
 * Out: values that are valid by the schemas of the tool, bound ones included; or why the call is refused.
 * Invariants: what is bound comes from the configuration only, and is taken out of the arguments before
 * they are judged; an unknown name is refused. A bound text with `{{…}}` is filled in by the platform:
 * its value comes with each call, as a text, and is checked like what a caller says.
 */
import { isObject } from '../text/json.js';
import { faultOf, isTemplate, namesBill, parametersLeft } from './arguments.js';
import { type Bound, type ToolHandlerOptions, wrongOption } from './options.js';
import { type CallResult, isSayable, results } from './say.js';
import { type ToolDefinition, type ToolParameter, toolDefinitions } from './table.js';

export interface Tool {
  readonly name: string;
  readonly definition: ToolDefinition;
  /** What the configuration binds for this tool only; absent for a tool of the table. */
  readonly bind?: Bound;
}

/** A tool with everything that is bound for it. */
export interface BoundTool extends Tool {
  readonly bound: Bound;
  /** What comes with a call, from the caller or filled in by the platform. */
  readonly asked: readonly ToolParameter[];
  /** The parameter because of which the tool cannot work. */
  readonly fault: string | undefined;
}

/**
 * The tools by name; throws for everything that can be wrong before there is a message.
 * A map, as a model may write any name.
 */
export function resolveTools(options: ToolHandlerOptions): ReadonlyMap<string, Tool> {
  const { bind = {}, allow = [], say = {}, tools: given = {} } = options;
  for (const operation of allow) {
    const service = operation.startsWith('bills.') ? 'bills' : 'documents';
    if (!toolDefinitions[operation] || !options[service]) throw wrongOption(`allow: ${operation}`);
  }
  for (const [operation, facts] of Object.entries(say)) {
    const isRight = toolDefinitions[operation] && facts.every(isSayable);
    if (!isRight) throw wrongOption(`say.${operation}`);
  }
  const own = Object.entries(given).map(([name, binding]): Tool => {
    const { operation, bind: values = {} } =
      typeof binding === 'string' ? { operation: binding } : binding;
    const definition = toolDefinitions[operation];
    if (!definition) throw wrongOption(`tools.${name}`);
    checkNames(values, `tools.${name}.bind`, definition.parameters);
    return { name, definition, bind: values };
  });
  // Under its name in the table, an operation would escape what is bound for a tool of its own.
  const named = new Set(own.map(({ definition }) => definition.operation));
  const ofTable = Object.values(toolDefinitions)
    .filter(({ operation }) => !named.has(operation))
    .map((definition): Tool => ({ name: definition.name, definition }));
  const tools = new Map([...ofTable, ...own].map((tool) => [tool.name, tool]));
  // What a function binds is only known, and checked, with a message.
  if (typeof bind === 'function') return tools;
  checkNames(bind, 'bind', []);
  for (const tool of tools.values()) {
    if (!allow.includes(tool.definition.operation)) continue;
    const { fault } = bindTool(tool, bind);
    const option = tool.bind ? `tools.${tool.name}.bind` : 'bind';
    if (fault !== undefined) throw wrongOption(`${option}.${fault}`);
  }
  return tools;
}

const knownNames: ReadonlySet<string> = new Set(
  Object.values(toolDefinitions).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
);

/** Whose bills a call is about: by the entry, the organization, or both. */
const accountParameters = (['entry', 'orgId'] as const).map((name) => ({
  name,
  in: 'path' as const,
}));

/**
 * A misspelt name would bind nothing, and leave to callers what it was meant to fix. What callers do
 * not decide must not be filled in, as its value would come with a call.
 */
export function checkNames(
  bound: Bound,
  option: string,
  parameters: readonly ToolParameter[],
): void {
  const isSaid = (key: string) => parameters.find(({ name }) => name === key)?.from === 'caller';
  for (const [name, value] of Object.entries(bound)) {
    const isRight = knownNames.has(name) && (!isTemplate(value) || isSaid(name));
    if (!isRight) throw wrongOption(`${option}.${name}`);
  }
}

/** What is bound for the tool takes precedence over what is bound for all. */
export function bindTool(tool: Tool, shared: Bound): BoundTool {
  const { definition, bind = {} } = tool;
  const fixed = Object.entries(bind).filter(([, value]) => !isTemplate(value));
  const bound = { ...shared, ...Object.fromEntries(fixed) };
  const left = parametersLeft(definition, Object.keys(bound));
  const account = namesBill(definition) ? accountParameters : [];
  const isOpen = account.length > 0 && account.every(({ name }) => bound[name] === undefined);
  // With one key for all calls, several bills would become one.
  const wrong = [...definition.parameters, ...account].find(
    (each) =>
      Object.hasOwn(bound, each.name) &&
      (each.in === 'header' || faultOf(each, bound[each.name]) !== undefined),
  );
  const missing = left.find(({ from, required }) => from === 'binding' && required);
  const fault = (wrong ?? missing)?.name ?? (isOpen ? 'entry' : undefined);
  return { ...tool, bound, fault, asked: left.filter(({ from }) => from === 'caller') };
}

export type Values = Readonly<Record<string, unknown>>;

/** The values of a call; or why it is refused. */
export function readValues(
  { definition, bind = {}, bound, asked }: BoundTool,
  given: unknown,
  hosts: ReadonlySet<string>,
): { readonly values: Values } | CallResult {
  const parsed = typeof given === 'string' ? parse(given) : (given ?? {});
  if (!isObject(parsed)) return results.unreadable;
  const values: Record<string, unknown> = { ...bound };
  for (const parameter of asked) {
    const { name, required } = parameter;
    const said = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    const value = isTemplate(bind[name]) ? readFilled(said, parameter) : said;
    if (value === undefined) {
      if (required) return results.missing(name);
      continue;
    }
    const fault = faultOf(parameter, value);
    if (fault !== undefined) return results.wrong(name, fault);
    values[name] = parameter.at?.endsWith('/url') ? readFileAddress(`${value}`, hosts) : value;
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
  try {
    // Some models write nothing if there are no arguments.
    return JSON.parse(text.trim() || '{}');
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
function readFileAddress(value: string, hosts: ReadonlySet<string>): string | null {
  // Parsers of addresses disagree about controls, blanks and invisible characters.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(value) || !URL.canParse(value)) return null;
  const { protocol, host, username, password, pathname, href } = new URL(value);
  const isSafe = protocol === 'https:' && username === '' && password === '';
  const hasControls = /%(?:[01][\da-f]|7f)/i.test(pathname);
  return isSafe && hosts.has(host) && !hasControls ? href : null;
}
