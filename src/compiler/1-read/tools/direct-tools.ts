/** Whether the platform can call an operation by itself, and where. */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import type { Json } from '../../ir/json.js';
import type { Settled } from '../../ir/options.js';
import type { Request } from '../../ir/workflow.js';
import { faultInAddress } from './direct-address.js';
import { matchOperation } from './match-operation.js';
import { serviceOf } from './operations.js';

/** The base address of the service; null where the platform cannot or need not call it. */
export function findBase(
  request: Request,
  definition: ToolDefinition,
  { serviceUrls }: Settled,
): string | null {
  if (!definition.direct) return null;
  const match = matchOperation(request);
  const own = match?.definition.operation === definition.operation ? match.base : null;
  return serviceUrls.get(serviceOf(definition)) ?? own;
}

/** Why a server is needed, in words; null where none is. `values` are those that are fixed. */
export function whyServer(
  request: Request,
  definition: ToolDefinition,
  options: Settled,
  values: ReadonlyMap<string, Json>,
): string | null {
  if (!definition.direct) return 'it does more than read an answer of JSON';
  if (findBase(request, definition, options) === null) {
    return 'the base address of its service is not known';
  }
  for (const [name, value] of values) {
    const fault = faultInAddress(value);
    if (fault !== null) return `the value of ${name} cannot stand in an address: ${fault}`;
  }
  return null;
}
