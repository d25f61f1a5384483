/**
 * Facts → Decisions: asks, looks up the answers, and applies them to the source.
 *
 * In: facts of the source or of its stages, from the compiler or from the verifier; the answers as
 * given. Out: a decision for every question: the answer, or what a draft assumes until there is one.
 */
import { findAnswer, inquire, listRegroupings, listSupplied } from '../../diagnostics/answers.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { extend } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision, SourceFacts, StageFacts } from '../ir/inquiry.js';
import type { Answer, Settled } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import {
  roleOf,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
  withRoles,
} from '../ir/workflow.js';
import { ofSource } from './rows/of-source.js';
import { findStart, ofEdges, ofStages, ofStart } from './rows/of-stages.js';
import { ofCrossings, ofEarlyReads, ofReads } from './rows/of-variables.js';
import type { Draft, Row } from './rows/row.js';

/**
 * The source with the answers about its nodes and variables, or an error if a call would start at an
 * exit. `read` makes the graph of a workflow, and `analyze` lists its variables.
 */
export function answerSource<Graph extends FlowGraph>(
  source: Workflow,
  options: Settled,
  read: (workflow: Workflow, start: NodeIndex) => Graph,
  analyze: (graph: Graph, supplied: ReadonlySet<string>) => SourceFacts<Graph>,
): { readonly facts: SourceFacts<Graph>; readonly decisions: readonly Decision[] } | Diagnostic {
  const ofOrder = decide(ofEdges, source, options);
  const joined = applyDecisions(source, ofOrder);
  const ofEntry = decide(ofStart, joined, options);
  const first = findStart(joined, ofEntry[0]?.value);
  const { index: start, role, id, at } = first;
  if (role === 'exit') return diagnose('flow/start-is-exit', at, { id });
  const opened = addOpening(joined, first);
  if ('code' in opened) return opened;
  const ofEntering = opened.nodes.flatMap((node) => decide(ofSource.globals, node, options));
  const reread = (graph: Graph, decisions: readonly Decision[]) => {
    const workflow = applyDecisions(graph.workflow, decisions);
    return workflow === graph.workflow ? graph : read(workflow, start);
  };
  const entered = read(applyDecisions(opened, ofEntering), start);
  const ofContents = decideAboutNodes(entered, options);
  const called = reread(entered, ofContents);
  const requests = called.order.map((node) => called.workflow.nodes[node]!);
  const ofAuth = requests.flatMap((node) => decide(ofSource.requests, node, options));
  const given = new Set([...options.dynamicVariables, ...listSupplied(ofAuth)]);
  const facts = analyze(reread(called, ofAuth), given);
  const ofUnset = decide(ofReads, facts, options);
  const decisions = [...ofOrder, ...ofEntry, ...ofEntering, ...ofContents, ...ofAuth, ...ofUnset];
  const supplied = new Set([...given, ...listSupplied(ofUnset)]);
  const answered = reread(facts.graph, ofUnset);
  const isSame = answered === facts.graph && supplied.size === given.size;
  return { facts: isSame ? facts : analyze(answered, supplied), decisions };
}

/** A line around the nodes is the first message of the start; of two, an answer tells. */
function addOpening(workflow: Workflow, { index, type, firstMessage: own }: WorkflowNode) {
  const { opening: line, nodes } = workflow;
  if (line === null || own?.value === line.value) return workflow;
  if (roleOf[type] !== 'talk')
    return diagnose('shape/lost-text', line.at, { field: 'firstMessage' });
  const added = { [own === null ? 'firstMessage' : 'otherOpening']: line };
  return withRoles({ ...workflow, nodes: nodes.with(index, { ...nodes[index]!, ...added }) });
}

/** In walk order: the conditions under which a node is entered, itself, those of its edges. */
function decideAboutNodes(graph: FlowGraph, options: Settled): Decision[] {
  return graph.order.flatMap((index) => {
    const node = graph.workflow.nodes[index]!;
    const judge = (edge: WorkflowEdge | null) =>
      decide(ofSource.conditions, { graph, node, edge }, options);
    return [
      ...judge(null),
      ...ofSource.nodes.flatMap((row) => decide(row, node, options)),
      ...graph.leaving[index]!.flatMap(judge),
    ];
  });
}

/**
 * The decisions about stages that are new. Kinds are asked one after the other, until an answer
 * changes the grouping.
 */
export function decideStages(facts: StageFacts, options: Settled, known: readonly Decision[]) {
  const asked = new Set(known.map(({ inquiry }) => inquiry.question.id));
  const isNew = ({ inquiry }: Decision) => !asked.has(inquiry.question.id);
  const fresh: Decision[] = [];
  for (const row of [...ofStages, ofEarlyReads]) {
    extend(fresh, decide(row, facts, options).filter(isNew));
    if (listRegroupings(fresh).length > 0) break;
  }
  return fresh;
}

/** Asks by the row, and looks up the answers. */
export function decide<Facts>(row: Row<Facts>, facts: Facts, options: Settled): Decision[] {
  return [row.ask(facts, options)].flat().map((asked): Decision => {
    const inquiry = inquire(row.kind, asked, options);
    const check = (given: Required<Answer>) => row.check?.(given, facts, inquiry) ?? null;
    const { answer, fault } = findAnswer(inquiry, options, check);
    const { choice, value = null } = answer ?? inquiry.assumed;
    const by = answer === null ? 'assumption' : 'answer';
    const regrouping = row.regroups?.[choice]?.(inquiry, facts, options, value) ?? null;
    return { inquiry, choice, value, by, fault, regrouping };
  });
}

const rows = [ofEdges, ...Object.values(ofSource), ofReads, ofCrossings].flat();
const changes = new Map(rows.map((row) => [row.kind, row.changes]));

/**
 * The source with the answers that change it; the same object if none does. Whatever an answer adds
 * has the answer as its origin, so that the source map and the ledger can distinguish it.
 */
export function applyDecisions(workflow: Workflow, decisions: readonly Decision[]): Workflow {
  const all = decisions.flatMap((decision) => {
    const change = changes.get(decision.inquiry.question.kind)?.[decision.choice];
    return change === undefined ? [] : { change, decision };
  });
  if (all.length === 0) return workflow;
  const { nodes, edges } = workflow;
  const draft: Draft = { ...workflow, nodes: [...nodes], edges: [...edges] };
  for (const { change, decision } of all) change(draft, decision);
  return withRoles(draft);
}
