/**
 * What is to be said about requests and the operations that they call.
 *
 * In: the workflow with the operations that a human named, before anything else of them is settled.
 * Out: operations that need a server and have none, accounts that nobody checks, headers and values
 * of the source that are left out, variables that are never told, and requests that call an
 * operation without saying so.
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import { diagnose } from '../../../diagnostics/diagnose.js';
import { extend } from '../../../graph/lists.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { Json } from '../../ir/json.js';
import type { Settled } from '../../ir/options.js';
import type { Diagnostic } from '../../ir/result.js';
import type { Request, Workflow, WorkflowNode } from '../../ir/workflow.js';
import { nameHeaders } from '../auth-headers.js';
import { whyServer } from './direct-tools.js';
import { matchOperation } from './match-operation.js';
import { definitionOf } from './operations.js';
import { sayableName } from './sayable-responses.js';
import { type LeftOut, readSourceValues, type SourceValues } from './source-values.js';

export function checkOperations(
  { nodes }: Workflow,
  order: readonly NodeIndex[],
  options: Settled,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const index of order) {
    const node = nodes[index]!;
    if (node.request !== null) extend(found, checkRequest(node, node.request, options));
  }
  return found;
}

function checkRequest(node: WorkflowNode, request: Request, options: Settled): Diagnostic[] {
  if (request.operation === null) return recognise(node, request);
  const definition = definitionOf(request.operation.id.value);
  return definition === null ? [] : check(node, request, definition, options);
}

function check(
  node: WorkflowNode,
  request: Request,
  definition: ToolDefinition,
  options: Settled,
): Diagnostic[] {
  const { fixed, leftOut, offered } = readSourceValues(request, definition);
  const isDirect = options.tools === 'direct';
  const reach = isDirect
    ? checkDirect(node, request, definition, options, fixed)
    : checkServed(node, request, definition);
  // What is needed is asked for.
  const unfilled = [...offered.values()].filter((it) => isDirect && !it.parameter.required);
  const why = 'what the platform calls itself is given nothing by the model';
  const lost = [...leftOut, ...unfilled.map((it): LeftOut => ({ ...it, why }))];
  return [...reach, ...lost.flatMap((it) => reportLeftOut(node, request, definition, it))];
}

/** What the platform calls by itself: whether it can, and what only a server would do. */
function checkDirect(
  { id, at }: WorkflowNode,
  request: Request,
  definition: ToolDefinition,
  options: Settled,
  fixed: SourceValues['fixed'],
): Diagnostic[] {
  const { operation } = definition;
  const { bound, account } = request.operation!;
  const named = [...fixed, ...bound.map(({ key, value }) => [key, value] as const)];
  const values = new Map(named.map(([name, { value }]) => [name, value]));
  const why = whyServer(request, definition, options, values);
  if (why !== null) return [diagnose('tools/needs-server', at, { node: id, operation, why })];
  if (account.length === 0) return [];
  const names = account.map(({ key }) => key);
  return [diagnose('tools/account-unchecked', at, { node: id, operation, names })];
}

/** What a server answers: the headers that it sends are its own, and it tells what may be said. */
function checkServed(
  { id, at }: WorkflowNode,
  { headers, responses }: Request,
  definition: ToolDefinition,
): Diagnostic[] {
  const { operation } = definition;
  const names = nameHeaders(headers?.value ?? null);
  const place = headers?.origin.kind === 'source' ? headers.origin.at : at;
  return [
    ...(names.length === 0
      ? []
      : [diagnose('tools/headers-left-out', place, { node: id, operation, names })]),
    ...responses.flatMap((variable) => {
      if (sayableName(definition, variable) !== null) return [];
      const sayable = definition.sayable.map(({ name }) => name);
      const args = { variable: variable.name, operation, sayable };
      return [diagnose('tools/never-told', variable.at, args)];
    }),
  ];
}

/** Nothing is to be said where a human has fixed the parameter: the value was replaced on purpose. */
function reportLeftOut(
  { id, at }: WorkflowNode,
  request: Request,
  { operation }: ToolDefinition,
  { field, origin, parameter, why }: LeftOut,
): Diagnostic[] {
  if (request.operation!.bound.some(({ key }) => key === parameter?.name)) return [];
  const place = origin.kind === 'source' ? origin.at : at;
  return [diagnose('tools/no-such-value', place, { node: id, operation, field, why })];
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
