/**
 * Workflow + decisions → Workflow: the answers that change the source.
 *
 * The given workflow is not modified: the decisions change one copy of its lists, and if none
 * changes anything the workflow itself is returned. Whatever an answer adds has the answer as its
 * origin, so that the source map and the ledger can distinguish it from the source.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { toLiquidExpression } from '../1-read/guard.js';
import { conditionAt } from '../1-read/logical.js';
import { authenticates } from '../1-read/requests.js';
import { readTemplate, renameUses, textsWithin, withoutArguments } from '../1-read/template.js';
import { assertInvariant } from '../ir/compiler-bug.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import { type Decision, findRequest } from '../ir/inquiry.js';
import { isJsonObject, type Json, type JsonObject } from '../../text/json.js';
import type { QuestionKind } from '../ir/options.js';
import { fromAnswer, type Traced, traced, within, withPart } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import { mapTexts } from '../ir/texts.js';
import {
  type Condition,
  type Request,
  type RequestMethod,
  type Routing,
  type Text,
  type ToolCall,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
  withRoles,
} from '../ir/workflow.js';

/** A copy of a workflow, changed in place. */
interface Draft extends Omit<Workflow, 'nodes' | 'edges' | 'globalPrompt'> {
  readonly nodes: WorkflowNode[];
  readonly edges: WorkflowEdge[];
  globalPrompt: Text | null;
}

type Change = (draft: Draft, decision: Decision, index: Index) => void;

/** Nodes by id, and the positions of the edges that leave a node: no answer changes those. */
interface Index {
  readonly byId: ReadonlyMap<Json, NodeIndex>;
  readonly leaving: ReadonlyMap<NodeIndex, readonly number[]>;
}

/** The changes by kind of question; other kinds leave the source unchanged. */
const changes: Readonly<Partial<Record<QuestionKind, Change>>> = {
  'missing-destination': onNode(setDestination),
  'missing-endpoint': onRequest(setEndpoint),
  'missing-condition': onNode(setEntryCondition),
  'missing-auth': onRequest(setAuth),
  'missing-edges': addEdgesInOrder,
  'logical-condition': setRouting,
  'critical-variable': callToolAfterCaptures,
  'undefined-variable': (draft, decision, index) => {
    const change = decision.choice === 'rename' ? renameVariable : captureVariable;
    change(draft, decision, index);
  },
};

/** Choices that also leave it unchanged. */
const inert: ReadonlySet<string> = new Set(['best-effort', 'argument', 'caller']);

/** Applies what was decided; see the head of this file. */
export function applyDecisions(workflow: Workflow, decisions: readonly Decision[]): Workflow {
  const changing = decisions.filter(({ inquiry, choice }) => {
    return inquiry.question.kind in changes && !inert.has(choice);
  });
  if (changing.length === 0) return workflow;
  const { nodes, edges } = workflow;
  const byId = new Map<Json, NodeIndex>(nodes.map(({ id, index }) => [id, index]));
  const leaving = groupBy(edges.keys(), (at) => edges[at]!.from);
  const draft: Draft = { ...workflow, nodes: [...nodes], edges: [...edges] };
  for (const decision of changing) {
    changes[decision.inquiry.question.kind]!(draft, decision, { byId, leaving });
  }
  return withRoles(draft);
}

/** Variables that the caller supplies: secrets that headers name, and those left to the caller. */
export function listSupplied(decisions: readonly Decision[]): string[] {
  return decisions.flatMap((decision) => suppliedBy(decision) ?? []);
}

/** Reports the variables that a human left to the caller; an assumption is not reported. */
export function reportSupplied(decisions: readonly Decision[]): Diagnostic[] {
  return decisions.flatMap((decision) => {
    const variable = suppliedBy(decision);
    if (variable === null || decision.by !== 'answer') return [];
    const [at = '', ...related] = decision.inquiry.question.at;
    return [diagnose('lower/supplied-by-caller', at, { variable }, { related })];
  });
}

function suppliedBy({ inquiry: { question, subject }, choice, value }: Decision): string | null {
  if (question.kind === 'missing-auth' && choice === 'header') return textIn(value, 'secret');
  const isLeft = question.kind === 'undefined-variable' && choice === 'caller';
  return isLeft && subject.of === 'variable' ? subject.name : null;
}

function onNode(change: (node: WorkflowNode, decision: Decision) => WorkflowNode): Change {
  return ({ nodes }, decision) => {
    const { subject } = decision.inquiry;
    if (subject.of === 'node') nodes[subject.node] = change(nodes[subject.node]!, decision);
  };
}

/** The changed request with the texts that it now sends; those of an answer have no place. */
function onRequest(change: (request: Request, decision: Decision) => Request): Change {
  return onNode((node, decision) => {
    const request = change(node.request!, decision);
    const { url, headers, body, furtherTexts } = request;
    const texts = [url, headers, body].flatMap((part): Text[] => {
      if (part?.origin.kind === 'source') return textsWithin(part.value, part.origin.at, []);
      return textsWithin(part?.value ?? null, '', []).map((it) => ({ ...it, at: node.at }));
    });
    const sent = withoutArguments(texts, body?.value ?? null);
    return { ...node, request: { ...request, texts: [...sent, ...furtherTexts] } };
  });
}

function setDestination(node: WorkflowNode, decision: Decision): WorkflowNode {
  const text = String(decision.value);
  const destination =
    decision.choice === 'sip'
      ? ({ type: 'sip', sipUri: text } as const)
      : ({ type: 'number', number: text } as const);
  const [address = null] = textsWithin(text, node.at, []);
  const transfer = { address, destination: traced(destination, originOf(decision)) };
  return { ...node, transfer: { ...node.transfer!, ...transfer } };
}

function setEntryCondition(node: WorkflowNode, { inquiry, value }: Decision): WorkflowNode {
  const condition = conditionAt(textIn(value, 'condition'), node.at, [], false);
  return { ...node, global: { condition: { ...condition, changedBy: inquiry.question.id } } };
}

/** Global nodes are left out, and nothing follows an exit. */
function addEdgesInOrder({ nodes, edges }: Draft, { choice, inquiry }: Decision): void {
  const listed = choice === 'none' ? [] : nodes.filter(({ global }) => global === null);
  for (const [place, { index: to }] of listed.slice(1).entries()) {
    const { index: from, at, role } = listed[place]!;
    const index = edges.length as EdgeIndex;
    const edge = { index, at, from, to, condition: null, addedBy: inquiry.question.id };
    if (role !== 'exit') edges.push(edge);
  }
}

function setEndpoint(request: Request, decision: Decision): Request {
  const { url, method, headers, body, timeoutSeconds } = decision.value as JsonObject;
  const given = <T>(value: Json | undefined, before: Traced<T> | null) =>
    value === undefined ? before : traced(value as T, originOf(decision));
  const own = given<JsonObject>(headers, request.headers);
  return {
    ...request,
    authenticated: request.authenticated || authenticates(own?.value ?? null),
    url: given<string>(url, null),
    method: given<RequestMethod>(method, null),
    headers: own,
    body: given<Json>(body, request.body),
    timeoutSeconds: given<number>(timeoutSeconds, request.timeoutSeconds),
  };
}

function setAuth(request: Request, decision: Decision): Request {
  const { choice, value } = decision;
  const origin = originOf(decision);
  const withAuth = { ...request, authenticated: true };
  if (choice === 'credential') {
    return { ...withAuth, credentialId: traced(textIn(value, 'credentialId'), origin) };
  }
  if (choice === 'none') return withAuth;
  const name = textIn(value, 'header');
  const secret = `{{${textIn(value, 'secret')}}}`;
  const before = request.headers ?? traced<JsonObject>({}, origin);
  const { type, properties } = before.value;
  // Headers may be a plain object or properties of a JSON Schema.
  if (type !== 'object' || !isJsonObject(properties)) {
    const all = { ...before.value, [name]: secret };
    return { ...withAuth, headers: traced(all, withPart(before.origin, name, origin)) };
  }
  const declared = { ...properties, [name]: { type: 'string', value: secret } };
  const inside = withPart(within(before.origin, 'properties'), name, origin);
  const whole = withPart(before.origin, 'properties', inside);
  return { ...withAuth, headers: traced({ ...before.value, properties: declared }, whole) };
}

function setRouting(draft: Draft, decision: Decision): void {
  const { nodes, edges } = draft;
  const { subject } = decision.inquiry;
  const routing = decision.choice as Routing;
  const route = (condition: Condition): Condition => {
    const names = [...new Set(condition.uses.map(({ name }) => name))];
    const guard = routing === 'guard' ? toLiquidExpression(condition.value) : null;
    const call = routing === 'tool' ? toolCall(draft, decision, names, 'judging') : null;
    return { ...condition, routing, guard, call };
  };
  if (subject.of === 'node') {
    const node = nodes[subject.node]!;
    nodes[subject.node] = { ...node, global: { condition: route(node.global!.condition!) } };
  } else if (subject.of === 'edge') {
    const edge = edges[subject.edge]!;
    const condition = route(edge.condition!);
    edges[subject.edge] = { ...edge, condition };
    if (condition.call !== null) addCall(draft, edge.from, condition.call);
  }
}

/** The tool that an answer names: a request of the workflow, or a tool to be provided. */
function toolCall(
  workflow: Workflow,
  { inquiry, value }: Decision,
  variables: readonly string[],
  moment: ToolCall['moment'],
): ToolCall {
  const { id: question, at } = inquiry.question;
  const tool = textIn(value, 'tool');
  const node = findRequest(workflow, tool)?.index ?? null;
  return { tool, node, variables, moment, question, at: at[0] ?? '' };
}

function callToolAfterCaptures(draft: Draft, decision: Decision): void {
  const variable = variableOf(decision);
  const call = toolCall(draft, decision, [variable.name], 'captured');
  for (const { index, captures } of draft.nodes) {
    if (captures.some(({ name }) => name === variable.name)) addCall(draft, index, call);
  }
}

function addCall({ nodes }: Draft, index: NodeIndex, call: ToolCall): void {
  const keyOf = ({ tool, moment, variables }: ToolCall) =>
    JSON.stringify([tool, moment, variables]);
  const node = nodes[index]!;
  const isThere = node.calls.some((it) => keyOf(it) === keyOf(call));
  if (!isThere) nodes[index] = { ...node, calls: [...node.calls, call] };
}

/** Visits only the reads in question, as there may be as many renames as nodes. */
function renameVariable(draft: Draft, decision: Decision, { leaving }: Index): void {
  const { name, unreached } = variableOf(decision);
  const changedBy = decision.inquiry.question.id;
  /** The text with the new name; the same object if it does not read the old one. */
  const rename = <T extends Text>(text: T): T => {
    const read = text.uses.filter((use) => use.name === name);
    const value = renameUses(text.value, read, String(decision.value));
    if (value === text.value) return text;
    return { ...text, value, uses: readTemplate(value).uses, changedBy };
  };
  const renameCondition = (condition: Condition | null): Condition | null => {
    const renamed = condition && rename(condition);
    if (renamed === null || renamed === condition) return condition;
    const { value, at, logical, guard } = renamed;
    const { uses } = conditionAt(value, at, [], logical);
    return { ...renamed, uses, guard: guard && toLiquidExpression(value) };
  };
  const { nodes, edges, globalPrompt } = draft;
  if (unreached.globalPrompt) draft.globalPrompt = globalPrompt && rename(globalPrompt);
  for (const node of unreached.texts) nodes[node] = mapTexts(nodes[node]!, rename);
  for (const node of unreached.globals) {
    const { condition } = nodes[node]!.global!;
    nodes[node] = { ...nodes[node]!, global: { condition: renameCondition(condition) } };
  }
  for (const at of [...unreached.conditions].flatMap((node) => leaving.get(node) ?? [])) {
    edges[at] = { ...edges[at]!, condition: renameCondition(edges[at]!.condition) };
  }
}

function captureVariable({ nodes }: Draft, decision: Decision, { byId }: Index): void {
  const { name } = variableOf(decision);
  const node = nodes[byId.get(decision.value)!]!;
  const { at, captures } = node;
  const description = { value: name, at, uses: [], changedBy: decision.inquiry.question.id };
  const found = { name, type: 'string', description, enum: null, details: null } as const;
  const places = { name: null, type: at, enum: at };
  const capture = { ...found, at, origin: originOf(decision), places };
  nodes[node.index] = { ...node, captures: [...captures, capture] };
}

function variableOf({ inquiry: { subject } }: Decision) {
  assertInvariant(subject.of === 'variable', () => 'the question is about a variable');
  return subject;
}

function originOf({ inquiry }: Decision) {
  return fromAnswer(inquiry.question.id);
}

function textIn(value: Json, key: string): string {
  return String((value as JsonObject)[key]);
}
