/**
 * Which nodes become which assistant.
 *
 * Invariants: every reachable talk node, through its representative, is in exactly one region; a
 * tool node may be in several (tail duplication); an exit is in every region with an edge to it;
 * regions are in the order of the members; the first contains the start.
 */
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
  readonly first: NodeIndex;
  /** Nodes at which the assistant can be entered from outside, including the start and globals. */
  readonly entries: readonly NodeIndex[];
  readonly globals: readonly NodeIndex[];
  /** The steps out of the region's nodes, by node, in source order. */
  readonly steps: readonly Step[];
  /** Why these nodes are together. */
  readonly merges: readonly Merge[];
}

interface StepEnds {
  readonly from: NodeIndex;
  readonly to: NodeIndex;
  readonly edge: EdgeIndex;
}

/** A step from a node, as the assistant sees it. */
export type Step =
  | ({ readonly kind: 'inner' | 'exit' } & StepEnds)
  | ({ readonly kind: 'handoff'; readonly region: RegionIndex } & StepEnds);

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
