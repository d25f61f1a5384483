/**
 * FlowGraph → RegionMap: how many assistants there are, and which nodes belong to which.
 *
 * A workflow has a node for everything that is said; a squad should have an assistant for every
 * job. So nodes are merged as long as nothing is lost: two stages that always follow each other
 * need no handoff, and stages that would hand the caller back and forth belong together. The phases
 * run in a fixed order, which is part of the definition, because a tool-only stage between two
 * stages could otherwise go to either:
 *
 *     1 fold exits        an exit is an action of the node before it, never a member
 *     2 equal nodes       nodes that behave the same are one
 *     3 components        a cycle is one stage, unless an answer keeps it apart
 *     4 chains            a stage and its only successor, if it is the only predecessor of that
 *     5 tool-only stages  go to the stages that call them
 *     6 chains            again, as phase 5 may create new ones
 *
 * Each phase is confluent: its result does not depend on the order of its steps. Phases 2 to 4
 * contract, phase 5 removes stages, so each terminates.
 *
 * In: the flow graph, what answers change, the boundary. Out: regions in the order of the members.
 * Invariants: see RegionMap. Example: greeting → collection → (scheduling, billing) → end gives
 * three regions: {greeting, collection}, {scheduling}, {billing}.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Boundary } from '../ir/options.js';
import {
  type MergeRule,
  maxCopiesOf,
  type RegionMap,
  type Regrouping,
  type Split,
  singletonLabel,
  splitsOfAssistants,
} from '../ir/region-map.js';
import { givenToolKey, onlySays } from '../ir/workflow.js';
import {
  computeRegions,
  computeStageSteps,
  isEntered,
  joinStages,
  type Labels,
  mustStaySeparate,
  ownersOf,
  type Stage,
  type StageGraph,
  stageOf,
  startJoining,
  talks,
} from './stages.js';

/**
 * The regions, or an error if there would be too many. `answered` is what answers change: the nodes
 * that they keep apart, the global nodes that they join with all that these lead to.
 */
export function partition(within: StageGraph, answered: readonly Regrouping[], boundary: Boundary) {
  const { graph } = within;
  const limit = maxCopiesOf(graph.workflow);
  const splits = answered.flatMap(({ apart }) => apart ?? []);
  const joined = answered.flatMap((it) => it.joined ?? []);
  const parts = stagesOfComponents(within, splits);
  const chains = mergeChains(within, consolidate(within, parts, joined));
  const talking = eliminateToolOnly(within, chains, limit);
  if (talking === null) return refuse(graph, 0, []);
  const stages = mergeChains(within, placeStart(within, giveGlobalTools(within, talking)));
  const isByTools = boundary === 'tools';
  const map = computeRegions(within, isByTools ? joinAcrossSameTools(within, stages) : stages);
  const assistants = map.regions.length;
  const isTooLarge = assistants * graph.globals.length > limit;
  return isTooLarge ? refuse(graph, assistants, graph.globals) : map;
}

/** The stages and the global nodes from which a call returns, as questions see them. */
export function listStages({ workflow }: FlowGraph, { regions }: RegionMap) {
  const returns = regions.flatMap(({ entries, steps, merges }) => {
    const globals = entries.filter((it) => workflow.nodes[it]!.global !== null);
    // Edges of a tool that was given to every assistant say nothing about this one.
    const given = new Set(merges.flatMap((it) => (it.rule === 'global-tool' ? it.nodes : [])));
    const onward = steps.flatMap((step) =>
      step.kind === 'handoff' && !given.has(step.from) ? step.region : [],
    );
    const to = [...new Set(onward)].map((it) => regions[it]!.nodes[0]!);
    return to.length === 0 ? [] : globals.map((global) => ({ global, to }));
  });
  const stages = regions.map(({ nodes, steps }) => {
    return { nodes, inner: steps.filter(({ kind }) => kind === 'inner') };
  });
  return { stages, returns };
}

/**
 * Rejects what would grow with a product of the source before it is built. Example: 1,000 branches
 * and 500 global nodes make 1,501 assistants with 750,500 handoffs and steps to global nodes.
 */
function refuse({ workflow }: FlowGraph, assistants: number, globals: readonly NodeIndex[]) {
  const [at = workflow.at] = globals.map((it) => workflow.nodes[it]!.at);
  const args = { most: maxCopiesOf(workflow), assistants, globals: globals.length };
  return diagnose('lower/too-large', at, args);
}

/**
 * Phase 3: a component is one stage unless an answer separates parts of it; then each group is a
 * stage, and so is each node outside the groups.
 */
function stagesOfComponents(within: StageGraph, splits: readonly Split[]): Stage[] {
  const permanent = splitsOfAssistants(within.graph, within.nodes);
  return within.components.flatMap((members) => {
    const applying = splits.filter((split) => members.some((node) => split.has(node)));
    const parts = groupBy(members, (node) => {
      const labels = applying.map((split) => split.get(node) ?? '');
      const isNamed = applying.length === 0 || labels.some((label) => label !== '');
      return isNamed ? labels.join(' ') : singletonLabel(node);
    });
    return Array.from(parts.values(), (nodes) => {
      const own = nodes.map((node) => stageOf(node, [...applying, ...permanent]));
      return joinStages(within, own, 'component');
    });
  });
}

/**
 * Answers that join stages after phase 3: the stage of a global node and every stage that edges
 * reach from it, in walk order, unless two of them are kept apart.
 */
function consolidate(within: StageGraph, stages: readonly Stage[], globals: readonly NodeIndex[]) {
  const { successors } = computeStageSteps(within, stages);
  const owners = ownersOf(stages);
  const joining = startJoining(within, stages);
  for (const global of globals) {
    const home = owners.get(global)!;
    const reached = [...flood([home], (stage) => successors[stage]!)];
    const rankOf = (stage: number) => within.graph.rank[stages[stage]!.nodes[0]!]!;
    reached.sort((one, other) => rankOf(one) - rankOf(other));
    for (const stage of reached) joining.join(home, stage);
  }
  return joining.finish('global-returns');
}

/**
 * Phases 4 and 6: u and v become one stage if v is u's only successor stage, u is v's only
 * predecessor stage, and v contains neither the start nor a global node.
 *
 * Contracting one such pair does not remove another, so all pairs of a round are found before the
 * first merge, and the order of merging does not matter. If tools in several stages lead back, a
 * merge can create a new pair; so rounds are repeated until none is left, each with fewer stages.
 */
function mergeChains(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  let before = stages;
  for (;;) {
    const { successors, predecessors } = computeStageSteps(within, before);
    const joining = startJoining(within, before);
    for (const [from, [to, ...others]] of successors.entries()) {
      if (to === undefined || others.length > 0 || predecessors[to]!.length > 1) continue;
      if (!isEntered(within, before[to]!)) joining.join(from, to);
    }
    const after = joining.finish('chain');
    if (after.length === before.length) return after;
    before = after;
  }
}

/**
 * Phase 5. Only stages with a talk node become assistants. First every stage without one is
 * eliminated unless it contains the start or is global: each stage that steps into it gets a copy
 * of its tools (tail duplication) and their outgoing edges. Eliminating one after the other gives
 * each remaining stage all the tool-only stages that it reaches through tool-only stages, which is
 * computed here directly. Then every other stage gets the global tools. Last, a tool-only start
 * goes to its only successor stage. Null if there would be more than `limit` copies of tools.
 */
function eliminateToolOnly(within: StageGraph, stages: readonly Stage[], limit: number) {
  const isRemoved = stages.map((it) => !talks(within, it) && !isEntered(within, it));
  const { successors } = computeStageSteps(within, stages);
  const removed = successors.map((targets) => targets.filter((target) => isRemoved[target]));
  let count = 0;
  const kept = stages.flatMap((stage, at): Stage[] => {
    if (isRemoved[at] || count > limit) return [];
    const reached = [...flood(removed[at]!, (it) => removed[it]!)].sort((a, b) => a - b);
    const copies = reached.map((it) => stages[it]!);
    count += copies.flatMap(({ nodes }) => nodes).length;
    return [addCopies(stage, copies, 'tool-only-stage')];
  });
  return count > limit ? null : kept;
}

function addCopies(stage: Stage, copies: readonly Stage[], rule: MergeRule): Stage {
  const merges = copies.map((copy) => ({ rule, nodes: [...copy.nodes, ...copy.copies] }));
  const all = new Set([...stage.copies, ...merges.flatMap(({ nodes }) => nodes)]);
  return { ...stage, copies: [...all], merges: [...stage.merges, ...merges] };
}

function giveGlobalTools(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  const isGiven = (stage: Stage) =>
    !talks(within, stage) && !stage.nodes.includes(within.graph.start);
  const tools = stages.filter(isGiven);
  const others = stages.filter((stage) => !isGiven(stage));
  return others.map((stage) => addCopies(stage, tools, 'global-tool'));
}

function placeStart(within: StageGraph, stages: readonly Stage[]): readonly Stage[] {
  const at = stages.findIndex(({ nodes }) => nodes.includes(within.graph.start));
  const start = stages[at]!;
  if (talks(within, start)) return stages;
  const [next, ...others] = computeStageSteps(within, stages).successors[at]!;
  if (next === undefined || others.length > 0) return stages;
  const only = stages[next]!;
  // A tool outside all groups is kept alone only until this phase.
  const alone = new Set(start.nodes.map(singletonLabel));
  const labels: Labels = new Map([...start.labels].filter(([, label]) => !alone.has(label)));
  if (mustStaySeparate(labels, only.labels)) return stages;
  const joined = joinStages(within, [{ ...start, labels }, only], 'start-tool');
  return stages.flatMap((stage) => (stage === start ? [] : stage === only ? [joined] : [stage]));
}

/**
 * The boundary `tools`: assistants are split only where the tools differ.
 *
 * With the stages so far as atoms, v joins the stage that contains all its predecessor atoms,
 * unless both v and one of those atoms have tools and the sets differ, or v contains the start or a
 * global node. Atoms are visited predecessors first. If an answer splits a cycle there is no such
 * order, so the visit is repeated until nothing joins; each repetition leaves fewer stages.
 */
function joinAcrossSameTools(within: StageGraph, atoms: readonly Stage[]): readonly Stage[] {
  const { successors, predecessors } = computeStageSteps(within, atoms);
  const tools = atoms.map((atom) => toolsOf(within, atom));
  const joining = startJoining(within, atoms);
  const isSame = (one: string, other: string) => one === '' || other === '' || one === other;
  const mayJoin = (atom: number) =>
    !isEntered(within, atoms[atom]!) &&
    predecessors[atom]!.every((it) => isSame(tools[it]!, tools[atom]!));
  const visited = computeComponents(successors).members.flat().filter(mayJoin);
  for (let isOpen = true; isOpen; ) {
    isOpen = false;
    for (const atom of visited) {
      // Those in its own stage joined it before, and lead back through a tool given to them.
      const homes = new Set(predecessors[atom]!.map(joining.setOf));
      homes.delete(joining.setOf(atom));
      const [home, ...others] = homes;
      if (home !== undefined && others.length === 0 && joining.join(home, atom)) isOpen = true;
    }
  }
  return joining.finish('tools-boundary');
}

/** The atom's own requests, transfers and given tools, as one comparable text. */
function toolsOf({ graph, representative }: StageGraph, { nodes, copies, merges }: Stage): string {
  const found = new Set<string>();
  // Tools given to every stage are not a stage's own.
  const given = new Set(merges.flatMap((it) => (it.rule === 'global-tool' ? it.nodes : [])));
  for (const node of [...nodes, ...copies].filter((it) => !given.has(it))) {
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
