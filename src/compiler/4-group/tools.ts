/**
 * What tools do to stages: phase 5 of the grouping, and the boundary `tools`.
 *
 * Only stages with a talk node become assistants. First every stage without one that is neither the
 * start's nor global is eliminated: each stage that steps into it gets a copy of its tools (tail
 * duplication) and with them the edges onward. Eliminating one after the other until none is left
 * gives each remaining stage all the tool-only stages that it reaches through tool-only stages,
 * which is what is computed here. Then the global tools are given to every other stage. Last, a
 * tool-only start goes to its only successor stage.
 */
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { MergeRule } from '../ir/region-map.js';
import { givenToolKey, onlySays } from '../ir/workflow.js';
import {
  aloneLabel,
  areApart,
  computeStageSteps,
  joinStages,
  type Labels,
  type Stage,
  type StageGraph,
  startJoining,
} from './stages.js';

/** Null where the stages would hold more than `most` copies of tools. */
export function placeTools(
  within: StageGraph,
  stages: readonly Stage[],
  most: number,
): readonly Stage[] | null {
  const talking = eliminateToolOnly(within, stages, most);
  return talking && placeStart(within, giveGlobalTools(talking));
}

function eliminateToolOnly(
  within: StageGraph,
  stages: readonly Stage[],
  most: number,
): readonly Stage[] | null {
  const goes = stages.map(({ talks, isEntered }) => !talks && !isEntered);
  const { successors } = computeStageSteps(within, stages);
  const going = successors.map((targets) => targets.filter((target) => goes[target]));
  const kept: Stage[] = [];
  let count = 0;
  for (const [at, stage] of stages.entries()) {
    if (goes[at]) continue;
    const reached = [...flood(going[at]!, (it) => going[it]!)].sort((a, b) => a - b);
    const copies = reached.map((it) => stages[it]!);
    for (const { nodes } of copies) count += nodes.length;
    if (count > most) return null;
    kept.push(addCopies(stage, copies, 'tool-only-stage'));
  }
  return kept;
}

function addCopies(stage: Stage, copies: readonly Stage[], rule: MergeRule): Stage {
  if (copies.length === 0) return stage;
  const nodes = new Set([...stage.nodes, ...copies.flatMap((copy) => copy.nodes)]);
  const merges = copies.map((copy) => ({ rule, nodes: copy.nodes }));
  return { ...stage, nodes: [...nodes], merges: [...stage.merges, ...merges] };
}

function giveGlobalTools(stages: readonly Stage[]): readonly Stage[] {
  const isGiven = ({ talks, holdsStart, isEntered }: Stage) => isEntered && !talks && !holdsStart;
  const tools = stages.filter(isGiven);
  const others = stages.filter((stage) => !isGiven(stage));
  return others.map((stage) => addCopies(stage, tools, 'global-tool'));
}

function placeStart(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  const at = stages.findIndex(({ holdsStart }) => holdsStart);
  const start = stages[at]!;
  if (start.talks) return stages;
  const [next, ...others] = computeStageSteps(within, stages).successors[at]!;
  if (next === undefined || others.length > 0) return stages;
  const only = stages[next]!;
  // A tool that no group names is alone only until this phase.
  const isAlone = (label: string) => start.nodes.some((node) => label === aloneLabel(node));
  const labels: Labels = new Map([...start.labels].filter(([, label]) => !isAlone(label)));
  if (areApart(labels, only.labels)) return stages;
  const all = new Map([...only.labels, ...labels]);
  const joined = joinStages(within, [start, only], all, 'start-tool');
  return stages.flatMap((stage) => (stage === start ? [] : stage === only ? [joined] : [stage]));
}

/**
 * The boundary `tools`: assistants are split only where the tools differ.
 *
 * With the stages so far as atoms, v joins the stage that holds all its predecessor atoms, unless v
 * has tools and one of those atoms has tools and the two sets differ; never when v holds the start
 * or a global node. Atoms are visited predecessors first; where an answer keeps a cycle apart there
 * is no such order, and the visit is repeated until nothing joins: each repetition leaves fewer
 * stages.
 */
export function joinAcrossSameTools(within: StageGraph, atoms: readonly Stage[]): readonly Stage[] {
  const { successors, predecessors } = computeStageSteps(within, atoms);
  const tools = atoms.map((atom) => toolsOf(within, atom));
  const joining = startJoining(within, atoms);
  const isSame = (one: string, other: string) => one === '' || other === '' || one === other;
  const mayJoin = (atom: number) =>
    !atoms[atom]!.isEntered && predecessors[atom]!.every((it) => isSame(tools[it]!, tools[atom]!));
  const visited = computeComponents(successors).members.flat().filter(mayJoin);
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    for (const atom of visited) {
      // Those in its own stage joined it before, and lead back through a tool that they were given.
      const homes = new Set(predecessors[atom]!.map(joining.setOf));
      homes.delete(joining.setOf(atom));
      const [home, ...others] = homes;
      if (home !== undefined && others.length === 0 && joining.join(home, atom)) isOpen = true;
    }
  }
  return joining.finish('tools-boundary');
}

/** The atom's own requests, transfers and given tools, as one comparable text. */
function toolsOf({ graph, representative }: StageGraph, { nodes, merges }: Stage): string {
  const found = new Set<string>();
  // What every stage was given is nobody's own.
  const given = new Set(merges.flatMap((it) => (it.rule === 'global-tool' ? it.nodes : [])));
  for (const node of nodes.filter((it) => !given.has(it))) {
    const it = graph.workflow.nodes[node]!;
    const { role, calls, tools } = it;
    if (role === 'act' && !onlySays(it)) found.add(`node ${node}`);
    else for (const tool of tools) found.add(`given ${givenToolKey(tool)}`);
    for (const call of calls) found.add(`custom ${call.tool}`);
    for (const target of graph.successors[node]!) {
      const { type, index } = graph.workflow.nodes[representative[target]!]!;
      if (type === 'transferCall') found.add(`node ${index}`);
    }
  }
  return [...found].sort().join('\n');
}
