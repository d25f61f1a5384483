/**
 * Phases 4 and 6 of the grouping: u and v are one stage when v is u's only successor stage, u is
 * v's only predecessor stage, and v holds neither the start nor a global node.
 *
 * Contracting such a pair does not take another one away, so all pairs of a round can be found
 * before the first is merged, and the order of merging does not matter. Where tools that several
 * stages hold lead back, a merge can make a new pair; so rounds follow until none is left, each
 * with fewer stages than the one before.
 */
import { createDisjointSets } from '../graph/disjoint-sets.js';
import {
  computeStageSteps,
  isEntered,
  joinGroups,
  joinSets,
  type Stage,
  type StageGraph,
} from './stages.js';

export function mergeChains(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  let before = stages;
  let after = mergeOnce(within, before);
  while (after.length < before.length) {
    before = after;
    after = mergeOnce(within, before);
  }
  return after;
}

function mergeOnce(within: StageGraph, stages: readonly Stage[]): Stage[] {
  const sets = createDisjointSets(stages.length);
  const groups = stages.map((stage) => stage.groups);
  for (const [from, to] of listChainSteps(within, stages)) {
    const [one, other] = [sets.find(from), sets.find(to)];
    const joined = one === other ? null : joinGroups(groups[one]!, groups[other]!);
    if (joined === null) continue;
    sets.union(one, other);
    groups[sets.find(one)] = joined;
  }
  return joinSets(within, stages, sets, groups, 'chain');
}

function listChainSteps(within: StageGraph, stages: readonly Stage[]): [number, number][] {
  const { successors, predecessors } = computeStageSteps(within, stages);
  const steps: [number, number][] = [];
  stages.forEach((_, from) => {
    const [to] = successors[from]!;
    if (to === undefined || successors[from]!.size > 1 || predecessors[to]!.size > 1) return;
    if (!isEntered(within, stages[to]!)) steps.push([from, to]);
  });
  return steps;
}
