/** Small workflows by hand, and what the phases make of them. */
import { openDialogue } from '../../src/compiler/1-read/decide.js';
import { parseWorkflow } from '../../src/compiler/1-read/parse-workflow.js';
import { readOptions } from '../../src/compiler/1-read/read-options.js';
import { findStart } from '../../src/compiler/1-read/start.js';
import { computeFlowGraph } from '../../src/compiler/3-analyze/flow-graph.js';
import { computeVariableFlow } from '../../src/compiler/3-analyze/variables.js';
import { partition } from '../../src/compiler/4-group/partition.js';
import { compile } from '../../src/compiler/compile.js';
import type { Adjacency, FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../src/compiler/ir/ids.js';
import type { JsonObject } from '../../src/compiler/ir/json.js';
import type { CompileOptions, Settled } from '../../src/compiler/ir/options.js';
import type { Region } from '../../src/compiler/ir/region-map.js';
import type { CompileResult, Diagnostic } from '../../src/compiler/ir/result.js';
import type { Variable, VariableFlow } from '../../src/compiler/ir/variable-flow.js';
import type { Workflow } from '../../src/compiler/ir/workflow.js';
import { buildSuccessors } from '../../src/graph/adjacency.js';

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
export const hangup = { type: 'hangup' };

/** A transfer to a number. */
export function transfer(more: Fields = {}): Fields {
  return { type: 'transferCall', destination: '+14155550100', ...more };
}

/** A request that leaves nothing open. */
export function request(more: Fields = {}): Fields {
  const headers = { Authorization: 'Bearer sample' };
  return { type: 'apiRequest', url: 'https://api.example.com', method: 'GET', headers, ...more };
}

/** A request whose response sets the variables. */
export function setter(...names: string[]): Fields {
  return request({ responseVariables: names.map((name) => ({ name, path: `result.${name}` })) });
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

export function parsed(plan: Plan): Workflow {
  const { workflow: read, diagnostics } = parseWorkflow(workflow(plan));
  if (read === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return read;
}

/** The flow graph from the only start, or the first node. */
export function flowGraph(plan: Plan): FlowGraph {
  const read = parsed(plan);
  const start = findStart(read);
  return computeFlowGraph(read, start.kind === 'found' ? start.node : (0 as NodeIndex));
}

export function variableFlow(plan: Plan): { graph: FlowGraph; flow: VariableFlow } {
  const graph = flowGraph(plan);
  return { graph, flow: computeVariableFlow(graph) };
}

export function variable(flow: VariableFlow, name: string): Variable {
  return flow.variables.get(name)!;
}

function settled(options: CompileOptions = {}): Settled {
  return readOptions(options).options;
}

export function node(graph: FlowGraph, id: string): NodeIndex {
  return graph.workflow.nodes.find((it) => it.id === id)!.index;
}

export function ids(graph: FlowGraph, nodes: Iterable<number>): string[] {
  return [...nodes].map((it) => graph.workflow.nodes[it]!.id);
}

/** The grouping, with answers from the options. */
export function regionsOf(plan: Plan, options: CompileOptions = {}) {
  const graph = flowGraph(plan);
  const ready = settled(options);
  const dialogue = openDialogue(ready.answers);
  const { map, decisions } = partition(graph, ready, dialogue.decide);
  return { graph, map, decisions, dialogue };
}

/** Each region as the ids of its nodes, the first node first. */
export function grouped(plan: Plan, options: CompileOptions = {}): string[] {
  const { graph, map } = regionsOf(plan, options);
  return map.regions.map(({ nodes }) => ids(graph, nodes).join(' '));
}

/** What follows what in a region: `a > b` inside, `a > b (2)` to region 2, `a > b!` to an exit. */
export function stepsOf(graph: FlowGraph, { steps }: Region): string[] {
  return steps.map((step) => {
    const [from, to] = ids(graph, [step.from, step.to]);
    const mark = {
      inner: '',
      exit: '!',
      handoff: step.kind === 'handoff' ? ` (${step.region})` : '',
    };
    return `${from} > ${to}${mark[step.kind]}`;
  });
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

export function properties(destination: Destination): JsonObject {
  const plan = destination['variableExtractionPlan'] as { schema: JsonObject } | undefined;
  return (plan?.schema['properties'] ?? {}) as JsonObject;
}

/** `from > to: variables` for every destination of the squad. */
export function crossings(members: readonly Member[]): string[] {
  return members.flatMap((member) =>
    destinations(member).map((to) =>
      `${member.name} > ${to.assistantName}: ${carried(to).join(' ')}`.trimEnd(),
    ),
  );
}

/** What is said about the plan, whether or not it compiles. */
export function findings(plan: Plan, options: CompileOptions = {}): readonly Diagnostic[] {
  return compile(workflow(plan), options).diagnostics;
}

export function codes(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code }) => code);
}

/** Places of the findings with this code. */
export function places(diagnostics: readonly Diagnostic[], code: string): string[] {
  return diagnostics.filter((it) => it.code === code).map(({ at }) => at);
}

function messages(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

/** Adjacency of a graph that is given by pairs of numbers. */
export function adjacency(count: number, arcs: readonly (readonly [number, number])[]): Adjacency {
  return buildSuccessors(count, arcsOf(arcs));
}

export function arcsOf(arcs: readonly (readonly [number, number])[]) {
  return {
    sources: arcs.map(([from]) => from),
    targets: arcs.map(([, to]) => to),
    edges: arcs.map((_, at) => at),
  };
}
