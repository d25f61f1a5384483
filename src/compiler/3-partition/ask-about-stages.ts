/** What the grouping asks: cycles of stages, and settings that differ within one assistant. */
import { subjectOfStages, tornApart } from '../../diagnostics/questions/stages.js';
import { ask } from '../../diagnostics/questions.js';
import { createDisjointSets } from '../graph/disjoint-sets.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Settled, Target } from '../ir/options.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import { type SettingName, settingNames, type Workflow } from '../ir/workflow.js';
import { listCycles } from './components.js';
import { aloneLabel, type Split, type StageGraph } from './stages.js';

export function askAboutCycles(within: StageGraph, target: Target): Inquiry[] {
  const { nodes } = within.graph.workflow;
  return listCycles(within).map((members) => {
    const inside = new Set(members);
    const named = within.graph.order.filter((it) => inside.has(standsFor(within, it)));
    const ids = named.map((it) => nodes[it]!.id);
    const stages = members.filter((it) => nodes[it]!.role === 'talk').map((it) => nodes[it]!.id);
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
        choice === 'group' ? objectToGroups(within, value as readonly string[][]) : null,
      assumed: { choice: 'consolidate' },
    };
  });
}

/** The split that an answer asked for; null where the cycle is to be one stage. */
export function splitOfCycle(within: StageGraph, decision: Decision): Split | null {
  const { subject } = decision.inquiry;
  if (subject.of !== 'nodes' || decision.choice === 'consolidate') return null;
  const labels = new Map(subject.nodes.map((node) => [node, aloneLabel(node)]));
  const groups = decision.choice === 'group' ? (decision.value as readonly string[][]) : [];
  groups.forEach((ids, number) => {
    const named = nodesNamed(within, ids);
    // Without a talk node a group is no assistant: its tools leave by phase 5, each by itself.
    if (!named.some((node) => within.graph.workflow.nodes[node]!.role === 'talk')) return;
    for (const node of named) labels.set(node, `group ${number}`);
  });
  return labels;
}

/** Equal nodes are one node, so two groups cannot have one each. */
function objectToGroups(within: StageGraph, groups: readonly string[][]): string | null {
  const seen = new Map<NodeIndex, number>();
  for (const [number, ids] of groups.entries()) {
    for (const node of nodesNamed(within, ids)) {
      if ((seen.get(node) ?? number) !== number) {
        return tornApart;
      }
      seen.set(node, number);
    }
  }
  return null;
}

function nodesNamed(within: StageGraph, ids: readonly string[]): NodeIndex[] {
  const wanted = new Set(ids);
  const { nodes } = within.graph.workflow;
  return within.graph.order
    .filter((node) => wanted.has(nodes[node]!.id))
    .map((node) => standsFor(within, node));
}

function standsFor(within: StageGraph, node: NodeIndex): NodeIndex {
  return within.representative[node]! as NodeIndex;
}

/** Asks about every region whose talk nodes want different settings. */
export function askAboutSettings(within: StageGraph, map: RegionMap, options: Settled): Inquiry[] {
  const { nodes } = within.graph.workflow;
  return map.regions.flatMap((region) => {
    const talk = talkNodes(within, region);
    const settings = settingNames.filter((name) => differ(within, talk, name, options));
    if (settings.length === 0) return [];
    const ids = talk.map((node) => nodes[node]!.id);
    const question = ask('conflicting-settings', subjectOfStages(ids), {
      at: talk.map((node) => nodes[node]!.at),
      args: { settings, nodes: ids },
      target: options.target,
      proposal: 'first',
      allowed: { use: ids },
    });
    return [
      {
        question,
        subject: { of: 'nodes' as const, nodes: talk },
        allowed: new Map([['use', new Set(ids)]]),
        assumed: { choice: 'first' },
      },
    ];
  });
}

/** Cuts every inner edge whose ends want different settings. */
export function splitOfSettings(
  within: StageGraph,
  map: RegionMap,
  decision: Decision,
  options: Settled,
): Split | null {
  const { subject } = decision.inquiry;
  if (decision.choice !== 'keep-split' || subject.of !== 'nodes') return null;
  const region = map.regions.find((it) => it.nodes.includes(subject.nodes[0]!))!;
  const sets = createDisjointSets(within.graph.workflow.nodes.length);
  for (const node of subject.nodes) {
    for (const next of talkNodesAfter(within, region, node)) {
      const together = settingNames.every((name) => !differ(within, [node, next], name, options));
      if (together) sets.union(node, next);
    }
  }
  return new Map(subject.nodes.map((node) => [node, `part ${sets.find(node)}`]));
}

/** The talk nodes of the region that a node leads to, directly or through tools. */
function talkNodesAfter(within: StageGraph, region: Region, node: NodeIndex): NodeIndex[] {
  const found = new Set<NodeIndex>();
  const pending = [node];
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const step of region.stepsFrom.get(from) ?? []) {
      if (step.kind !== 'inner' || found.has(step.to)) continue;
      found.add(step.to);
      if (within.graph.workflow.nodes[step.to]!.role === 'act') pending.push(step.to);
    }
  }
  return [...found].filter((it) => within.graph.workflow.nodes[it]!.role === 'talk');
}

function talkNodes(within: StageGraph, region: Region): NodeIndex[] {
  return region.nodes.filter((node) => within.graph.workflow.nodes[node]!.role === 'talk');
}

function differ(
  within: StageGraph,
  nodes: readonly NodeIndex[],
  name: SettingName,
  options: Settled,
): boolean {
  if (name === 'model' ? options.model !== null : Object.hasOwn(options.memberOverrides, name)) {
    return false;
  }
  const wanted = nodes.map((node) => effective(within.graph.workflow, node, name));
  return new Set(wanted).size > 1;
}

/** A node's own setting, else the workflow's, as comparable text. */
function effective(workflow: Workflow, node: NodeIndex, name: SettingName): string {
  const setting = workflow.nodes[node]!.settings[name] ?? workflow.settings[name];
  return JSON.stringify(setting?.value ?? null);
}
