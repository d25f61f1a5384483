/**
 * What the source itself leaves open: where the call starts, where a transfer goes, what a request
 * calls and how it authenticates, how an exact condition is to be met (spec/3, "stop and ask").
 *
 * In: the workflow, and what of it a call can reach. Out: inquiries in walk order; phases that
 * decide more ask on their own. What an answer does is in apply-answers.ts.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { toLiquidExpression } from '../1-read/guard.js';
import { textsWithin } from '../1-read/template.js';
import { findAuthorization, listSecrets } from '../1-read/tools.js';
import { child, type EdgeIndex, type NodeIndex } from '../ir/ids.js';
import { createFindSetter, type Decision, type Inquiry, objectToTool } from '../ir/inquiry.js';
import { isJsonObject, type Json } from '../ir/json.js';
import { digest } from '../ir/names.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Workflow, WorkflowNode } from '../ir/workflow.js';

/**
 * Stands in a draft where only a human knows the text, so that nobody mistakes the draft for the
 * squad. A draft is for preview; nothing complete ever holds it.
 */
export const draftMarker = 'TODO';

const anyValue: Inquiry['allowed'] = new Map();

export type Start =
  | { readonly kind: 'found'; readonly node: NodeIndex }
  | { readonly kind: 'ambiguous'; readonly inquiry: Inquiry }
  /** Only exits are there, or the marked start is one. */
  | { readonly kind: 'exit'; readonly node: NodeIndex };

/**
 * Where a call begins: at the node that the dialect marks; else at the only one, no exit and not
 * global, that nothing leads to (self-loops and edges out of exits do not count); else a human
 * says where.
 */
export function findStart(workflow: Workflow, target: Target): Start {
  const { nodes, edges, markedStart } = workflow;
  if (markedStart !== null) {
    const { role, index } = nodes[markedStart]!;
    return { kind: role === 'exit' ? 'exit' : 'found', node: index };
  }
  const leading = edges.filter(({ from, to }) => from !== to && nodes[from]!.role !== 'exit');
  const entered = new Set(leading.map(({ to }) => to));
  const walkable = nodes.filter(({ role }) => role !== 'exit');
  const plain = walkable.filter((node) => node.global === null);
  const roots = plain.filter(({ index }) => !entered.has(index));
  if (roots.length === 1) return { kind: 'found', node: roots[0]!.index };
  const [proposed] = [...roots, ...plain, ...walkable];
  if (proposed === undefined) return { kind: 'exit', node: nodes[0]!.index };
  const candidates = roots.length > 0 ? roots : walkable;
  const ids = walkable.map(({ id }) => id);
  const question = ask('ambiguous-start', 'workflow', {
    at: candidates.map(({ at }) => at),
    args: { candidates: candidates.map(({ id }) => id) },
    target,
    proposal: 'node',
    proposalValue: proposed.id,
    allowed: { node: ids },
  });
  const inquiry: Inquiry = {
    question,
    subject: { of: 'start' },
    allowed: new Map([['node', new Set(ids)]]),
    assumed: { choice: 'node', value: proposed.id },
  };
  return { kind: 'ambiguous', inquiry };
}

/** The start that was decided on. */
export function decidedStart({ nodes }: Workflow, [decision]: readonly Decision[]): NodeIndex {
  return nodes.find(({ id }) => id === decision!.value)!.index;
}

/** What a call can reach, in walk order. */
export interface Scope {
  readonly workflow: Workflow;
  readonly order: readonly NodeIndex[];
  readonly edgesOf: (node: NodeIndex) => Iterable<number>;
  readonly target: Target;
}

/** Asks about the reachable nodes and the conditions that lead on from them. */
export function askAboutNodes(scope: Scope): Inquiry[] {
  const { workflow, order, edgesOf, target } = scope;
  const { nodes, edges } = workflow;
  const askAboutCondition = createConditionAsker(scope);
  return order.flatMap((index) => {
    const node = nodes[index]!;
    const { id, global } = node;
    const entering = global?.condition ?? null;
    const subject = { of: 'node', node: index } as const;
    return [
      ...(entering === null ? [] : askAboutCondition(entering, subject, id)),
      ...askAboutDestination(node, target),
      ...askAboutEndpoint(node, target),
      ...[...edgesOf(index)].flatMap((edge) => {
        const { condition, to } = edges[edge]!;
        if (condition === null) return [];
        const leaving = { of: 'edge', edge: edge as EdgeIndex } as const;
        return askAboutCondition(condition, leaving, id, nodes[to]!.id);
      }),
    ];
  });
}

function askAboutDestination({ id, at, index, transfer }: WorkflowNode, target: Target): Inquiry[] {
  if (transfer === null || transfer.destination !== null) return [];
  return [
    {
      question: ask('missing-destination', id, { at: [at], args: { node: id }, target }),
      subject: { of: 'node', node: index },
      allowed: anyValue,
      objection: (_, value) => objectToTexts(value),
      assumed: { choice: 'number', value: draftMarker },
    },
  ];
}

function askAboutEndpoint({ id, at, index, request }: WorkflowNode, target: Target): Inquiry[] {
  if (request === null || (request.url !== null && request.method !== null)) return [];
  const missing = (['url', 'method'] as const).filter((field) => request[field] === null);
  const url = request.url?.value ?? draftMarker;
  const method = request.method?.value ?? 'GET';
  return [
    {
      question: ask('missing-endpoint', id, { at: [at], args: { node: id, missing }, target }),
      subject: { of: 'node', node: index },
      allowed: anyValue,
      objection: (choice, value) => {
        if (choice !== 'operation') return objectToTexts(value);
        return 'operations are bound before compiling (`bindOperations` of squadc/tools)';
      },
      assumed: { choice: 'request', value: { url, method } },
    },
  ];
}

/** Asks how requests authenticate. */
export function askAboutAuth(
  { nodes }: Workflow,
  order: readonly NodeIndex[],
  target: Target,
): Inquiry[] {
  const silent = order.filter((index) => nodes[index]!.request?.authenticated === false);
  return silent.map((index) => {
    const { id, at } = nodes[index]!;
    return {
      question: ask('missing-auth', id, { at: [at], args: { node: id }, target }),
      subject: { of: 'node', node: index },
      allowed: anyValue,
      assumed: { choice: 'none' },
    };
  });
}

/** Conditions that are expressions need a human's word. */
function createConditionAsker({ workflow, order, target }: Scope) {
  const findSetter = createFindSetter(workflow, order);
  const captures = order.flatMap((node) => workflow.nodes[node]!.captures);
  const enumerated = new Set(captures.flatMap((it) => (it.enum === null ? [] : [it.name])));
  // `extract` for an enumerated capture, `tool` where a tool sets the variable, else nothing.
  const propose = (variables: readonly string[]) => {
    if (variables.length === 0) return {};
    const setter = findSetter(variables);
    if (setter !== null) return { proposal: 'tool', proposalValue: { tool: setter } };
    return variables.every((name) => enumerated.has(name)) ? { proposal: 'extract' } : {};
  };
  return (
    { logical, value, at, uses }: Condition,
    subject: Inquiry['subject'],
    from: string,
    to: string | null = null,
  ): Inquiry[] => {
    if (!logical) return [];
    const ends = to === null ? [from] : [from, to];
    const variables = [...new Set(uses.map(({ name }) => name))];
    const mark = digest(JSON.stringify([...ends, value]));
    const question = ask('logical-condition', `${ends.join('->')}~${mark}`, {
      at: [at],
      args: { condition: value, variables, from, to },
      target,
      without: target === 'vapi' && canGuard(value) ? null : 'guard',
      ...propose(variables),
    });
    const objection = (choice: string, answer: Json) =>
      choice === 'tool' ? objectToTool(workflow, order, variables, answer) : null;
    return [{ question, subject, allowed: anyValue, objection, assumed: { choice: 'prose' } }];
  };
}

/**
 * Whether the platform can keep the condition exact: an expression from end to end, or nothing but
 * Liquid. Groups of conditions have no words for a formula with tags or filters inside.
 */
function canGuard(value: string): boolean {
  const isMixed = /\{%|\{\{[^{}]*\|/.test(value) && !/^\s*\{[{%].*[}%]\}\s*$/s.test(value);
  return !isMixed && toLiquidExpression(value) !== null;
}

/** What speaks against the texts of an answer's value, which are read like the source's own. */
function objectToTexts(value: Json): string | null {
  const faults: Diagnostic[] = [];
  textsWithin(value, '', faults);
  const [fault] = faults;
  if (fault !== undefined) return `a template in it cannot be read (at ${fault.at || 'the value'})`;
  const headers = isJsonObject(value) ? (value['headers'] ?? null) : null;
  const [secret] = listSecrets(isJsonObject(headers) ? headers : null);
  if (secret === undefined) return null;
  return `the header ${JSON.stringify(secret.name)} holds a secret; an answer names where it lives`;
}

/**
 * A request may hold a credential of the platform and say in a header who sends it. Both are
 * carried, because nothing of the source is dropped; which of them is sent only the platform knows.
 */
export function warnAboutRequests(
  { nodes }: Workflow,
  reachable: readonly NodeIndex[],
): Diagnostic[] {
  return reachable.flatMap((index) => {
    const { request, id, at } = nodes[index]!;
    const { credentialId = null, headers = null } = request ?? {};
    const path = headers && findAuthorization(headers.value);
    if (credentialId === null || headers === null || path === null) return [];
    const related = headers.origin.kind === 'source' ? [path.reduce(child, headers.origin.at)] : [];
    const place = credentialId.origin.kind === 'source' ? credentialId.origin.at : at;
    return [diagnose('data/two-authorizations', place, { node: id }, { related })];
  });
}
