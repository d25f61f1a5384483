/**
 * What the source itself leaves open: where the call starts, where a transfer goes, what a request
 * calls and how it authenticates, and how an exact condition is to be met (spec/3, "stop and ask").
 */
import { ask } from '../../diagnostics/questions.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import type { Decision, Inquiry } from '../ir/inquiry.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { Target } from '../ir/options.js';
import type { Condition, Workflow, WorkflowNode } from '../ir/workflow.js';
import { digest } from '../names/digest.js';
import { findRequest } from './find-request.js';
import type { Start } from './start.js';

const none: Inquiry['allowed'] = new Map();
/** Stands in drafts where only a human knows the text. */
const unknownText = 'TODO';

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

/** Asks about nodes and their edges in the given order. */
export function askAboutNodes(
  workflow: Workflow,
  order: readonly NodeIndex[],
  edgesOf: (node: NodeIndex) => Iterable<number>,
  target: Target,
): Inquiry[] {
  return order.flatMap((index) => {
    const node = workflow.nodes[index]!;
    const conditions = [...edgesOf(index)].map((edge) =>
      askAboutEdge(workflow, edge as EdgeIndex, target),
    );
    return [
      askAboutGlobal(workflow, node, target),
      askAboutDestination(node, target),
      askAboutEndpoint(node, target),
      ...conditions,
    ].filter((inquiry) => inquiry !== null);
  });
}

/** Asks how requests authenticate; an operation of an adapter brings its own way. */
export function askAboutAuth(
  workflow: Workflow,
  order: readonly NodeIndex[],
  target: Target,
): Inquiry[] {
  return order.flatMap((index) => {
    const { request, id, at } = workflow.nodes[index]!;
    if (request === null || request.authenticated || request.operation !== null) return [];
    return [
      {
        question: ask('missing-auth', id, { at: [at], args: { node: id }, target }),
        subject: { of: 'node', node: index },
        allowed: none,
        assumed: { choice: 'none' },
      },
    ];
  });
}

function askAboutEdge(workflow: Workflow, edge: EdgeIndex, target: Target): Inquiry | null {
  const { condition, from, to } = workflow.edges[edge]!;
  if (condition?.logical !== true) return null;
  const ends = [workflow.nodes[from]!.id, workflow.nodes[to]!.id] as const;
  const subject = `${ends[0]}->${ends[1]}~${digest(JSON.stringify([...ends, condition.value]))}`;
  const args = { condition: condition.value, from: ends[0], to: ends[1] };
  return askAboutCondition(workflow, condition, subject, { of: 'edge', edge }, args, target);
}

function askAboutGlobal(workflow: Workflow, node: WorkflowNode, target: Target): Inquiry | null {
  const condition = node.global?.condition ?? null;
  if (condition?.logical !== true) return null;
  const subject = `${node.id}~${digest(JSON.stringify([node.id, condition.value]))}`;
  const args = { condition: condition.value, from: node.id, to: null };
  const about = { of: 'node', node: node.index } as const;
  return askAboutCondition(workflow, condition, subject, about, args, target);
}

function askAboutCondition(
  workflow: Workflow,
  condition: Condition,
  subject: string,
  about: Inquiry['subject'],
  args: { condition: string; from: string; to: string | null },
  target: Target,
): Inquiry {
  const variables = [...new Set(condition.uses.map((use) => use.name))];
  return {
    question: ask('logical-condition', subject, {
      at: [condition.at],
      args: { ...args, variables },
      target,
      ...proposeRouting(workflow, variables),
    }),
    subject: about,
    allowed: none,
    objection: (choice, value) => objectToTool(workflow, variables, choice, value),
    assumed: { choice: 'prose' },
  };
}

/** `extract` for an enumerated capture, `tool` where a tool sets the variable, else nothing. */
function proposeRouting(
  workflow: Workflow,
  variables: readonly string[],
): { proposal?: string; proposalValue?: Json } {
  if (variables.length === 0) return {};
  const setter = findSetter(workflow, variables);
  if (setter !== null) return { proposal: 'tool', proposalValue: { tool: setter } };
  const isEnumerated = (name: string) =>
    workflow.nodes.some(({ captures }) => captures.some((it) => it.name === name && it.enum));
  return variables.every(isEnumerated) ? { proposal: 'extract' } : {};
}

/** The one request whose response sets all the variables, by the id of its node. */
export function findSetter(workflow: Workflow, variables: readonly string[]): string | null {
  const setters = workflow.nodes.filter(({ request }) =>
    variables.every((name) => request?.responses.some((it) => it.name === name)),
  );
  return setters.length === 1 ? setters[0]!.id : null;
}

/** A request of the workflow can only give what its response sets. */
export function objectToTool(
  workflow: Workflow,
  variables: readonly string[],
  choice: string,
  value: Json,
): string | null {
  if (choice !== 'tool') return null;
  const request = findRequest(workflow, String((value as JsonObject)['tool']));
  const missing = variables.find(
    (name) => request?.request?.responses.every((it) => it.name !== name) === true,
  );
  if (missing === undefined) return null;
  return `the response of the request ${JSON.stringify(request!.id)} does not set ${missing}`;
}

function askAboutDestination(node: WorkflowNode, target: Target): Inquiry | null {
  if (node.transfer === null || node.transfer.destination !== null) return null;
  const { id, at, index } = node;
  return {
    question: ask('missing-destination', id, { at: [at], args: { node: id }, target }),
    subject: { of: 'node', node: index },
    allowed: none,
    assumed: { choice: 'number', value: unknownText },
  };
}

function askAboutEndpoint(node: WorkflowNode, target: Target): Inquiry | null {
  const { request, id, at, index } = node;
  if (request === null || (request.url !== null && request.method !== null)) return null;
  const url = request.url?.value ?? unknownText;
  const method = request.method?.value ?? 'GET';
  const missing = (['url', 'method'] as const).filter((field) => request[field] === null);
  return {
    question: ask('missing-endpoint', id, { at: [at], args: { node: id, missing }, target }),
    subject: { of: 'node', node: index },
    allowed: none,
    assumed: { choice: 'request', value: { url, method } },
  };
}

/** The start that was decided on. */
export function decidedStart(workflow: Workflow, decision: Decision): NodeIndex {
  return workflow.nodes.find((node) => node.id === decision.value)!.index;
}
