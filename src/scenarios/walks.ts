/** FlowGraph → the smallest set of walks that cover it, in words of the workflow (see cover.ts). */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../compiler/ir/ids.js';
import { type CallGraph, createCallGraph } from './call-graph.js';
import { coverWithWalks } from './cover.js';

/** How a walk comes to a node: the call begins, an edge, or the condition of the global node. */
export type Arrival =
  | { readonly kind: 'start' }
  | { readonly kind: 'edge'; readonly edge: EdgeIndex }
  | { readonly kind: 'global' };

export interface Step {
  readonly node: NodeIndex;
  readonly arrival: Arrival;
}

/** An edge, or the step into a global node. */
export type Crossing = Exclude<Arrival, { kind: 'start' }> & { readonly to: NodeIndex };

export interface WalkSet {
  /** The first step of each is the start. */
  readonly walks: readonly (readonly Step[])[];
  /** As many crossings as there are walks, no two of which one walk can take; none for one walk. */
  readonly apart: readonly Crossing[];
}

/** The walks; null where they are too long to be kept. */
export function planWalks(graph: FlowGraph): WalkSet | null {
  const calls = createCallGraph(graph);
  const cover = coverWithWalks(calls);
  if (cover === null) return null;
  return {
    walks: cover.walks.map((arcs) => [
      { node: graph.start, arrival: { kind: 'start' } },
      ...arcs.flatMap((arc) => stepsOf(graph, calls, arc)),
    ]),
    apart: cover.apart.flatMap((arc) =>
      stepsOf(graph, calls, arc).map(({ node, arrival }) => ({ ...arrival, to: node })),
    ),
  };
}

/** The step that an arc makes; the way into the hub is none. */
function stepsOf(graph: FlowGraph, calls: CallGraph, arc: number) {
  const target = calls.targets[arc]!;
  if (target === calls.hub) return [];
  const edge = calls.edgeOf[arc]!;
  const arrival =
    edge === -1 ? { kind: 'global' as const } : { kind: 'edge' as const, edge: edge as EdgeIndex };
  return [{ node: graph.order[target]!, arrival }];
}
