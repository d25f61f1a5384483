/**
 * What the grouping asks: cycles of stages, and settings that differ within one assistant. And what
 * it warns of: assistants that go to and fro because a global node can be entered from anywhere.
 */

import { diagnose } from '../../diagnostics/diagnose.js';

import { ask, subjectOfStages, tornApart } from '../../diagnostics/questions.js';
import { groupBy } from '../../graph/lists.js';
import { createDisjointSets } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Settled, Target } from '../ir/options.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import { type SettingName, type Settings, settingNames, type Workflow } from '../ir/workflow.js';
import { aloneLabel, isTalk, type Split, type StageGraph } from './stages.js';

export function askAboutCycles(
  within: StageGraph,
  cycles: readonly (readonly NodeIndex[])[],
  target: Target,
): Inquiry[] {
  const { graph, representative } = within;
  const { nodes } = graph.workflow;
  const twins = groupBy(graph.order, (node) => representative[node]!);
  const find = createFinder(within);
  return cycles.map((members) => {
    const all = members.flatMap((node) => twins.get(node)!);
    all.sort((one, other) => graph.rank[one]! - graph.rank[other]!);
    const ids = all.map((node) => nodes[node]!.id);
    const stages = members.filter((it) => isTalk(within, it)).map((it) => nodes[it]!.id);
    const question = ask('cyclic-stages', subjectOfStages(stages), {
      at: members.map((it) => nodes[it]!.at),
      args: { stages },
      target,
      proposal: 'consolidate',
      allowed: { group: ids },
    });
    return {
      question,
      subject: { of: 'nodes', nodes: members },
      allowed: new Map([['group', new Set(ids)]]),
      objection: (choice, value) =>
        choice === 'group' ? objectToGroups(find, value as readonly string[][]) : null,
      assumed: { choice: 'consolidate' },
    };
  });
}

/** The splits that answers asked for; none where a cycle is to be one stage. */
export function splitsOfCycles(within: StageGraph, decisions: readonly Decision[]): Split[] {
  const find = createFinder(within);
  return decisions.flatMap(({ inquiry: { subject }, choice, value }) => {
    if (subject.of !== 'nodes' || choice === 'consolidate') return [];
    const labels = new Map(subject.nodes.map((node) => [node, aloneLabel(node)]));
    const groups = choice === 'group' ? (value as readonly string[][]) : [];
    groups.forEach((ids, number) => {
      const named = find(ids);
      // Without a talk node a group is no assistant: its tools leave by phase 5, each by itself.
      if (!named.some((node) => isTalk(within, node))) return;
      for (const node of named) labels.set(node, `group ${number}`);
    });
    return [labels];
  });
}

/** Equal nodes are one node, so two groups cannot have one each. */
function objectToGroups(find: Find, groups: readonly string[][]): string | null {
  const seen = new Map<NodeIndex, number>();
  for (const [number, ids] of groups.entries()) {
    for (const node of find(ids)) {
      if ((seen.get(node) ?? number) !== number) {
        return tornApart;
      }
      seen.set(node, number);
    }
  }
  return null;
}

/** Finds what stands for the nodes with these ids, those that nothing leads to aside. */
type Find = (ids: readonly string[]) => NodeIndex[];

function createFinder({ graph, representative }: StageGraph): Find {
  const { nodes } = graph.workflow;
  const known = new Map(graph.order.map((node) => [nodes[node]!.id, representative[node]!]));
  return (ids) => ids.flatMap((id) => known.get(id) ?? []);
}

/** Asks about every region whose talk nodes want different settings. */
export function askAboutSettings(within: StageGraph, map: RegionMap, options: Settled): Inquiry[] {
  return map.regions.flatMap(({ nodes }) => {
    const talk = nodes.filter((node) => isTalk(within, node));
    const settings = settingNames.filter((name) => differ(within, talk, name, options));
    return settings.length === 0 ? [] : [askAboutSetting(within, talk, settings, options)];
  });
}

function askAboutSetting(
  { graph }: StageGraph,
  talk: readonly NodeIndex[],
  settings: readonly SettingName[],
  { target }: Settled,
): Inquiry {
  const { nodes } = graph.workflow;
  const ids = talk.map((node) => nodes[node]!.id);
  const question = ask('conflicting-settings', subjectOfStages(ids), {
    at: talk.map((node) => nodes[node]!.at),
    args: { settings, nodes: ids },
    target,
    proposal: 'first',
    allowed: { use: ids },
  });
  return {
    question,
    subject: { of: 'nodes' as const, nodes: talk },
    allowed: new Map([['use', new Set(ids)]]),
    assumed: { choice: 'first' },
  };
}

/** Cuts every inner edge whose ends want different settings, where an answer says so. */
export function splitsOfSettings(
  within: StageGraph,
  map: RegionMap,
  decisions: readonly Decision[],
  options: Settled,
): Split[] {
  const kept = decisions.filter(({ choice }) => choice === 'keep-split');
  if (kept.length === 0) return [];
  const homes = new Map<NodeIndex, Region>();
  for (const region of map.regions) for (const node of region.nodes) homes.set(node, region);
  const sets = createDisjointSets(within.graph.workflow.nodes.length);
  return kept.flatMap(({ inquiry: { subject } }) => {
    if (subject.of !== 'nodes') return [];
    for (const node of subject.nodes) {
      for (const next of talkNodesAfter(within, homes.get(node)!, node)) {
        const together = settingNames.every((name) => !differ(within, [node, next], name, options));
        if (together) sets.union(node, next);
      }
    }
    return [new Map(subject.nodes.map((node) => [node, `part ${sets.find(node)}`]))];
  });
}

/** The talk nodes of the region that a node leads to, directly or through tools. */
function talkNodesAfter(within: StageGraph, region: Region, node: NodeIndex): NodeIndex[] {
  const after = (from: NodeIndex) =>
    (region.stepsFrom.get(from) ?? []).filter(({ kind }) => kind === 'inner').map(({ to }) => to);
  const found = flood(after(node), after, (it) => isTalk(within, it));
  return [...found].filter((it) => isTalk(within, it));
}

function differ(
  { graph: { workflow } }: StageGraph,
  [first, ...others]: readonly NodeIndex[],
  name: SettingName,
  options: Settled,
): boolean {
  if (name === 'model' ? options.model !== null : Object.hasOwn(options.memberOverrides, name)) {
    return false;
  }
  if (first === undefined) return false;
  const wanted = effective(workflow, first, name);
  return others.some((node) => {
    const other = effective(workflow, node, name);
    return other !== wanted && textOf(other) !== textOf(wanted);
  });
}

/** A node's own setting, else the workflow's. */
function effective({ nodes, settings }: Workflow, node: NodeIndex, name: SettingName) {
  return nodes[node]!.settings[name] ?? settings[name];
}

function textOf(setting: Settings[SettingName]): string {
  return JSON.stringify(setting?.value ?? null);
}

export function warnAboutRegions(graph: FlowGraph, map: RegionMap): Diagnostic[] {
  const { nodes } = graph.workflow;
  const entered = map.regions.filter(({ entries }) => entries.some((it) => nodes[it]!.global));
  /** The regions that explicit edges lead to. */
  const after = map.regions.map(
    ({ steps }) => new Set(steps.flatMap((step) => (step.kind === 'handoff' ? step.region : []))),
  );
  return entered.flatMap((region) => {
    const back = new Set(after[region.index]);
    // Two regions with global nodes lead to each other; the later one reports the pair.
    for (const other of entered) if (other.index < region.index) back.add(other.index);
    // Where an explicit edge leads there, it is the edge that goes to and fro.
    return [...back]
      .filter((other) => !after[other]!.has(region.index))
      .map((other) => {
        const to = nodes[region.globals[0]!]!;
        const from = nodes[map.regions[other]!.first]!;
        const more = { related: [from.at] };
        return diagnose('flow/global-returns', to.at, { from: from.id, to: to.id }, more);
      });
  });
}
