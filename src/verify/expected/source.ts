/**
 * The source as a call walks it: what it can reach, along which edges, and the ways out of whatever
 * owns its nodes. All of it is linear in the workflow, the passages in what they are.
 */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import {
  type Condition,
  conditionKey,
  type NodeType,
  type Role,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { computeComponents } from '../../graph/partitions.js';
import { flood, reverse } from '../../graph/walks.js';

export interface SourceGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** What a call can reach: breadth first from the start, then from each global node. */
  readonly order: readonly NodeIndex[];
  /** By node, its position in `order`. */
  readonly ranks: readonly number[];
  readonly globals: readonly WorkflowNode[];
  /** Edges that a call can take, in source order: none leaves an exit, none repeats an earlier one. */
  readonly edges: readonly WorkflowEdge[];
  readonly successors: readonly (readonly NodeIndex[])[];
  readonly predecessors: readonly (readonly NodeIndex[])[];
  /** The strongly connected components of what `successors` says, in topological order. */
  readonly components: ReturnType<typeof computeComponents>;
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
  readonly leaving: (node: NodeIndex) => readonly WorkflowEdge[];
}

export function readSource(source: Workflow, start: NodeIndex): SourceGraph {
  const byStart = source.nodes.map((): WorkflowEdge[] => []);
  const successors = source.nodes.map((): NodeIndex[] => []);
  const distinct: WorkflowEdge[] = [];
  const known = new Set<string>();
  for (const edge of source.edges) {
    const { from, to, condition } = edge;
    const key = `${from} ${to} ${condition === null ? '' : `=${condition.value}`}`;
    if (exits.has(source.nodes[from]!.type) || known.has(key)) continue;
    known.add(key);
    distinct.push(edge);
    byStart[from]!.push(edge);
    successors[from]!.push(to);
  }
  const nodes = source.nodes.map((node): WorkflowNode => {
    const ways = byStart[node.index]!;
    return { ...node, role: decideRole(node, ways, ({ to }) => source.nodes[to]!.type) };
  });
  const workflow = { ...source, nodes };
  const globals = nodes.filter(({ global }) => global !== null);
  const order = new Set<NodeIndex>();
  for (const root of [start, ...globals.map(({ index }) => index)]) {
    const stepsFrom = (node: NodeIndex) => successors[node]!;
    for (const node of flood([root], stepsFrom, (it) => order.has(it))) order.add(node);
  }
  const ranks: number[] = [];
  for (const [rank, node] of [...order].entries()) ranks[node] = rank;
  return {
    workflow,
    start,
    order: [...order],
    ranks,
    globals,
    edges: distinct.filter(({ from }) => order.has(from)),
    successors,
    predecessors: reverse(successors) as NodeIndex[][],
    components: computeComponents(successors),
    nodeAt: (node) => nodes[node]!,
    leaving: (node) => byStart[node]!,
  };
}

const exits: ReadonlySet<NodeType> = new Set<NodeType>(['transferCall', 'endCall', 'hangup']);

/**
 * Decided here once more, whatever the reader has said: an assistant that has spoken a first message
 * waits for the caller, so a conversation that only says a line and moves on by itself is none.
 */
function decideRole(
  { type, firstMessage, ...node }: WorkflowNode,
  [only, ...others]: readonly WorkflowEdge[],
  typeAfter: (edge: WorkflowEdge) => NodeType,
): Role {
  if (exits.has(type)) return 'exit';
  if (type === 'apiRequest' || type === 'tool') return 'act';
  const { systemPrompt, assistant, captures, tools, calls, ownSettings } = node;
  const does = captures.length + tools.length + calls.length + ownSettings.length;
  const isLine = does === 0 && systemPrompt === null && assistant === null;
  const isSaid = type === 'conversation' && /\S/.test(firstMessage?.value ?? '');
  if (only === undefined || others.length > 0 || only.condition !== null) return 'talk';
  const after = typeAfter(only);
  return isLine && isSaid && after !== 'endCall' && after !== 'hangup' ? 'act' : 'talk';
}

/** Whether the node says a line on the way through it, and does nothing else. */
export function onlySays({ type, role }: WorkflowNode): boolean {
  return type === 'conversation' && role === 'act';
}

/** What a walk from a global node comes to, these included. */
export function reachFromGlobals({ globals, successors }: SourceGraph): ReadonlySet<NodeIndex> {
  const seeds = globals.map(({ index }) => index);
  return flood(seeds, (node) => successors[node]!);
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
  for (const { index: to, global, at, role } of graph.globals) {
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
  const edges = graph.leaving(node);
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
