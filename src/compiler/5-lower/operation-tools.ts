/**
 * Operations of an adapter in the place of requests: custom tools that a server answers.
 *
 * In: a request of which every parameter of the operation is settled. Out: a tool with what is left
 * for the model to fill, and what is fixed beside it. Guarantees: no fixed value is a parameter.
 */
import { toolDefinitions } from '../../adapters/tools/table/definitions.js';
import { parametersSchema } from '../../adapters/tools/table/parameters-schema.js';
import type { ToolDefinition } from '../../adapters/tools/table/tool.js';
import type { Json, JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { ToolBinding } from '../ir/result.js';
import type { FunctionToolIr, Rejections, Segment } from '../ir/squad-ir.js';
import type { Operation, WorkflowNode } from '../ir/workflow.js';
import { responsesOf } from './aliases.js';
import { segment } from './segments.js';

/** What the operation is for, in the words of the table; null where the request is a plain one. */
export function purposeOf({ request }: WorkflowNode): Segment | null {
  const operation = request?.operation ?? null;
  if (operation === null || operation.direct) return null;
  const { value, origin } = operation.id;
  return segment(toolDefinitions[value]!.description, origin);
}

/** Null where the request is a plain one, as it is where the platform calls the service itself. */
export function lowerOperation(
  node: WorkflowNode,
  name: Traced<string>,
  description: readonly Segment[] | null,
  rejections: Rejections,
): FunctionToolIr | null {
  const { operation = null, passed = [] } = node.request ?? {};
  if (operation === null || operation.direct) return null;
  const { value: id, origin } = operation.id;
  const definition = toolDefinitions[id]!;
  const bound = operation.bound.map(({ key }) => key);
  return {
    kind: 'function',
    node: node.index,
    name,
    description: description ?? [],
    parameters: traced(parametersSchema(definition, bound) as unknown as JsonObject, origin),
    binding: bindingOf(operation, definition),
    bound: operation.bound,
    server: operation.server,
    passed,
    responses: responsesOf(node),
    rejections,
  };
}

/**
 * What the server has to know. A variable is filled in by the platform, so the server is told which
 * values of callers come so; of the account it believes nothing that comes with a call.
 */
function bindingOf({ id, bound, account }: Operation, { parameters }: ToolDefinition): ToolBinding {
  const said = new Set(parameters.filter(({ from }) => from === 'caller').map(({ name }) => name));
  const reads = (value: Json) => /\{[{%]/.test(JSON.stringify(value));
  const known = bound.filter(({ key, value }) => said.has(key) || !reads(value.value));
  const bind = [...known, ...account].map(({ key, value }) => [key, value.value] as const);
  // What is bound to nothing is not bound.
  return {
    operation: id.value,
    bind: Object.fromEntries(bind.filter(([, value]) => value !== null)),
  };
}
