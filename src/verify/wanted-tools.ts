/** The tools that each assistant must have, as source and answers say. */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { ToolCall, WorkflowNode } from '../compiler/ir/workflow.js';
import type { Comparison } from './comparison.js';
import { isWrapped } from './squad-reading.js';
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
  const { graph, owners, squad } = comparison;
  const wanted = new Map<string, WantedTool>();
  const everybody = squad.members.map(({ index }) => index);
  const add = (members: Iterable<number>, id: string, make: () => Omit<WantedTool, 'member'>) => {
    return [...members].map((member) => {
      const key = `${member} ${id}`;
      const tool = wanted.get(key) ?? { ...make(), member };
      wanted.set(key, tool);
      return tool;
    });
  };
  const addRequest = (members: Iterable<number>, node: NodeIndex): void => {
    const standing = graph.nodeAt(owners.standsFor(node));
    add(members, `node ${standing.index}`, () => requestOf(comparison, standing));
  };
  const addCall = (members: Iterable<number>, call: ToolCall, at: JsonPointer): void => {
    if (call.node !== null) {
      addRequest(members, call.node);
      return;
    }
    const key = keyOfCustom(call.tool);
    const tools = add(members, key, () => ({ ...empty(), key, name: call.tool, at }));
    for (const { variables } of tools) for (const name of call.variables) variables.add(name);
  };
  const addTransfer = (members: Iterable<number>, node: WorkflowNode, condition: string | null) => {
    const standing = graph.nodeAt(owners.standsFor(node.index));
    const tools = add(members, `node ${standing.index}`, () => transferOf(standing));
    for (const { conditions } of tools) if (condition !== null) conditions.add(condition);
  };

  for (const index of graph.reachable) {
    const node = graph.nodeAt(index);
    if (node.request !== null) addRequest(owners.of(index), index);
    for (const call of node.calls) addCall(owners.of(index), call, node.at);
    const entry = node.global?.condition ?? null;
    if (entry?.call) addCall(everybody, entry.call, node.at);
    if (node.type === 'transferCall' && node.global !== null) {
      addTransfer(everybody, node, entry?.value ?? null);
    }
  }
  for (const { from, to, condition } of graph.edges) {
    const node = graph.nodeAt(to);
    if (node.type !== 'transferCall') continue;
    addTransfer(owners.of(from), node, condition?.value ?? null);
  }
  return [...wanted.values()];
}

function requestOf(comparison: Comparison, node: WorkflowNode): Omit<WantedTool, 'member'> {
  const key = keyOfRequest(node, isWrapped(comparison.input.document));
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
