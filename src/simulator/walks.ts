/** Walks of a workflow: all the short ones, or one that numbers choose. */
import type { SpecWorkflow } from './spec-workflow.js';
import { goOn, readSource, stepsFrom, type Walk } from './workflow.js';

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
    for (const step of stepsFrom(source, lastOf(walk))) {
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
    const possible = stepsFrom(source, lastOf(walk));
    if (possible.length === 0) break;
    walk = goOn(source, possible[number % possible.length], walk);
  }
  return walk;
}

function lastOf(walk: Walk): number {
  return Number(walk.at(-1)?.at.slice('/nodes/'.length));
}
