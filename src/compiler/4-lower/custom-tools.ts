/** Custom tools: those that an answer asked for, and operations that stand in for a request. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonObject } from '../ir/json.js';
import { fromAnswer, type Traced, traced } from '../ir/provenance.js';
import type { FunctionToolIr, Segment, SettingIr } from '../ir/squad-ir.js';
import type { Operation, Request, ToolCall, WorkflowNode } from '../ir/workflow.js';
import { createToolNames } from '../names/legal-names.js';
import { responsesOf } from './aliases.js';
import { enumerate, segment } from './segments.js';

/** The legal name of a tool that a human named. */
export function toolNameOf(wanted: string): string {
  return createToolNames()(wanted).name;
}

/** A tool that gives the values of variables; somebody else implements it under this name. */
export function lowerToolCalls(graph: FlowGraph, calls: readonly ToolCall[]): FunctionToolIr {
  const [first] = calls;
  const origin = fromAnswer(first!.question);
  const variables = [...new Set(calls.flatMap((call) => call.variables))];
  const properties = Object.fromEntries(variables.map((name) => [name, parameterOf(graph, name)]));
  return {
    kind: 'function',
    node: null,
    name: traced(toolNameOf(first!.tool), origin),
    description: [segment(`Gives the confirmed value of ${enumerate(variables)}.`, origin)],
    parameters: traced({ type: 'object', properties, required: [] }, origin),
    bound: [],
    passed: [],
    rejections: [],
    responses: {
      schema: null,
      aliases: variables.map((key) => ({ key, value: traced(`{{ $.${key} }}`, origin) })),
    },
  };
}

/** What the caller said, so that the tool can confirm it. */
function parameterOf(graph: FlowGraph, name: string): JsonObject {
  for (const node of graph.order) {
    const capture = graph.workflow.nodes[node]!.captures.find((it) => it.name === name);
    if (capture === undefined) continue;
    return { type: capture.type, description: capture.description?.value ?? name };
  }
  return { type: 'string', description: name };
}

/** Fields of a request's tool that a custom tool has too; the others say how a request is sent. */
const common: ReadonlySet<string> = new Set(['messages', 'rejectionPlan']);

/** An operation of an adapter in the place of a request. */
export function lowerOperation(
  node: WorkflowNode,
  name: Traced<string>,
  description: readonly Segment[] | null,
): Omit<FunctionToolIr, 'rejections'> | null {
  const { request } = node;
  if (request === null || request.operation === null) return null;
  const { value, origin } = request.operation;
  const body = request.body?.value ?? null;
  const schema = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return {
    kind: 'function',
    node: node.index,
    name,
    description: description ?? [segment(`Calls the operation ${value.operation}.`, origin)],
    parameters: traced({ properties: {}, type: 'object', ...schema } as JsonObject, origin),
    bound: listBound(request.operation, request),
    passed: request.passed.filter(({ key }) => common.has(key)),
    responses: responsesOf(node),
  };
}

/** What the answer binds, and what the source fixes under other keys. */
function listBound({ value, origin }: Traced<Operation>, { statics }: Request): SettingIr[] {
  const bound = Object.entries(value.bind).map(([key, fixed]) => ({
    key,
    value: traced(fixed, origin),
  }));
  return [...bound, ...statics.filter(({ key }) => !Object.hasOwn(value.bind, key))];
}
