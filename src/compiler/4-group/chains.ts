/**
 * Phases 4 and 6 of the grouping: u and v are one stage when v is u's only successor stage, u is
 * v's only predecessor stage, and v holds neither the start nor a global node.
 *
 * Contracting such a pair does not take another one away, so all pairs of a round can be found
 * before the first is merged, and the order of merging does not matter. Where tools that several
 * stages hold lead back, a merge can make a new pair; so rounds follow until none is left, each
 * with fewer stages than the one before.
 */
import { type Joining, startJoining } from './joining.js';
import { computeOnlySteps, none } from './stage-steps.js';
import { isEntered, type Stage, type StageGraph } from './stages.js';

export function mergeChains(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  let before = stages;
  let after = mergeOnce(within, before);
  while (after.length < before.length) {
    before = after;
    after = mergeOnce(within, before);
  }
  return after;
}

function mergeOnce(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  if (stages.length === 1) return stages;
  const { next, before } = computeOnlySteps(within, stages);
  let joining: Joining | null = null;
  for (let from = 0; from < stages.length; from += 1) {
    const to = next[from]!;
    if (to <= none || before[to]! <= none || isEntered(within, stages[to]!)) continue;
    joining ??= startJoining(within, stages);
    joining.join(from, to);
  }
  return joining === null ? stages : joining.finish('chain');
}
