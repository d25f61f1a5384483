/** Walks: the calls that a workflow allows. Either all short ones, or one chosen by numbers. */

import { nodeOf, type Step, stepsFrom } from '../call/machine.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { extendWalk, type Walk } from './explore.js';

/** Bounds of an enumeration that is infinite if the workflow has a cycle. */
export interface WalkLimits {
  /** The most steps of a walk after the start. Default 8. */
  readonly maxSteps?: number;
  /** The most walks. Default 1000. */
  readonly max?: number;
}

/**
 * The calls that a workflow allows, the shortest first. A call may end anywhere, so every beginning
 * of a walk is one.
 */
export function walks(graph: FlowGraph, { maxSteps = 8, max = 1000 }: WalkLimits = {}): Walk[] {
  const found: { readonly at: number; readonly walk: Walk }[] = [];
  const add = (step: Step, walk: Walk = []) => {
    if (found.length < max) found.push({ at: step.to, walk: extendWalk(graph, step, walk) });
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
  let walk = extendWalk(graph, step);
  for (const number of numbers) {
    const possible = stepsFrom(graph, step.to);
    if (possible.length === 0) break;
    step = possible[number % possible.length]!;
    walk = extendWalk(graph, step, walk);
  }
  return walk;
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
