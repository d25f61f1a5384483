/**
 * What is known of a workflow as it is by now: computed once, and again only for what an answer
 * changed. An answer that changes nothing leaves the workflow the same object, and what is known
 * of it stays known.
 */

import { computeFlowGraph } from './3-analyze/flow-graph.js';
import { type ReadReview, reviewReads } from './3-analyze/review-reads.js';
import { computeVariableFlow } from './3-analyze/variables.js';
import { assertFlowGraph } from './invariants.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { VariableFlow } from './ir/variable-flow.js';
import type { Workflow } from './ir/workflow.js';

export interface Analysis {
  readonly graph: FlowGraph;
  readonly flow: VariableFlow;
  /** Its reads, where they were looked at before all that is supplied was known; else null. */
  readonly reviews: readonly ReadReview[] | null;
}

export function analyze(graph: FlowGraph): Analysis {
  return { graph, flow: computeVariableFlow(assertFlowGraph(graph)), reviews: null };
}

/** The same analysis where the workflow is the same. */
export function analyzeAgain(known: Analysis, workflow: Workflow): Analysis {
  return workflow === known.graph.workflow ? known : analyze(graphAgain(known.graph, workflow));
}

/** The same graph where the workflow is the same. */
export function graphAgain(known: FlowGraph, workflow: Workflow): FlowGraph {
  return workflow === known.workflow ? known : computeFlowGraph(workflow, known.start);
}

/** What deserves a word when these are supplied, and at least those that were before. */
export function reviewAgain(
  { graph, flow, reviews }: Analysis,
  supplied: ReadonlySet<string>,
): readonly ReadReview[] {
  if (reviews === null) return reviewReads(graph, flow, supplied);
  return reviews.filter(({ variable }) => !supplied.has(variable.name));
}
