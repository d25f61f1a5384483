/**
 * Phase 5 of the grouping: only stages that talk become assistants.
 *
 * A stage without a talk node that is neither the start's nor global goes to every stage that leads
 * to it, with what it leads to: so a stage gets all such stages that it leads to through such
 * stages. Then the stages of global tools, with what they have got, are given to every stage. Last,
 * a start that is only a tool goes to its only successor. What goes is a bundle of tools from then
 * on, which stages hold; a tool that ten stages hold is written down once.
 */
import { flag, tabulate } from '../rows.js';
import { clash, uniteLabels, withoutLone } from './labels.js';
import type { Quotient } from './quotient.js';
import {
  type Bundles,
  flagGlobals,
  flagStages,
  joinByRoot,
  nothingHeld,
  type Stages,
  stageOfStart,
} from './stages.js';
import { computeSteps, countSteps } from './steps.js';

export interface Placement {
  readonly stages: Stages;
  readonly bundles: Bundles;
}

export function placeTools(quotient: Quotient, stages: Stages, none: Bundles): Placement {
  const talks = flagStages(stages, quotient.talks);
  if (!talks.includes(0)) return { stages, bundles: none };
  const start = stageOfStart(quotient, stages);
  const global = flagGlobals(quotient, stages);
  const isTool = flag(stages.count, (stage) => talks[stage] === 0 && stage !== start);
  if (!isTool.includes(1)) return placeStart(quotient, { stages, bundles: none });
  const bundleOf = numberSome(isTool);
  const { rows } = computeSteps(quotient, stages, none);
  const reach = createReach(rows, bundleOf, global);
  const given = new Set<number>();
  bundleOf.forEach((bundle, stage) => {
    if (bundle === -1 || global[stage] === 0) return;
    for (const it of [bundle, ...reach(stage)]) given.add(it);
  });
  const bundles = describeBundles(quotient, stages, bundleOf, given);
  return placeStart(quotient, { stages: keepOthers(stages, bundleOf, reach, given), bundles });
}

/** Numbers those that have the flag, from 0; -1 for the others. */
function numberSome(flags: Uint8Array): Int32Array {
  let next = 0;
  return tabulate(flags.length, (at) => (flags[at] === 1 ? next++ : -1));
}

/** Tells the bundles that a stage leads to through bundles, those of global tools aside. */
function createReach(
  { offsets, targets }: { readonly offsets: Int32Array; readonly targets: Int32Array },
  bundleOf: Int32Array,
  global: Uint8Array,
): (stage: number) => readonly number[] {
  const fromOne = new Map<number, readonly number[]>();
  const next = (stage: number): number[] => {
    const row = targets.subarray(offsets[stage]!, offsets[stage + 1]!);
    return [...row].filter((to) => bundleOf[to] !== -1 && global[to] === 0);
  };
  const search = (roots: readonly number[]): number[] => {
    // A set is visited in the order of its insertions, those made on the way included.
    const found = new Set(roots);
    for (const stage of found) for (const to of next(stage)) found.add(to);
    return [...found].map((stage) => bundleOf[stage]!).sort((one, other) => one - other);
  };
  return (stage) => {
    const roots = next(stage);
    if (roots.length === 0) return nothingHeld;
    if (roots.length > 1) return search(roots);
    const reached = fromOne.get(roots[0]!) ?? search(roots);
    fromOne.set(roots[0]!, reached);
    return reached;
  };
}

function describeBundles(
  { successors }: Quotient,
  stages: Stages,
  bundleOf: Int32Array,
  given: ReadonlySet<number>,
): Bundles {
  const of = tabulate(stages.of.length, (vertex) => bundleOf[stages.of[vertex]!]!);
  const onward: Set<number>[] = [];
  of.forEach((bundle, vertex) => {
    if (bundle === -1) return;
    onward[bundle] ??= new Set();
    for (let at = successors.offsets[vertex]!; at < successors.offsets[vertex + 1]!; at += 1) {
      const to = successors.targets[at]!;
      if (of[to] === -1) onward[bundle].add(to);
    }
  });
  return {
    count: onward.length,
    of,
    onward: onward.map((vertices) => [...vertices]),
    given: [...given].sort((one, other) => one - other),
    onwardOfGiven: [...new Set([...given].flatMap((bundle) => [...onward[bundle]!]))],
  };
}

/** The stages that are no bundles, with the bundles that they hold. */
function keepOthers(
  { of, labels }: Stages,
  bundleOf: Int32Array,
  reach: (stage: number) => readonly number[],
  given: ReadonlySet<number>,
): Stages {
  const numbers = numberSome(flag(bundleOf.length, (stage) => bundleOf[stage] === -1));
  const kept = [...numbers.keys()].filter((stage) => numbers[stage] !== -1);
  const withoutGiven = (list: readonly number[]) =>
    list.some((bundle) => given.has(bundle)) ? list.filter((it) => !given.has(it)) : list;
  return {
    count: kept.length,
    of: tabulate(of.length, (vertex) => numbers[of[vertex]!]!),
    labels: kept.map((stage) => labels[stage]!),
    held: kept.map((stage) => withoutGiven(reach(stage))),
  };
}

function placeStart(quotient: Quotient, placement: Placement): Placement {
  const { stages, bundles } = placement;
  const start = stageOfStart(quotient, stages);
  if (start === -1 || flagStages(stages, quotient.talks)[start] === 1) return placement;
  const { out, outSum } = countSteps(computeSteps(quotient, stages, bundles));
  if (out[start] !== 1) return placement;
  const only = outSum[start]!;
  // A tool that no group names is alone only until this phase.
  const labels = withoutLone(stages.labels[start]!);
  if (clash(labels, stages.labels[only]!)) return placement;
  const together = uniteLabels(labels, stages.labels[only]!);
  return {
    bundles,
    stages: joinByRoot(
      stages,
      (stage) => (stage === start ? only : stage),
      (root) => (root === only ? together : stages.labels[root]!),
    ),
  };
}
