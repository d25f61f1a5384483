/** The operations that a request can call, by their ids (the table of tools). */
import { toolDefinitions } from '../../../adapters/tools/table/definitions.js';
import type { ToolDefinition, ToolParameter } from '../../../adapters/tools/table/tool.js';
import { findNearest } from '../../names/nearest.js';

/** Null where there is no such operation. */
export function definitionOf(operation: string): ToolDefinition | null {
  return Object.hasOwn(toolDefinitions, operation) ? toolDefinitions[operation]! : null;
}

/** The ids, in the order of the table. */
export const operationIds: readonly string[] = Object.keys(toolDefinitions);

/** Those that the platform can call by itself. */
export const directIds: readonly string[] = operationIds.filter(
  (id) => toolDefinitions[id]!.direct,
);

export const definitions: readonly ToolDefinition[] = Object.values(toolDefinitions);

export function nearestOperation(operation: string): string | null {
  return findNearest(operation, operationIds);
}

export function parameterOf(definition: ToolDefinition, name: string): ToolParameter | null {
  return definition.parameters.find((parameter) => parameter.name === name) ?? null;
}

/**
 * What says whose bill it is, for an operation on one that does not say so itself: the server looks
 * before it acts.
 */
export function accountParameter(definition: ToolDefinition, name: string): ToolParameter | null {
  if (parameterOf(definition, 'idBill') === null) return null;
  if (name === 'entry') return parameterOf(toolDefinitions['bills.list']!, name);
  return name === 'orgId' ? parameterOf(toolDefinitions['bills.listByOrg']!, name) : null;
}

/** The service that has the operation: `bills` of `bills.get`. */
export function serviceOf({ operation }: ToolDefinition): string {
  return operation.slice(0, operation.indexOf('.'));
}
