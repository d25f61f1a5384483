/** Custom tools: those that an answer asked for, and operations that stand in for a request. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonObject } from '../ir/json.js';
import { fromAnswer, type Traced, traced } from '../ir/provenance.js';
import type { FunctionToolIr } from '../ir/squad-ir.js';
import type { ToolCall, WorkflowNode } from '../ir/workflow.js';
import { createToolNames } from '../names/legal-names.js';
import { aliasesOf } from './aliases.js';
import { enumerate, quoted, segment } from './segments.js';

/** The legal name of a tool that a human named. */
export function toolNameOf(wanted: string): string {
  return createToolNames()(wanted).name;
}

/** A tool that gives the values of variables; somebody else implements it under this name. */
export function lowerToolCall(graph: FlowGraph, call: ToolCall): FunctionToolIr {
  const origin = fromAnswer(call.question);
  const properties = Object.fromEntries(
    call.variables.map((name) => [name, parameterOf(graph, name)]),
  );
  return {
    kind: 'function',
    node: null,
    name: traced(toolNameOf(call.tool), origin),
    description: [segment(`Gives the confirmed value of ${enumerate(call.variables)}.`, origin)],
    parameters: traced({ type: 'object', properties, required: [] }, origin),
    aliases: call.variables.map((key) => ({ key, value: traced(`{{ $.${key} }}`, origin) })),
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

/** An operation of an adapter in the place of a request. */
export function lowerOperation(node: WorkflowNode, name: Traced<string>): FunctionToolIr | null {
  const operation = node.request?.operation ?? null;
  if (operation === null) return null;
  const { origin } = operation;
  const body = node.request?.body?.value ?? null;
  const schema = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return {
    kind: 'function',
    node: node.index,
    name,
    description: [
      ...(node.systemPrompt === null ? [] : [quoted(node.systemPrompt), segment(' ', origin)]),
      segment(`Calls the operation ${operation.value.operation}.`, origin),
    ],
    parameters: traced({ properties: {}, type: 'object', ...schema } as JsonObject, origin),
    aliases: aliasesOf(node),
  };
}
