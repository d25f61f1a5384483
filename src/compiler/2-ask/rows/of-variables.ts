/** Where variables get their values: from outside the call, at handoffs, too late for a text. */
import { maxListed, problemOfTool, proposeTool, textIn } from '../../../diagnostics/answers.js';
import { quote, quoteAll } from '../../../diagnostics/quote.js';
import { nameOf, namesOf, reasonFor } from '../../../diagnostics/subjects.js';
import { groupBy } from '../../../graph/lists.js';
import { computeComponents } from '../../../graph/partitions.js';
import { flood } from '../../../graph/walks.js';
import { toLiquidExpression } from '../../1-read/guard.js';
import { conditionAt } from '../../1-read/logical.js';
import { readTemplate, renameUses } from '../../1-read/template.js';
import type { FlowGraph } from '../../ir/flow-graph.js';
import type { NodeIndex } from '../../ir/ids.js';
import type { CrossingFacts, Decision, SourceFacts, StageFacts } from '../../ir/inquiry.js';
import { findNearest, isAliasKey } from '../../ir/names.js';
import type { Answer } from '../../ir/options.js';
import { singletonLabel } from '../../ir/region-map.js';
import { listUnreached, mapTexts } from '../../ir/texts.js';
import {
  builtInVariables,
  canBeArgument,
  hasUnreached,
  isAlias,
  isSet,
  type UnreachedReads,
} from '../../ir/variables.js';
import type { Condition, Text, WorkflowNode } from '../../ir/workflow.js';
import { targets } from '../../targets.js';
import { addCall, type Draft, originOf, type Row, toolCall, variableOf } from './row.js';

/** Above this number of pairs, names are not compared with each other. */
const maxCompared = 1_000_000;

/** Variables with a read that no definition reaches. */
export const ofReads: Row<SourceFacts> = {
  kind: 'undefined-variable',
  ask: ({ graph, reviews, variables }, options) => {
    const unset = reviews.filter(hasUnreached);
    const set = [...variables.values()].filter((it) => isSet(it) || it.offers.length > 0);
    const names = [...set.map((it) => it.name), ...builtInVariables, ...options.dynamicVariables];
    const known = unset.length === 0 ? [] : [...new Set(names)].sort();
    const isComparable = known.length * unset.length <= maxCompared;
    return unset.map(({ variable: { name }, unreached }) => {
      const near = isComparable ? findNearest(name, known) : null;
      const nodes = readersOf(unreached).map((it) => graph.workflow.nodes[it]!);
      const leading = listLeadingTo(graph, unreached);
      const talking = leading.filter(({ role }) => role === 'talk');
      const requests = leading.filter((it) => canRespond(it, unreached));
      const isCalled = near === null ? '' : `There is a variable called ${quote(near)}. `;
      return {
        name,
        text: `${quote(name)} is read in ${namesOf(nodes)}, but nothing sets it before. ${isCalled}Where does the value come from?`,
        at: listUnreached(graph, name, unreached).map(({ at }) => at),
        subject: { of: 'variable', name, unreached },
        without: [
          ...(requests.length === 0 || !isAliasKey(name) ? ['response'] : []),
          ...(talking.length === 0 ? ['captured-at'] : []),
        ],
        proposal:
          proposeResponse(requests, name) ??
          proposeCapture(talking, name) ??
          (near === null ? null : { choice: 'rename', value: near }),
        allowed: {
          rename: known.length <= maxListed ? known.filter((it) => it !== name) : known,
          ...(graph.order.length <= maxListed && {
            response: requests.map(({ id }) => id),
            'captured-at': talking.map(({ id }) => id),
          }),
        },
        assumed: { choice: 'caller' },
      };
    });
  },
  check: ({ choice, value }, { graph }, inquiry) => {
    const { name, unreached } = variableOf(inquiry);
    if (choice === 'rename' && value === name) return 'that is its present name';
    if (choice !== 'captured-at' && choice !== 'response') return null;
    const isResponse = choice === 'response';
    const wanted = isResponse ? textIn(value, 'node') : value;
    const fits = (node: WorkflowNode) =>
      isResponse ? canRespond(node, unreached!) : node.role === 'talk';
    if (listLeadingTo(graph, unreached!).some((it) => it.id === wanted && fits(it))) return null;
    const sort = isResponse ? 'request' : 'conversation node';
    return `${JSON.stringify(wanted)} is not a ${sort} that leads to a read of ${name}`;
  },
  changes: { response: takeResponse, rename: renameVariable, 'captured-at': captureVariable },
};

/** Variables that are critical, or feed a request that changes something, and cross a handoff. */
export const ofCrossings: Row<CrossingFacts> = {
  kind: 'critical-variable',
  ask: ({ graph, variables, crossing, reads }, options) => {
    const { answers = {} } = options.answers;
    const changing = reads.filter(({ kind, request }) => {
      const method = request?.request?.method?.value ?? 'GET';
      // If their own assistant captures it, the model fills it in when it calls them.
      return method !== 'GET' && kind !== 'filled';
    });
    const changes = groupBy(changing, ({ variable }) => variable);
    return [...variables.values()].flatMap(({ name, captures }) => {
      const declared = options.criticalVariables.has(name);
      if (!crossing.has(name) || (!declared && !changes.has(name))) return [];
      // The model cannot pass what the handoff derives.
      const canDemand = canBeArgument(name) && !captures.some(isAlias);
      // An argument cannot be missing, so there is nothing to ask, unless an answer says that a
      // tool sets it.
      const id = `critical-variable:${name}`;
      const isToolWanted = Object.hasOwn(answers, id) && answers[id]!.choice === 'tool';
      if (canDemand && options.pass === 'arguments' && !isToolWanted) return [];
      const requests = [...new Set(changes.get(name)?.map(({ request }) => request!))];
      requests.sort((one, other) => graph.rank[one.index]! - graph.rank[other.index]!);
      return {
        name,
        text: `${quote(name)} is passed from one assistant to another${reasonFor(declared, requests)}. Extracting it from the conversation can fail without notice. How should it be passed?`,
        at: [...captures.map(({ capture }) => capture), ...requests].map(({ at }) => at),
        subject: { of: 'variable', name, unreached: null },
        without: canDemand ? null : 'argument',
        proposal: proposeTool(graph, [name]),
        assumed: { choice: 'best-effort' },
      };
    });
  },
  check: ({ choice, value }, { graph }, inquiry) =>
    choice === 'tool' ? problemOfTool(graph, [variableOf(inquiry).name], value) : null,
  changes: {
    tool: (draft, decision) => {
      const { name } = variableOf(decision.inquiry);
      const call = toolCall(draft, decision, [name], 'captured');
      for (const { index, captures } of draft.nodes) {
        if (captures.some((it) => it.name === name)) addCall(draft, index, call);
      }
    },
  },
};

/** Captures that a call of the workflow reports and one of the squad can lose. */
export const ofEndings: Row<CrossingFacts> = {
  kind: 'values-after-call',
  ask: ({ graph, lost }, { target }) => {
    const all = graph.order.flatMap((it) => graph.workflow.nodes[it]!.captures);
    const missing = all.filter(({ name, alias }) => lost.has(name) && alias === undefined);
    const names = [...new Set(missing.map(({ name }) => name))];
    if (missing.length === 0 || !targets[target].isOfPlatform) return [];
    return {
      name: 'workflow',
      text: `After a call, the workflow reports ${quoteAll(names)} (\`artifact.variableValues\`). In a squad such values can be lost when the call ends. Should what the call captures still be reported?`,
      at: missing.map(({ at }) => at),
      subject: { of: 'values' },
      proposal: { choice: 'structured-output' },
    };
  },
};

/** Nodes that read a text which the platform evaluates before the value exists. */
export const ofEarlyReads: Row<StageFacts> = {
  kind: 'read-too-early',
  ask: ({ graph, reads }) => {
    const { of: componentOf } = computeComponents(graph.successors);
    const early = reads.filter(({ kind }) => kind === 'early');
    const byNode = groupBy(early, ({ node }) => node);
    return Array.from(byNode, ([node, all]) => {
      const from = [...new Set(all.flatMap((it) => it.from))];
      const isOne = all.every(({ stage }) => stage === all[0]!.stage);
      const canSplit = isOne && node !== null && canStandApart(graph, componentOf, node, from);
      const reading = node === null ? null : graph.workflow.nodes[node]!;
      const variables = new Set(all.map(({ variable }) => variable));
      return {
        name: reading?.id ?? 'at any time',
        text: `${reading === null ? 'A text that applies at any time' : nameOf(reading)} reads ${quoteAll([...variables])} through a filter, a tag or a field that the platform evaluates before the assistant has found out the value. Is a gap in this text acceptable?`,
        at: [...new Set(all.map(({ at }) => at))],
        subject: { of: 'read', node, from },
        ...(canSplit ? { proposal: { choice: 'keep-split' } } : { without: 'keep-split' }),
        assumed: { choice: 'accept' },
      };
    });
  },
  regroups: {
    /** Separates the node that reads from the nodes that set what it reads. */
    'keep-split': ({ subject }, { graph, components }) => {
      if (subject.of !== 'read' || subject.node === null) return null;
      const { node: reading, from } = subject;
      const isTalk = (node: NodeIndex) => graph.workflow.nodes[node]!.role === 'talk';
      const named = new Set([reading, ...from]);
      // The rest of a component would be split off as well.
      const touched = components.filter((members) => members.some((node) => named.has(node)));
      const labels = new Map(touched.flat().map((node) => [node, 'set']));
      // Without a talk node what is left is no assistant: its tools leave by phase 5, each by itself.
      const own = touched.find((members) => members.includes(reading))!;
      const isTools = !own.filter((node) => node !== reading).some(isTalk);
      for (const node of isTools ? own : []) labels.set(node, singletonLabel(node));
      return { apart: labels.set(reading, 'read') };
    },
  },
};

function readersOf({ texts, conditions, globals }: UnreachedReads): NodeIndex[] {
  return [...new Set([...texts, ...conditions, ...globals])];
}

/** Nodes that lead to a read, including those that read, in walk order. */
function listLeadingTo(graph: FlowGraph, unreached: UnreachedReads): WorkflowNode[] {
  const { workflow, predecessors, order } = graph;
  const readers = unreached.globalPrompt ? order : readersOf(unreached);
  const found = flood(readers, (node) => predecessors[node]!);
  const fromAnywhere = [...found].some((node) => workflow.nodes[node]!.global !== null);
  const leading = order.filter((node) => fromAnywhere || found.has(node));
  return leading.map((node) => workflow.nodes[node]!);
}

/** A request that has its response before the variable is read. */
function canRespond({ index, request }: WorkflowNode, { texts }: UnreachedReads): boolean {
  return request !== null && ![...texts].includes(index);
}

/** The whole response of the one request with this name. */
function proposeResponse(requests: readonly WorkflowNode[], variable: string): Answer | null {
  const wordsOf = (text: string) => text.toLowerCase().replaceAll(/[\s_-]+/g, ' ');
  const isCalled = (text: string | null | undefined) => wordsOf(text ?? '') === wordsOf(variable);
  const named = requests.filter((it) =>
    [it.id, it.name, it.request?.toolName?.value].some(isCalled),
  );
  if (named.length !== 1) return null;
  return { choice: 'response', value: { node: named[0]!.id, path: '$' } };
}

/** The one node whose instructions name the variable in quotes. */
function proposeCapture(nodes: readonly WorkflowNode[], variable: string): Answer | null {
  const quotes = /["'`\u00ab\u00bb\u2018-\u201f]/;
  const naming = nodes.filter((it) => {
    const parts = (it.systemPrompt?.value ?? '').split(quotes);
    return parts.slice(1, -1).includes(variable);
  });
  return naming.length === 1 ? { choice: 'captured-at', value: naming[0]!.id } : null;
}

/**
 * Returns true if a node that reads can be entered by a handoff after the nodes that set what it
 * reads. A tool can be at the head of a talk node: its only successor, with no other predecessor.
 */
function canStandApart(
  graph: FlowGraph,
  componentOf: readonly number[],
  node: NodeIndex,
  from: readonly NodeIndex[],
) {
  const { workflow, successors, predecessors } = graph;
  const roleOf = (it: NodeIndex) => workflow.nodes[it]!.role;
  let head = node;
  while (roleOf(head) === 'act') {
    const next = new Set(successors[head]!.filter((it) => roleOf(it) !== 'exit'));
    const [only = graph.start] = next;
    const isEntered = only === graph.start || workflow.nodes[only]!.global !== null;
    if (next.size > 1 || isEntered || new Set(predecessors[only]).size > 1) return false;
    head = only;
  }
  // A tool that follows the node belongs to its caller.
  const isOther = (it: NodeIndex) => roleOf(it) === 'talk' || componentOf[it] !== componentOf[node];
  return !from.includes(node) && from.every(isOther);
}

/** Visits only the reads in question, as there may be as many renames as nodes. */
function renameVariable(draft: Draft, { inquiry, value: wanted }: Decision): void {
  const { name, unreached } = variableOf(inquiry);
  const { texts, globals, conditions, globalPrompt: isInPrompt } = unreached!;
  /** The text with the new name; the same object if it does not read the old one. */
  const rename = <T extends Text>(text: T): T => {
    const read = text.uses.filter((use) => use.name === name);
    const value = renameUses(text.value, read, String(wanted));
    if (value === text.value) return text;
    return { ...text, value, uses: readTemplate(value).uses, changedBy: inquiry.question.id };
  };
  const renameCondition = (condition: Condition | null): Condition | null => {
    const renamed = condition && rename(condition);
    if (renamed === null || renamed === condition) return condition;
    const { value, at, logical, guard } = renamed;
    const { uses } = conditionAt(value, at, [], logical);
    return { ...renamed, uses, guard: guard && toLiquidExpression(value) };
  };
  const { nodes, edges, globalPrompt } = draft;
  if (isInPrompt) draft.globalPrompt = globalPrompt && rename(globalPrompt);
  for (const node of texts) nodes[node] = mapTexts(nodes[node]!, rename);
  for (const node of globals) {
    const { condition } = nodes[node]!.global!;
    nodes[node] = { ...nodes[node]!, global: { condition: renameCondition(condition) } };
  }
  for (const [at, edge] of edges.entries()) {
    if (!conditions.has(edge.from)) continue;
    edges[at] = { ...edge, condition: renameCondition(edge.condition) };
  }
}

function takeResponse({ nodes }: Draft, { inquiry, value: wanted }: Decision): void {
  const { name } = variableOf(inquiry);
  const path = textIn(wanted, 'path').replace(/^\$\.?/, '');
  const node = nodes.findLast(({ id }) => id === textIn(wanted, 'node'))!;
  const { at, request } = node;
  const inside = path === '' || path.startsWith('[') ? path : `.${path}`;
  const value = { value: `{{ $${inside} }}`, at, uses: [], changedBy: inquiry.question.id };
  const response = { name, path: '', value, at, sourceAt: at };
  const responses = [...request!.responses, response];
  nodes[node.index] = { ...node, request: { ...request!, responses } };
}

function captureVariable({ nodes }: Draft, decision: Decision): void {
  const { name } = variableOf(decision.inquiry);
  const node = nodes.findLast(({ id }) => id === decision.value)!;
  const { at, captures } = node;
  const description = { value: name, at, uses: [], changedBy: decision.inquiry.question.id };
  const found = { name, type: 'string', description, enum: null, details: null } as const;
  const places = { name: null, type: at, enum: at };
  const capture = { ...found, at, origin: originOf(decision), places };
  nodes[node.index] = { ...node, captures: [...captures, capture] };
}
