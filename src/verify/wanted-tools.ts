/** The tools that each assistant must have, as source and answers say. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Condition, ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Comparison } from './comparison.js';
import { keyOfCustom, keyOfRequest, keyOfTransfer, textsWithin } from './tool-keys.js';

export interface WantedTool {
  readonly member: number;
  readonly key: string;
  /** The node, or the name of the tool that an answer asked for. */
  readonly name: string;
  readonly at: JsonPointer;
  /** The conditions of a transfer. */
  readonly conditions: Set<string>;
  /** The variables that a custom tool gives. */
  readonly variables: Set<string>;
  /** What headers and body say. */
  readonly texts: ReadonlySet<string>;
}

/**
 * A node's tool belongs to every assistant that owns the node, a transfer to every assistant that
 * leads to it, and what the condition of a global node needs to every assistant. Equal nodes need
 * one tool.
 */
export function listWantedTools(comparison: Comparison): WantedTool[] {
  const { graph, owners } = comparison;
  const list: List = { comparison, tools: new Map() };
  for (const index of graph.reachable) wantForNode(list, graph.nodeAt(index));
  for (const { from, to, condition } of graph.edges) {
    const node = graph.nodeAt(to);
    if (node.type === 'transferCall') wantTransfer(list, owners.of(from), node, condition);
  }
  return [...list.tools.values()];
}

/** A list of tools in the making. */
interface List {
  readonly comparison: Comparison;
  readonly tools: Map<string, WantedTool>;
}

function wantForNode(list: List, node: WorkflowNode): void {
  const { owners, squad } = list.comparison;
  const own = owners.of(node.index);
  const everybody = squad.members.map(({ index }) => index);
  const entry = node.global?.condition ?? null;
  if (node.request !== null) wantRequest(list, own, node.index);
  for (const call of node.calls) wantCall(list, own, call);
  if (entry !== null && entry.call !== null) wantCall(list, everybody, entry.call);
  if (node.type === 'transferCall' && node.global !== null) {
    wantTransfer(list, everybody, node, entry);
  }
}

function wantRequest(list: List, members: Iterable<number>, node: NodeIndex): void {
  const { graph, owners } = list.comparison;
  const standing = graph.nodeAt(owners.standsFor(node));
  want(list, members, `node ${standing.index}`, () => requestOf(list.comparison, standing));
}

function wantCall(list: List, members: Iterable<number>, call: ToolCall): void {
  if (call.node !== null) {
    wantRequest(list, members, call.node);
    return;
  }
  const key = keyOfCustom(call.tool);
  const tools = want(list, members, key, () => ({ ...empty(), key, name: call.tool, at: call.at }));
  for (const { variables } of tools) for (const name of call.variables) variables.add(name);
}

function wantTransfer(
  list: List,
  members: Iterable<number>,
  node: WorkflowNode,
  condition: Condition | null,
): void {
  const { graph, owners } = list.comparison;
  const standing = graph.nodeAt(owners.standsFor(node.index));
  const tools = want(list, members, `node ${standing.index}`, () => transferOf(standing));
  for (const { conditions } of tools) if (condition !== null) conditions.add(condition.value);
}

/** The tool of each of these members, put on the list where it is not there yet. */
function want(
  { tools }: List,
  members: Iterable<number>,
  id: string,
  make: () => Omit<WantedTool, 'member'>,
): WantedTool[] {
  return [...members].map((member) => {
    const key = `${member} ${id}`;
    const tool = tools.get(key) ?? { ...make(), member };
    tools.set(key, tool);
    return tool;
  });
}

function requestOf(comparison: Comparison, node: WorkflowNode): Omit<WantedTool, 'member'> {
  const key = keyOfRequest(node, comparison.squad.wrapped);
  const { headers = null, body = null, operation = null } = node.request ?? {};
  // An operation of an adapter knows its own headers.
  const said = operation === null ? [headers?.value ?? null, body?.value ?? null] : [];
  return { ...empty(), key, name: node.id, at: node.at, texts: textsWithin(said) };
}

function transferOf(node: WorkflowNode): Omit<WantedTool, 'member'> {
  return { ...empty(), key: keyOfTransfer(node), name: node.id, at: node.at };
}

function empty() {
  return { conditions: new Set<string>(), variables: new Set<string>(), texts: new Set<string>() };
}
