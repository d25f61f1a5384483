/**
 * What the source itself leaves open: where the call starts, where a transfer goes, what a request
 * calls and how it authenticates (spec/3, "stop and ask").
 */
import { ask } from '../../diagnostics/questions.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Target } from '../ir/options.js';
import type { Workflow, WorkflowNode } from '../ir/workflow.js';
import { objectToTexts } from './answer-texts.js';
import { createConditionAsker, type Scope } from './ask-about-conditions.js';
import { draftMarker } from './draft-marker.js';
import type { Start } from './start.js';
import { objectToOperation } from './tools/bind-operations.js';
import { directIds, operationIds } from './tools/operations.js';

const none: Inquiry['allowed'] = new Map();

export function askAboutStart(
  workflow: Workflow,
  start: Start & { readonly kind: 'ambiguous' },
  target: Target,
): Inquiry {
  const walkable = workflow.nodes.filter((node) => node.role !== 'exit').map((node) => node.id);
  const candidates = start.candidates.map((node) => workflow.nodes[node]!);
  const proposed = workflow.nodes[start.proposal]!.id;
  const allowed = { node: walkable };
  const ids = candidates.map((node) => node.id);
  return {
    question: ask('ambiguous-start', 'workflow', {
      at: candidates.map((node) => node.at),
      args: { candidates: ids },
      target,
      proposal: 'node',
      proposalValue: proposed,
      allowed,
    }),
    subject: { of: 'start' },
    allowed: new Map([['node', new Set(walkable)]]),
    assumed: { choice: 'node', value: proposed },
  };
}

/** Asks about the reachable nodes and the conditions that lead on from them, in walk order. */
export function askAboutNodes(scope: Scope): Inquiry[] {
  const { nodes, edges } = scope.workflow;
  const conditions = createConditionAsker(scope);
  const isExact = edges.some(({ condition }) => condition?.logical === true);
  const inquiries: Inquiry[] = [];
  const add = (inquiry: Inquiry | null) => inquiry !== null && inquiries.push(inquiry);
  for (const index of scope.order) {
    const node = nodes[index]!;
    if (node.global !== null) add(conditions.ofGlobal(node));
    if (node.transfer !== null) add(askAboutDestination(node, scope.target));
    if (node.request !== null) add(askAboutEndpoint(node, scope));
    if (!isExact) continue;
    for (const edge of scope.edgesOf(index)) add(conditions.ofEdge(edge as EdgeIndex));
  }
  return inquiries;
}

/** Asks how requests authenticate; the server of an operation knows how. */
export function askAboutAuth(
  workflow: Workflow,
  order: readonly NodeIndex[],
  target: Target,
): Inquiry[] {
  const inquiries: Inquiry[] = [];
  for (const index of order) {
    const { request, id, at } = workflow.nodes[index]!;
    if (request === null || request.authenticated) continue;
    if (request.operation !== null && !request.operation.direct) continue;
    inquiries.push({
      question: ask('missing-auth', id, { at: [at], args: { node: id }, target }),
      subject: { of: 'node', node: index },
      allowed: none,
      assumed: { choice: 'none' },
    });
  }
  return inquiries;
}

function askAboutDestination(node: WorkflowNode, target: Target): Inquiry | null {
  if (node.transfer === null || node.transfer.destination !== null) return null;
  const { id, at, index } = node;
  return {
    question: ask('missing-destination', id, { at: [at], args: { node: id }, target }),
    subject: { of: 'node', node: index },
    allowed: none,
    objection: (_, value) => objectToTexts(value),
    assumed: { choice: 'number', value: draftMarker },
  };
}

function askAboutEndpoint(node: WorkflowNode, { target, tools }: Scope): Inquiry | null {
  const { request, id, at, index } = node;
  if (request === null || request.operation !== null) return null;
  if (request.url !== null && request.method !== null) return null;
  const url = request.url?.value ?? draftMarker;
  const method = request.method?.value ?? 'GET';
  const missing = (['url', 'method'] as const).filter((field) => request[field] === null);
  return {
    question: ask('missing-endpoint', id, {
      at: [at],
      args: { node: id, missing },
      target,
      allowed: { operation: tools === 'direct' ? directIds : operationIds },
    }),
    subject: { of: 'node', node: index },
    allowed: none,
    objection: (choice, value) =>
      (choice === 'operation' ? objectToOperation(value) : null) ?? objectToTexts(value),
    assumed: { choice: 'request', value: { url, method } },
  };
}

/** The start that was decided on. */
export function decidedStart(workflow: Workflow, decision: Decision): NodeIndex {
  return workflow.nodes.find((node) => node.id === decision.value)!.index;
}
