/**
 * What the nodes leave open: what is said first, when a call moves to global nodes, where a transfer
 * goes, what a request calls, how exact conditions are met.
 */

import { problemOfTool, proposeTool, textIn } from '../../../diagnostics/answers.js';
import { quote } from '../../../diagnostics/quote.js';
import { addressOf, gapsOf, goalOf, nameOf, valuesOf } from '../../../diagnostics/subjects.js';
import { isObject, type Json, type JsonObject } from '../../../text/json.js';
import { toLiquidExpression } from '../../1-read/guard.js';
import { conditionAt } from '../../1-read/logical.js';
import { authenticates, isCallable } from '../../1-read/requests.js';
import { joinTexts, textsWithin, withoutArguments } from '../../1-read/template.js';
import { destinationOf } from '../../1-read/tools.js';
import type { FlowGraph } from '../../ir/flow-graph.js';
import type { ConditionFacts, Decision } from '../../ir/inquiry.js';
import { digest, isGenerated } from '../../ir/names.js';
import { type Traced, traced, withPart } from '../../ir/provenance.js';
import type { Diagnostic } from '../../ir/result.js';
import { objectOf, partOf } from '../../ir/template.js';
import type * as ir from '../../ir/workflow.js';
import {
  addCall,
  type Change,
  changeNode,
  type Draft,
  draftMarker,
  originOf,
  problemOfTexts,
  type Row,
  toolCall,
} from './row.js';

const openings: Row<ir.WorkflowNode> = {
  kind: 'two-openings',
  ask: (node) => {
    const { firstMessage: own, otherOpening: other } = node;
    if (own === null || other === undefined) return [];
    return {
      ...about(node),
      text: `The call would begin with two first messages: ${quote(other.value)}, which stands outside the nodes, and ${quote(own.value)} of ${nameOf(node)}. Which is spoken?`,
      at: [other.at, own.at],
      proposal: { choice: 'workflow' },
    };
  },
  changes: {
    workflow: keep('firstMessage'),
    assistant: keep('otherOpening'),
    both: keep('otherOpening', 'firstMessage'),
  },
};

function keep(...fields: readonly ('firstMessage' | 'otherOpening')[]): Change {
  return (draft, { inquiry: { subject } }) => {
    if (subject.of !== 'node') return;
    const node = draft.nodes[subject.node]!;
    const kept = fields.map((it) => node[it]!);
    const lost = [node.otherOpening!, node.firstMessage!].filter((it) => !kept.includes(it));
    const reason = { status: 'dropped', reason: 'another first message is spoken' } as const;
    const absorbed = lost.map(({ at }): ir.Absorbed => ({ at, kind: 'line', ...reason }));
    draft.absorbed = [...draft.absorbed, ...absorbed];
    draft.nodes[subject.node] = { ...node, firstMessage: joinTexts(kept, ' ') };
  };
}

/** When global nodes without a condition are entered. */
const globals: Row<ir.WorkflowNode> = {
  kind: 'missing-condition',
  ask: (node) => {
    if (node.global?.condition !== null) return [];
    const called = node.name ?? node.id;
    const condition = `when the caller needs ${called}`;
    const isWord = !isGenerated(called) && called.trim() !== '' && problemOfTexts(called) === null;
    return {
      ...about(node),
      text: `The node ${nameOf(node)} can be entered from anywhere, but the workflow does not say when. When should the call move there?`,
      proposal: isWord ? { choice: 'when', value: { condition } } : null,
      assumed: { choice: 'when', value: { condition: draftMarker } },
    };
  },
  check: ({ value }) => {
    const faults: Diagnostic[] = [];
    conditionAt(textIn(value, 'condition'), '/condition', faults, false);
    return problemOfTexts(value, faults);
  },
  changes: {
    when: changeNode((node, { inquiry, value }) => {
      const condition = conditionAt(textIn(value, 'condition'), node.at, [], false);
      return { ...node, global: { condition: { ...condition, changedBy: inquiry.question.id } } };
    }),
  },
};

const contents: readonly Row<ir.WorkflowNode>[] = [
  openings,
  {
    kind: 'missing-destination',
    ask: (node) => {
      if (node.transfer?.destination !== null) return [];
      const text = `The node ${nameOf(node)} ${goalOf(node.transfer)}. Which number or SIP address should the caller be connected to?`;
      return { ...about(node), text, assumed: { choice: 'number', value: draftMarker } };
    },
    check: ({ value }) => problemOfTexts(value),
    changes: { number: changeNode(setDestination), sip: changeNode(setDestination) },
  },
  {
    kind: 'missing-endpoint',
    ask: (node) => {
      if (node.request === null) return [];
      const { url, method } = endpointOf(node.request);
      const isThere = { url: isCallable(url ?? ''), method: method !== null };
      const missing = (['url', 'method'] as const).filter((field) => !isThere[field]);
      if (missing.length === 0) return [];
      const value = { url: (isThere.url && url) || draftMarker, method: method ?? 'GET' };
      return {
        ...about(node),
        text: `The node ${nameOf(node)} sends a request, but the workflow does not give it ${gapsOf(url, method, missing)}. What should it call?`,
        assumed: { choice: 'request', value },
      };
    },
    check: ({ choice, value }) =>
      choice === 'operation'
        ? 'operations are bound before compiling (`bindOperations` of squadc/tools)'
        : problemOfTexts(value),
    changes: { request: changeRequest(setEndpoint) },
  },
];

/** After the answers to what the nodes leave open. */
const requests: Row<ir.WorkflowNode> = {
  kind: 'missing-auth',
  ask: (node) => {
    if (node.request?.authenticated !== false) return [];
    const { url, method } = endpointOf(node.request);
    const text = `The node ${nameOf(node)} sends a request without any authentication: ${addressOf(url, method)}. Is the endpoint public? If not, how should the request authenticate?`;
    return { ...about(node), text, assumed: { choice: 'none' } };
  },
  changes: {
    none: changeRequest((request) => ({ ...request, authenticated: true })),
    header: changeRequest(setHeader),
    credential: changeRequest((request, decision) => {
      const id = traced(textIn(decision.value, 'credentialId'), originOf(decision));
      return { ...request, authenticated: true, credentialId: id };
    }),
  },
};

/** How conditions that are expressions are met. */
const conditions: Row<ConditionFacts> = {
  kind: 'logical-condition',
  ask: ({ graph, node, edge }) => {
    const condition = conditionOf({ node, edge });
    if (!condition?.logical) return [];
    const { value, at } = condition;
    const to = edge && graph.workflow.nodes[edge.to]!;
    const ends = to === null ? [node.id] : [node.id, to.id];
    const variables = namesIn(condition);
    // One that is judged everywhere is also judged where the variable is captured.
    const captures = graph.order.flatMap((index) => graph.workflow.nodes[index]!.captures);
    const capturesOf = (variable: string) => captures.filter(({ name }) => name === variable);
    const isSpoken = variables.some((name) =>
      to === null ? capturesOf(name).length > 0 : isFromConversation(graph, name, node),
    );
    const way = to
      ? `The call goes from ${nameOf(node)} to ${nameOf(to)}`
      : `The call moves to ${nameOf(node)} from anywhere`;
    const isListed = ({ type, enum: values }: ir.Capture) => values !== null || type === 'boolean';
    const extract =
      variables.length > 0 && variables.every((name) => capturesOf(name).some(isListed));
    return {
      name: `${ends.join('->')}~${digest(JSON.stringify([...ends, value]))}`,
      text: `${way} when ${quote(value)} holds. This is a formula, which an assistant cannot evaluate exactly by itself. How should ${valuesOf(variables)} become known before the decision?`,
      at: [at],
      subject: edge ? { of: 'edge', edge: edge.index } : { of: 'node', node: node.index },
      without: isSpoken || toLiquidExpression(value) === null ? 'guard' : null,
      // The tool that sets the variables, or `extract` for enumerated captures, else nothing.
      proposal: proposeTool(graph, variables) ?? (extract ? { choice: 'extract' } : null),
      assumed: { choice: 'prose' },
    };
  },
  check: ({ choice, value }, facts) =>
    choice === 'tool' ? problemOfTool(facts.graph, namesIn(conditionOf(facts)!), value) : null,
  changes: { extract: setRouting, tool: setRouting, guard: setRouting, prose: setRouting },
};

export const ofSource = { globals, nodes: contents, requests, conditions };

function about({ id, at, index }: ir.WorkflowNode) {
  return { name: id, at: [at], subject: { of: 'node', node: index } } as const;
}

function endpointOf({ url, method }: ir.Request) {
  return { url: url?.value ?? null, method: method?.value ?? null };
}

function conditionOf({ node, edge }: Omit<ConditionFacts, 'graph'>): ir.Condition | null {
  return edge === null ? (node.global?.condition ?? null) : edge.condition;
}

function namesIn({ uses }: ir.Condition): readonly string[] {
  return [...new Set(uses.map(({ name }) => name))];
}

/**
 * Whether the assistant that judges a condition certainly has the variable only from the
 * conversation, so that the platform does not know it yet: going back along sole edges, a capture
 * comes before any response.
 */
function isFromConversation(
  { workflow: { nodes }, leaving, predecessors }: FlowGraph,
  variable: string,
  from: ir.WorkflowNode,
): boolean {
  const seen = new Set<ir.WorkflowNode>();
  for (let node = from; !seen.has(node); ) {
    seen.add(node);
    if (node.request?.responses.some(({ name }) => name === variable)) return false;
    if (node.captures.some(({ name }) => name === variable)) return true;
    const [before, ...others] = new Set(predecessors[node.index]);
    if (before === undefined || others.length > 0 || node.global !== null) return false;
    const onward = leaving[before]!.filter(({ to }) => nodes[to]!.role !== 'exit');
    if (new Set(onward.map(({ to }) => to)).size !== 1) return false;
    node = nodes[before]!;
  }
  return false;
}

function setDestination(node: ir.WorkflowNode, decision: Decision): ir.WorkflowNode {
  const text = String(decision.value);
  const destination = destinationOf(decision.choice === 'sip', text);
  const [address = null] = textsWithin(text, node.at, []);
  const transfer = { address, destination: traced(destination, originOf(decision)) };
  return { ...node, transfer: { ...node.transfer!, ...transfer } };
}

/** The changed request with the texts that it now sends; those of an answer have no place. */
function changeRequest(change: (request: ir.Request, decision: Decision) => ir.Request): Change {
  return changeNode((node, decision) => {
    const request = change(node.request!, decision);
    const { url, headers, body, furtherTexts } = request;
    const texts = [url, headers, body].flatMap((part): ir.Text[] => {
      if (part?.origin.kind === 'source') return textsWithin(part.value, part.origin.at, []);
      return textsWithin(part?.value ?? null, '', []).map((it) => ({ ...it, at: node.at }));
    });
    const sent = withoutArguments(texts, body?.value ?? null);
    return { ...node, request: { ...request, texts: [...sent, ...furtherTexts] } };
  });
}

function setEndpoint(request: ir.Request, decision: Decision): ir.Request {
  const { url, method, headers, body, timeoutSeconds } = decision.value as JsonObject;
  const given = <T>(value: Json | undefined, before: Traced<T> | null) =>
    value === undefined ? before : traced(value as T, originOf(decision));
  const own = given<JsonObject>(headers, request.headers);
  return {
    ...request,
    authenticated: request.authenticated || authenticates(own?.value ?? null),
    url: given<string>(url, null),
    method: given<ir.RequestMethod>(method, null),
    headers: own,
    body: given<Json>(body, request.body),
    timeoutSeconds: given<number>(timeoutSeconds, request.timeoutSeconds),
  };
}

/** Headers may be a plain object or properties of a JSON Schema. */
function setHeader(request: ir.Request, decision: Decision): ir.Request {
  const origin = originOf(decision);
  const secret = `{{${textIn(decision.value, 'secret')}}}`;
  const before = request.headers ?? traced<JsonObject>({}, origin);
  const { type, properties } = before.value;
  const isDeclared = type === 'object' && isObject(properties);
  const header = traced(isDeclared ? { type: 'string', value: secret } : secret, origin);
  const holder = isDeclared ? objectOf(partOf(before, 'properties')) : before;
  const given = withMember(holder, textIn(decision.value, 'header'), header);
  const headers = isDeclared ? withMember(before, 'properties', given) : given;
  return { ...request, authenticated: true, headers };
}

function withMember(to: Traced<JsonObject>, key: string, part: Traced<Json>) {
  const value = { ...to.value, [key]: part.value };
  return traced<JsonObject>(value, withPart(to.origin, key, part.origin));
}

function setRouting(draft: Draft, decision: Decision): void {
  const { nodes, edges } = draft;
  const { subject } = decision.inquiry;
  const routing = decision.choice as ir.Routing;
  const route = (condition: ir.Condition): ir.Condition => {
    const guard = routing === 'guard' ? toLiquidExpression(condition.value) : null;
    const call =
      routing === 'tool' ? toolCall(draft, decision, namesIn(condition), 'judging') : null;
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
