/**
 * FlowGraph → VariableFlow: definitions and uses of every variable.
 *
 * In: the flow graph. Out: per variable the nodes that capture, set and read it, in walk order.
 * Guarantees: linear in the workflow; liveness is computed per variable, when asked for.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Condition, Text, Transfer, WorkflowNode } from '../ir/workflow.js';
import { computeLiveIn } from './liveness.js';

interface Sites {
  readonly name: string;
  readonly captures: CaptureSite[];
  readonly responses: NodeIndex[];
  readonly offers: NodeIndex[];
  readonly reads: NodeIndex[];
  readonly aliasReads: NodeIndex[];
  readonly conditionReads: NodeIndex[];
  readonly globalReads: NodeIndex[];
  readEverywhere: boolean;
}

export function computeVariableFlow(graph: FlowGraph): VariableFlow {
  const variables = new Map<string, Sites>();
  for (const node of graph.order) collectNode(graph, graph.workflow.nodes[node]!, variables);
  for (const use of graph.workflow.globalPrompt?.uses ?? []) {
    sitesOf(variables, use.name).readEverywhere = true;
  }
  return { variables, liveIn: (variable: Variable) => computeLiveIn(graph, variable) };
}

function collectNode(graph: FlowGraph, node: WorkflowNode, variables: Map<string, Sites>): void {
  const { index } = node;
  for (const text of listTexts(node)) {
    for (const use of text.uses) addOnce(sitesOf(variables, use.name).reads, index);
  }
  for (const capture of node.captures) {
    sitesOf(variables, capture.name).captures.push({ node: index, capture });
  }
  for (const { uses } of listAliases(node)) {
    for (const use of uses) addOnce(sitesOf(variables, use.name).aliasReads, index);
  }
  for (const name of listBuiltUpon(node)) addOnce(sitesOf(variables, name).reads, index);
  for (const response of node.request?.responses ?? []) {
    addOnce(sitesOf(variables, response.name).responses, index);
  }
  for (const name of node.tools.flatMap((tool) => tool.variables)) {
    const sites = sitesOf(variables, name);
    addOnce(node.role === 'act' ? sites.responses : sites.offers, index);
  }
  for (const call of node.calls) {
    for (const name of call.variables) addOnce(sitesOf(variables, name).responses, index);
  }
  for (const condition of listConditions(graph, index)) {
    for (const name of readsOf(condition)) {
      addOnce(sitesOf(variables, name).conditionReads, index);
    }
  }
  for (const name of readsOf(node.global?.condition ?? null)) {
    addOnce(sitesOf(variables, name).globalReads, index);
  }
}

/** The texts that a node reads on entry, captures' descriptions among them. */
export function listTexts(node: WorkflowNode): Text[] {
  const { firstMessage, systemPrompt, transfer } = node;
  const texts = [firstMessage, systemPrompt, ...(transfer === null ? [] : textsOf(transfer))];
  const descriptions = node.captures.map((capture) => capture.description);
  const given = node.tools.flatMap((tool) => tool.texts);
  const all = [...texts, ...(node.request?.texts ?? []), ...given, ...descriptions];
  return all.filter((it) => it !== null);
}

/** The values of the node's aliases, which are read when the call is handed over. */
export function listAliases(node: WorkflowNode): Text[] {
  return node.captures.flatMap(({ alias }) => alias ?? []);
}

/** What an alias makes of the value that its own key had before: that has to be there on entry. */
export function listBuiltUpon({ captures }: WorkflowNode): string[] {
  const found = new Set(captures.flatMap((it) => (it.alias === undefined ? [it.name] : [])));
  return captures.flatMap(({ name, alias }) =>
    alias?.uses.some((use) => use.name === name) && !found.has(name) ? [name] : [],
  );
}

function textsOf(transfer: Transfer): (Text | null)[] {
  const { message, address, description, passedTexts, others } = transfer;
  return [message, address, description, ...passedTexts, ...others.flatMap(textsOf)];
}

function listConditions(graph: FlowGraph, node: NodeIndex): (Condition | null)[] {
  const { offsets, edges } = graph.successors;
  const slots = edges.subarray(offsets[node]!, offsets[node + 1]!);
  return Array.from(slots, (edge) => graph.workflow.edges[edge]!.condition);
}

/** What a condition reads; one whose values a tool gives is not read from the call's variables. */
function readsOf(condition: Condition | null): string[] {
  if (condition === null || condition.routing === 'tool') return [];
  return condition.uses.map((use) => use.name);
}

function sitesOf(variables: Map<string, Sites>, name: string): Sites {
  let sites = variables.get(name);
  if (sites === undefined) {
    sites = {
      name,
      captures: [],
      responses: [],
      offers: [],
      reads: [],
      aliasReads: [],
      conditionReads: [],
      globalReads: [],
      readEverywhere: false,
    };
    variables.set(name, sites);
  }
  return sites;
}

/** Nodes are visited one after the other, so a repetition is always the last. */
function addOnce(nodes: NodeIndex[], node: NodeIndex): void {
  if (nodes[nodes.length - 1] !== node) nodes.push(node);
}
