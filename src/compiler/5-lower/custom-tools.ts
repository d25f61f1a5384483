/** Custom tools that an answer asked for; somebody else implements them. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonObject } from '../ir/json.js';
import { fromAnswer, traced } from '../ir/provenance.js';
import type { FunctionToolIr } from '../ir/squad-ir.js';
import type { ToolCall } from '../ir/workflow.js';
import { createToolNames } from '../names/legal-names.js';
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
    binding: null,
    bound: [],
    server: null,
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
