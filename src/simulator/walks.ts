/** Walks: the calls that a workflow allows. All the short ones, or one that numbers choose. */
import type { WalkStep } from '../compiler/ir/result.js';
import {
  nodeOf,
  readSource,
  type Source,
  type SpecWorkflow,
  type Step,
  stepsFrom,
} from './workflow.js';

/** A call: the nodes that it comes to, the start first. Counterexamples of `verify` have this form. */
export type Walk = readonly WalkStep[];

/** Bounds of an enumeration that is endless where the workflow has a cycle. */
export interface WalkLimits {
  /** How many steps a walk takes at most after the start. Default 8. */
  readonly maxSteps?: number;
  /** How many walks there are at most. Default 1000. */
  readonly max?: number;
  /** Id of the start, where the workflow does not say. */
  readonly start?: string;
}

/**
 * The calls that a workflow allows, the shortest first; a call may break off anywhere, so every
 * beginning of a walk is one.
 */
export function walks(workflow: SpecWorkflow, limits: WalkLimits = {}): Walk[] {
  const { maxSteps = 8, max = 1000 } = limits;
  const source = readSource(workflow, limits.start);
  const found = [goOn(source)];
  for (const walk of found) {
    if (walk.length > maxSteps) continue;
    for (const step of stepsFrom(source, indexOf(walk.at(-1)!))) {
      if (found.length >= max) return found;
      found.push(goOn(source, step, walk));
    }
  }
  return found;
}

/** The walk that these numbers choose, one step each; it stops where there is no way on. */
export function randomWalk(
  workflow: SpecWorkflow,
  numbers: readonly number[],
  limits: Pick<WalkLimits, 'start'> = {},
): Walk {
  const source = readSource(workflow, limits.start);
  let walk = goOn(source);
  for (const number of numbers) {
    const possible = stepsFrom(source, indexOf(walk.at(-1)!));
    if (possible.length === 0) break;
    walk = goOn(source, possible[number % possible.length], walk);
  }
  return walk;
}

const indexOf = ({ at }: WalkStep): number => Number(at.slice('/nodes/'.length));

/** The walk with one step more; without a walk, the one that has come to the start. */
export function goOn(source: Source, step: Step = { to: source.start }, walk: Walk = []): Walk {
  const via = step.edge === undefined ? null : `/edges/${step.edge.index}`;
  return [...walk, { node: nodeOf(source, step.to).id, at: `/nodes/${step.to}`, via }];
}

/** The steps of a walk after its start; throws where the source has no such step. */
export function stepsOf(source: Source, [, ...visits]: Walk): Step[] {
  return visits.map((visit) => {
    const { via, node } = visit;
    const to = indexOf(visit);
    if (via === null) return { to };
    const edge = source.edges.find(({ index }) => via === `/edges/${index}`);
    if (edge === undefined) throw new Error(`no call can come to ${node} by ${via}`);
    return { to, edge };
  });
}

/** The walk as a text: `a → b` along an edge, `a ⇒ b` to a global node. */
export function describeWalk(walk: Walk): string {
  const steps = walk.slice(1).map(({ node, via }) => `${via === null ? '⇒' : '→'} ${node}`);
  return [walk[0]?.node ?? '', ...steps].join(' ');
}
