/**
 * Which nodes become which assistant.
 *
 * Invariants: every reachable talk node, through its representative, is in exactly one region; a
 * tool node may be in several (tail duplication); an exit is in every region with an edge to it;
 * regions are in the order of the members; the first contains the start.
 */
import type { FlowGraph } from './flow-graph.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from './ids.js';
import type { Workflow } from './workflow.js';

/**
 * The most copies that a squad may have of what the source has once: handoffs and steps to global
 * nodes, which every assistant has, and tools that several assistants call.
 */
export function maxCopiesOf({ nodes, edges }: Workflow): number {
  return Math.max(20_000, 10 * (nodes.length + edges.length));
}

export interface RegionMap {
  readonly regions: readonly Region[];
  /** For each node the equal node that represents it; itself if it has no equal. */
  readonly representative: readonly NodeIndex[];
}

export interface Region {
  readonly index: RegionIndex;
  /** Representatives of the talk and act nodes, in walk order, the first node first. */
  readonly nodes: readonly NodeIndex[];
  /** Nodes at which the assistant can be entered from outside, including the start and globals. */
  readonly entries: readonly NodeIndex[];
  readonly globals: readonly NodeIndex[];
  /** The steps out of the region's nodes, by node, in source order. */
  readonly steps: readonly Step[];
  /** Why these nodes are together. */
  readonly merges: readonly Merge[];
}

/** A step from a node, as the assistant sees it. */
export type Step = {
  readonly from: NodeIndex;
  readonly to: NodeIndex;
  readonly edge: EdgeIndex;
} & (
  | { readonly kind: 'inner' | 'exit' }
  | { readonly kind: 'handoff'; readonly region: RegionIndex }
);

export type MergeRule =
  | 'equal-nodes'
  | 'component'
  | 'global-returns'
  | 'chain'
  | 'tool-only-stage'
  | 'global-tool'
  | 'start-tool'
  | 'tools-boundary';

/** One merge: its rule and the nodes that it brought together. */
export interface Merge {
  readonly rule: MergeRule;
  readonly nodes: readonly NodeIndex[];
}

/** Nodes that an answer keeps apart: those with different labels never share an assistant. */
export type Split = ReadonlyMap<NodeIndex, string>;

/** What an answer changes: it keeps nodes apart, or joins a global node with all that it leads to. */
export type Regrouping =
  | { readonly apart: Split; readonly joined?: never }
  | { readonly joined: NodeIndex; readonly apart?: never };

/** The label of a node that a split separates without naming it in a group. */
export function singletonLabel(node: NodeIndex): string {
  return `alone ${node}`;
}

/**
 * Nodes that are already assistants are kept apart from all other talk nodes; tools may join them
 * as they join any stage. Nothing can be added to the prompt of a saved one, so it is kept apart
 * from tools as well: a tool before it goes to its predecessors, a tool after it to its own branch.
 */
export function splitsOfAssistants({ workflow }: FlowGraph, nodes: readonly NodeIndex[]): Split[] {
  const nodeAt = (node: NodeIndex) => workflow.nodes[node]!;
  const apart = (all: readonly NodeIndex[], isOwn: (node: NodeIndex) => boolean): Split[] =>
    all.some(isOwn) ? [new Map(all.map((it) => [it, isOwn(it) ? `only ${it}` : 'others']))] : [];
  const talking = nodes.filter((node) => nodeAt(node).role === 'talk');
  return [
    ...apart(talking, (node) => nodeAt(node).assistant !== null),
    ...apart(nodes, (node) => Boolean(nodeAt(node).assistant?.savedAs)),
  ];
}
