/**
 * Reads the nodes and edges, and builds the graph: without unreachable nodes that could not be read
 * and without a node that only marks the start. What is left is numbered.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { asObject, isObject, textOf } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import { findNearest } from '../ir/names.js';
import { type Diagnostic, isError } from '../ir/result.js';
import type { Condition, Workflow, WorkflowNode } from '../ir/workflow.js';
import { bySpelling, names } from './dialect.js';
import { conditionAt, constantOf } from './logical.js';
import { idOf, readNode, takeId } from './read-node.js';
import { listUnknown, type Reading } from './reading.js';

type Graph = Pick<Workflow, 'nodes' | 'edges' | 'markedStart' | 'unknownFields'>;

export function readGraph(workflow: Reading): Graph {
  const { faults, intake } = workflow;
  const draft = readDraft(workflow);
  const { entries, ids, edges } = draft;
  const isMarked = (entry: Reading) => entry.takeAs('true or false', 'isStart')?.value === true;
  const marked = [...entries.keys()].filter((index) => isMarked(entries[index]!));
  const unknownFields = listUnknown(intake);
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(textOf(value['type'] ?? null)));
  const starts = marked.length > 0 || ofType === -1 ? marked : [ofType];
  const dropped = findDropped(draft, starts, faults);
  if (dropped === null) return { nodes: [], edges: [], markedStart: null, unknownFields };
  const nodes = draft.nodes as readonly WorkflowNode[];
  for (const [node, errors] of dropped) {
    const reason = { kind: 'node', reason: 'unreachable', status: 'dropped' } as const;
    intake.absorbed.push({ ...reason, at: entries[node]!.at });
    for (const error of errors) {
      const { at, message: problem } = faults[error]!;
      faults[error] = diagnose('shape/unreached-fault', at, { node: ids[node] ?? '', problem });
    }
  }
  const [start = -1, other] = starts;
  if (other !== undefined) {
    // The source does not say which of them counts, so none does.
    const [earlier, later] = [start, other].map((at) => entries[at]!.placeIn('isStart'));
    const both = { ids: [nodes[start]!.id, nodes[other]!.id] };
    workflow.report('flow/several-starts', later!, both, { related: [earlier!] });
  }
  const onward = findOnward(nodes[ofType] ?? null, edges);
  const marker = onward === null ? -1 : ofType;
  if (onward !== null) {
    const reason = 'only marks the start';
    intake.absorbed.push({ at: nodes[marker]!.at, kind: 'node', reason });
    intake.absorbed.push({ at: onward.at, kind: 'edge', reason });
  }
  // Edges to a node that only marks the start are moved to its successor.
  const kept = [...nodes.keys()].filter((node) => !dropped.has(node) && node !== marker);
  const numbers = new Map(kept.map((node, index) => [node, index as NodeIndex]));
  const numberOf = (at: number) => numbers.get(at === marker ? (onward?.to ?? at) : at);
  const joined = edges.flatMap((edge) => {
    const [from, to] = [numberOf(edge.from), numberOf(edge.to)];
    return from === undefined || to === undefined || edge === onward ? [] : [{ ...edge, from, to }];
  });
  return {
    nodes: kept.map((node, index) => ({ ...nodes[node]!, index: index as NodeIndex })),
    edges: joined.map((edge, index) => ({ ...edge, index: index as EdgeIndex })),
    markedStart: (other === undefined ? numberOf(start) : undefined) ?? null,
    unknownFields,
  };
}

type Draft = ReturnType<typeof readDraft>;
/** Nodes that could not be read are null. */
function readDraft(workflow: Reading) {
  const entries = takeEntries(workflow);
  if (entries.length === 0) workflow.report('shape/no-nodes', child(workflow.at, 'nodes'), {});
  const usedIds = new Set(entries.flatMap((entry) => idOf(entry)?.value ?? []));
  const ids = entries.map((entry, index) => takeId(entry, index, usedIds));
  checkIds(workflow, entries);
  const nodes = entries.map((entry, index) => readNode(entry, ids[index]!, index));
  return { entries, ids, nodes, edges: readEdges(workflow, entries) };
}

/** The nodes; if they are an object, the keys are their names. */
function takeEntries(workflow: Reading): Reading[] {
  const { nodes } = workflow.value;
  if (!isObject(nodes) || workflow.known !== null) return workflow.takeInsides('nodes');
  const at = child(workflow.at, 'nodes');
  workflow.take('nodes');
  const as = 'a list of them in the order of their names';
  workflow.report('shape/read-as', at, { found: 'an object of nodes', as });
  return Object.entries(nodes).map(([name, node]) => {
    return workflow.elementOf('nodes', { name, ...asObject(node) }, child(at, name));
  });
}

/** Ids are compared as written; two that differ only by Unicode normalisation look the same. */
function checkIds(workflow: Reading, nodes: readonly Reading[]): void {
  const ids = nodes.flatMap((node) => idOf(node) ?? []);
  for (const [first, ...others] of groupBy(ids, (id) => id.value.normalize('NFC')).values()) {
    for (const { value: id, at } of others) {
      const code = first!.value === id ? 'shape/duplicate-id' : 'shape/ambiguous-id';
      workflow.report(code, at, { id }, { related: [first!.at] });
    }
  }
}

/** The most missing ends for which the nearest id is suggested: each is compared with all ids. */
const maxSuggestions = 20;

function readEdges(workflow: Reading, nodes: readonly Reading[]) {
  if (!workflow.has('edges')) workflow.report('shape/no-edges', workflow.at, {});
  // Ids take precedence over names, and the first node of a name over the others.
  const ids = nodes.map((node) => idOf(node)?.value);
  const called = workflow.known === null ? nodes.map(({ value }) => value['name']) : [];
  const places = new Map<string, number>();
  for (const [index, id] of [...ids.entries(), ...called.entries()]) {
    if (typeof id === 'string' && !places.has(id)) places.set(id, index);
  }
  let missing = 0;
  const takeEnd = (edge: Reading, end: 'from' | 'to'): NodeIndex | null => {
    const id = edge.requireString('an edge', ...names[end]);
    if (id === null) return null;
    // A node that could not be read is not missing; its own fault has been reported.
    const node = places.get(id.value);
    if (node !== undefined) return node as NodeIndex;
    missing += 1;
    const near = missing > maxSuggestions ? null : findNearest(id.value, places.keys());
    edge.report('flow/missing-node', id.at, { id: id.value, end, near });
    return null;
  };
  return workflow.takeInsides('edges').flatMap((edge) => {
    edge.absorb('layout of the editor', 'id', 'type');
    const [from, to] = [takeEnd(edge, 'from'), takeEnd(edge, 'to')];
    const given = takeConditions(edge);
    const conditions = given.filter((condition) => constantOf(condition) !== false);
    if (conditions.length === 0) {
      edge.report('flow/never-taken', edge.at, { what: 'edge' });
      const reason = 'its condition is never true';
      workflow.intake.absorbed.push({ at: edge.at, kind: 'edge', reason, status: 'dropped' });
    }
    if (from === null || to === null) return [];
    // The first condition stands for the edge; each other stands where its text does.
    return conditions.map((text, number) => {
      const condition = constantOf(text) === true ? null : text;
      return { at: number === 0 ? edge.at : text!.at, from, to, condition };
    });
  });
}

/** Types of conditions: sentences, expressions, a failed tool, and no condition. */
const conditionTypes = bySpelling<'spoken' | 'exact' | 'failed' | 'always'>({
  spoken: ['ai', 'semantic'],
  exact: ['logic', 'logical', 'programmatic', 'liquid'],
  failed: ['failed', 'failure', 'error'],
  always: ['always', 'none', 'default', 'unconditional'],
});
/** Fields that hold the text of a condition, by the type that uses them first. */
const textFields = ['prompt', 'liquid', 'expression', 'condition', 'text', 'description', 'value'];

/**
 * The conditions of an edge; null for none. An edge that lists several texts is taken if one of
 * them holds, so it is read as several edges.
 */
function takeConditions(edge: Reading): readonly (Condition | null)[] {
  if (edge.known !== null || !isObject(edge.value['condition'])) {
    return [edge.takeCondition(['condition'])];
  }
  const condition = edge.takeInside('condition')!;
  const given = condition.takeString('type')?.value ?? 'ai';
  const type = given.toLowerCase();
  const kind = conditionTypes.get(type);
  if (kind === 'always') return [null];
  if (kind === 'failed') {
    // The source marks the branch for a failed tool without a text.
    const text = conditionAt('the tool call failed', condition.at, [], false);
    return [{ ...text, rule: 'failed-tool' }];
  }
  const listed = Array.from(condition.takeEach('a text', 'matches'), ({ value, at }) => {
    return value.trim() === '' ? [] : [conditionAt(value, at, edge.faults, kind === 'exact')];
  }).flat();
  if (listed.length === 0 && !textFields.some((field) => condition.has(field))) {
    const args = { field: 'prompt', of: `a condition of the type ${type}` };
    if (kind !== 'spoken') condition.report('shape/missing-field', condition.at, args);
    return [null];
  }
  const all = listed.length > 0 ? listed : [condition.takeCondition(textFields, kind === 'exact')];
  if (kind === undefined) {
    condition.report('shape/unknown-condition-type', child(condition.at, 'type'), { type: given });
  }
  return all;
}

/**
 * The nodes that could not be read, with the numbers of their errors. Null if one of them can be
 * reached, or if there is an error outside the nodes: then the workflow is not used.
 */
function findDropped(draft: Draft, starts: readonly number[], faults: readonly Diagnostic[]) {
  const { entries } = draft;
  const owners = new Map(entries.map(({ at }, index) => [at, index]));
  const depth = entries[0]?.at.split('/').length;
  const ownerOf = (fault: number): number => {
    const { code, at } = faults[fault]!;
    // If two nodes have the same id, it is unclear which of them the edges mean.
    if (/^shape\/(?:duplicate|ambiguous)-id$/.test(code)) return -1;
    return owners.get(at.split('/').slice(0, depth).join('/')) ?? -1;
  };
  const errors = [...faults.keys()].filter((fault) => isError(faults[fault]!));
  const faulty = groupBy(errors, ownerOf);
  if (faulty.size === 0) return faulty;
  const reached = findReached(draft, starts, faulty);
  const isUsed = (node: number) => node === -1 || reached === null || reached.has(node);
  return [...faulty.keys()].some(isUsed) ? null : faulty;
}

/**
 * The nodes that a call can reach. Without a marked start it may begin at each node that is no
 * exit, not global, and that no edge enters, unless it could not be read and leads nowhere. Null if unknown.
 */
function findReached(
  { entries, nodes, edges }: Draft,
  starts: readonly number[],
  faulty: ReadonlyMap<number, unknown>,
): ReadonlySet<number> | null {
  const leaving = groupBy(edges, ({ from }): number => from);
  const indexes = [...entries.keys()];
  const isExit = (node: number) => nodes[node]?.role === 'exit';
  const leading = edges.filter(({ from, to }) => from !== to && !isExit(from));
  const entered = new Set([...leading.map(({ to }): number => to), ...indexes.filter(isExit)]);
  const isGlobal = (node: number, { value } = entries[node]!) =>
    nodes[node]?.global != null || value['isGlobal'] === true || 'globalNodePlan' in value;
  const isRoot = (node: number) =>
    !entered.has(node) && !isGlobal(node) && (leaving.has(node) || !faulty.has(node));
  const roots = starts.length === 0 ? indexes.filter(isRoot) : starts;
  if (roots.length === 0 || edges.length === 0) return null;
  const arcsOf = (node: number) => (leaving.get(node) ?? []).map(({ to }): number => to);
  return flood([...roots, ...indexes.filter((it) => isGlobal(it))], arcsOf);
}

/** The edge of a node that says and does nothing and has no other edge and no condition. */
function findOnward(node: WorkflowNode | null, edges: Draft['edges']) {
  if (node === null) return null;
  const { index, global, firstMessage, systemPrompt, captures, tools } = node;
  const isIdle = (global ?? firstMessage ?? systemPrompt ?? captures[0] ?? tools[0]) === undefined;
  const [only, ...more] = edges.filter(({ from }) => from === index);
  if (!isIdle || only === undefined || more.length > 0) return null;
  return only.condition === null && only.to !== index ? only : null;
}
