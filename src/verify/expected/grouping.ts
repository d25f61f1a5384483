/**
 * The source with its answers applied, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers,
 * the expected assistants, and the open questions. What is asked is shared with the compiler; the
 * facts about stages, reads and handoffs are those of the verifier.
 */
import { listLost } from '../../call/facts.js';
import { answerSource, applyDecisions, decide, decideStages } from '../../compiler/2-ask/ask.js';
import { ofCycles } from '../../compiler/2-ask/rows/of-stages.js';
import { ofCrossings, ofEndings } from '../../compiler/2-ask/rows/of-variables.js';
import { analyzeReads } from '../../compiler/3-analyze/variables.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Decision, StageFacts, StageRead } from '../../compiler/ir/inquiry.js';
import type { Settled } from '../../compiler/ir/options.js';
import { splitsOfAssistants } from '../../compiler/ir/region-map.js';
import type { Diagnostic } from '../../compiler/ir/result.js';
import { canBeArgument } from '../../compiler/ir/variables.js';
import type { Workflow } from '../../compiler/ir/workflow.js';
import {
  type Dialogue,
  dialogueOf,
  listRegroupings,
  readGraphFacts,
} from '../../diagnostics/answers.js';
import { groupBy } from '../../graph/lists.js';
import { findComponents, foldExits } from '../quotient.js';
import {
  checkSize,
  describeStages,
  type Grouping,
  groupStages,
  inWalkOrder,
  type Stage,
  type Stages,
} from '../stages.js';
import { type SpotStep, spotsOfStages, traceFlows } from '../walk/crossing.js';
import { listReads } from '../walk/reads.js';
import { memo, readSource, type SourceGraph } from './source.js';

export interface Expected {
  readonly graph: SourceGraph;
  readonly grouping: Grouping;
  /** About cycles, global nodes, settings and early reads. */
  readonly decisions: readonly Decision[];
  /** Variables that are set when the call starts. */
  readonly supplied: ReadonlySet<string>;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: (variable: string) => boolean;
  /** Whether what the call captures is reported after it. */
  readonly isReported: boolean;
  readonly dialogue: Dialogue;
}

type Arrange = (nodes: readonly NodeIndex[]) => readonly NodeIndex[];

/**
 * Returns a diagnostic if the start is an exit, or if the squad would be too large to expect.
 * `arrange` puts nodes into the order in which the grouping tries its steps.
 */
export function expectGrouping(
  source: Workflow,
  options: Settled,
  arrange: Arrange = (nodes) => nodes,
): Expected | Diagnostic {
  const answered = answerSource(source, options, readSource, analyzeReads);
  if ('code' in answered) return answered;
  const { graph, variables, supplied } = answered.facts;
  const grouped = groupNodes(graph, options, arrange);
  if ('code' in grouped) return grouped;
  const { grouping, decisions, crossings } = grouped;
  const facts = { variables, ...crossings, ...readGraphFacts(graph) };
  const critical = decide(ofCrossings, facts, options);
  const workflow = applyDecisions(graph.workflow, critical);
  const isSame = workflow === graph.workflow;
  const final = isSame ? graph : readSource(workflow, graph.start);
  const { lost } = isSame ? crossings : listCrossings(final, grouping);
  const ending = decide(ofEndings, { ...facts, graph: final, lost }, options);
  return {
    ...{ graph: final, grouping, decisions, supplied, isDemanded: readDemand(options, critical) },
    isReported: ending.some(({ choice }) => choice === 'structured-output'),
    dialogue: dialogueOf([...answered.decisions, ...decisions, ...critical, ...ending]),
  };
}

/** The expected assistants, grouped again until no answer about them changes the groups. */
function groupNodes(graph: SourceGraph, options: Settled, arrange: Arrange) {
  const quotient = foldExits(graph);
  const { nodes, representative } = quotient;
  const componentOf = findComponents(quotient);
  const components = [...groupBy(nodes, (node) => componentOf[node]!).values()];
  const facts = { graph, representative, components };
  const ready = splitsOfAssistants(graph, nodes).map((labels) => ({ labels, isAnswer: false }));
  const steps = { boundary: options.boundary, along: arrange(nodes) };
  const decisions = decide(ofCycles, facts, options);
  for (;;) {
    const answered = listRegroupings(decisions);
    const apart = answered.flatMap((it) => it.apart ?? []);
    const joined = answered.flatMap((it) => it.joined ?? []);
    const splits = [...apart.map((labels) => ({ labels, isAnswer: true })), ...ready];
    const stages = groupStages(quotient, componentOf, splits, joined, steps);
    const tooLarge = checkSize(stages);
    if (tooLarge !== null) return tooLarge;
    const grouping = describeStages(stages);
    const crossings = listCrossings(graph, grouping);
    const found = { ...facts, ...crossings, ...listStages(stages) };
    const fresh = decideStages(found, options, decisions);
    decisions.push(...fresh);
    if (listRegroupings(fresh).length === 0) return { grouping, decisions, crossings };
  }
}

/** What the expected assistants read, and what crosses between them, as questions see it. */
function listCrossings(graph: SourceGraph, grouping: Grouping) {
  const spots = spotsOfStages(graph, grouping);
  const flows = traceFlows(graph, spots, readEverywhere(graph));
  const crossing = spots.flatMap(({ steps }) => steps.flatMap(flows.crossings));
  const reads = listReads(graph, spots, flows).map(
    ({ spot, node, text, use, kind, tool, from }): StageRead => {
      const sender = node === null ? null : graph.nodeAt(node);
      const request = tool !== null && sender?.request === tool ? sender : null;
      const read = { variable: use.name, kind, at: text.at, stage: spot.member };
      return { ...read, node, from, request };
    },
  );
  const carried = memo((it: SpotStep) => new Set(flows.crossings(it).map(({ name }) => name)));
  const carries = (step: SpotStep, name: string) => carried(step).has(name);
  const lost = listLost(graph, spots, flows.setters, carries);
  return { reads, crossing: new Set(crossing.map(({ name }) => name)), lost };
}

/** The stages and the global nodes from which a call returns, as questions see them. */
function listStages(stages: Stages): Pick<StageFacts, 'stages' | 'returns'> {
  const { graph, home, given, successors } = stages;
  const held = [...stages.all].flatMap((it) => [...it.held]);
  const holders = groupBy(held, (tool) => tool);
  const isShared = (tool: Stage) => (holders.get(tool)?.length ?? 0) > 1;
  const list = inWalkOrder(stages).map((stage) => {
    const held = [stage, ...stage.held].filter((it) => !given.has(it));
    const nodes = held.flatMap((it) => it.nodes).sort((a, b) => graph.rank[a]! - graph.rank[b]!);
    return { stage, nodes, first: firstOf(stages, stage, isShared) };
  });
  const firsts = new Map(list.map(({ stage, first }) => [stage, first]));
  return {
    stages: list.map(({ stage, nodes, first }) => {
      const isOwn = (to: NodeIndex) => home[to] === stage || stage.held.has(home[to]!);
      const inner = nodes.flatMap((from) =>
        successors[from]!.filter(isOwn).map((to) => ({ from, to })),
      );
      return { nodes: [first, ...nodes.filter((node) => node !== first)], inner };
    }),
    returns: list.flatMap(({ stage, nodes }) => {
      const next = nodes.flatMap((node) => successors[node]!.map((to) => home[to]!));
      const to = [...new Set(next)].flatMap((it) => (it === stage ? [] : (firsts.get(it) ?? [])));
      const globals = stage.nodes.filter((node) => graph.nodeAt(node).global !== null);
      return to.length === 0 ? [] : globals.map((global) => ({ global, to }));
    }),
  };
}

/** The node that a stage begins with: the start, else a global node, else a handoff's target. */
function firstOf(
  { graph, home, predecessors }: Stages,
  stage: Stage,
  isShared: (tool: Stage) => boolean,
): NodeIndex {
  const own = stage.nodes.toSorted((a, b) => graph.rank[a]! - graph.rank[b]!);
  const isOther = (from: NodeIndex) => {
    const holder = home[from]!;
    return holder !== stage && (!stage.held.has(holder) || isShared(holder));
  };
  return (
    own.find((node) => node === graph.start) ??
    own.find((node) => graph.nodeAt(node).global !== null) ??
    own.find((node) => predecessors[node]!.some(isOther)) ??
    own[0]!
  );
}

/** The variables that every assistant reads. */
export function readEverywhere({ workflow }: SourceGraph): ReadonlySet<string> {
  return new Set(workflow.globalPrompt?.uses.map(({ name }) => name));
}

/**
 * Returns a test of whether a variable crosses as a required argument: all do with the option
 * `pass`, a critical one by an answer.
 */
function readDemand({ pass }: Settled, critical: readonly Decision[]): Expected['isDemanded'] {
  if (pass === 'arguments') return canBeArgument;
  const wanted = critical.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  return (variable) => wanted.includes(variable);
}
