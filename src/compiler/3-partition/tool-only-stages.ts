/**
 * Phase 5 of the grouping: only stages with a talk node become assistants.
 *
 * First every stage without a talk node that is neither the start's nor global is eliminated:
 * each stage that steps into it gets a copy of its tools (tail duplication) and with them the
 * edges onward. Eliminating one after the other until none is left gives each remaining stage all
 * the tool-only stages that it reaches through tool-only stages, which is what is computed here.
 * Then the global tools are given to every other stage. Last, a tool-only start goes to its only
 * successor stage.
 */
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';
import {
  computeStageSteps,
  holdsGlobal,
  holdsStart,
  holdsTalk,
  isAlone,
  isEntered,
  joinGroups,
  joinStages,
  type Stage,
  type StageGraph,
} from './stages.js';

export function placeTools(within: StageGraph, stages: readonly Stage[]): Stage[] {
  return placeStart(within, giveGlobalTools(within, eliminateToolOnly(within, stages)));
}

function eliminateToolOnly(within: StageGraph, stages: readonly Stage[]): Stage[] {
  const goes = stages.map((stage) => !holdsTalk(within, stage) && !isEntered(within, stage));
  if (!goes.includes(true)) return [...stages];
  const { successors } = computeStageSteps(within, stages);
  return stages.flatMap((stage, at) => {
    if (goes[at]) return [];
    const copies = reachThrough(at, successors, goes).map((copied) => stages[copied]!);
    return [addCopies(stage, copies, 'tool-only-stage')];
  });
}

/** The stages that go and that are reached from `from` through stages that go. */
function reachThrough(
  from: number,
  successors: readonly ReadonlySet<number>[],
  goes: readonly boolean[],
): number[] {
  const found = new Set<number>();
  const pending = [from];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    for (const next of successors[at]!) {
      if (!goes[next] || found.has(next)) continue;
      found.add(next);
      pending.push(next);
    }
  }
  return [...found].sort((a, b) => a - b);
}

function addCopies(stage: Stage, copies: readonly Stage[], rule: MergeRule): Stage {
  if (copies.length === 0) return stage;
  const nodes = new Set<NodeIndex>(stage.nodes);
  const merges: Merge[] = [...stage.merges];
  for (const copy of copies) {
    for (const node of copy.nodes) nodes.add(node);
    merges.push({ rule, nodes: [...copy.nodes] });
  }
  return { ...stage, nodes, merges };
}

function giveGlobalTools(within: StageGraph, stages: readonly Stage[]): Stage[] {
  const isGiven = (stage: Stage) =>
    holdsGlobal(within, stage) && !holdsTalk(within, stage) && !holdsStart(within, stage);
  const tools = stages.filter(isGiven);
  if (tools.length === 0) return [...stages];
  const given = new Set(tools.flatMap((stage) => [...stage.nodes]));
  return stages
    .filter((stage) => !isGiven(stage))
    .map((stage) => ({ ...addCopies(stage, tools, 'global-tool'), given }));
}

function placeStart(within: StageGraph, stages: readonly Stage[]): Stage[] {
  const at = stages.findIndex((stage) => holdsStart(within, stage));
  const start = stages[at];
  if (start === undefined || holdsTalk(within, start)) return [...stages];
  const [only, ...others] = computeStageSteps(within, stages).successors[at]!;
  if (only === undefined || others.length > 0) return [...stages];
  const groups = joinGroups(namedGroups(start), stages[only]!.groups);
  if (groups === null) return [...stages];
  const joined = joinStages(within, [start, stages[only]!], groups, 'start-tool');
  return stages.map((stage, i) => (i === only ? joined : stage)).filter((_, i) => i !== at);
}

/** A tool that no group names is alone only until this phase. */
function namedGroups({ groups }: Stage): Stage['groups'] {
  return new Map([...groups].filter(([, label]) => !isAlone(label)));
}
