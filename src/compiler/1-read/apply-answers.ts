/**
 * Workflow + decisions → Workflow: the answers that change the source.
 *
 * The workflow that is given stays as it is: one copy of its lists is changed, decision by
 * decision, and where no decision changes anything the workflow itself is given back. What an
 * answer brings carries the answer as its origin, so that the source map and the ledger can tell
 * the source's words from the human's.
 */
import { groupBy } from '../../graph/lists.js';
import type { QuestionKind } from '../ir/answers.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Json, JsonObject } from '../ir/json.js';
import { once } from '../ir/once.js';
import { fromAnswer, traced } from '../ir/provenance.js';
import type {
  Capture,
  Condition,
  Request,
  Routing,
  ToolCall,
  Workflow,
  WorkflowNode,
} from '../ir/workflow.js';
import { findRequest } from '../names/find-request.js';
import { setAuth, setEndpoint } from './answered-requests.js';
import { toLiquidExpression } from './logical.js';
import { nowhere } from './read-transfer.js';
import { applyRename, type EdgesFrom, type Renaming } from './rename.js';
import { textsWithin } from './texts.js';
import { setParameter } from './tools/ask-about-parameters.js';

/** A copy of a workflow that nobody else knows yet. */
type Draft = Renaming;

/** Carries out what was decided; see the head of this file. */
export function applyDecisions(workflow: Workflow, decisions: readonly Decision[]): Workflow {
  if (decisions.every((decision) => changeBy(decision) === null)) return workflow;
  const draft: Draft = { ...workflow, nodes: [...workflow.nodes], edges: [...workflow.edges] };
  const index = createIndex(workflow);
  for (const decision of decisions) changeBy(decision)?.(draft, decision, index);
  return draft;
}

/** Finds what no answer changes: the id of a node, and where an edge begins. */
interface Index {
  readonly nodeOf: (id: Json | undefined) => NodeIndex;
  readonly edgesFrom: EdgesFrom;
}

function createIndex({ nodes, edges }: Workflow): Index {
  const byId = once(() => new Map<unknown, NodeIndex>(nodes.map(({ id, index }) => [id, index])));
  const byNode = once(() => groupBy(edges.keys(), (at) => edges[at]!.from));
  return {
    nodeOf: (id) => byId().get(id)!,
    edgesFrom: (node) => byNode().get(node) ?? [],
  };
}

type Change = (draft: Draft, decision: Decision, index: Index) => void;

/** How answers change the source, by the kind of question; the other kinds change nothing of it. */
const changes: Readonly<Partial<Record<QuestionKind, Change>>> = {
  'missing-destination': (draft, decision) => changeNode(draft, decision, setDestination),
  'missing-endpoint': (draft, decision) => changeRequest(draft, decision, setEndpoint),
  'missing-parameter': (draft, decision) =>
    changeRequest(draft, decision, (request) => setParameter(request, decision)),
  'missing-auth': (draft, decision) => changeRequest(draft, decision, setAuth),
  'logical-condition': setRouting,
  'critical-variable': callToolAfterCaptures,
  'undefined-variable': defineVariable,
};

/** Choices that leave the source as it is. */
const idle: Readonly<Partial<Record<QuestionKind, readonly string[]>>> = {
  'missing-parameter': ['caller'],
  'critical-variable': ['argument', 'best-effort'],
  'undefined-variable': ['caller'],
};

function changeBy({ inquiry, choice }: Decision): Change | null {
  const { kind } = inquiry.question;
  return idle[kind]?.includes(choice) ? null : (changes[kind] ?? null);
}

function setDestination(node: WorkflowNode, { choice, value, inquiry }: Decision): WorkflowNode {
  const origin = fromAnswer(inquiry.question.id);
  const text = String(value);
  const destination =
    choice === 'sip'
      ? traced({ type: 'sip' as const, sipUri: text }, origin)
      : traced({ type: 'number' as const, number: text }, origin);
  const address = textsWithin(text, node.at, [])[0] ?? null;
  return {
    ...node,
    transfer: { ...(node.transfer ?? nowhere), address, destination },
  };
}

function setRouting(draft: Draft, decision: Decision): void {
  const routing = decision.choice as Routing;
  const { subject } = decision.inquiry;
  const route = <T extends Condition | null>(condition: T): T =>
    condition === null
      ? condition
      : {
          ...condition,
          routing,
          guard: routing === 'guard' ? toLiquidExpression(condition.value) : null,
          call: callFor(draft, decision, condition),
        };
  if (subject.of !== 'edge') {
    changeNode(draft, decision, (node) => ({
      ...node,
      global: { condition: route(node.global?.condition ?? null) },
    }));
    return;
  }
  const edge = draft.edges[subject.edge]!;
  const condition = route(edge.condition);
  draft.edges[subject.edge] = { ...edge, condition };
  if (condition?.call) addCall(draft, edge.from, condition.call);
}

function callFor(workflow: Workflow, decision: Decision, condition: Condition): ToolCall | null {
  if (decision.choice !== 'tool') return null;
  const variables = [...new Set(condition.uses.map((use) => use.name))];
  return toolCall(workflow, decision, variables, 'judging');
}

/** The tool that an answer names: a request of the workflow, or one that is to be provided. */
function toolCall(
  workflow: Workflow,
  decision: Decision,
  variables: readonly string[],
  moment: ToolCall['moment'],
): ToolCall {
  const { id, at } = decision.inquiry.question;
  const tool = String((decision.value as JsonObject)['tool']);
  const node = findRequest(workflow, tool);
  return { tool, node: node?.index ?? null, variables, moment, question: id, at: at[0] ?? '' };
}

function callToolAfterCaptures(draft: Draft, decision: Decision): void {
  const { subject } = decision.inquiry;
  if (subject.of !== 'variable') return;
  const call = toolCall(draft, decision, [subject.name], 'captured');
  for (const { index, captures } of draft.nodes) {
    if (captures.some((capture) => capture.name === subject.name)) addCall(draft, index, call);
  }
}

function addCall({ nodes }: Draft, index: NodeIndex, call: ToolCall): void {
  const node = nodes[index]!;
  const isSame = (it: ToolCall) =>
    it.tool === call.tool && it.moment === call.moment && sameNames(it.variables, call.variables);
  if (!node.calls.some(isSame)) nodes[index] = { ...node, calls: [...node.calls, call] };
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

function defineVariable(draft: Draft, decision: Decision, index: Index): void {
  const { subject } = decision.inquiry;
  if (subject.of !== 'variable') return;
  const { id } = decision.inquiry.question;
  if (decision.choice === 'rename') {
    const names = { from: subject.name, to: String(decision.value), question: id };
    applyRename(draft, names, subject.unreached, index.edgesFrom);
    return;
  }
  const node = draft.nodes[index.nodeOf(decision.value)]!;
  const capture: Capture = {
    name: subject.name,
    type: 'string',
    description: { value: subject.name, at: node.at, uses: [], changedBy: id },
    enum: null,
    details: null,
    at: node.at,
    origin: fromAnswer(id),
  };
  draft.nodes[node.index] = { ...node, captures: [...node.captures, capture] };
}

function changeRequest(
  draft: Draft,
  decision: Decision,
  change: (request: Request, node: WorkflowNode, decision: Decision) => Request,
): void {
  changeNode(draft, decision, (node) => ({
    ...node,
    request: node.request === null ? null : change(node.request, node, decision),
  }));
}

function changeNode(
  { nodes }: Draft,
  decision: Decision,
  change: (node: WorkflowNode, decision: Decision) => WorkflowNode,
): void {
  const { subject } = decision.inquiry;
  if (subject.of !== 'node' && subject.of !== 'parameter') return;
  nodes[subject.node] = change(nodes[subject.node]!, decision);
}
