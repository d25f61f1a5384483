/**
 * Phases 4 and 6 of the grouping: u and v are one stage when v is u's only successor stage, u is
 * v's only predecessor stage, and v holds neither the start nor a global node.
 *
 * Contracting such a pair leaves the successors and predecessors of every other stage as they are,
 * so all pairs can be found before the first is merged, and the order of merging does not matter.
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

export function mergeChains(within: StageGraph, stages: readonly Stage[]): Stage[] {
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
