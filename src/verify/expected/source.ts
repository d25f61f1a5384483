/**
 * The source as a call walks it: what is reachable, along which edges, and the transitions out of
 * the owners of its nodes; and the steps of each member, its first node and then the others in walk
 * order. Everything is linear in the workflow and the number of handoffs.
 */

import type { Squad } from '../../call/squad.js';
import { computeFlowGraph } from '../../compiler/3-analyze/flow-graph.js';
import type { FlowGraph } from '../../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { labelOf } from '../../compiler/ir/names.js';
import {
  type Condition,
  conditionKey,
  onlySays,
  type Role,
  roleOf,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { createGates } from '../../graph/dominators.js';
import { append, groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { type Arcs, flood } from '../../graph/walks.js';
import type { JsonPointer } from '../../text/pointer.js';

export interface SourceGraph extends FlowGraph {
  readonly globalNodes: readonly WorkflowNode[];
  /** Edges that a call can take, in source order. */
  readonly edges: readonly WorkflowEdge[];
  /** The strongly connected components of `successors`, in topological order. */
  readonly components: ReturnType<typeof computeComponents>;
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
}

export function readSource(source: Workflow, start: NodeIndex): SourceGraph {
  const leaving = groupBy(source.edges, ({ from }) => from);
  const nodes = source.nodes.map((node): WorkflowNode => {
    const transitions = leaving.get(node.index) ?? [];
    return { ...node, role: decideRole(node, transitions, source.nodes) };
  });
  const graph = computeFlowGraph({ ...source, nodes }, start);
  const edges = graph.order.flatMap((node) => graph.leaving[node]!);
  return {
    ...graph,
    globalNodes: graph.globals.map((node) => nodes[node]!),
    edges: edges.sort((one, other) => one.index - other.index),
    components: computeComponents(graph.successors),
    nodeAt: (node) => nodes[node]!,
  };
}

/**
 * Decided independently of the reader: an assistant waits for the caller after its first message,
 * so a conversation node that only says a line and moves on by itself is not one.
 */
function decideRole(
  { type, firstMessage, ...node }: WorkflowNode,
  transitions: readonly WorkflowEdge[],
  nodes: readonly WorkflowNode[],
): Role {
  const { systemPrompt, assistant, captures, tools, calls, ownSettings } = node;
  const contents = captures.length + tools.length + calls.length + ownSettings.length;
  const isLine = contents === 0 && systemPrompt === null && assistant === null;
  const isSaid = type === 'conversation' && /\S/.test(firstMessage?.value ?? '');
  const [only] = transitions;
  const movesOn = transitions.every(({ to, condition }) => to === only!.to && condition === null);
  if (!isLine || !isSaid || only === undefined || !movesOn) return roleOf[type];
  return ['endCall', 'hangup'].includes(nodes[only.to]!.type) ? 'talk' : 'act';
}

/** The nodes that a walk from a global node reaches, including the global nodes. */
export function reachFromGlobals({ globals, successors }: SourceGraph): ReadonlySet<NodeIndex> {
  return flood(globals, (node) => successors[node]!);
}

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
    const owners = of(node);
    if (owners.size === 1) for (const only of owners) return only;
    return null;
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
  readonly condition: Condition | null;
  /** Null for the step to a global node from anywhere. */
  readonly edge: WorkflowEdge | null;
  /** The member that owns the end; null unless exactly one does. */
  readonly target: number | null;
  /** Its place in the source. */
  readonly at: JsonPointer;
}

/** The edges that lead out of each member, then the steps to other members' global nodes. */
export function listHandoffs(graph: SourceGraph, owners: Owners, memberCount: number): Handoff[] {
  const handoffs: Handoff[] = [];
  for (const edge of graph.edges) {
    const { from, to, condition, at } = edge;
    // Exits are folded into the assistant that leads to them.
    if (graph.nodeAt(to).role === 'exit') continue;
    const [target, homes] = [owners.soleOwner(to), owners.of(to)];
    for (const member of owners.of(from)) {
      if (!homes.has(member)) handoffs.push({ member, from, to, condition, edge, target, at });
    }
  }
  for (const { index: to, global, at, role } of graph.globalNodes) {
    if (role === 'exit') continue;
    const { condition } = global!;
    const [target, homes] = [owners.soleOwner(to), owners.of(to)];
    for (let member = 0; member < memberCount; member += 1) {
      if (homes.has(member)) continue;
      handoffs.push({ member, from: null, to, condition, edge: null, target, at });
    }
  }
  return handoffs;
}

/** A transition from a node. */
export interface Transition {
  readonly edge: WorkflowEdge;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** If it has no condition: those of the other transitions from the node. */
  readonly beside: readonly Condition[];
  readonly isExit: boolean;
}

/** The transitions from a node in source order; equal ends with equal conditions are one. */
export function outgoing(
  graph: SourceGraph,
  standsFor: Owners['standsFor'],
  node: NodeIndex,
): readonly Transition[] {
  const edges = graph.leaving[node]!;
  const conditions = edges.flatMap(({ condition }) => condition ?? []);
  const transitions: Transition[] = [];
  const known = new Set<string>();
  for (const edge of edges) {
    const { condition, to } = edge;
    const key = `${standsFor(to)} ${conditionKey(condition)}`;
    if (known.has(key)) continue;
    known.add(key);
    const isExit = graph.nodeAt(to).role === 'exit';
    const beside = condition === null ? conditions : [];
    transitions.push({ edge, to, condition, beside, isExit });
  }
  return transitions;
}

/** Makes each value once, on first use. */
export function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}

/** The global nodes that a call can enter from these: all, but a single one not from itself. */
export function listEntered({ globalNodes }: SourceGraph, nodes: readonly NodeIndex[]) {
  const [only] = nodes.length === 1 ? nodes : [];
  return globalNodes.filter(({ index }) => index !== only);
}

export interface Inside extends Arcs<NodeIndex> {
  /** Whether no walk returns to an earlier component through a global node or an equal node. */
  readonly isOrdered: boolean;
}

/** The steps of a member. */
export interface Steps {
  /** Its name in prompts. */
  readonly name: string;
  /** What messages call it. */
  readonly label: string;
  readonly nodes: readonly NodeIndex[];
  /** The nodes whose lines the assistant opens with; the last of them is its first step. */
  readonly opening: ReadonlySet<NodeIndex>;
  /** The nodes that a call can begin at. */
  readonly entries: readonly NodeIndex[];
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** Walks along its edges, and from all of its nodes to its other global nodes. */
  readonly inside: Inside;
  /** Whether every walk to the node passes one of the gates; it may be one itself. */
  readonly passes: (gates: readonly NodeIndex[], node: NodeIndex) => boolean;
  /** The variables that it has captured when the node is left, on every walk. */
  readonly collectedAt: (node: NodeIndex) => readonly string[];
  /** Its position among the assistants. */
  readonly rank: number;
}

/**
 * The lines that an assistant speaks by itself when a call reaches a node: the node's line, or, if
 * the call moves on at once, all lines up to that of the first talk node. The model says what comes
 * before or after a tool, or before a node without a line.
 */
function openingFrom(graph: SourceGraph, owners: Owners, first: NodeIndex): readonly NodeIndex[] {
  const { nodeAt, successors } = graph;
  const lines: NodeIndex[] = [];
  const seen = new Set<NodeIndex>();
  const homes = owners.of(first);
  let at = first;
  while (onlySays(nodeAt(at)) && !seen.has(at)) {
    seen.add(at);
    lines.push(at);
    at = owners.standsFor(successors[at]![0]!);
    if (![...owners.of(at)].some((it) => homes.has(it))) return [];
  }
  if (lines.length === 0) return [first];
  const { role, firstMessage } = nodeAt(at);
  return role === 'talk' && firstMessage !== null ? [...lines, at] : [];
}

/** Walks inside a member that owns these nodes. */
export function walkInside(
  graph: SourceGraph,
  owners: Owners,
  member: number,
  nodes: readonly NodeIndex[],
): Inside {
  const own = new Set(nodes);
  const anytime = graph.globalNodes.filter(({ index, role }) => {
    return role !== 'exit' && owners.of(index).has(member);
  });
  const globals = new Set(anytime.map(({ index }) => owners.standsFor(index)));
  const following = new Map<NodeIndex, NodeIndex[]>();
  const leading = new Map<NodeIndex, NodeIndex[]>();
  let isOrdered = globals.size === 0;
  for (const from of own) {
    for (const end of graph.successors[from]!) {
      const to = owners.standsFor(end);
      if (!own.has(to)) continue;
      isOrdered &&= to === end;
      append(following, from, to);
      append(leading, to, from);
    }
  }
  const without = (nodes: ReadonlySet<NodeIndex>, node: NodeIndex) =>
    [...nodes].filter((it) => it !== node);
  return {
    next: (node) => [...(following.get(node) ?? []), ...without(globals, node)],
    before: (node) => [
      ...(leading.get(node) ?? []),
      ...(globals.has(node) ? without(own, node) : []),
    ],
    isOrdered,
  };
}

/** The steps of each member: the node that it begins with, then the others in walk order. */
export function orderSteps(
  graph: SourceGraph,
  { members }: Squad,
  owners: Owners,
  handoffs: readonly Handoff[],
  nodesOf: readonly (readonly NodeIndex[])[],
): readonly Steps[] {
  const entered = new Set<string>();
  const start = owners.standsFor(graph.start);
  const isGlobal = (node: NodeIndex) => graph.nodeAt(node).global !== null;
  for (const { member, target, to, edge } of handoffs) {
    const isSeen = target !== null && edge !== null && !members[member]!.unseen;
    if (isSeen) entered.add(`${target} ${owners.standsFor(to)}`);
  }
  return members.map(({ index, name, assistantId }) => {
    const own = nodesOf[index]!;
    const capturing = new Map<string, NodeIndex[]>();
    const entries = own.filter((node) => {
      if (node === start || entered.has(`${index} ${node}`)) return true;
      return members.length > 1 && isGlobal(node) && owners.soleOwner(node) === index;
    });
    const first = entries.includes(start)
      ? start
      : (entries.find(isGlobal) ?? entries[0] ?? own[0]);
    const isAlone = entries.length <= 1 && first !== undefined;
    const opening = new Set(isAlone ? openingFrom(graph, owners, first) : []);
    const nodes = [...new Set([...opening, ...(first === undefined ? [] : [first]), ...own])];
    // Lines that are spoken before the first step belong to it.
    const spoken = Math.max(opening.size - 1, 0);
    const numbers = new Map<NodeIndex, number>();
    for (const [at, node] of nodes.entries()) {
      numbers.set(node, Math.max(at - spoken, 0) + 1);
      for (const { alias, name } of graph.nodeAt(node).captures) {
        if (alias === undefined) append(capturing, name, node);
      }
    }
    const inside = walkInside(graph, owners, index, own);
    let gates: Steps['passes'] | null = null;
    const passes: Steps['passes'] = (some, node) => {
      gates ??= createGates(entries, inside);
      return gates(some, node);
    };
    const called = name ?? assistantId ?? '';
    const talk = nodes.find((node) => graph.nodeAt(node).role === 'talk') ?? first;
    const firstOwned = own.find((node) => owners.soleOwner(node) !== null) ?? own[0]!;
    return {
      name: called,
      label: labelOf(called, talk === undefined ? undefined : graph.nodeAt(talk)),
      nodes,
      opening,
      entries,
      numbers,
      inside,
      passes,
      collectedAt: (node) =>
        [...capturing].flatMap(([name, gates]) => (passes(gates, node) ? name : [])),
      rank: graph.rank[firstOwned] ?? 0,
    };
  });
}
