/**
 * The source with its answers applied, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers,
 * the expected assistants, and the open questions. Questions about nodes are shared with the
 * compiler; those about variables and stages are found here. They have the same ids as the
 * compiler's, because answers refer to ids.
 */
import { type Dialogue, openDialogue } from '../../compiler/2-ask/answers.js';
import { applyDecisions, listSupplied } from '../../compiler/2-ask/apply-answers.js';
import { askAboutAuth, askAboutNodes, decideEntry } from '../../compiler/2-ask/ask-about-nodes.js';
import { reviewReads } from '../../compiler/3-analyze/reads.js';
import { listVariables } from '../../compiler/3-analyze/variables.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decide, Decision, Inquiry } from '../../compiler/ir/inquiry.js';
import type { Settled } from '../../compiler/ir/options.js';
import {
  type Split as Labels,
  splitsOfAssistants,
  splitsOfCycles,
  splitsOfReads,
} from '../../compiler/ir/region-map.js';
import type { Diagnostic } from '../../compiler/ir/result.js';
import { canBeArgument, hasUnreached, type ReadReview } from '../../compiler/ir/variables.js';
import {
  effectiveSetting,
  type SettingName,
  settingNames,
  type Workflow,
} from '../../compiler/ir/workflow.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask, inquireAboutCycle, inquireAboutSettings } from '../../diagnostics/questions.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import {
  checkSize,
  describeStages,
  findComponents,
  foldExits,
  type Grouping,
  groupStages,
  listReturning,
  type Quotient,
  type Stage,
  type Stages,
} from '../stages.js';
import { traceFlows } from '../walk/crossing.js';
import { listReads } from '../walk/reads.js';
import { spotsOfStages } from '../walk/spots.js';
import { readSource, type SourceGraph } from './source.js';

export interface Settlement extends Grouped {
  readonly graph: SourceGraph;
  /** Variables that are set when the call starts. */
  readonly supplied: ReadonlySet<string>;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: (variable: string) => boolean;
  readonly dialogue: Dialogue;
}

interface Grouped {
  readonly grouping: Grouping;
  /** About cycles, global nodes, settings and early reads. */
  readonly decisions: readonly Decision[];
}

/**
 * Returns a diagnostic if the start is an exit, or if the squad would be too large to expect.
 * `arrange` puts nodes into the order in which the grouping tries its steps.
 */
export function settle(
  source: Workflow,
  options: Settled,
  arrange: Arrange = (nodes) => nodes,
): Settlement | Diagnostic {
  const dialogue = openDialogue(options);
  const { decide } = dialogue;
  const { workflow, start } = decideEntry(source, decide);
  const { role, index, id, at } = start;
  if (role === 'exit') return diagnose('flow/start-is-exit', at, { id });
  const read = readSource(workflow, index);
  const called = apply(read, decide(askAboutNodes(read)));
  const auth = decide(askAboutAuth(called.workflow, called.order));
  const asked = apply(called, auth);

  const supplied = [...options.dynamicVariables, ...listSupplied(auth)];
  const reviews = reviewReads(asked, listVariables(asked), new Set(supplied));
  const reads = decide(askAboutUnset(asked, reviews.filter(hasUnreached)));
  const defined = apply(asked, reads);

  const grouped = groupNodes(defined, options, decide, arrange);
  if (!('grouping' in grouped)) return grouped;
  const { flow, grouping, decisions } = grouped;
  const critical = decide(askAboutCritical(defined, flow, options));
  return {
    ...{ grouping, decisions, dialogue },
    graph: apply(defined, critical),
    supplied: new Set([...supplied, ...listSupplied(reads)]),
    isDemanded: readDemand(options, critical),
  };
}

type Arrange = (nodes: readonly NodeIndex[]) => readonly NodeIndex[];

/** The source with the decisions applied; the same object if they change nothing. */
function apply(graph: SourceGraph, decisions: readonly Decision[]): SourceGraph {
  const workflow = applyDecisions(graph.workflow, decisions);
  return workflow === graph.workflow ? graph : readSource(workflow, graph.start);
}

/**
 * The expected assistants, with the answers about them. An answer that keeps nodes apart, for their
 * settings or for what they read, restarts the phases with fewer nodes that may be together.
 */
function groupNodes(graph: SourceGraph, options: Settled, decide: Decide, arrange: Arrange) {
  const quotient = foldExits(graph);
  const components = findComponents(quotient);
  const cycles = listCycles(quotient, components);
  const decisions = [
    ...decide(cycles.map((it) => inquireAboutCycle(it.map(graph.nodeAt), quotient.representative))),
  ];
  const { nodes, representative } = quotient;
  const answered = (labels: Labels) => ({ labels, isAnswer: true });
  const splits = [
    ...splitsOfCycles(graph, representative, decisions).map(answered),
    ...splitsOfAssistants(graph, nodes).map((labels) => ({ labels, isAnswer: false })),
  ];
  const returning: NodeIndex[] = [];
  const asked = new Set<string>();
  /** The decisions about new questions. */
  const settleOn = (inquiries: readonly Inquiry[]) => {
    const decided = decide(inquiries.filter(({ question }) => !asked.has(question.id)));
    for (const { inquiry } of decided) asked.add(inquiry.question.id);
    decisions.push(...decided);
    return decided;
  };
  const steps = { boundary: options.boundary, along: arrange(nodes) };
  for (;;) {
    const stages = groupStages(quotient, components, splits, returning, steps);
    const tooLarge = checkSize(stages);
    if (tooLarge !== null) return tooLarge;
    const changes = returning.length + splits.length;
    for (const { choice, inquiry } of settleOn(askAboutReturns(stages))) {
      const { subject } = inquiry;
      if (choice === 'consolidate' && subject.of === 'node') returning.push(subject.node);
    }
    if (returning.length + splits.length > changes) continue;
    for (const { choice, inquiry } of settleOn(askAboutSettings(stages, options))) {
      const { subject } = inquiry;
      if (choice !== 'keep-split' || subject.of !== 'nodes') continue;
      splits.push(answered(splitBySettings(stages, subject.nodes, options)));
    }
    if (returning.length + splits.length > changes) continue;
    const grouping = describeStages(stages);
    const flow = analyze(graph, grouping);
    const members = [...groupBy(nodes, (node) => components[node]!).values()];
    const ofReads = splitsOfReads(graph, members, settleOn(askAboutEarly(graph, flow)));
    splits.push(...ofReads.map(answered));
    if (returning.length + splits.length === changes) return { grouping, decisions, flow };
  }
}

/** About global nodes from which a call can return. */
function askAboutReturns(stages: Stages): Inquiry[] {
  const { nodeAt } = stages.graph;
  return listReturning(stages).map(({ global, nodes }) => {
    const node = nodeAt(global);
    return ask('global-returns', node.id, {
      at: [node.at],
      args: { node, stages: nodes.map(nodeAt) },
      subject: { of: 'node', node: global },
      assumed: { choice: 'keep-split' },
    });
  });
}

/** About nodes that read a value before it is known, each with the nodes that set it. */
function askAboutEarly({ nodeAt }: SourceGraph, { reads }: Flow): Inquiry[] {
  const early = reads.filter(({ kind }) => kind === 'early');
  return Array.from(
    groupBy(early, ({ node }) => node),
    ([node, own]) => {
      const reading = node === null ? null : nodeAt(node);
      return ask('read-too-early', reading?.id ?? 'at any time', {
        at: own.map(({ text }) => text.at),
        args: { node: reading, variables: own.map(({ use }) => use.name) },
        subject: { of: 'read', node, from: own.flatMap(({ from }) => from) },
        assumed: { choice: 'accept' },
      });
    },
  );
}

/** The nodes of each component with several talk nodes, in walk order, including equal ones. */
function listCycles(
  { graph, nodes, representative, isTalk }: Quotient,
  components: readonly number[],
): NodeIndex[][] {
  const componentOf = (node: NodeIndex) => components[representative[node]!]!;
  const talking = groupBy(nodes.filter(isTalk), componentOf);
  const isInCycle = (node: NodeIndex) => (talking.get(componentOf(node))?.length ?? 0) > 1;
  return [...groupBy(graph.order.filter(isInCycle), componentOf).values()];
}

/** A node's settings: its own, else the workflow's; those that an option sets are not compared. */
function readSettings({ graph, nodes, isTalk }: Stages, { model, memberOverrides }: Settled) {
  const names = settingNames.filter((name) => {
    const isGiven = name === 'model' ? model !== null : Object.hasOwn(memberOverrides, name);
    return !isGiven && nodes.some((node) => isTalk(node) && graph.nodeAt(node).settings[name]);
  });
  const keyOf = (node: NodeIndex, of: readonly SettingName[] = names) =>
    JSON.stringify(of.map((name) => effectiveSetting(graph.nodeAt(node), graph.workflow, name)));
  return { names, keyOf };
}

/** About stages whose talk nodes have different settings. */
function askAboutSettings(stages: Stages, options: Settled): Inquiry[] {
  const { graph, nodes, home, isTalk } = stages;
  const { names, keyOf } = readSettings(stages, options);
  if (names.length === 0) return [];
  return [...groupBy(nodes, (node) => home[node]!)].flatMap(([stage, own]) => {
    const talk = own.filter(isTalk);
    const settings = names.filter((name) => groupBy(talk, (it) => keyOf(it, [name])).size > 1);
    if (settings.length === 0) return [];
    const first = firstOf(stages, stage, own);
    const asked = talk.sort((a, b) => Number(b === first) - Number(a === first));
    return inquireAboutSettings(asked.map(graph.nodeAt), settings, graph.workflow);
  });
}

/** The node that a stage begins with: the start, else a global node, else a handoff's target. */
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
 * Cuts every inner step of a stage whose ends have different settings: nodes stay together if they
 * have the same settings and steps join them, directly or through tools of the stage.
 */
function splitBySettings(stages: Stages, talk: readonly NodeIndex[], options: Settled): Labels {
  const { home, successors, predecessors, isTalk } = stages;
  const stage = home[talk[0]!]!;
  const isTool = (node: NodeIndex) => {
    const holder = home[node]!;
    return !isTalk(node) && (holder === stage || stage.held.has(holder));
  };
  const labels = new Map<NodeIndex, string>();
  const { keyOf } = readSettings(stages, options);
  for (const nodes of groupBy(talk, (node) => keyOf(node)).values()) {
    const after = flood(nodes, (node) => successors[node]!.filter(isTool));
    const isBetween = (node: NodeIndex) => isTool(node) && after.has(node);
    const between = flood(nodes, (node) => predecessors[node]!.filter(isBetween));
    const near = (node: NodeIndex) =>
      [...successors[node]!, ...predecessors[node]!].filter((it) => between.has(it));
    for (const node of nodes) {
      if (labels.has(node)) continue;
      for (const it of flood([node], near)) if (isTalk(it)) labels.set(it, `${node}`);
    }
  }
  return labels;
}

/** The compiler has judged whether the values of answers are valid. */
function askAboutUnset({ nodeAt }: SourceGraph, unset: readonly ReadReview[]): Inquiry[] {
  return unset.map(({ variable: { name }, unreached }) => {
    const { texts, conditions, globals } = unreached;
    const nodes = [...new Set([...texts, ...conditions, ...globals])].map(nodeAt);
    return ask('undefined-variable', name, {
      at: nodes.map(({ at }) => at),
      args: { variable: name, nodes, near: null },
      subject: { of: 'variable', name, unreached },
      assumed: { choice: 'caller' },
    });
  });
}

const none: ReadonlySet<never> = new Set();
const unreached = { texts: none, conditions: none, globals: none, globalPrompt: false };

type Flow = ReturnType<typeof analyze>;

/** Which variables cross between the expected assistants, and how their reads get their values. */
function analyze(graph: SourceGraph, grouping: Grouping) {
  const spots = spotsOfStages(graph, grouping);
  const flows = traceFlows(graph, spots, readEverywhere(graph));
  const crossing = spots.flatMap(({ steps }) => steps.flatMap(flows.crossings));
  const crossed = new Set(crossing.map(({ name }) => name));
  return { crossed, reads: listReads(graph, spots, flows) };
}

/** The variables that every assistant reads. */
export function readEverywhere({ workflow }: SourceGraph): ReadonlySet<string> {
  return new Set(workflow.globalPrompt?.uses.map(({ name }) => name));
}

/**
 * Asks about variables that cross between the stages and are critical, or feed a request that
 * changes something.
 */
function askAboutCritical(graph: SourceGraph, { crossed, reads }: Flow, options: Settled) {
  const { criticalVariables } = options;
  const senders = reads.flatMap(({ node, tool, kind, use: { name } }) => {
    const sender = node === null || tool === null ? null : graph.nodeAt(node);
    const isIdle = (sender?.request?.method?.value ?? 'GET') === 'GET' || kind === 'filled';
    return sender === null || isIdle ? [] : [{ name, sender }];
  });
  const changes = groupBy(senders, ({ name }) => name);
  const captured = graph.order.flatMap((node) => graph.nodeAt(node).captures);
  return [...groupBy(captured, ({ name }) => name)].flatMap(([name, captures]): Inquiry[] => {
    const declared = criticalVariables.has(name);
    if (!crossed.has(name) || (!declared && !changes.has(name))) return [];
    // The model cannot pass what the handoff derives.
    const canPass = canBeArgument(name) && captures.every(({ alias }) => alias === undefined);
    // An argument cannot be missing, unless an answer says that a tool sets it.
    const answer = options.answers.answers?.[`critical-variable:${name}`];
    if (canPass && options.pass === 'arguments' && answer?.choice !== 'tool') return [];
    const requests = [...new Set(changes.get(name)?.map(({ sender }) => sender))];
    return [
      ask('critical-variable', name, {
        at: [...captures, ...requests].map((it) => it.at),
        args: { variable: name, declared, requests },
        subject: { of: 'variable', name, unreached },
        without: canPass ? null : 'argument',
        assumed: { choice: 'best-effort' },
      }),
    ];
  });
}

/**
 * Returns a test of whether a variable crosses as a required argument: all do with the option
 * `pass`, a critical one by an answer.
 */
function readDemand({ pass }: Settled, critical: readonly Decision[]): Settlement['isDemanded'] {
  if (pass === 'arguments') return canBeArgument;
  const wanted = critical.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  return (variable) => wanted.includes(variable);
}
