/**
 * Phase 2 of the grouping: nodes that behave the same are one node.
 *
 * In: the flow graph. Out: for each node the node that stands for its class, the first in walk
 * order. Two nodes are in one class when their own behaviour is the same and their continuations
 * are: the coarsest bisimulation, computed by partition refinement. The start and the global nodes
 * are equal to none, nor is an assistant that the source holds whole: whoever made two of them wants
 * two. A saved one is what its id says, so nodes with one id and equal continuations are equal.
 *
 * The refinement looks again only at nodes that have a successor whose class changed, and when a
 * class falls apart its largest part keeps the name; so a node changes its class at most log n
 * times, and the whole costs O(m log n) signatures. Each round either splits a class or is the
 * last.
 */
import { append, groupBy } from '../../graph/lists.js';
import { type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { conditionKey } from '../ir/workflow.js';
import { behaviourOf } from './behaviour.js';

export function computeRepresentatives(graph: FlowGraph): Int32Array {
  const representative = new Int32Array(graph.workflow.nodes.length);
  for (let node = 0; node < representative.length; node += 1) representative[node] = node;
  const groups = groupByOwnBehaviour(graph);
  // Where no two nodes do the same there is nothing to refine.
  if (groups.length === 0) return representative;
  const classes = classesOf(graph, groups);
  refine(graph, classes);
  return chooseFirstInWalkOrder(classes, representative);
}

interface Classes {
  readonly of: Int32Array;
  /** The members of each class; none are kept where there is only one, which cannot split. */
  readonly members: Set<NodeIndex>[];
  /** What the members that are not in doubt continue with. */
  readonly continuation: (string | null)[];
  /** Nodes that are not alone in their class to begin with, in walk order. */
  readonly doubtful: readonly NodeIndex[];
}

const alone = new Set<NodeIndex>();

/** Nodes that do the same, where there are several. */
function groupByOwnBehaviour(graph: FlowGraph): (readonly NodeIndex[])[] {
  const groups: (readonly NodeIndex[])[] = [];
  for (const nodes of listAlike(graph)) {
    const same = groupBy(nodes, (node) => behaviourOf(graph.workflow.nodes[node]!));
    for (const group of same.values()) if (group.length > 1) groups.push(group);
  }
  return groups;
}

function classesOf(graph: FlowGraph, groups: readonly (readonly NodeIndex[])[]): Classes {
  const of = new Int32Array(graph.workflow.nodes.length).fill(-1);
  const members = groups.map((nodes) => new Set(nodes));
  members.forEach((nodes, number) => {
    for (const node of nodes) of[node] = number;
  });
  const doubtful: NodeIndex[] = [];
  for (const node of graph.order) {
    if (of[node] === -1) of[node] = members.push(alone) - 1;
    else doubtful.push(node);
  }
  return { of, members, continuation: members.map(() => null), doubtful };
}

/** Nodes that could do the same: what tells most nodes apart is one text that no other one has. */
function listAlike(graph: FlowGraph): Iterable<NodeIndex[]> {
  const first = new Map<string, NodeIndex>();
  let alike: Map<string, NodeIndex[]> | null = null;
  for (const index of graph.order) {
    if (isUnlikeAll(graph, index)) continue;
    const node = graph.workflow.nodes[index]!;
    const text = (node.systemPrompt ?? node.firstMessage)?.value ?? node.request?.url?.value ?? '';
    const earlier = first.get(text);
    if (earlier === undefined) {
      first.set(text, index);
      continue;
    }
    alike ??= new Map();
    if (!alike.has(text)) alike.set(text, [earlier]);
    append(alike, text, index);
  }
  return alike === null ? [] : alike.values();
}

function isUnlikeAll({ kinds, start, workflow }: FlowGraph, node: NodeIndex): boolean {
  if (node === start || (kinds[node]! & Kind.global) !== 0) return true;
  // One that is kept on the platform is what its id says.
  return (kinds[node]! & Kind.assistant) !== 0 && workflow.nodes[node]!.assistant!.savedAs === null;
}

function refine(graph: FlowGraph, classes: Classes): void {
  let doubtful: Iterable<NodeIndex> = classes.doubtful;
  for (let isOpen = true; isOpen; ) {
    const moved: NodeIndex[] = [];
    for (const [number, nodes] of groupByClass(classes, doubtful)) {
      splitClass(graph, classes, number, nodes, moved);
    }
    doubtful = new Set(moved.flatMap((node) => predecessorsOf(graph, node)));
    isOpen = moved.length > 0;
  }
}

function groupByClass(classes: Classes, nodes: Iterable<NodeIndex>): Map<number, NodeIndex[]> {
  const groups = new Map<number, NodeIndex[]>();
  for (const node of nodes) {
    const number = classes.of[node]!;
    // A class of one cannot split; looking at it again would be waste.
    if (classes.members[number]!.size > 1) append(groups, number, node);
  }
  return groups;
}

/** Takes a class apart by continuation; costs as much as its doubtful members, not its size. */
function splitClass(
  graph: FlowGraph,
  classes: Classes,
  number: number,
  doubtful: readonly NodeIndex[],
  moved: NodeIndex[],
): void {
  const parts = new Map<string, NodeIndex[]>();
  for (const node of doubtful) append(parts, continuationOf(graph, classes, node), node);
  const settled = classes.members[number]!.size - doubtful.length;
  const known = classes.continuation[number];
  // Members that are not in doubt still continue as before.
  const stays = settled > 0 && known !== undefined && known !== null ? known : null;
  const size = ([continuation, nodes]: readonly [string, readonly NodeIndex[]]) =>
    nodes.length + (continuation === stays ? settled : 0);
  const all = stays === null || parts.has(stays) ? parts : new Map(parts).set(stays, []);
  const [largest, ...others] = [...all].sort((one, other) => size(other) - size(one));
  const leaving = others.map(([continuation, nodes]) =>
    continuation === stays
      ? ([continuation, [...nodes, ...listSettled(classes, number, doubtful)]] as const)
      : ([continuation, nodes] as const),
  );
  classes.continuation[number] = largest![0];
  for (const [continuation, nodes] of leaving) {
    const fresh = classes.members.push(new Set(nodes)) - 1;
    classes.continuation.push(continuation);
    for (const node of nodes) {
      classes.members[number]!.delete(node);
      classes.of[node] = fresh;
      moved.push(node);
    }
  }
}

/** The members of a class that are not in doubt; asked for only when they are the smaller part. */
function listSettled(
  classes: Classes,
  number: number,
  doubtful: readonly NodeIndex[],
): NodeIndex[] {
  const inDoubt = new Set(doubtful);
  return [...classes.members[number]!].filter((node) => !inDoubt.has(node));
}

function continuationOf(graph: FlowGraph, classes: Classes, node: NodeIndex): string {
  const { offsets, targets, edges } = graph.successors;
  const steps = new Set<string>();
  for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
    const condition = graph.workflow.edges[edges[slot]!]!.condition;
    steps.add(JSON.stringify([classes.of[targets[slot]!]!, conditionKey(condition)]));
  }
  return [...steps].sort().join('\n');
}

function predecessorsOf(graph: FlowGraph, node: NodeIndex): NodeIndex[] {
  const { offsets, targets } = graph.predecessors;
  return Array.from(targets.subarray(offsets[node]!, offsets[node + 1]!)) as NodeIndex[];
}

function chooseFirstInWalkOrder(
  { of, members, doubtful }: Classes,
  representative: Int32Array,
): Int32Array {
  const first = new Int32Array(members.length).fill(-1);
  for (const node of doubtful) {
    const number = of[node]!;
    if (first[number] === -1) first[number] = node;
    representative[node] = first[number]!;
  }
  return representative;
}
