/**
 * Workflow + decisions → Workflow: the answers that change the source.
 *
 * Nothing is changed in place. What an answer brings carries the answer as its origin, so that the
 * source map and the ledger can tell the source's words from the human's.
 */
import type { NodeIndex } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import {
  fromAnswer,
  type Origin,
  type Traced,
  traced,
  within,
  withPart,
} from '../ir/provenance.js';
import type {
  Capture,
  Condition,
  Request,
  RequestMethod,
  Routing,
  ToolCall,
  Workflow,
  WorkflowEdge,
  WorkflowNode,
} from '../ir/workflow.js';
import { findRequest } from '../names/find-request.js';
import { authenticates } from './auth-headers.js';
import { toLiquidExpression } from './logical.js';
import { nowhere } from './read-transfer.js';
import { applyRename } from './rename.js';
import { withTexts } from './request-texts.js';
import { textsWithin } from './texts.js';
import { setParameter } from './tools/ask-about-parameters.js';
import { operationOf } from './tools/bind-operations.js';

/** Carries out what was decided; decisions that leave the source as it is are passed over. */
export function applyDecisions(workflow: Workflow, decisions: readonly Decision[]): Workflow {
  return decisions.reduce(applyDecision, workflow);
}

function applyDecision(workflow: Workflow, decision: Decision): Workflow {
  const { subject, question } = decision.inquiry;
  switch (question.kind) {
    case 'missing-destination':
      return withNode(workflow, subject, (node) => setDestination(node, decision));
    case 'missing-endpoint':
      return withRequest(workflow, decision, setEndpoint);
    case 'missing-parameter':
      return withRequest(workflow, decision, (request) => setParameter(request, decision));
    case 'missing-auth':
      return withRequest(workflow, decision, setAuth);
    case 'logical-condition':
      return setRouting(workflow, decision);
    case 'critical-variable':
      return decision.choice === 'tool' ? callToolAfterCaptures(workflow, decision) : workflow;
    case 'undefined-variable':
      return defineVariable(workflow, decision);
    default:
      return workflow;
  }
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

function setEndpoint(request: Request, node: WorkflowNode, decision: Decision): Request {
  const origin = fromAnswer(decision.inquiry.question.id);
  const given = decision.value as JsonObject;
  if (decision.choice === 'operation') {
    const bind = (given['bind'] ?? {}) as JsonObject;
    return { ...request, operation: operationOf(String(given['operation']), bind, origin) };
  }
  const { url, method, headers, body, timeoutSeconds } = given;
  const allHeaders = (headers as JsonObject | undefined) ?? request.headers?.value ?? null;
  return withTexts(
    {
      ...request,
      authenticated: request.authenticated || authenticates(allHeaders),
      url: traced(String(url), origin),
      method: traced(method as RequestMethod, origin),
      headers: headers === undefined ? request.headers : traced(headers as JsonObject, origin),
      body: body === undefined ? request.body : traced(body, origin),
      timeoutSeconds:
        timeoutSeconds === undefined
          ? request.timeoutSeconds
          : traced(timeoutSeconds as number, origin),
    },
    node,
  );
}

function setAuth(request: Request, node: WorkflowNode, decision: Decision): Request {
  const origin = fromAnswer(decision.inquiry.question.id);
  const value = (decision.value ?? {}) as JsonObject;
  if (decision.choice === 'credential') {
    const credentialId = traced(String(value['credentialId']), origin);
    return { ...request, credentialId, authenticated: true };
  }
  if (decision.choice !== 'header') return { ...request, authenticated: true };
  const before = request.headers ?? traced<JsonObject>({}, origin);
  const secret = `{{${String(value['secret'])}}}`;
  const headers = addHeader(before, String(value['header']), secret, origin);
  return withTexts({ ...request, headers, authenticated: true }, node);
}

/** Headers may be a plain object or a JSON Schema whose properties are the headers. */
function addHeader(
  { value, origin }: Traced<JsonObject>,
  name: string,
  text: string,
  answer: Origin,
): Traced<JsonObject> {
  const { type, properties } = value;
  if (type === 'object' && isJsonObject(properties)) {
    const header = { type: 'string', value: text };
    const inside = withPart(within(origin, 'properties'), name, answer);
    return traced(
      { ...value, properties: { ...properties, [name]: header } },
      withPart(origin, 'properties', inside),
    );
  }
  return traced({ ...value, [name]: text }, withPart(origin, name, answer));
}

function setRouting(workflow: Workflow, decision: Decision): Workflow {
  const routing = decision.choice as Routing;
  const { subject } = decision.inquiry;
  const route = <T extends Condition | null>(condition: T): T =>
    condition === null
      ? condition
      : {
          ...condition,
          routing,
          guard: routing === 'guard' ? toLiquidExpression(condition.value) : null,
          call: callFor(workflow, decision, condition),
        };
  if (subject.of !== 'edge') {
    return withNode(workflow, subject, (node) => ({
      ...node,
      global: { condition: route(node.global?.condition ?? null) },
    }));
  }
  const edge = workflow.edges[subject.edge]!;
  const routed: WorkflowEdge = { ...edge, condition: route(edge.condition) };
  const edges = workflow.edges.with(subject.edge, routed);
  const call = routed.condition?.call ?? null;
  return call === null ? { ...workflow, edges } : addCall({ ...workflow, edges }, edge.from, call);
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

function callToolAfterCaptures(workflow: Workflow, decision: Decision): Workflow {
  const { subject } = decision.inquiry;
  if (subject.of !== 'variable') return workflow;
  const call = toolCall(workflow, decision, [subject.name], 'captured');
  const capturing = workflow.nodes.filter(({ captures }) =>
    captures.some((capture) => capture.name === subject.name),
  );
  return capturing.reduce((changed, node) => addCall(changed, node.index, call), workflow);
}

function addCall(workflow: Workflow, node: NodeIndex, call: ToolCall): Workflow {
  const { calls } = workflow.nodes[node]!;
  const isSame = (it: ToolCall) =>
    it.tool === call.tool && it.moment === call.moment && sameNames(it.variables, call.variables);
  if (calls.some(isSame)) return workflow;
  return withNode(workflow, { of: 'node', node }, (it) => ({ ...it, calls: [...calls, call] }));
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

function defineVariable(workflow: Workflow, decision: Decision): Workflow {
  const { subject } = decision.inquiry;
  if (subject.of !== 'variable') return workflow;
  const { id } = decision.inquiry.question;
  if (decision.choice === 'rename') {
    return applyRename(workflow, subject.name, String(decision.value), subject.unreached, id);
  }
  if (decision.choice !== 'captured-at') return workflow;
  const node = workflow.nodes.find((it) => it.id === decision.value)!;
  const capture: Capture = {
    name: subject.name,
    type: 'string',
    description: { value: subject.name, at: node.at, uses: [], changedBy: id },
    enum: null,
    details: null,
    at: node.at,
    origin: fromAnswer(id),
  };
  return withNode(workflow, { of: 'node', node: node.index }, (it) => ({
    ...it,
    captures: [...it.captures, capture],
  }));
}

function withRequest(
  workflow: Workflow,
  decision: Decision,
  change: (request: Request, node: WorkflowNode, decision: Decision) => Request,
): Workflow {
  return withNode(workflow, decision.inquiry.subject, (node) => ({
    ...node,
    request: node.request === null ? null : change(node.request, node, decision),
  }));
}

function withNode(
  workflow: Workflow,
  subject: Decision['inquiry']['subject'],
  change: (node: WorkflowNode) => WorkflowNode,
): Workflow {
  if (subject.of !== 'node' && subject.of !== 'parameter') return workflow;
  const node = workflow.nodes[subject.node]!;
  return { ...workflow, nodes: workflow.nodes.with(subject.node, change(node)) };
}
