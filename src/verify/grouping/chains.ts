/**
 * Phases 4 and 6 of the grouping: a stage and its only successor, whose only predecessor it is, are
 * one, unless the successor is entered from outside or an answer keeps the two apart.
 *
 * Stages that are one form a run: its first stage is entered, its last is left. When two runs are
 * joined, no step but the one between them is inside, save one from the new last stage back to the
 * new first. So the degrees tell all there is to know: where one is 1, the sum of the ends is the
 * only end. Only a step back that falls away can make a new pair; such pairs wait for the next
 * round. Where an answer keeps two ends of a chain apart, what stands between them goes with the
 * stage before it: pairs are joined in walk order, and each only once.
 */
import { tabulate } from '../rows.js';
import { clash } from './labels.js';
import type { Quotient } from './quotient.js';
import { flagEntered, joinByRoot, joinLabels, type Stages } from './stages.js';
import { countSteps, createLeadsTo, type Degrees, type Steps } from './steps.js';

export function joinChains(quotient: Quotient, stages: Stages, steps: Steps): Stages {
  const degrees = countSteps(steps);
  const entered = flagEntered(quotient, stages);
  const isEntered = (stage: number) => entered[stage] === 1;
  let lasts = listPairs(degrees, isEntered, allStages(stages.count));
  if (lasts.length === 0) return stages;
  const runs = createRuns(stages, degrees, createLeadsTo(steps));
  while (lasts.length > 0) {
    for (const last of lasts) runs.join(last);
    lasts = listPairs(degrees, isEntered, runs.takeChanged());
  }
  const first = runs.firstOf();
  return joinByRoot(
    stages,
    (stage) => first[stage]!,
    (root) => runs.labels[root]!,
  );
}

/**
 * The pairs that begin at these stages: a last stage of a run, and the first of the next, which its
 * only step leads to. They are known by the former.
 */
function listPairs(
  degrees: Degrees,
  isEntered: (stage: number) => boolean,
  candidates: ArrayLike<number>,
): number[] {
  const lasts: number[] = [];
  for (let at = 0; at < candidates.length; at += 1) {
    const last = candidates[at]!;
    if (degrees.out[last] !== 1) continue;
    const first = degrees.outSum[last]!;
    if (degrees.in[first] === 1 && !isEntered(first)) lasts.push(last);
  }
  return lasts;
}

function createRuns(
  { count, labels: given }: Stages,
  degrees: Degrees,
  leadsTo: (from: number, to: number) => boolean,
) {
  const firstByLast = allStages(count);
  const lastByFirst = allStages(count);
  const next = new Int32Array(count).fill(-1);
  const isFirst = new Uint8Array(count).fill(1);
  const labels = [...given];
  const changed: [last: number, first: number][] = [];

  function join(last: number): void {
    // Its step may have become one back to the first of its own run, and fallen away.
    if (degrees.out[last] !== 1) return;
    const middle = degrees.outSum[last]!;
    const first = firstByLast[last]!;
    if (first === middle || clash(labels[first]!, labels[middle]!)) return;
    const newLast = lastByFirst[middle]!;
    next[last] = middle;
    isFirst[middle] = 0;
    joinLabels(labels, first, middle);
    firstByLast[newLast] = first;
    lastByFirst[first] = newLast;
    if (!leadsTo(newLast, first)) return;
    degrees.out[newLast]! -= 1;
    degrees.outSum[newLast]! -= first;
    degrees.in[first]! -= 1;
    degrees.inSum[first]! -= newLast;
    changed.push([newLast, first]);
  }

  /** Last stages that a step fewer may have made part of a pair, in walk order of their runs. */
  function takeChanged(): readonly number[] {
    if (changed.length === 0) return none;
    const lasts = new Set<number>();
    for (const [last, first] of changed.splice(0)) {
      if (next[last] === -1) lasts.add(last);
      if (isFirst[first] === 1 && degrees.in[first] === 1) lasts.add(degrees.inSum[first]!);
    }
    return [...lasts].sort((one, other) => firstByLast[one]! - firstByLast[other]!);
  }

  /** For each stage the first of its run. */
  function firstOf(): Int32Array {
    const first = new Int32Array(count);
    for (let head = 0; head < count; head += 1) {
      if (isFirst[head] === 0) continue;
      for (let at = head; at !== -1; at = next[at]!) first[at] = head;
    }
    return first;
  }

  return { join, takeChanged, firstOf, labels };
}

const none: readonly number[] = [];

function allStages(count: number): Int32Array {
  return tabulate(count, (stage) => stage);
}
