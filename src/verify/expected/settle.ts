/**
 * The source as it is to be migrated: with the answers that change it, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers, the
 * expected assistants, and the questions that nobody has answered. What is asked about nodes is
 * shared with the compiler; what there is to ask about variables and stages is found here. The
 * questions have the ids that the compiler gives them, as an answer is given to an id.
 */
import { type Dialogue, openDialogue } from '../../compiler/2-ask/answers.js';
import { applyDecisions, listSupplied } from '../../compiler/2-ask/apply-answers.js';
import { askAboutAuth, askAboutNodes, decideEntry } from '../../compiler/2-ask/ask-about-nodes.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decide, Decision, Inquiry, UnreachedReads } from '../../compiler/ir/inquiry.js';
import type { Settled, Target } from '../../compiler/ir/options.js';
import type { Diagnostic } from '../../compiler/ir/result.js';
import { canBeArgument } from '../../compiler/ir/variables.js';
import {
  type SettingName,
  settingNames,
  type Workflow,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import {
  ask,
  inquireAboutCycle,
  inquireAboutSettings,
  readGroups,
} from '../../diagnostics/questions.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { computeCrossings } from './crossings.js';
import {
  findComponents,
  foldExits,
  type Grouping,
  groupStages,
  listReturning,
  type Quotient,
  type Split,
  type Stage,
  type Stages,
} from './grouping.js';
import { listPassages, readSource, type SourceGraph } from './source.js';
import { listReads } from './supply.js';
import { findUnsetReads, listVariables, type Variable, type Variables } from './variables.js';

export interface Settlement {
  readonly graph: SourceGraph;
  readonly variables: Variables;
  /** Variables that are there when the call starts. */
  readonly supplied: ReadonlySet<string>;
  readonly grouping: Grouping;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: (variable: string) => boolean;
  readonly dialogue: Dialogue;
}

/** What is wrong instead where a call cannot even begin: the start is an exit. */
export function settle(source: Workflow, options: Settled): Settlement | Diagnostic {
  const { target } = options;
  const dialogue = openDialogue(options.answers);
  const { decide } = dialogue;
  const { workflow, start } = decideEntry(source, target, decide);
  const { role, index, id, at } = start;
  if (role === 'exit') return diagnose('flow/start-is-exit', at, { id });
  const read = readSource(workflow, index);
  const called = apply(read, decide(askAboutNodes({ ...read, target })));
  const auth = decide(askAboutAuth(called.workflow, called.order, target));
  const asked = apply(called, auth);

  const found = listVariables(asked);
  const offered = [...found.values()].filter(({ offers }) => offers.length > 0);
  const supplied = [...options.dynamicVariables, ...listSupplied(auth)];
  const known = new Set([...supplied, ...offered.map(({ name }) => name)]);
  const unset = findUnsetReads(asked, found, known);
  const reads = decide(askAboutUnset(asked, unset, target));
  const defined = apply(asked, reads);

  const before = defined === asked ? found : listVariables(defined);
  const grouping = groupNodes(defined, before, options, decide);
  const critical = decide(askAboutCritical(defined, before, grouping, options));
  const graph = apply(defined, critical);
  const variables = graph === defined ? before : listVariables(graph);
  return {
    graph,
    variables,
    supplied: new Set([...supplied, ...listSupplied(reads)]),
    grouping,
    isDemanded: readDemand(options, critical),
    dialogue,
  };
}

/** The source with what was decided; the same one where that leaves it as it is. */
function apply(graph: SourceGraph, decisions: readonly Decision[]): SourceGraph {
  const workflow = applyDecisions(graph.workflow, decisions);
  return workflow === graph.workflow ? graph : readSource(workflow, graph.start);
}

/**
 * The expected assistants, with a human's say. An answer that keeps nodes apart, for their settings or
 * for what they read, starts the phases again, with fewer nodes that may be together.
 */
function groupNodes(
  graph: SourceGraph,
  variables: Variables,
  options: Settled,
  decide: Decide,
): Grouping {
  const quotient = foldExits(graph);
  const components = findComponents(quotient);
  const cycles = listCycles(quotient, components);
  const inquire = (cycle: Cycle) =>
    inquireAboutCycle(cycle.map(graph.nodeAt), quotient.representative, options.target);
  const decisions = [...decide(cycles.map(inquire))];
  const ofCycles = cycles.flatMap((cycle, at) => splitByCycle(quotient, cycle, decisions[at]!));
  const splits = [...ofCycles, ...splitReady(quotient)];
  const returning: NodeIndex[] = [];
  const asked = new Set<string>();
  for (;;) {
    const { boundary } = options;
    const { stages, describe } = groupStages(quotient, components, splits, returning, boundary);
    /** Of what has not been asked before, what is to be changed. */
    const askOnce = <T extends { readonly inquiry: Inquiry }>(
      all: readonly T[],
      change = 'keep-split',
    ): T[] => {
      const news = all.filter(({ inquiry }) => !asked.has(inquiry.question.id));
      const decided = decide(news.map(({ inquiry }) => inquiry));
      for (const { inquiry } of decided) asked.add(inquiry.question.id);
      decisions.push(...decided);
      return news.filter((_, at) => decided[at]!.choice === change);
    };
    const joined = askOnce(listReturns(stages, options.target), 'consolidate');
    returning.push(...joined.map(({ global }) => global));
    if (joined.length > 0) continue;
    const conflicts = askOnce(listConflicts(stages, options));
    splits.push(...conflicts.map((conflict) => splitBySettings(stages, conflict)));
    if (conflicts.length > 0) continue;
    const grouping = describe(decisions);
    const early = askOnce(listEarly(graph, variables, grouping, options.target));
    if (early.length === 0) return grouping;
    splits.push(...early.map((read) => splitByRead(quotient, components, read)));
  }
}

function listReturns(stages: Stages, target: Target) {
  const { nodeAt } = stages.graph;
  return listReturning(stages).map(({ global, nodes }) => {
    const { id, at } = nodeAt(global);
    const args = { node: nodeAt(global), stages: nodes.map(nodeAt) };
    const question = ask('global-returns', id, { at: [at], args, target });
    const subject = { of: 'node', node: global } as const;
    const inquiry: Inquiry = { question, subject, assumed: { choice: 'keep-split' } };
    return { global, inquiry };
  });
}

/** What a node reads before its value is known. */
interface Early {
  readonly node: NodeIndex | null;
  readonly from: readonly NodeIndex[];
  readonly inquiry: Inquiry;
}

function listEarly(
  graph: SourceGraph,
  variables: Variables,
  grouping: Grouping,
  target: Target,
): Early[] {
  const reads = listReads({ graph, variables, owners: grouping }, grouping.stageCount);
  const byNode = groupBy(
    reads.filter(({ kind }) => kind === 'early'),
    ({ node }) => node,
  );
  return Array.from(byNode, ([node, own]): Early => {
    const reading = node === null ? null : graph.nodeAt(node);
    const from = own.flatMap((it) => it.from);
    const at = own.map(({ text }) => text.at);
    const args = { node: reading, variables: own.map(({ use }) => use.name) };
    const question = ask('read-too-early', reading?.id ?? 'at any time', { at, args, target });
    const subject = { of: 'read', node, from } as const;
    return { node, from, inquiry: { question, subject, assumed: { choice: 'accept' } } };
  });
}

/** The node apart from what sets what it reads; of a cycle, the rest stays together. */
function splitByRead(
  { nodes }: Quotient,
  components: readonly number[],
  { node, from }: Early,
): Split {
  const touched = new Set([...from, node!].map((it) => components[it]!));
  const labels = new Map<NodeIndex, number>();
  for (const it of nodes) if (touched.has(components[it]!)) labels.set(it, 0);
  return { labels: labels.set(node!, 1), isAnswer: true };
}

/** The nodes of a component with several talk nodes, in walk order, with those that are equal. */
type Cycle = readonly NodeIndex[];

function listCycles(
  { graph, nodes, representative, talks }: Quotient,
  components: readonly number[],
) {
  const componentOf = (node: NodeIndex) => components[representative[node]!]!;
  /** By component, how many talk nodes it has. */
  const talking: number[] = components.map(() => 0);
  for (const node of nodes) if (talks(node)) talking[componentOf(node)]! += 1;
  const inCycle = graph.order.filter((node) => talking[componentOf(node)]! > 1);
  return [...groupBy(inCycle, componentOf).values()];
}

/** A node that no group names keeps apart from all others. */
function splitByCycle(quotient: Quotient, cycle: Cycle, { choice, value }: Decision): Split[] {
  if (choice === 'consolidate') return [];
  const { graph, representative } = quotient;
  const labels = new Map(cycle.map((node) => [representative[node]!, -1 - representative[node]!]));
  const nodes = cycle.map(graph.nodeAt);
  const groups = choice === 'group' ? readGroups(nodes, representative, value) : [];
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
    if (!among.some(isApart)) return [];
    const labels = new Map(among.map((node) => [node, isApart(node) ? node + 1 : 0]));
    return [{ labels, isAnswer: false }];
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
    const settings = names.filter((name) => byWants([name]).size > 1);
    const first = firstOf(stages, stage, own);
    const ordered = [...talk.filter((it) => it === first), ...talk.filter((it) => it !== first)];
    const asked = ordered.map(graph.nodeAt);
    const inquiry = inquireAboutSettings(asked, settings, graph.workflow, target);
    return [{ stage, alike, inquiry }];
  });
}

/** The node that a stage begins with: the start, else a global node, else where it is handed to. */
function firstOf(
  { graph, home, all, predecessors }: Stages,
  stage: Stage,
  own: readonly NodeIndex[],
) {
  const isOfOther = (from: NodeIndex) => {
    const holder = home[from]!;
    if (all.has(holder)) return holder !== stage;
    return [...all].some((it) => it !== stage && it.held.has(holder));
  };
  return (
    own.find((node) => node === graph.start) ??
    own.find((node) => graph.nodeAt(node).global !== null) ??
    own.find((node) => predecessors[node]!.some(isOfOther))
  );
}

/**
 * Cuts every inner step whose ends want different settings: what stays together are nodes that want
 * the same and that steps join, directly or through tools of the stage.
 */
function splitBySettings(stages: Stages, { stage, alike }: Conflict): Split {
  const { home, successors, predecessors, talks } = stages;
  const isTool = (node: NodeIndex) => {
    const holder = home[node]!;
    return !talks(node) && (holder === stage || stage.held.has(holder));
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

/** Whether the value of an answer is sensible was judged when it was compiled. */
function inquireOf(
  question: Inquiry['question'],
  choice: string,
  name: string,
  unreached: UnreachedReads,
): Inquiry {
  const subject = { of: 'variable', name, unreached } as const;
  return { question, subject, allowed: new Map(), assumed: { choice } };
}

function askAboutUnset(
  { nodeAt }: SourceGraph,
  unset: ReadonlyMap<string, UnreachedReads>,
  target: Target,
): Inquiry[] {
  return Array.from(unset, ([name, unreached]) => {
    const { texts, conditions, globals } = unreached;
    const nodes = [...new Set([...texts, ...conditions, ...globals])].map(nodeAt);
    const args = { variable: name, nodes, near: null };
    const at = nodes.map((node) => node.at);
    const question = ask('undefined-variable', name, { at, args, target });
    return inquireOf(question, 'caller', name, unreached);
  });
}

const none: ReadonlySet<never> = new Set();
const noReads = { texts: none, conditions: none, globals: none, globalPrompt: false };

/**
 * Asks about variables that cross between the stages and are declared critical, or feed a request
 * that changes something.
 */
function askAboutCritical(
  graph: SourceGraph,
  variables: Variables,
  grouping: Grouping,
  options: Settled,
): Inquiry[] {
  const { criticalVariables, target } = options;
  const changes = listChanges(graph, variables, grouping);
  const isCritical = ({ name, captures }: Variable) =>
    captures.length > 0 && (criticalVariables.has(name) || changes.has(name));
  const critical = new Map([...variables].filter(([, variable]) => isCritical(variable)));
  if (critical.size === 0) return [];
  const passages = listPassages(graph, grouping, grouping.stageCount);
  const crossings = computeCrossings(graph, critical, grouping, passages);
  const crossing = new Set(passages.flatMap(crossings).map(({ variable }) => variable));
  return [...critical.values()].flatMap((variable) => {
    const { name, captures } = variable;
    // What a handoff derives nobody can demand from the model.
    const isDerived = captures.some(({ capture }) => capture.alias !== undefined);
    if (!crossing.has(variable) || (!isDerived && !isAskedAbout(name, options))) return [];
    const requests = [...(changes.get(name) ?? [])];
    const at = [...captures.map(({ capture }) => capture), ...requests].map((it) => it.at);
    const declared = criticalVariables.has(name);
    const args = { variable: name, declared, requests };
    const without = canBeArgument(name) && !isDerived ? null : 'argument';
    const question = ask('critical-variable', name, { at, args, target, without });
    return [inquireOf(question, 'best-effort', name, noReads)];
  });
}

/** By variable, the requests that change something with a value that has crossed. */
function listChanges(graph: SourceGraph, variables: Variables, grouping: Grouping) {
  const changes = new Map<string, Set<WorkflowNode>>();
  const reads = listReads({ graph, variables, owners: grouping }, grouping.stageCount);
  for (const { node, isSent, kind, use } of reads) {
    const sender = node === null || !isSent ? null : graph.nodeAt(node);
    if ((sender?.request?.method?.value ?? 'GET') === 'GET' || kind === 'filled') continue;
    changes.set(use.name, (changes.get(use.name) ?? new Set()).add(sender!));
  }
  return changes;
}

/**
 * Whether a variable crosses as a required argument: by the option `pass` all do, by an answer a
 * critical one.
 */
function readDemand({ pass }: Settled, critical: readonly Decision[]): Settlement['isDemanded'] {
  if (pass === 'arguments') return canBeArgument;
  const wanted = critical.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  return (variable) => wanted.includes(variable);
}

/** Whether a critical variable leaves anything to ask: how it crosses, or what the tool is. */
function isAskedAbout(variable: string, { pass, answers }: Settled): boolean {
  if (pass !== 'arguments' || !canBeArgument(variable)) return true;
  const id = `critical-variable:${variable}`;
  const given = answers.answers ?? {};
  return Object.hasOwn(given, id) && given[id]!.choice === 'tool';
}
