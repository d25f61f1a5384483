/**
 * Asks what the source leaves open: where the call starts, where a transfer goes, what a request
 * calls and how it authenticates, how an exact condition is met (spec/3, "stop and ask").
 *
 * In: the workflow, and what a call can reach of it. Out: inquiries in walk order; later phases ask
 * about their own decisions. apply-answers.ts applies the answers.
 */
import { ask } from '../../diagnostics/questions.js';
import { extend } from '../../graph/lists.js';
import type { Json, JsonObject } from '../../text/json.js';
import { toLiquidExpression } from '../1-read/guard.js';
import { conditionAt } from '../1-read/logical.js';
import { isCallable } from '../1-read/requests.js';
import { textsWithin } from '../1-read/template.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { adviseOnTools, type Decide, type Inquiry } from '../ir/inquiry.js';
import { digest, isGenerated } from '../ir/names.js';
import type { Diagnostic } from '../ir/result.js';
import { maskSecrets } from '../ir/secrets.js';
import type { Condition, Workflow, WorkflowNode } from '../ir/workflow.js';
import { applyDecisions } from './apply-answers.js';

/**
 * Marks a text in a draft that only a human knows, so that nobody mistakes the draft for the squad.
 * A complete squad never contains it.
 */
const draftMarker = 'TODO';

/** The workflow with its edges and the conditions of its global nodes, and the start. */
export function decideEntry(source: Workflow, decide: Decide) {
  const joined = applyDecisions(source, decide(askAboutEdges(source)));
  const start = decideStart(joined, decide);
  const workflow = applyDecisions(joined, decide(askAboutGlobals(joined)));
  return { workflow, start };
}

/** If no edge says what follows what, asks whether each node leads to the next. */
function askAboutEdges({ nodes, edges }: Workflow): Inquiry[] {
  const listed = nodes.filter(({ global }) => global === null);
  const canGoOn = listed.some(({ role }) => role !== 'exit');
  if (edges.length > 0 || listed.length < 2 || !canGoOn) return [];
  const conditional = listed.filter(({ loneCondition }) => loneCondition !== null);
  const inOrder = { choice: 'in-order' };
  const inquiry = ask('missing-edges', 'workflow', {
    at: listed.map(({ at }) => at),
    args: { nodes: listed, conditional },
    subject: { of: 'edges' },
    // Nodes with entry conditions are unlikely to be a chain.
    proposal: conditional.length === 0 ? inOrder : null,
    assumed: inOrder,
  });
  return [inquiry];
}

/** Asks when global nodes without a condition are entered. */
function askAboutGlobals({ nodes }: Workflow): Inquiry[] {
  const silent = nodes.filter(({ global }) => global?.condition === null);
  return silent.map((node) => {
    const { id, at, index, name } = node;
    const called = name ?? id;
    const condition = `when the caller needs ${called}`;
    const isWord = !isGenerated(called) && called.trim() !== '' && objectToTexts(called) === null;
    return ask('missing-condition', id, {
      at: [at],
      args: { node },
      subject: { of: 'node', node: index },
      proposal: isWord ? { choice: 'when', value: { condition } } : null,
      objection: (_, value) => {
        const faults: Diagnostic[] = [];
        conditionAt(String((value as JsonObject)['condition']), '/condition', faults, false);
        return objectToTexts(value, faults);
      },
      assumed: { choice: 'when', value: { condition: draftMarker } },
    });
  });
}

/**
 * Where a call begins: at the node that the dialect marks; else at the only node without
 * predecessors that is neither an exit nor global (self-loops and edges out of exits do not count);
 * else a human decides. It is an exit if there are only exits or the marked start is one.
 */
function decideStart(workflow: Workflow, decide: Decide): WorkflowNode {
  const { nodes, edges, markedStart } = workflow;
  if (markedStart !== null) return nodes[markedStart]!;
  const leading = edges.filter(({ from, to }) => from !== to && nodes[from]!.role !== 'exit');
  const entered = new Set(leading.map(({ to }) => to));
  const walkable = nodes.filter(({ role }) => role !== 'exit');
  const plain = walkable.filter((node) => node.global === null);
  const roots = plain.filter(({ index }) => !entered.has(index));
  const [proposed = nodes[0]!] = [...roots, ...plain, ...walkable];
  if (roots.length === 1 || walkable.length === 0) return proposed;
  const candidates = roots.length > 0 ? roots : walkable;
  const inquiry = ask('ambiguous-start', 'workflow', {
    at: candidates.map(({ at }) => at),
    args: { candidates },
    subject: { of: 'start' },
    proposal: { choice: 'node', value: proposed.id },
    allowed: { node: walkable.map(({ id }) => id) },
  });
  const [decision] = decide([inquiry]);
  return walkable.find(({ id }) => id === decision!.value)!;
}

/** Asks about the reachable nodes and the conditions of their edges. */
export function askAboutNodes(graph: FlowGraph): Inquiry[] {
  const { nodes } = graph.workflow;
  const askAboutCondition = createConditionAsker(graph);
  const inquiries: Inquiry[] = [];
  for (const index of graph.order) {
    const node = nodes[index]!;
    const entering = node.global?.condition ?? null;
    extend(inquiries, askAboutCondition(entering, { of: 'node', node: index }, node));
    extend(inquiries, askAboutNode(node));
    for (const { index: edge, condition, to } of graph.leaving[index]!) {
      extend(inquiries, askAboutCondition(condition, { of: 'edge', edge }, node, nodes[to]!));
    }
  }
  return inquiries;
}

/** Asks where a transfer goes, or what a request calls. */
function askAboutNode(node: WorkflowNode): Inquiry[] {
  const { id, at, index, transfer, request } = node;
  const common = { at: [at], subject: { of: 'node', node: index } } as const;
  if (transfer?.destination === null) {
    const inquiry = ask('missing-destination', id, {
      ...common,
      args: { node },
      objection: (_, value) => objectToTexts(value),
      assumed: { choice: 'number', value: draftMarker },
    });
    return [inquiry];
  }
  const { url = null, method = null } = request === null ? {} : endpointOf(node);
  const isThere = { url: isCallable(url ?? ''), method: method !== null };
  const missing = (['url', 'method'] as const).filter((field) => !isThere[field]);
  if (request === null || missing.length === 0) return [];
  const value = { url: (isThere.url && url) || draftMarker, method: method ?? 'GET' };
  const inquiry = ask('missing-endpoint', id, {
    ...common,
    args: { node, url, method, missing },
    objection: (choice, value) => {
      if (choice !== 'operation') return objectToTexts(value);
      return 'operations are bound before compiling (`bindOperations` of squadc/tools)';
    },
    assumed: { choice: 'request', value },
  });
  return [inquiry];
}

function endpointOf(node: WorkflowNode) {
  const { url, method } = node.request!;
  return { node, url: url?.value ?? null, method: method?.value ?? null };
}

/** Asks how requests authenticate. */
export function askAboutAuth({ nodes }: Workflow, order: readonly NodeIndex[]): Inquiry[] {
  const silent = order.filter((index) => nodes[index]!.request?.authenticated === false);
  return silent.map((index) => {
    const node = nodes[index]!;
    return ask('missing-auth', node.id, {
      at: [node.at],
      args: endpointOf(node),
      subject: { of: 'node', node: index },
      assumed: { choice: 'none' },
    });
  });
}

/** Asks how conditions that are expressions are met. */
function createConditionAsker(graph: FlowGraph) {
  const { workflow, order } = graph;
  const advise = adviseOnTools(workflow, order);
  const captures = order.flatMap((node) => workflow.nodes[node]!.captures);
  const captured = new Set(captures.map(({ name }) => name));
  const enumerated = new Set(captures.flatMap((it) => (it.enum === null ? [] : [it.name])));
  return (
    condition: Condition | null,
    subject: Inquiry['subject'],
    from: WorkflowNode,
    to: WorkflowNode | null = null,
  ): Inquiry[] => {
    if (!condition?.logical) return [];
    const { value, at, uses } = condition;
    const ends = to === null ? [from.id] : [from.id, to.id];
    const variables = [...new Set(uses.map(({ name }) => name))];
    const mark = digest(JSON.stringify([...ends, value]));
    const isEnumerated = variables.length > 0 && variables.every((name) => enumerated.has(name));
    const { proposal, objection } = advise(variables);
    // One that is judged everywhere is also judged where the variable is captured.
    const isSpoken = variables.some((name) =>
      to === null ? captured.has(name) : isFromConversation(graph, name, from),
    );
    const inquiry = ask('logical-condition', `${ends.join('->')}~${mark}`, {
      at: [at],
      args: { condition: value, variables, from, to },
      subject,
      without: isSpoken || toLiquidExpression(value) === null ? 'guard' : null,
      // The tool that sets the variables, or `extract` for enumerated captures, else nothing.
      proposal: proposal ?? (isEnumerated ? { choice: 'extract' } : null),
      objection,
      assumed: { choice: 'prose' },
    });
    return [inquiry];
  };
}

/**
 * Whether the assistant that judges a condition certainly has the variable only from the
 * conversation, so that the platform does not know it yet: going back along sole edges, a capture
 * comes before any response.
 */
function isFromConversation(
  { workflow: { nodes }, leaving, predecessors }: FlowGraph,
  variable: string,
  from: WorkflowNode,
): boolean {
  const seen = new Set<WorkflowNode>();
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

/** What is wrong with the texts of an answer's value, which are read like those of the source. */
function objectToTexts(value: Json, faults: Diagnostic[] = []): string | null {
  textsWithin(value, '', faults);
  const [fault] = faults;
  if (fault !== undefined) return `it contains an invalid template (at ${fault.at || 'the value'})`;
  const [secret] = maskSecrets(value).secrets;
  if (secret === undefined) return null;
  return `${JSON.stringify(secret.name)} contains a secret; an answer only names where it is stored`;
}
