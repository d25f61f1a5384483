/**
 * Questions of the grouping: cycles of stages, global nodes from which a call can return, different
 * settings within one assistant, and reads that come too early in it.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask, inquireAboutCycle, inquireAboutSettings } from '../../diagnostics/questions.js';
import { groupBy } from '../../graph/lists.js';
import { createDisjointSets } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import type { RegionMap, Split } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import { effectiveSetting, type SettingName, settingNames } from '../ir/workflow.js';
import type { StageGraph } from './stages.js';

/** Asks about each component with several talk nodes. */
export function askAboutCycles(
  { graph, equals, representative, isTalk }: StageGraph,
  components: readonly (readonly NodeIndex[])[],
): Inquiry[] {
  const { workflow, rank } = graph;
  const cycles = components.filter((members) => members.filter(isTalk).length > 1);
  return cycles.map((members) => {
    const all = members.flatMap((node) => equals.get(node)!);
    const inOrder = all.sort((one, other) => rank[one]! - rank[other]!);
    const nodes = inOrder.map((node) => workflow.nodes[node]!);
    return inquireAboutCycle(nodes, representative);
  });
}

/** Asks about every region whose talk nodes have different settings. */
export function askAboutSettings(within: StageGraph, map: RegionMap, options: Settled): Inquiry[] {
  const { graph, isTalk } = within;
  return map.regions.flatMap(({ nodes }): Inquiry[] => {
    const talk = nodes.filter(isTalk);
    const settings = differing(within, talk, options);
    if (settings.length === 0) return [];
    const asked = talk.map((node) => graph.workflow.nodes[node]!);
    return [inquireAboutSettings(asked, settings, graph.workflow)];
  });
}

/** Cuts every inner edge whose ends have different settings, if an answer says so. */
export function splitsOfSettings(
  within: StageGraph,
  { regions }: RegionMap,
  decisions: readonly Decision[],
  options: Settled,
): Split[] {
  const { graph, isTalk } = within;
  const cutting = decisions.filter(({ choice }) => choice === 'keep-split');
  return cutting.flatMap(({ inquiry: { subject } }) => {
    if (subject.of !== 'nodes') return [];
    const home = regions.find(({ nodes }) => nodes.includes(subject.nodes[0]!))!;
    const stepsFrom = groupBy(home.steps, ({ from }) => from);
    const after = (from: NodeIndex) =>
      (stepsFrom.get(from) ?? []).flatMap(({ kind, to }) => (kind === 'inner' ? to : []));
    const sets = createDisjointSets(graph.workflow.nodes.length);
    for (const node of subject.nodes) {
      // The talk nodes that it leads to, directly or through tools.
      for (const other of [...flood(after(node), after, isTalk)].filter(isTalk)) {
        if (differing(within, [node, other], options).length === 0) sets.union(node, other);
      }
    }
    return [new Map(subject.nodes.map((node) => [node, `part ${sets.find(node)}`]))];
  });
}

/** The settings in which the nodes differ, unless an option decides. */
function differing(
  { graph: { workflow } }: StageGraph,
  nodes: readonly NodeIndex[],
  { model, memberOverrides }: Settled,
): SettingName[] {
  return settingNames.filter((name) => {
    if (name === 'model' ? model !== null : Object.hasOwn(memberOverrides, name)) return false;
    const wanted = nodes.map((node) => effectiveSetting(workflow.nodes[node]!, workflow, name));
    return new Set(wanted.map((value) => JSON.stringify(value))).size > 1;
  });
}

/** The stages that explicit edges reach from the assistant of a global node, by global node. */
function listReturns({ workflow }: FlowGraph, { regions }: RegionMap) {
  return regions.flatMap(({ entries, steps, merges }) => {
    const globals = entries.filter((it) => workflow.nodes[it]!.global !== null);
    // Edges of a tool that was given to every assistant say nothing about this one.
    const given = new Set(merges.flatMap((it) => (it.rule === 'global-tool' ? it.nodes : [])));
    const onward = steps.flatMap((step) =>
      step.kind === 'handoff' && !given.has(step.from) ? step.region : [],
    );
    const stages = [...new Set(onward)].map((it) => workflow.nodes[regions[it]!.first]!);
    if (stages.length === 0) return [];
    return globals.map((it) => ({ global: workflow.nodes[it]!, stages }));
  });
}

/** Asks about each global node from which a call can return. */
export function askAboutReturns(graph: FlowGraph, map: RegionMap): Inquiry[] {
  return listReturns(graph, map).map(({ global, stages }) =>
    ask('global-returns', global.id, {
      at: [global, ...stages].map(({ at }) => at),
      args: { node: global, stages },
      subject: { of: 'node', node: global.index },
      proposal: { choice: 'keep-split' },
    }),
  );
}

/** The global nodes that answers merge with the stages that edges reach from them. */
export function consolidatedBy(decisions: readonly Decision[]): NodeIndex[] {
  return decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
    const isAsked = question.kind === 'global-returns' && subject.of === 'node';
    return isAsked && choice === 'consolidate' ? subject.node : [];
  });
}

/** Warns if one answer merges stages that another keeps apart. */
export function warnAboutRegions(
  graph: FlowGraph,
  map: RegionMap,
  decisions: readonly Decision[],
): Diagnostic[] {
  const joined = new Set(consolidatedBy(decisions));
  return listReturns(graph, map).flatMap(({ global: { id, at, index }, stages }) => {
    if (!joined.has(index)) return [];
    const related = stages.map((stage) => stage.at);
    const args = { node: id, stages: stages.map((stage) => stage.id) };
    return [diagnose('flow/kept-apart', at, args, { related })];
  });
}
