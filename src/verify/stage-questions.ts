/**
 * What is asked about stages, and what the answers split: the grouping with a human's say.
 *
 * In: the graph with the answers applied that change it, the options, and `decide`, which puts
 * questions to the answers. Out: the expected assistants. The questions have the ids that the
 * compiler gives them, as an answer is given to an id. An answer that keeps settings apart starts the
 * phases again, with fewer nodes that may be together.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decide, Decision, Inquiry } from '../compiler/ir/inquiry.js';
import type { Json } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import { type SettingName, settingNames } from '../compiler/ir/workflow.js';
import { ask, subjectOfStages, tornApart } from '../diagnostics/questions.js';
import { groupBy } from '../graph/lists.js';
import { flood } from '../graph/walks.js';
import { foldExits, type Quotient } from './equality.js';
import type { Grouping, SourceGraph } from './expected.js';
import {
  describeStages,
  findComponents,
  runPhases,
  type Split,
  type Stage,
  type Stages,
} from './expected-grouping.js';

export function groupNodes(graph: SourceGraph, options: Settled, decide: Decide): Grouping {
  const quotient = foldExits(graph);
  const components = findComponents(quotient);
  const cycles = listCycles(quotient, components);
  const decisions = [...decide(cycles.map((it) => askAboutCycle(quotient, it, options.target)))];
  const ofCycles = cycles.flatMap((cycle, at) => splitByCycle(quotient, cycle, decisions[at]!));
  const splits = [...ofCycles, ...splitReady(quotient)];
  const asked = new Set<string>();
  for (;;) {
    const stages = runPhases(quotient, components, splits, options.boundary);
    const conflicts = listConflicts(stages, options);
    const news = conflicts.filter(({ inquiry: { question } }) => !asked.has(question.id));
    const decided = decide(news.map(({ inquiry }) => inquiry));
    for (const { inquiry } of decided) asked.add(inquiry.question.id);
    decisions.push(...decided);
    const kept = news.filter((_, at) => decided[at]!.choice === 'keep-split');
    if (kept.length === 0) return describeStages(stages, decisions);
    splits.push(...kept.map((conflict) => splitBySettings(stages, conflict)));
  }
}

/** A component of several talk nodes, in walk order. */
interface Cycle {
  readonly all: readonly NodeIndex[];
  /** Those that stand for themselves and for what is equal to them. */
  readonly standing: readonly NodeIndex[];
}

function listCycles(quotient: Quotient, components: readonly number[]): Cycle[] {
  const { graph, nodes, representative, talks } = quotient;
  const componentOf = (node: NodeIndex) => components[representative[node]!]!;
  const talking = groupBy(nodes.filter(talks), componentOf);
  const all = graph.order.filter((node) => (talking.get(componentOf(node)) ?? []).length > 1);
  return [...groupBy(all, componentOf).values()].map((members) => {
    return { all: members, standing: members.filter((node) => representative[node] === node) };
  });
}

function askAboutCycle(quotient: Quotient, cycle: Cycle, target: Target): Inquiry {
  const nodes = cycle.standing.map(quotient.graph.nodeAt);
  const ids = cycle.all.map((node) => quotient.graph.nodeAt(node).id);
  const stages = nodes.filter(({ role }) => role === 'talk').map(({ id }) => id);
  return {
    question: ask('cyclic-stages', subjectOfStages(stages), {
      at: nodes.map(({ at }) => at),
      args: { stages },
      target,
      proposal: 'consolidate',
      allowed: { group: ids },
    }),
    subject: { of: 'nodes', nodes: cycle.standing },
    allowed: new Map([['group', new Set(ids)]]),
    objection: (choice, value) => {
      if (choice !== 'group') return null;
      // Equal nodes are one node, so two groups cannot have one each.
      const named = readGroups(quotient, cycle, value).flatMap((group) => [...group]);
      return new Set(named).size === named.length ? null : tornApart;
    },
    assumed: { choice: 'consolidate' },
  };
}

/** The nodes of each group, as those that stand for them. */
function readGroups({ graph, representative }: Quotient, { all }: Cycle, value: Json) {
  const known = new Map(all.map((node) => [graph.nodeAt(node).id, representative[node]!]));
  const groups = value as readonly (readonly string[])[];
  return groups.map((ids) => new Set(ids.flatMap((id) => known.get(id) ?? [])));
}

/** A node that no group names keeps apart from all others. */
function splitByCycle(quotient: Quotient, cycle: Cycle, { choice, value }: Decision): Split[] {
  if (choice === 'consolidate') return [];
  const labels = new Map(cycle.standing.map((node) => [node, -1 - node]));
  const groups = choice === 'group' ? readGroups(quotient, cycle, value) : [];
  for (const [label, group] of groups.entries()) {
    // Without a talk node a group is no assistant: its tools leave by phase 5, each by itself.
    const isAssistant = [...group].some(quotient.talks);
    for (const node of isAssistant ? group : []) labels.set(node, label);
  }
  return [{ labels, isAnswer: true }];
}

/** Assistants that the source brings keep apart from all that talk, saved ones from tools as well. */
function splitReady({ graph, nodes, talks }: Quotient): Split[] {
  const split = (among: readonly NodeIndex[], isApart: (node: NodeIndex) => boolean): Split[] => {
    const labels = new Map(among.map((node) => [node, isApart(node) ? node + 1 : 0]));
    return among.some(isApart) ? [{ labels, isAnswer: false }] : [];
  };
  const isReady = (node: NodeIndex) => graph.nodeAt(node).assistant !== null;
  const isSaved = (node: NodeIndex) => Boolean(graph.nodeAt(node).assistant?.savedAs);
  return [...split(nodes.filter(talks), isReady), ...split(nodes, isSaved)];
}

/** A stage whose talk nodes want different settings, those together that want the same. */
interface Conflict {
  readonly stage: Stage;
  readonly alike: readonly (readonly NodeIndex[])[];
  readonly inquiry: Inquiry;
}

/** A node wants its own settings, else the workflow's; what an option gives to all nobody wants. */
function listConflicts(stages: Stages, { model, memberOverrides, target }: Settled): Conflict[] {
  const { graph, nodes, home, talks } = stages;
  const names = settingNames.filter((name) => {
    const isGiven = name === 'model' ? model !== null : Object.hasOwn(memberOverrides, name);
    return !isGiven && nodes.some((node) => talks(node) && graph.nodeAt(node).settings[name]);
  });
  if (names.length === 0) return [];
  const wanted = (node: NodeIndex, name: SettingName) =>
    (graph.nodeAt(node).settings[name] ?? graph.workflow.settings[name])?.value ?? null;
  return [...groupBy(nodes, (node) => home[node]!)].flatMap(([stage, own]) => {
    const talk = own.filter(talks);
    const byWants = (of: readonly SettingName[]) =>
      groupBy(talk, (node) => JSON.stringify(of.map((name) => wanted(node, name))));
    const alike = [...byWants(names).values()];
    if (alike.length < 2) return [];
    const differing = names.filter((name) => byWants([name]).size > 1);
    const first = firstOf(stages, stage, own);
    const ordered = [...talk.filter((it) => it === first), ...talk.filter((it) => it !== first)];
    return [{ stage, alike, inquiry: askAboutSettings(graph, ordered, differing, target) }];
  });
}

/** The node that a stage begins with: the start, else a global node, else where it is handed to. */
function firstOf(
  { graph, home, all, given, predecessors }: Stages,
  stage: Stage,
  own: NodeIndex[],
) {
  const isOfOther = (from: NodeIndex) => {
    const holder = home[from]!;
    if (all.has(holder)) return holder !== stage;
    return [...all].some((it) => it !== stage && (given.has(holder) || it.held.has(holder)));
  };
  return (
    own.find((node) => node === graph.start) ??
    own.find((node) => graph.nodeAt(node).global !== null) ??
    own.find((node) => predecessors[node]!.some(isOfOther))
  );
}

function askAboutSettings(
  { nodeAt }: SourceGraph,
  talk: readonly NodeIndex[],
  settings: readonly SettingName[],
  target: Target,
): Inquiry {
  const nodes = talk.map(nodeAt);
  const ids = nodes.map(({ id }) => id);
  return {
    question: ask('conflicting-settings', subjectOfStages(ids), {
      at: nodes.map(({ at }) => at),
      args: { settings, nodes: ids },
      target,
      proposal: 'first',
      allowed: { use: ids },
    }),
    subject: { of: 'nodes', nodes: talk },
    allowed: new Map([['use', new Set(ids)]]),
    assumed: { choice: 'first' },
  };
}

/**
 * Cuts every inner step whose ends want different settings: what stays together are nodes that want
 * the same and that steps join, directly or through tools of the stage.
 */
function splitBySettings(stages: Stages, { stage, alike }: Conflict): Split {
  const { home, given, successors, predecessors, talks } = stages;
  const isTool = (node: NodeIndex) => {
    const holder = home[node]!;
    return !talks(node) && (holder === stage || stage.held.has(holder) || given.has(holder));
  };
  const labels = new Map<NodeIndex, number>();
  for (const nodes of alike) {
    const after = flood(nodes, (node) => successors[node]!.filter(isTool));
    const isBetween = (node: NodeIndex) => isTool(node) && after.has(node);
    const between = flood(nodes, (node) => predecessors[node]!.filter(isBetween));
    const near = (node: NodeIndex) =>
      [...successors[node]!, ...predecessors[node]!].filter((it) => between.has(it));
    for (const node of nodes) {
      if (labels.has(node)) continue;
      for (const it of flood([node], near)) if (talks(it)) labels.set(it, node);
    }
  }
  return { labels, isAnswer: true };
}
