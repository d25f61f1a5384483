/**
 * What is to be said about requests and the operations that they call.
 *
 * In: the workflow with the operations that a human named, before anything else of them is settled.
 * Out: operations that need a server and have none, values of the source that have no place in the
 * operation, variables that are never told, and requests that call an operation without saying so.
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import { diagnose } from '../../../diagnostics/diagnose.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { Json } from '../../ir/json.js';
import type { Settled } from '../../ir/options.js';
import type { Diagnostic } from '../../ir/result.js';
import type { Request, Workflow, WorkflowNode } from '../../ir/workflow.js';
import { whyServer } from './direct-tools.js';
import { matchOperation } from './match-operation.js';
import { definitionOf } from './operations.js';
import { sayableName } from './sayable-responses.js';
import { readSourceValues } from './source-values.js';

export function checkOperations(
  { nodes }: Workflow,
  order: readonly NodeIndex[],
  options: Settled,
): Diagnostic[] {
  return order.flatMap((index) => {
    const node = nodes[index]!;
    const { request } = node;
    if (request === null) return [];
    if (request.operation === null) return recognise(node, request);
    const definition = definitionOf(request.operation.id.value);
    return definition === null ? [] : check(node, request, definition, options);
  });
}

function check(
  node: WorkflowNode,
  request: Request,
  definition: ToolDefinition,
  options: Settled,
): Diagnostic[] {
  const { operation } = definition;
  const { id, at } = node;
  const why = options.tools === 'direct' ? whyServer(request, definition, options) : null;
  const { leftOver } = readSourceValues(request, definition);
  const untold = options.tools === 'direct' ? [] : request.responses;
  return [
    ...(why === null ? [] : [diagnose('tools/needs-server', at, { node: id, operation, why })]),
    ...leftOver.map((place) => diagnose('tools/no-such-value', place, { node: id, operation })),
    ...untold.flatMap((variable) => {
      if (sayableName(definition, variable) !== null) return [];
      const sayable = definition.sayable.map(({ name }) => name);
      const args = { variable: variable.name, operation, sayable };
      return [diagnose('tools/never-told', variable.at, args)];
    }),
  ];
}

/** An operation that the request calls as it stands: its tool would say more, and check more. */
function recognise({ id, at }: WorkflowNode, request: Request): Diagnostic[] {
  const match = matchOperation(request);
  if (match === null) return [];
  const { operation } = match.definition;
  const { fixed } = readSourceValues(request, match.definition);
  const bind = Object.fromEntries(
    match.definition.parameters.flatMap(({ name }): [string, Json][] => {
      const value = fixed.get(name)?.value ?? null;
      return value === null ? [] : [[name, value]];
    }),
  );
  const binding = JSON.stringify({ [id]: { operation, bind } });
  const { origin } = request.url!;
  const place = origin.kind === 'source' ? origin.at : at;
  return [diagnose('tools/known-operation', place, { node: id, operation, binding })];
}
