/**
 * The source as a call walks it: what it can reach, along which edges, and the ways out of whatever
 * owns its nodes. All of it is linear in the workflow, the passages in what they are.
 */
import { computeFlowGraph } from '../../compiler/3-analyze/flow-graph.js';
import type { FlowGraph } from '../../compiler/ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import {
  type Condition,
  conditionKey,
  type Role,
  roleOf,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';

export interface SourceGraph extends FlowGraph {
  readonly globalNodes: readonly WorkflowNode[];
  /** Edges that a call can take, in source order. */
  readonly edges: readonly WorkflowEdge[];
  /** The strongly connected components of what `successors` says, in topological order. */
  readonly components: ReturnType<typeof computeComponents>;
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
}

export function readSource(source: Workflow, start: NodeIndex): SourceGraph {
  const leaving = groupBy(source.edges, ({ from }) => from);
  const nodes = source.nodes.map((node): WorkflowNode => {
    const ways = leaving.get(node.index) ?? [];
    return { ...node, role: decideRole(node, ways, source.nodes) };
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
 * Decided here once more, whatever the reader has said: an assistant that has spoken a first message
 * waits for the caller, so a conversation that only says a line and moves on by itself is none.
 */
function decideRole(
  { type, firstMessage, ...node }: WorkflowNode,
  ways: readonly WorkflowEdge[],
  nodes: readonly WorkflowNode[],
): Role {
  const { systemPrompt, assistant, captures, tools, calls, ownSettings } = node;
  const does = captures.length + tools.length + calls.length + ownSettings.length;
  const isLine = does === 0 && systemPrompt === null && assistant === null;
  const isSaid = type === 'conversation' && /\S/.test(firstMessage?.value ?? '');
  const [only] = ways;
  const movesOn = ways.every(({ to, condition }) => to === only!.to && condition === null);
  if (!isLine || !isSaid || only === undefined || !movesOn) return roleOf[type];
  return ['endCall', 'hangup'].includes(nodes[only.to]!.type) ? 'talk' : 'act';
}

/** What a walk from a global node comes to, these included. */
export function reachFromGlobals({ globals, successors }: SourceGraph): ReadonlySet<NodeIndex> {
  return flood(globals, (node) => successors[node]!);
}

/** Which members of a squad, or which expected stages, own which nodes. */
export interface Owners {
  readonly of: (node: NodeIndex) => ReadonlySet<number>;
  /** The only one that owns the node; null where there is none or several. */
  readonly soleOwner: (node: NodeIndex) => number | null;
  /** The equal node that stands for this one; itself where it has none. */
  readonly standsFor: (node: NodeIndex) => NodeIndex;
}

const nobody: ReadonlySet<number> = new Set();

/** `homes` are known of the nodes that stand for others and for themselves. */
export function createOwners(
  homes: readonly (ReadonlySet<number> | undefined)[],
  standsFor: Owners['standsFor'],
): Owners {
  const of = (node: NodeIndex) => homes[standsFor(node)] ?? nobody;
  const soleOwner = (node: NodeIndex) => {
    const owners = of(node);
    if (owners.size === 1) for (const only of owners) return only;
    return null;
  };
  return { of, soleOwner, standsFor };
}

/** A step of the source that leads out of a member. */
export interface Passage {
  /** The member whose assistant is left. */
  readonly member: number;
  /** The node that is left; null where it can be any of the assistant's. */
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Null for the step to a global node from anywhere. */
  readonly edge: WorkflowEdge | null;
  /** The member that owns the end; null where not exactly one does. */
  readonly target: number | null;
  /** Where it stands in the source. */
  readonly at: JsonPointer;
}

/** The edges that lead out of each of so many members, then the steps to others' global nodes. */
export function listPassages(graph: SourceGraph, owners: Owners, memberCount: number): Passage[] {
  const passages: Passage[] = [];
  for (const edge of graph.edges) {
    const { from, to, condition, at } = edge;
    // Exits are folded into the assistant that leads to them.
    if (graph.nodeAt(to).role === 'exit') continue;
    const [target, homes] = [owners.soleOwner(to), owners.of(to)];
    for (const member of owners.of(from)) {
      if (!homes.has(member)) passages.push({ member, from, to, condition, edge, target, at });
    }
  }
  for (const { index: to, global, at, role } of graph.globalNodes) {
    if (role === 'exit') continue;
    const { condition } = global!;
    const [target, homes] = [owners.soleOwner(to), owners.of(to)];
    for (let member = 0; member < memberCount; member += 1) {
      if (homes.has(member)) continue;
      passages.push({ member, from: null, to, condition, edge: null, target, at });
    }
  }
  return passages;
}

/** One way on from a node. */
export interface SourceWay {
  readonly edge: WorkflowEdge;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Whether it has no condition and another way out of the same node has one. */
  readonly otherwise: boolean;
  readonly isExit: boolean;
}

/** The ways on from a node in source order; edges to equal nodes under one condition are one. */
export function listWays(
  graph: SourceGraph,
  standsFor: Owners['standsFor'],
  node: NodeIndex,
): readonly SourceWay[] {
  const edges = graph.leaving[node]!;
  const isForked = edges.some(({ condition }) => condition !== null);
  const ways: SourceWay[] = [];
  const known = new Set<string>();
  for (const edge of edges) {
    const { condition, to } = edge;
    const key = `${standsFor(to)} ${conditionKey(condition)}`;
    if (known.has(key)) continue;
    known.add(key);
    const isExit = graph.nodeAt(to).role === 'exit';
    ways.push({ edge, to, condition, otherwise: condition === null && isForked, isExit });
  }
  return ways;
}

/** Each value is made once, when it is first asked for. */
export function memo<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    if (!made.has(key)) made.set(key, make(key));
    return made.get(key)!;
  };
}
