/** Walks: the calls that a workflow allows. Either all short ones, or one chosen by numbers. */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { WalkStep } from '../compiler/ir/result.js';
import type { WorkflowEdge, WorkflowNode } from '../compiler/ir/workflow.js';

/** A call: the nodes it reaches, the start first. Counterexamples of `verify` have this form. */
export type Walk = readonly WalkStep[];

/** One step of a call: along an edge, or into a global node. */
export interface Step {
  readonly to: number;
  readonly edge?: WorkflowEdge | undefined;
}

/** Bounds of an enumeration that is infinite if the workflow has a cycle. */
export interface WalkLimits {
  /** The most steps of a walk after the start. Default 8. */
  readonly maxSteps?: number;
  /** The most walks. Default 1000. */
  readonly max?: number;
}

export function nodeOf({ workflow }: FlowGraph, index: number): WorkflowNode {
  return workflow.nodes[index]!;
}

/** The edges that a call can take. */
export function edgesOf({ order, leaving }: FlowGraph): readonly WorkflowEdge[] {
  return order.flatMap((node) => leaving[node]!).sort((a, b) => a.index - b.index);
}

/** The possible steps at a node: its edges in order, then every other global node. */
export function stepsFrom(graph: FlowGraph, node: number): Step[] {
  if (nodeOf(graph, node).role === 'exit') return [];
  return [
    ...graph.leaving[node]!.map((edge) => ({ to: edge.to, edge })),
    ...graph.globals.filter((to) => to !== node).map((to) => ({ to })),
  ];
}

/**
 * The calls that a workflow allows, the shortest first. A call may end anywhere, so every beginning
 * of a walk is one.
 */
export function walks(graph: FlowGraph, { maxSteps = 8, max = 1000 }: WalkLimits = {}): Walk[] {
  const found: { readonly at: number; readonly walk: Walk }[] = [];
  const add = (step: Step, walk: Walk = []) => {
    if (found.length < max) found.push({ at: step.to, walk: goOn(graph, step, walk) });
  };
  add({ to: graph.start });
  for (const { at, walk } of found) {
    if (walk.length <= maxSteps) for (const step of stepsFrom(graph, at)) add(step, walk);
  }
  return found.map(({ walk }) => walk);
}

/** The walk that these numbers choose, one step for each; it stops at a node without steps. */
export function randomWalk(graph: FlowGraph, numbers: readonly number[]): Walk {
  let step: Step = { to: graph.start };
  let walk = goOn(graph, step);
  for (const number of numbers) {
    const possible = stepsFrom(graph, step.to);
    if (possible.length === 0) break;
    step = possible[number % possible.length]!;
    walk = goOn(graph, step, walk);
  }
  return walk;
}

/** The walk with one more step. */
export function goOn(graph: FlowGraph, { to, edge }: Step, walk: Walk = []): Walk {
  const { id, at } = nodeOf(graph, to);
  return [...walk, { node: id, at, via: edge?.at ?? null }];
}

/** The steps of a walk after its start; throws if no call can take one of them. */
export function stepsOf(graph: FlowGraph, walk: Walk): Step[] {
  let from: number = graph.start;
  return walk.slice(1).map(({ at, node, via }) => {
    const step = stepsFrom(graph, from).find(
      ({ to, edge }) => nodeOf(graph, to).at === at && (edge?.at ?? null) === via,
    );
    if (step === undefined) throw new Error(`no call can come to ${node} by ${via}`);
    from = step.to;
    return step;
  });
}

/** The walk as a text: `a → b` along an edge, `a ⇒ b` to a global node. */
export function describeWalk(walk: Walk): string {
  const steps = walk.slice(1).map(({ node, via }) => `${via === null ? '⇒' : '→'} ${node}`);
  return [walk[0]?.node ?? '', ...steps].join(' ');
}
