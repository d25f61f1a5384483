/**
 * The source as a call walks it: what is reachable, along which edges, and the transitions out of the
 * owners of its nodes.
 */

import { computeFlowGraph } from '../../compiler/3-analyze/flow-graph.js';
import type { FlowGraph } from '../../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { asksForAnswer, conditionKey, roleOf } from '../../compiler/ir/workflow.js';
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';

export interface SourceGraph extends FlowGraph {
  readonly globalNodes: readonly ir.WorkflowNode[];
  /** Edges that a call can take, in source order. */
  readonly edges: readonly ir.WorkflowEdge[];
  readonly nodeAt: (node: NodeIndex) => ir.WorkflowNode;
}

export function readSource(source: ir.Workflow, start: NodeIndex): SourceGraph {
  const leaving = groupBy(source.edges, ({ from }) => from);
  const nodes = source.nodes.map((node): ir.WorkflowNode => {
    const transitions = leaving.get(node.index) ?? [];
    return { ...node, role: decideRole(node, transitions, source.nodes) };
  });
  const graph = computeFlowGraph({ ...source, nodes }, start);
  const nodeAt = (node: NodeIndex) => nodes[node]!;
  const edges = graph.order.flatMap((node) => graph.leaving[node]!);
  return {
    ...graph,
    globalNodes: graph.globals.map(nodeAt),
    edges: edges.sort((one, other) => one.index - other.index),
    nodeAt,
  };
}

/**
 * Decided independently of the reader: an assistant waits for the caller after its first message,
 * so a conversation node that only says a line and moves on by itself is not one.
 */
function decideRole(
  { type, firstMessage, ...node }: ir.WorkflowNode,
  transitions: readonly ir.WorkflowEdge[],
  nodes: readonly ir.WorkflowNode[],
): ir.Role {
  const { systemPrompt, assistant, captures, tools, calls, ownSettings } = node;
  const contents = captures.length + tools.length + calls.length + ownSettings.length;
  const isLine = contents === 0 && systemPrompt === null && assistant === null;
  const line = firstMessage?.value ?? '';
  const isSaid = type === 'conversation' && /\S/.test(line) && !asksForAnswer(line);
  const [only] = transitions;
  const movesOn = transitions.every(({ to, condition }) => to === only!.to && condition === null);
  if (!isLine || !isSaid || only === undefined || !movesOn) return roleOf[type];
  return ['endCall', 'hangup'].includes(nodes[only.to]!.type) ? 'talk' : 'act';
}

/** Whether the model judges it as an expression, which names variables and shows no values. */
export const isExpression = (text: ir.Text | ir.Condition) => 'logical' in text && text.logical;

/** Which members of a squad, or which expected stages, own which nodes. */
export interface Owners {
  readonly of: (node: NodeIndex) => ReadonlySet<number>;
  /** The only owner of the node; null if there is none or several. */
  readonly soleOwner: (node: NodeIndex) => number | null;
  /** The equal node that represents this one; itself if it has no equal. */
  readonly standsFor: (node: NodeIndex) => NodeIndex;
}

const noOwners: ReadonlySet<number> = new Set();

/** `homes` are given for representatives. */
export function createOwners(
  homes: readonly (ReadonlySet<number> | undefined)[],
  standsFor: Owners['standsFor'],
): Owners {
  const of = (node: NodeIndex) => homes[standsFor(node)] ?? noOwners;
  const soleOwner = (node: NodeIndex) => {
    const [only = null, ...others] = of(node);
    return others.length === 0 ? only : null;
  };
  return { of, soleOwner, standsFor };
}

/** A step of the source that leads out of a member, and so has to be a handoff. */
export interface Handoff {
  /** The member that is left. */
  readonly member: number;
  /** The node that is left; null if it can be any of the member's. */
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly condition: ir.Condition | null;
  /** Null for the step to a global node from anywhere. */
  readonly edge: ir.WorkflowEdge | null;
  /** The member that owns the end; null unless exactly one does. */
  readonly target: number | null;
  /** Its place in the source. */
  readonly at: JsonPointer;
}

/** The edges that lead out of each member, then the steps to other members' global nodes. */
export function listHandoffs(graph: SourceGraph, owners: Owners, memberCount: number): Handoff[] {
  const members = Array.from({ length: memberCount }, (_, member) => member);
  const along = graph.edges.map((edge) => ({ ...edge, edge }));
  const others = graph.globalNodes.map(({ index: to, global, at }) => {
    return { from: null, to, condition: global!.condition, edge: null, at };
  });
  return [...along, ...others].flatMap(({ from, to, condition, edge, at }) => {
    // Exits are folded into the assistant that leads to them.
    if (graph.nodeAt(to).role === 'exit') return [];
    const [target, homes] = [owners.soleOwner(to), owners.of(to)];
    const leaving = Array.from(from === null ? members : owners.of(from));
    return leaving.flatMap((member) =>
      homes.has(member) ? [] : { member, from, to, condition, edge, target, at },
    );
  });
}

/**
 * The transitions from a node in source order; equal ends with equal conditions are one. One without
 * a condition has those of the others `beside` it.
 */
export function outgoing(graph: SourceGraph, standsFor: Owners['standsFor'], node: NodeIndex) {
  const edges = graph.leaving[node]!;
  const conditions = edges.flatMap(({ condition }) => condition ?? []);
  const keyOf = ({ to, condition }: ir.WorkflowEdge) =>
    `${standsFor(to)} ${conditionKey(condition)}`;
  return Array.from(groupBy(edges, keyOf).values(), ([first]) => {
    const edge = first!;
    const { to, condition } = edge;
    const beside = condition === null ? conditions : [];
    return { edge, to, condition, beside, isExit: graph.nodeAt(to).role === 'exit' };
  });
}

/** Makes each value once, on first use. */
export function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
