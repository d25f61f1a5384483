/** What the grouping asks: cycles of stages, and settings that differ within one assistant. */
import { subjectOfStages, tornApart } from '../../diagnostics/questions/stages.js';
import { ask } from '../../diagnostics/questions.js';
import { createDisjointSets } from '../../graph/disjoint-sets.js';
import { groupBy } from '../../graph/lists.js';
import { Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Settled, Target } from '../ir/options.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import { type SettingName, type Settings, settingNames, type Workflow } from '../ir/workflow.js';
import { type Component, listCycles } from './components.js';
import { aloneLabel, type Split, type StageGraph } from './stages.js';

export function askAboutCycles(
  within: StageGraph,
  components: readonly Component[],
  target: Target,
): Inquiry[] {
  const { nodes } = within.graph.workflow;
  const twins = groupTwins(within);
  const find = createFinder(within);
  return listCycles(within, components).map((members) => {
    const ids = namesOf(within, members, twins);
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

/** The index is made when somebody names a group. */
function createFinder({ graph, representative }: StageGraph): Find {
  const known = new Map<string, NodeIndex>();
  return (ids) => {
    if (known.size === 0) {
      for (const node of graph.order) {
        known.set(graph.workflow.nodes[node]!.id, representative[node]! as NodeIndex);
      }
    }
    return ids.flatMap((id) => known.get(id) ?? []);
  };
}

/** The nodes that are equal to another one, by the one that stands for them. */
type Twins = ReadonlyMap<NodeIndex, readonly NodeIndex[]>;

function groupTwins({ graph: { order }, representative, hasEqualNodes }: StageGraph): Twins {
  const twins = hasEqualNodes ? order.filter((node) => representative[node] !== node) : [];
  return groupBy(twins, (node) => representative[node]! as NodeIndex);
}

/** The ids of the nodes and of those that are equal to one of them, in walk order. */
function namesOf({ graph }: StageGraph, members: readonly NodeIndex[], twins: Twins): string[] {
  const all = members.flatMap((node) => [node, ...(twins.get(node) ?? [])]);
  all.sort((one, other) => graph.rank[one]! - graph.rank[other]!);
  return all.map((node) => graph.workflow.nodes[node]!.id);
}

/** Asks about every region whose talk nodes want different settings. */
export function askAboutSettings(within: StageGraph, map: RegionMap, options: Settled): Inquiry[] {
  const { kinds } = within.graph;
  const inquiries: Inquiry[] = [];
  const saysOwn = (node: NodeIndex) => (kinds[node]! & Kind.settings) !== 0;
  for (const { nodes } of map.regions) {
    // Who says nothing wants what the workflow says.
    if (!nodes.some(saysOwn)) continue;
    const talk = nodes.filter((node) => isTalk(within, node));
    const settings = settingNames.filter((name) => differ(within, talk, name, options));
    if (settings.length > 0) inquiries.push(askAboutSetting(within, talk, settings, options));
  }
  return inquiries;
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
  const found = new Set<NodeIndex>();
  const pending = [node];
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const step of region.stepsFrom.get(from) ?? []) {
      if (step.kind !== 'inner' || found.has(step.to)) continue;
      found.add(step.to);
      if (!isTalk(within, step.to)) pending.push(step.to);
    }
  }
  return [...found].filter((it) => isTalk(within, it));
}

function isTalk({ graph }: StageGraph, node: NodeIndex): boolean {
  return (graph.kinds[node]! & Kind.talk) !== 0;
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
  // Most have the workflow's own setting, which need not be compared with itself.
  const isOther = (it: Setting) => it !== wanted && textOf(it) !== textOf(wanted);
  return others.some((node) => isOther(effective(workflow, node, name)));
}

type Setting = Settings[SettingName];

/** A node's own setting, else the workflow's. */
function effective({ nodes, settings }: Workflow, node: NodeIndex, name: SettingName): Setting {
  return nodes[node]!.settings[name] ?? settings[name];
}

function textOf(setting: Setting): string {
  return JSON.stringify(setting?.value ?? null);
}
