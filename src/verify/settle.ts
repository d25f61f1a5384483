/**
 * The source as it is to be migrated: with the answers that change it, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers, the
 * expected assistants, and the questions that nobody has answered. What is asked about nodes is
 * shared with the compiler; what there is to ask about variables and stages is found here.
 */
import { openDialogue } from '../compiler/2-ask/answers.js';
import { applyDecisions, listSupplied } from '../compiler/2-ask/apply-answers.js';
import {
  askAboutAuth,
  askAboutNodes,
  decidedStart,
  findStart,
} from '../compiler/2-ask/ask-about-nodes.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decision, Inquiry, UnreachedReads } from '../compiler/ir/inquiry.js';
import type { QuestionKind, Settled, Target } from '../compiler/ir/options.js';
import type { Workflow, WorkflowNode } from '../compiler/ir/workflow.js';
import { ask } from '../diagnostics/questions.js';
import { append } from '../graph/lists.js';
import type {
  Grouping,
  IsDemanded,
  Settlement,
  SourceGraph,
  Variable,
  Variables,
} from './expected.js';
import { computeCrossings } from './expected-crossings.js';
import { listEdgePassages, listGlobalPassages, readSource } from './expected-graph.js';
import { findUnsetReads, listVariables } from './expected-variables.js';
import { groupNodes } from './stage-questions.js';

/** Null where a call cannot even begin: the start is an exit. */
export function settle(workflow: Workflow, options: Settled): Settlement | null {
  const { target } = options;
  const dialogue = openDialogue(options.answers);
  const { decide } = dialogue;
  const start = findStart(workflow, target);
  if (start.kind === 'exit') return null;
  const begin =
    start.kind === 'found' ? start.node : decidedStart(workflow, decide([start.inquiry]));
  const read = readSource(workflow, begin);
  const edgesOf = (node: NodeIndex) => read.leaving(node).map(({ index }) => index);
  const called = apply(read, decide(askAboutNodes({ ...read, edgesOf, target })));
  const auth = decide(askAboutAuth(called.workflow, called.order, target));
  const asked = apply(called, auth);

  const found = listVariables(asked);
  const offered = [...found.values()].filter(({ isOffered }) => isOffered);
  const supplied = [...options.dynamicVariables, ...listSupplied(auth)];
  const known = new Set([...supplied, ...offered.map(({ name }) => name)]);
  const unset = findUnsetReads(asked, found, known);
  const defined = apply(asked, decide(askAboutUnset(asked, unset, target)));

  const grouping = groupNodes(defined, options, decide);
  const before = defined === asked ? found : listVariables(defined);
  const critical = decide(askAboutCritical(defined, before, grouping, options));
  const graph = apply(defined, critical);
  const variables = graph === defined ? before : listVariables(graph);
  return { graph, variables, grouping, isDemanded: readDemand(options, critical), dialogue };
}

/** The source with what was decided; the same one where that leaves it as it is. */
function apply(graph: SourceGraph, decisions: readonly Decision[]): SourceGraph {
  const workflow = applyDecisions(graph.workflow, decisions);
  return workflow === graph.workflow ? graph : readSource(workflow, graph.start);
}

/** The item of the checklist that a question is about, and that does not hold while it is open. */
export const itemOf: Readonly<Record<QuestionKind, number>> = {
  'ambiguous-start': 1,
  'cyclic-stages': 2,
  'conflicting-settings': 2,
  'logical-condition': 3,
  'critical-variable': 4,
  'undefined-variable': 4,
  'missing-destination': 5,
  'missing-endpoint': 5,
  'missing-auth': 5,
};

/** Whether the value of an answer is sensible was judged when it was compiled. */
function askAboutUnset(
  { nodeAt }: SourceGraph,
  unset: ReadonlyMap<string, UnreachedReads>,
  target: Target,
): Inquiry[] {
  return [...unset].map(([name, unreached]) => {
    const { texts, conditions, globals } = unreached;
    const nodes = [...new Set([...texts, ...conditions, ...globals])].map(nodeAt);
    const args = { variable: name, nodes: nodes.map(({ id }) => id), near: null };
    const at = nodes.map((node) => node.at);
    return {
      question: ask('undefined-variable', name, { at, args, target }),
      subject: { of: 'variable', name, unreached },
      allowed: new Map(),
      assumed: { choice: 'caller' },
    };
  });
}

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
  const changes = listChanges(graph);
  const isCritical = ({ name, captures }: Variable) =>
    captures.length > 0 && (criticalVariables.has(name) || changes.has(name));
  const critical = new Map([...variables].filter(([, variable]) => isCritical(variable)));
  if (critical.size === 0) return [];
  return listCrossing(graph, critical, grouping).flatMap(({ name, captures }) => {
    // What a handoff derives nobody can demand from the model.
    const isDerived = captures.some(({ capture }) => capture.alias !== undefined);
    if (!isDerived && !isAskedAbout(name, options)) return [];
    const requests = changes.get(name) ?? [];
    const at = [...captures.map(({ capture }) => capture), ...requests].map((it) => it.at);
    const declared = criticalVariables.has(name);
    const args = { variable: name, declared, requests: requests.map(({ id }) => id) };
    const without = canBeDemanded(name) && !isDerived ? null : 'argument';
    return {
      question: ask('critical-variable', name, { at, args, target, without }),
      subject: { of: 'variable', name, unreached: noReads },
      allowed: new Map(),
      assumed: { choice: 'best-effort' },
    };
  });
}

const none: ReadonlySet<never> = new Set();
const noReads = { texts: none, conditions: none, globals: none, globalPrompt: false };

/** By variable, the reachable requests that change something with it. */
function listChanges({ order, nodeAt }: SourceGraph): Map<string, WorkflowNode[]> {
  const changes = new Map<string, WorkflowNode[]>();
  for (const node of order.map(nodeAt)) {
    if ((node.request?.method?.value ?? 'GET') === 'GET') continue;
    const names = node.request!.texts.flatMap(({ uses }) => uses.map(({ name }) => name));
    for (const name of new Set(names)) append(changes, name, node);
  }
  return changes;
}

/** Those that would cross between the stages of the grouping. */
function listCrossing(
  graph: SourceGraph,
  variables: Variables,
  { representative, stagesOf, stageCount }: Grouping,
): Variable[] {
  const owners = {
    of: (node: NodeIndex) => new Set(stagesOf(node)),
    soleOwner: (node: NodeIndex) => (stagesOf(node).length === 1 ? stagesOf(node)[0]! : null),
    standsFor: (node: NodeIndex) => representative[node]!,
  };
  const along = listEdgePassages(graph, owners);
  const passages = [...along, ...listGlobalPassages(graph, owners, stageCount)];
  const crossings = computeCrossings(graph, variables, owners, passages);
  const crossing = new Set(passages.flatMap(crossings.of).map(({ variable }) => variable));
  return [...variables.values()].filter((variable) => crossing.has(variable));
}

/**
 * Whether a variable crosses as a required argument: by the option `pass` all do, by an answer a
 * critical one. The platform takes the argument `destination` for the assistant to hand off to.
 */
function readDemand({ pass }: Settled, critical: readonly Decision[]): IsDemanded {
  if (pass === 'arguments') return canBeDemanded;
  const wanted = critical.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  return (variable) => wanted.includes(variable);
}

function canBeDemanded(variable: string): boolean {
  return variable !== 'destination';
}

/** Whether a critical variable leaves anything to ask: how it crosses, or what the tool is. */
function isAskedAbout(variable: string, { pass, answers }: Settled): boolean {
  if (pass !== 'arguments' || !canBeDemanded(variable)) return true;
  const id = `critical-variable:${variable}`;
  const given = answers.answers ?? {};
  return Object.hasOwn(given, id) && given[id]!.choice === 'tool';
}
