/**
 * The methods of the clients, by the operations of tools.
 *
 * In: a definition and values. Out: the call of the client's method with its arguments: what stands
 * in the path, the body, one object with the rest where the operation has one, options. How a
 * service is reached is the clients' business alone.
 */
import { billsOperations } from '../../bills/operations.js';
import { documentOperations } from '../../documents/operations.js';
import type { Operation } from '../../http/operation.js';
import type { CallOptions } from '../../http/options.js';
import { callArguments, type ToolValues } from '../table/call-arguments.js';
import type { ToolDefinition } from '../table/tool.js';
import type { ToolHandlerOptions } from './options.js';

export type Services = Pick<ToolHandlerOptions, 'bills' | 'documents'>;

type Method = (...given: unknown[]) => Promise<unknown>;
type Group = Readonly<Record<string, unknown>>;

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...Object.values(billsOperations).map((each) => [each.id, each] as const),
  ...documentOperations.map((each) => [`documents.${each.id}`, each] as const),
]);

export function hasService(services: Services, { operation }: ToolDefinition): boolean {
  return (operation.startsWith('bills.') ? services.bills : services.documents) !== undefined;
}

/** Whether the operation holds the connection until a document is done: it is started as a run. */
export function takesLong({ operation }: ToolDefinition): boolean {
  return operations.get(operation)?.time === 'processing';
}

export function callService(
  services: Services,
  definition: ToolDefinition,
  values: ToolValues,
  options: CallOptions = {},
): Promise<unknown> {
  const { operation, path } = definition;
  const { query, key, body } = operations.get(operation) ?? {};
  const given = callArguments(definition, values);
  const places = (path.match(/\{/g)?.length ?? 0) + (body ? 1 : 0) + (query || key ? 1 : 0);
  while (given.length < places) given.push({});
  return methodOf(services, operation)(...given, options);
}

/** Starts a run and waits for it, as long as the options say. */
export function runOnService(
  services: Services,
  definition: ToolDefinition,
  values: ToolValues,
  options: CallOptions,
): Promise<unknown> {
  const [body] = callArguments(definition, values);
  return methodOf(services, `${definition.operation}Runs.createAndPoll`)(body, options);
}

/** Names come from the table of operations alone. */
function methodOf(services: Services, operation: string): Method {
  const found = operation
    .split('.')
    .reduce<unknown>((group, name) => (group as Group)[name], services);
  return found as Method;
}
