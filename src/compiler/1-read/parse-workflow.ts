/**
 * unknown → Workflow.
 *
 * In: whatever the caller handed over. Out: the workflow and all findings about its shape; the
 * workflow is null when one of them is an error. Invariants: see Workflow. The input is not changed
 * and not kept, no getter of it runs, and nothing is thrown. What no reader took is among the
 * unknown fields, told and kept in the ledger.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type EdgeIndex, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import type { Diagnostic } from '../ir/result.js';
import { type Condition, type Workflow, type WorkflowEdge, withRoles } from '../ir/workflow.js';
import { readJson } from './copy-json.js';
import {
  detectDialect,
  editorLayout,
  nameForeign,
  names,
  platformRecord,
  shared,
  vocabularies,
} from './dialect.js';
import { conditionAt } from './logical.js';
import { idOf, readNode, requireId, takeModel } from './read-node.js';
import { type Found, type Ledger, listUnknown, nameType, Reading } from './reading.js';

export function parseWorkflow(input: unknown): {
  readonly workflow: Workflow | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const refuse = (fault: Diagnostic) => ({ workflow: null, diagnostics: [fault] });
  const read = readJson(input);
  if ('faults' in read) return { workflow: null, diagnostics: read.faults };
  const document = read.value;
  if (!isJsonObject(document)) {
    return refuse(diagnose('shape/not-an-object', '', { found: nameType(document) }));
  }
  const found = nameForeign(document);
  if (found !== null) return refuse(diagnose('shape/not-a-workflow', '', { found }));
  const diagnostics: Diagnostic[] = [];
  const workflow = readDocument(document, diagnostics);
  return { workflow: diagnostics.some(isError) ? null : workflow, diagnostics };
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

function readDocument(document: JsonObject, faults: Diagnostic[]): Workflow {
  const { dialect, sign } = detectDialect(document);
  if (sign !== null) faults.push(diagnose('shape/dialect', sign.at, { dialect, sign: sign.text }));
  const words = vocabularies[dialect];
  const ledger: Ledger = { words, faults, readings: [], absorbed: [] };
  const outer = new Reading(document, '', ledger, '');
  // A document may hold the workflow in a field, beside what else the API returns.
  const isWrapped = document['nodes'] === undefined && isJsonObject(document['workflow']);
  const workflow = isWrapped ? outer.takeInside('workflow')! : outer;
  workflow.absorb(platformRecord);
  const name = workflow.takeString('name')?.value ?? null;
  if (!workflow.has('name')) faults.push(diagnose('shape/no-name', workflow.at, {}));
  const graph = readGraph(workflow);
  const { settings } = takeModel(workflow);
  const overrides = workflow.takeSettings(shared);
  const globalPrompt = workflow.takeText('globalPrompt');
  const unknownFields = listUnknown(ledger);
  const absorbed = [...ledger.absorbed, ...graph.absorbed];
  const own = { dialect, at: workflow.at, name, globalPrompt, settings, shared: overrides };
  return withRoles({ ...own, ...graph, unknownFields, absorbed });
}

type Graph = Pick<Workflow, 'nodes' | 'edges' | 'markedStart' | 'absorbed'>;

function readGraph(workflow: Reading): Graph {
  const { isStrict } = workflow.words;
  const entries = workflow.takeInsides('nodes');
  if (entries.length === 0) {
    workflow.report('shape/no-nodes', child(workflow.at, 'nodes'), {});
  }
  // Nodes of an export are keyed by their ids, so these are told first.
  const ids = isStrict ? [] : entries.map(requireId);
  checkIds(entries);
  const nodes = entries.flatMap((entry, index) => {
    return readNode(entry, isStrict ? requireId(entry) : ids[index]!, index) ?? [];
  });
  const edges = readEdges(workflow, entries);
  // With a fault among them the numbers mean nothing, and the workflow is not used.
  const unmarked = { nodes, edges, markedStart: null, absorbed: [] };
  return nodes.length < entries.length ? unmarked : markStart(entries, unmarked);
}

/** Ids are compared as written; two that differ only by Unicode normalisation look the same. */
function checkIds(nodes: readonly Reading[]): void {
  const earlier = new Map<string, Found<string>>();
  for (const node of nodes) {
    const id = idOf(node);
    if (id === null) continue;
    const form = id.value.normalize('NFC');
    const first = earlier.get(form);
    if (first === undefined) {
      earlier.set(form, id);
      continue;
    }
    const code = first.value === id.value ? 'shape/duplicate-id' : 'shape/ambiguous-id';
    node.report(code, id.at, { id: id.value }, { related: [first.at] });
  }
}

/** To how many missing ends the nearest id is told: all ids are compared with each. */
const maxSuggestions = 20;

function readEdges(workflow: Reading, nodes: readonly Reading[]): WorkflowEdge[] {
  if (!workflow.has('edges')) workflow.report('shape/no-edges', workflow.at, {});
  // Ids count before names, and the first node of a name before the others.
  const ids = nodes.map((node) => idOf(node)?.value);
  const called = workflow.words.isStrict ? [] : nodes.map(({ value }) => value['name']);
  const places = new Map<string, number>();
  for (const [index, id] of [...ids.entries(), ...called.entries()]) {
    if (typeof id === 'string' && !places.has(id)) places.set(id, index);
  }
  let missing = 0;
  const takeEnd = (edge: Reading, end: 'from' | 'to'): NodeIndex | null => {
    const id = edge.requireString('an edge', ...names[end]);
    if (id === null) return null;
    // A node that could not be read is no missing node; its own fault has been told.
    const node = places.get(id.value);
    if (node !== undefined) return node as NodeIndex;
    missing += 1;
    const near = missing > maxSuggestions ? null : findNearest(id.value, places.keys());
    edge.report('flow/missing-node', id.at, { id: id.value, end, near });
    return null;
  };
  const edges: WorkflowEdge[] = [];
  for (const edge of workflow.takeInsides('edges')) {
    edge.absorb({ ...editorLayout, fields: [...editorLayout.fields, 'id'] });
    const from = takeEnd(edge, 'from');
    const to = takeEnd(edge, 'to');
    const conditions = takeConditions(edge);
    if (from === null || to === null) continue;
    for (const [way, condition] of conditions.entries()) {
      // The first way stands for the edge; each of the others stands where its text does.
      const at = way === 0 ? edge.at : condition!.at;
      edges.push({ index: edges.length as EdgeIndex, at, from, to, condition });
    }
  }
  return edges;
}

/** Types of conditions: words for a model, expressions, a tool that failed, and none at all. */
const conditionTypes = {
  spoken: ['ai', 'semantic'],
  exact: ['logic', 'logical', 'programmatic', 'liquid'],
  failed: ['failed', 'failure', 'error'],
  always: ['always', 'none', 'default', 'unconditional'],
};
/** Fields that hold the words of a condition, by the type that uses them first. */
const wordFields = ['prompt', 'liquid', 'expression', 'condition', 'text', 'description', 'value'];

/**
 * When an edge is taken; null where it needs nothing. An edge that lists several texts is taken when
 * one of them holds, so it is as many edges.
 */
function takeConditions(edge: Reading): readonly (Condition | null)[] {
  if (edge.words.isStrict || !isJsonObject(edge.value['condition'])) {
    return [edge.takeCondition(['condition'])];
  }
  const condition = edge.takeInside('condition')!;
  const said = condition.takeString('type')?.value ?? 'ai';
  const type = said.toLowerCase();
  const [kind] = Object.entries(conditionTypes).find(([, types]) => types.includes(type)) ?? [];
  if (kind === 'always') return [null];
  if (kind === 'failed') {
    // The source marks the branch for a tool that failed, and has no words for it.
    const text = conditionAt('the tool call failed', condition.at, [], false);
    return [{ ...text, rule: 'failed-tool' }];
  }
  const listed = condition.takeEach('a text', 'matches', ({ value, at }) =>
    value.trim() === '' ? [] : [conditionAt(value, at, edge.faults, kind === 'exact')],
  );
  if (listed.length === 0 && !wordFields.some((field) => condition.has(field))) {
    const args = { field: 'prompt', of: `a condition of the type ${type}` };
    if (kind !== 'spoken') condition.report('shape/missing-field', condition.at, args);
    return [null];
  }
  const ways = listed.length > 0 ? listed : [condition.takeCondition(wordFields, kind === 'exact')];
  if (kind === undefined) {
    condition.report('shape/unknown-condition-type', child(condition.at, 'type'), { type: said });
  }
  return ways;
}

/** The node that is marked as the start, or stands behind a node that is nothing but the mark. */
function markStart(entries: readonly Reading[], graph: Graph): Graph {
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(String(value['type'])));
  const absorbed = absorbStartNode(graph, ofType as NodeIndex);
  if (absorbed !== null) return absorbed;
  const marked = entries.flatMap((entry, at) =>
    entry.takeAs('true or false', 'isStart')?.value ? [at] : [],
  );
  const [first, second] = marked;
  if (second !== undefined) {
    // Which of them counts nobody says, so none does.
    const ids = [graph.nodes[first!]!.id, graph.nodes[second]!.id];
    const [earlier, later] = [first!, second].map((at) => child(entries[at]!.at, 'isStart'));
    entries[second]!.report('flow/several-starts', later!, { ids }, { related: [earlier!] });
    return graph;
  }
  const only = first ?? ofType;
  return { ...graph, markedStart: only === -1 ? null : (only as NodeIndex) };
}

/**
 * A node that only marks the start says nothing and does nothing, and one edge without a condition
 * leads on from it: the node behind it is the start, and the mark is no node. Null where it does
 * something, or there is none.
 */
function absorbStartNode({ nodes, edges }: Graph, mark: NodeIndex): Graph | null {
  const node = nodes[mark];
  const [only, ...more] = edges.filter(({ from }) => from === mark);
  if (node === undefined || only === undefined || more.length > 0) return null;
  if (only.condition !== null || only.to === mark) return null;
  const { global, firstMessage, systemPrompt, captures, tools } = node;
  if ((global ?? firstMessage ?? systemPrompt ?? captures[0] ?? tools[0]) !== undefined)
    return null;
  const renumber = (index: NodeIndex): NodeIndex => {
    const target = index === mark ? only.to : index;
    return (target > mark ? target - 1 : target) as NodeIndex;
  };
  const reason = 'marks the start and does nothing';
  return {
    nodes: nodes
      .filter(({ index }) => index !== mark)
      .map((it) => ({ ...it, index: renumber(it.index) })),
    edges: edges
      .filter((edge) => edge !== only)
      .map((edge, index) => {
        const ends = { from: renumber(edge.from), to: renumber(edge.to) };
        return { ...edge, index: index as EdgeIndex, ...ends };
      }),
    markedStart: renumber(only.to),
    absorbed: [
      { at: node.at, kind: 'node', reason },
      { at: only.at, kind: 'edge', reason },
    ],
  };
}
