/** Small workflows by hand, and what the phases make of them. */

import { parseWorkflow } from '../../src/compiler/1-read/parse-workflow.js';
import { findStart } from '../../src/compiler/2-ask/ask-about-nodes.js';
import { computeFlowGraph } from '../../src/compiler/3-analyze/flow-graph.js';
import { compile } from '../../src/compiler/compile.js';
import type { FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../src/compiler/ir/ids.js';
import type { JsonObject } from '../../src/compiler/ir/json.js';
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { CompileResult, Diagnostic } from '../../src/compiler/ir/result.js';
import type { Workflow } from '../../src/compiler/ir/workflow.js';

type Fields = Readonly<Record<string, unknown>>;

/** A workflow in a few words. */
export interface Plan extends Fields {
  /** By id, the prompt of a conversation, or the fields of a node of any type. */
  readonly nodes: Readonly<Record<string, string | object>>;
  /** `a > b`, or `a > b: the condition`. */
  readonly edges?: readonly string[];
}

/** The document that a plan stands for, in the shape of spec/3. */
export function workflow({ nodes, edges = [], ...more }: Plan): Record<string, unknown> {
  return {
    name: 'By hand',
    nodes: Object.entries(nodes).map(([id, node]) =>
      typeof node === 'string'
        ? { id, type: 'conversation', systemPrompt: node }
        : { id, type: 'conversation', ...node },
    ),
    edges: edges.map((edge) => {
      const [, from, to, condition] = /^(\S+) > ([^:\s]+)(?:: (.*))?$/s.exec(edge)!;
      return condition === undefined ? { from, to } : { from, to, condition };
    }),
    ...more,
  };
}

export const end = { type: 'endCall' };

/** A transfer to a number. */
export function transfer(more: Fields = {}): Fields {
  return { type: 'transferCall', destination: '+14155550100', ...more };
}

/** A request that leaves nothing open. */
export function request(more: Fields = {}): Fields {
  const headers = { Authorization: 'Bearer sample' };
  return { type: 'apiRequest', url: 'https://api.example.com', method: 'GET', headers, ...more };
}

/** A node that captures variables; `name: type` where one is no string. */
export function capturing(...names: string[]): Fields {
  return { type: 'gather', systemPrompt: `Ask for ${names.join(', ')}.`, ...captures(...names) };
}

export function captures(...names: string[]): Fields {
  return {
    extractVariables: names.map((each) => {
      const [name, type = 'string'] = each.split(': ');
      return { name, type, description: `the ${name}` };
    }),
  };
}

/** A global node's fields. */
export function anytime(condition: string | undefined, more: Fields = {}): Fields {
  return { isGlobal: true, ...(condition === undefined ? {} : { condition }), ...more };
}

function parsed(plan: Plan): Workflow {
  const { workflow: read, diagnostics } = parseWorkflow(workflow(plan));
  if (read === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return read;
}

/** The flow graph from the only start, or the first node. */
export function flowGraph(plan: Plan): FlowGraph {
  const read = parsed(plan);
  const start = findStart(read, 'squad');
  return computeFlowGraph(read, start.kind === 'found' ? start.node : (0 as NodeIndex));
}

/** A member of a compiled squad, the parts that tests look at. */
export interface Member {
  readonly name: string;
  readonly firstMessage?: string;
  readonly model: JsonObject;
  readonly prompt: string;
  readonly tools: readonly Tool[];
  readonly assistant: JsonObject;
}

export interface Tool extends JsonObject {
  readonly type: string;
}

export interface Destination extends JsonObject {
  readonly assistantName: string;
  readonly description: string;
}

/** Compiles for target `squad`, and opens the output, or the draft while questions are open. */
export function compiled(
  plan: Plan,
  options: CompileOptions = {},
): { result: CompileResult; members: Member[]; squad: JsonObject } {
  const result = compile(workflow(plan), options);
  const document = (result.output ?? result.draft) as { squad: JsonObject } | null;
  if (document === null) throw new Error(messages(result.diagnostics).join('; '));
  const members = document.squad['members'] as readonly { assistant: JsonObject }[];
  return {
    result,
    squad: document.squad,
    members: members.map(({ assistant }): Member => {
      const model = assistant['model'] as JsonObject;
      const [system] = model['messages'] as readonly JsonObject[];
      const firstMessage = assistant['firstMessage'] as string | undefined;
      return {
        name: assistant['name'] as string,
        ...(firstMessage === undefined ? {} : { firstMessage }),
        model,
        prompt: system!['content'] as string,
        tools: (model['tools'] ?? []) as readonly Tool[],
        assistant,
      };
    }),
  };
}

/** Destinations of a member's handoffs, tool after tool. */
export function destinations({ tools }: Member): Destination[] {
  return tools
    .filter(({ type }) => type === 'handoff')
    .flatMap((tool) => tool['destinations'] as readonly Destination[]);
}

/** Names of the variables that a destination carries, in the order of its plan. */
export function carried(destination: Destination): string[] {
  return Object.keys(properties(destination));
}

function properties(destination: Destination): JsonObject {
  const plan = destination['variableExtractionPlan'] as { schema: JsonObject } | undefined;
  return (plan?.schema['properties'] ?? {}) as JsonObject;
}

export function codes(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code }) => code);
}

function messages(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}
