/**
 * Which nodes become which assistant.
 *
 * Invariants: every reachable talk node, by its representative, is in exactly one region; a tool
 * node may be in several (tail duplication); an exit is in every region that has an edge to it;
 * regions stand in the order of the members; the first holds the start.
 */
import type { EdgeIndex, NodeIndex, RegionIndex } from './ids.js';
import type { Workflow } from './workflow.js';

/**
 * So many copies of what stands once in the source may a squad have: handoffs and ways to global nodes,
 * which every assistant has, and tools that several assistants call.
 */
export function mostCopies({ nodes, edges }: Workflow): number {
  return Math.max(20_000, 10 * (nodes.length + edges.length));
}

export interface RegionMap {
  readonly regions: readonly Region[];
  /** For each node the equal node that stands for it; itself where it has no equal. */
  readonly representative: readonly NodeIndex[];
}

export interface Region {
  readonly index: RegionIndex;
  /** Representatives of the talk and act nodes, in walk order, the first node first. */
  readonly nodes: readonly NodeIndex[];
  readonly first: NodeIndex;
  /** Where the assistant can be entered from outside, in walk order; the start and global nodes included. */
  readonly entries: readonly NodeIndex[];
  readonly globals: readonly NodeIndex[];
  /** The steps out of the region's nodes, per node in source order. */
  readonly steps: readonly Step[];
  /** Why these nodes are together. */
  readonly merges: readonly Merge[];
}

interface Onward {
  readonly from: NodeIndex;
  readonly to: NodeIndex;
  readonly edge: EdgeIndex;
}

/** One way on from a node, as the assistant sees it. */
export type Step =
  | ({ readonly kind: 'inner' | 'exit' } & Onward)
  | ({ readonly kind: 'handoff'; readonly region: RegionIndex } & Onward);

export type MergeRule =
  | 'equal-nodes'
  | 'component'
  | 'global-returns'
  | 'chain'
  | 'tool-only-stage'
  | 'global-tool'
  | 'start-tool'
  | 'tools-boundary';

/** One merge, with the rule that made it and the nodes that it brought together. */
export interface Merge {
  readonly rule: MergeRule;
  readonly nodes: readonly NodeIndex[];
}
