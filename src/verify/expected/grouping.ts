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
import type { Decision, StageRead } from '../../compiler/ir/inquiry.js';
import type { Settled } from '../../compiler/ir/options.js';
import { splitsOfAssistants } from '../../compiler/ir/region-map.js';
import type { Diagnostic } from '../../compiler/ir/result.js';
import { canBeArgument } from '../../compiler/ir/variables.js';
import type { Workflow } from '../../compiler/ir/workflow.js';
import { type Dialogue, dialogueOf, listRegroupings } from '../../diagnostics/answers.js';
import { groupBy } from '../../graph/lists.js';
import { findComponents, foldExits } from '../quotient.js';
import { checkSize, describeStages, type Grouping, groupStages, type Stages } from '../stages.js';
import { type Spot, type SpotStep, spotsOfStages, traceFlows } from '../walk/crossing.js';
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
  const facts = { graph, variables, ...crossings };
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
    const found = { ...facts, ...crossings, ...listStages(stages, crossings.spots) };
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
  return { spots, reads, crossing: new Set(crossing.map(({ name }) => name)), lost };
}

/** The stages and the global nodes from which a call returns, as questions see them. */
function listStages({ graph, given }: Stages, spots: readonly Spot[]) {
  const isGiven = new Set([...given].flatMap(({ nodes }) => nodes));
  const own = spots.filter(({ facts }) => !isGiven.has(facts.node.index));
  const handoffs = spots.flatMap(({ steps }) => steps.filter((it) => it.isHandoff));
  const entered = new Set(handoffs.map(({ to }) => to));
  const list = Array.from(
    groupBy(own, ({ member }) => member),
    ([stage, all]) => {
      const nodes = all.map(({ facts }) => facts.node);
      const globals = nodes.filter(({ global }) => global !== null);
      // It begins with the start, else a global node, else a handoff's target.
      const start = nodes.find(({ index }) => index === graph.start) ?? globals[0];
      const first = start ?? (all.find(({ index }) => entered.has(index)) ?? all[0]!).facts.node;
      const steps = all.flatMap((it) =>
        it.steps.flatMap((step) => {
          const { facts, member } = spots[step.to]!;
          const ends = { from: it.facts.node.index, to: facts.node.index };
          return step.isGlobal ? [] : { ...ends, next: step.isHandoff ? member : null };
        }),
      );
      return { stage, nodes: new Set([first, ...nodes].map(({ index }) => index)), globals, steps };
    },
  ).sort((one, other) => one.stage - other.stage);
  const firsts = new Map(list.map(({ stage, nodes: [first] }) => [stage, first!]));
  return {
    stages: list.map(({ nodes, steps }) => {
      return { nodes: [...nodes], inner: steps.filter(({ next }) => next === null) };
    }),
    returns: list.flatMap(({ globals, steps }) => {
      const to = new Set(steps.flatMap(({ next }) => (next === null ? [] : firsts.get(next)!)));
      return to.size === 0 ? [] : globals.map(({ index }) => ({ global: index, to: [...to] }));
    }),
  };
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
