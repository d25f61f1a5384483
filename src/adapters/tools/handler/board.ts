/**
 * What a handler works with, settled once: the tools by name, what is bound for them, which of them
 * may be called, what may be said.
 *
 * In: options. Out: the same for every message. All that can be wrong with the options is found here
 * (`api/invalid-option`), before there is a message. Bound values come from the configuration alone,
 * and are checked like those of callers. A bound text with `{{…}}` is one that the platform fills in:
 * its value comes with each call, as a text, and is judged like what a caller says. What a function of
 * the configuration binds is known with a message only, and judged then.
 */
import { toolDefinitions } from '../table/definitions.js';
import { parametersLeft } from '../table/parameters-schema.js';
import type { ToolDefinition, ToolParameter } from '../table/tool.js';
import { type FileHosts, fileHostsOf } from './arguments.js';
import { hasService } from './carry-out.js';
import {
  type Bound,
  type HandlerSettings,
  type Limits,
  type ToolHandlerOptions,
  wrongOption,
} from './options.js';
import { isSayable, type Say, type SayableFact, sayerOf } from './say.js';
import { type Check, checkOf } from './schema-check.js';

export interface Tool {
  readonly name: string;
  /** Whether the configuration has made it, not the table alone. */
  readonly configured: boolean;
  readonly definition: ToolDefinition;
  readonly bind: Bound;
  /** Parameters that the platform fills in. */
  readonly filled: ReadonlySet<string>;
  /** By parameter. */
  readonly checks: ReadonlyMap<string, Check>;
}

/** A map: a name of a tool is anything that a model may write. */
function toolsByName(given: ToolHandlerOptions['tools'] = {}): ReadonlyMap<string, Tool> {
  const tools = Object.values(toolDefinitions).map((definition) =>
    toolOf(definition.name, definition),
  );
  for (const [name, binding] of Object.entries(given)) {
    const { operation, bind = {} } =
      typeof binding === 'string' ? { operation: binding } : (binding ?? {});
    const definition = toolDefinitions[`${operation}`];
    if (!definition) throw wrongOption(`tools.${name}`);
    tools.push(toolOf(name, definition, bind));
  }
  // Of the same name, the later one counts: the configuration's.
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function toolOf(name: string, definition: ToolDefinition, bind?: Bound): Tool {
  const bound = Object.entries(bind ?? {});
  for (const [key, value] of bound) {
    const parameter = definition.parameters.find((each) => each.name === key);
    // What no caller decides must not come with a call.
    if (isTemplate(value) && parameter?.from !== 'caller')
      throw wrongOption(`tools.${name}.bind.${key}`);
  }
  return {
    name,
    configured: bind !== undefined,
    definition,
    bind: Object.fromEntries(bound.filter(([, value]) => !isTemplate(value))),
    filled: new Set(bound.filter(([, value]) => isTemplate(value)).map(([key]) => key)),
    checks: new Map(definition.parameters.map((each) => [each.name, checkOf(each.schema)])),
  };
}

function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\{[{%]/.test(value);
}

/** Whose bills a call is about; at least one of both is there. */
export interface Account {
  readonly entry?: unknown;
  readonly orgId?: unknown;
}

/** A tool with all that is bound for it. */
export interface BoundTool {
  readonly tool: Tool;
  readonly bound: Bound;
  /** What is left for the caller to say. */
  readonly asked: readonly ToolParameter[];
  /** The name of a parameter because of which the tool cannot work; undefined where it can. */
  readonly fault: string | undefined;
}

/** What the tool has bound of its own goes before what is bound for all. */
export function bindTool(tool: Tool, shared: Bound): BoundTool {
  const bound = { ...shared, ...tool.bind };
  const left = parametersLeft(tool.definition, Object.keys(bound));
  const asked = left.filter(({ from }) => from === 'caller');
  const missing = left.find(({ from, required }) => from === 'binding' && required);
  return {
    tool,
    bound,
    asked,
    fault: wrongValue(tool, bound) ?? missing?.name ?? accountFault(tool, bound),
  };
}

/** Whether the tool acts on one bill, whose owner has to be looked at before. */
export function namesBill({ definition }: Tool): boolean {
  return definition.parameters.some(({ name }) => name === 'idBill');
}

/** The first parameter whose bound value is none that it can have. */
function wrongValue({ definition, checks }: Tool, bound: Bound): string | undefined {
  for (const { name, in: place } of definition.parameters) {
    if (!Object.hasOwn(bound, name)) continue;
    // One key for all calls would make one bill of several.
    if (place === 'header' || checks.get(name)?.(bound[name]) !== undefined) return name;
  }
  return undefined;
}

function accountFault(tool: Tool, { entry, orgId }: Account): string | undefined {
  if (!namesBill(tool)) return undefined;
  if (entry === undefined) return Number.isSafeInteger(orgId) ? undefined : 'entry';
  if (typeof entry !== 'string' || entry === '') return 'entry';
  return orgId === undefined || Number.isSafeInteger(orgId) ? undefined : 'orgId';
}

const knownNames: ReadonlySet<string> = new Set([
  ...Object.values(toolDefinitions).flatMap(({ parameters }) => parameters.map(({ name }) => name)),
  ...['entry', 'orgId'],
]);

/** A misspelt name would bind nothing, and leave to callers what it was meant to fix. */
function checkNames(bound: Bound, option: string): void {
  for (const [name, value] of Object.entries(bound)) {
    if (!knownNames.has(name)) throw wrongOption(`${option}.${name}`);
    if (option === 'bind' && isTemplate(value)) throw wrongOption(`${option}.${name}`);
  }
}

export interface Board {
  /** A map: a name of a tool is anything that a model may write. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** With all that is bound for them; empty where that is known with a message only. */
  readonly bound: ReadonlyMap<Tool, BoundTool>;
  /** Of the operations that may be called, and of no others: how their answers are said. */
  readonly sayers: ReadonlyMap<string, Say>;
  readonly hosts: FileHosts;
}

export function boardOf(options: HandlerSettings, { resultChars }: Limits): Board {
  const tools = toolsByName(options.tools);
  const allowed = allowedOperations(options);
  const bound = boundTools(options, [...tools.values()]);
  checkBound([...bound.values()], allowed);
  const hosts = fileHostsOf(options.fileHosts);
  return { tools, bound, hosts, sayers: sayersOf(options, allowed, resultChars) };
}

function allowedOperations({ allow = [], ...services }: HandlerSettings): ReadonlySet<string> {
  for (const operation of allow) {
    const definition = toolDefinitions[operation];
    if (!definition || !hasService(services, definition)) throw wrongOption(`allow: ${operation}`);
  }
  return new Set(allow);
}

function sayersOf(
  { say = {} }: HandlerSettings,
  allowed: ReadonlySet<string>,
  maxChars: number,
): Board['sayers'] {
  for (const [operation, facts] of Object.entries(say)) {
    const right = toolDefinitions[operation] && facts.every(isSayable);
    if (!right) throw wrongOption(`say.${operation}`);
  }
  const sayer = ({ operation, effect, sayable }: ToolDefinition) => {
    const more: readonly SayableFact[] = Object.hasOwn(say, operation)
      ? (say[operation] ?? [])
      : [];
    return [operation, sayerOf([...sayable, ...more], effect, maxChars)] as const;
  };
  const definitions = Object.values(toolDefinitions);
  return new Map(definitions.filter(({ operation }) => allowed.has(operation)).map(sayer));
}

/** What is bound by a function is known with a message only, and judged then. */
function boundTools({ bind = {} }: HandlerSettings, tools: readonly Tool[]): Board['bound'] {
  for (const tool of tools) checkNames(tool.bind, `tools.${tool.name}.bind`);
  if (typeof bind === 'function') return new Map();
  checkNames(bind, 'bind');
  return new Map(tools.map((tool) => [tool, bindTool(tool, bind)]));
}

function checkBound(bound: readonly BoundTool[], allowed: ReadonlySet<string>): void {
  for (const operation of allowed) {
    const those = bound.filter(({ tool }) => tool.definition.operation === operation);
    const configured = those.filter(({ tool }) => tool.configured);
    // Where a squad has a tool of its own, the one of the table is not called.
    for (const { tool, fault } of configured.length > 0 ? configured : those) {
      const option = tool.configured ? `tools.${tool.name}.bind` : 'bind';
      if (fault !== undefined) throw wrongOption(`${option}.${fault}`);
    }
  }
}
