/**
 * Calls that show what a squad does otherwise: from a visit back to the start of the call.
 */
import type { WalkStep } from '../compiler/ir/verification.js';
import type { SourceGraph } from './source-graph.js';
import type { Visit } from './walks/visit.js';
import type { Way } from './walks/ways.js';

/** The shortest call to the visit, and one step further where there is a way. */
export function callTo(graph: SourceGraph, visit: Visit, way: Way | null): WalkStep[] {
  const steps: WalkStep[] = [];
  if (way !== null) steps.push(stepOf(graph, way.to, way));
  for (let at: Visit | null = visit; at !== null; at = at.parent) {
    steps.push(stepOf(graph, at.node, at.way));
  }
  return steps.reverse();
}

function stepOf(graph: SourceGraph, node: Visit['node'], way: Way | null): WalkStep {
  const { id, at } = graph.nodeAt(node);
  return { node: id, at, via: way?.edge?.at ?? null };
}
