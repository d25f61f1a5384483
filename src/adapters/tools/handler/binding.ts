/**
 * What is bound for a call, and whether that is enough and right.
 *
 * Bound values come from the configuration alone. They are checked like those of callers, as a
 * function of the configuration may have made them of the message.
 */
import { toolDefinitions } from '../table/definitions.js';
import { parametersLeft } from '../table/parameters-schema.js';
import { type Bound, wrongOption } from './options.js';
import { isTemplate, type Tool } from './tools-by-name.js';

/** Whose bills a call is about; at least one of both is there. */
export interface Account {
  readonly entry?: unknown;
  readonly orgId?: unknown;
}

/** What is bound for this tool: its own goes first. */
export function boundFor({ bind }: Tool, shared: Bound): Bound {
  return { ...shared, ...bind };
}

/** Whether the tool acts on one bill, whose owner has to be looked at before. */
export function namesBill({ definition }: Tool): boolean {
  return definition.parameters.some(({ name }) => name === 'idBill');
}

/** The name of a parameter because of which the tool cannot work; undefined where it can. */
export function bindingFault(tool: Tool, bound: Bound): string | undefined {
  for (const { name, in: place } of tool.definition.parameters) {
    if (!Object.hasOwn(bound, name)) continue;
    // One key for all calls would make one bill of several.
    if (place === 'header' || tool.checks.get(name)?.(bound[name]) !== undefined) return name;
  }
  const left = parametersLeft(tool.definition, Object.keys(bound));
  const missing = left.find(({ from, required }) => from === 'binding' && required);
  if (missing) return missing.name;
  return namesBill(tool) ? accountFault(bound) : undefined;
}

function accountFault({ entry, orgId }: Account): string | undefined {
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
