/**
 * What is bound for a tool, and whether that is enough and right.
 *
 * Bound values come from the configuration alone. They are checked like those of callers, as a
 * function of the configuration may have made them of the message. What such a function does not
 * make is the same for all calls, and settled once.
 */
import { toolDefinitions } from '../table/definitions.js';
import { parametersLeft } from '../table/parameters-schema.js';
import type { ToolParameter } from '../table/tool.js';
import { type Bound, wrongOption } from './options.js';
import { isTemplate, type Tool } from './tools-by-name.js';

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
export function checkNames(bound: Bound, option: string): void {
  for (const [name, value] of Object.entries(bound)) {
    if (!knownNames.has(name)) throw wrongOption(`${option}.${name}`);
    if (option === 'bind' && isTemplate(value)) throw wrongOption(`${option}.${name}`);
  }
}
