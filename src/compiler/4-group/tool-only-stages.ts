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
import { targetsAt } from '../../graph/adjacency.js';
import type { Adjacency } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';
import { createGroupJoiner, joinStages } from './joining.js';
import { computeOnlySteps, computeStageSteps } from './stage-steps.js';
import {
  type Groups,
  holdsGlobal,
  holdsStart,
  holdsTalk,
  isAlone,
  isEntered,
  type Stage,
  type StageGraph,
} from './stages.js';

export function placeTools(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  return placeStart(within, giveGlobalTools(within, eliminateToolOnly(within, stages)));
}

function eliminateToolOnly(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  const goes = stages.map((stage) => !holdsTalk(within, stage) && !isEntered(within, stage));
  if (!goes.includes(true)) return stages;
  const { successors } = computeStageSteps(within, stages);
  return stages.flatMap((stage, at) => {
    if (goes[at]) return [];
    const copies = reachThrough(at, successors, goes).map((copied) => stages[copied]!);
    return [addCopies(stage, copies, 'tool-only-stage')];
  });
}

/** The stages that go and that are reached from `from` through stages that go. */
function reachThrough(from: number, successors: Adjacency, goes: readonly boolean[]): number[] {
  const isGoing = (stage: number) => goes[stage] === true;
  const found = new Set<number>(targetsAt(successors, from).filter(isGoing));
  // What is added on the way is visited as well.
  for (const stage of found) {
    for (const next of targetsAt(successors, stage)) if (isGoing(next)) found.add(next);
  }
  return [...found].sort((a, b) => a - b);
}

function addCopies(stage: Stage, copies: readonly Stage[], rule: MergeRule): Stage {
  if (copies.length === 0) return stage;
  const nodes = new Set<NodeIndex>(stage.nodes);
  const merges: Merge[] = [...stage.merges];
  for (const copy of copies) {
    for (const node of copy.nodes) nodes.add(node);
    merges.push({ rule, nodes: copy.nodes });
  }
  return { ...stage, nodes: [...nodes], merges };
}

function giveGlobalTools(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  if (within.graph.globals.length === 0) return stages;
  const isGiven = (stage: Stage) =>
    holdsGlobal(within, stage) && !holdsTalk(within, stage) && !holdsStart(within, stage);
  const tools = stages.filter(isGiven);
  if (tools.length === 0) return stages;
  const given = new Set(tools.flatMap((stage) => stage.nodes));
  return stages
    .filter((stage) => !isGiven(stage))
    .map((stage) => ({ ...addCopies(stage, tools, 'global-tool'), given }));
}

function placeStart(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  const at = stages.findIndex((stage) => holdsStart(within, stage));
  const start = stages[at];
  if (start === undefined || holdsTalk(within, start)) return stages;
  const only = stages[computeOnlySteps(within, stages).next[at]!];
  if (only === undefined) return stages;
  const groups = createGroupJoiner()(namedGroups(start), only.groups);
  if (groups === null) return stages;
  const joined = joinStages(within, [start, only], groups, 'start-tool');
  return stages.flatMap((stage) => (stage === start ? [] : stage === only ? [joined] : [stage]));
}

/** A tool that no group names is alone only until this phase. */
function namedGroups({ groups }: Stage): Groups {
  return new Map([...groups].filter(([, label]) => !isAlone(label)));
}
