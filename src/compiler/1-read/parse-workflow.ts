/**
 * unknown → Workflow.
 *
 * In: whatever the caller handed over. Out: the workflow and all findings about its shape; the
 * workflow is null when one of them is an error. Invariants: see Workflow. The input is not changed
 * and not kept, no getter of it runs, and nothing is thrown. What no reader took is among the
 * unknown fields, told and kept in the ledger.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, groupBy } from '../../graph/lists.js';
import { flood } from '../../graph/walks.js';
import { child, type EdgeIndex, type NodeIndex } from '../ir/ids.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import type { Diagnostic } from '../ir/result.js';
import {
  type Condition,
  type GivenTool,
  type NamedSetting,
  type Settings,
  type Text,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
  withRoles,
} from '../ir/workflow.js';
import { readJson } from './copy-json.js';
import {
  detectDialect,
  editorLayout,
  findWrapped,
  nameForeign,
  names,
  platformRecord,
  shared,
  vocabularies,
} from './dialect.js';
import { conditionAt } from './logical.js';
import { idOf, readNode, takeId, takeInstructions, takeModel } from './read-node.js';
import { type Found, type Ledger, listUnknown, nameType, Reading } from './reading.js';
import { joinTexts } from './template.js';
import { takeTools } from './tools.js';

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
  // A document may hold the workflow in a field, beside what else the API returns of an assistant.
  const isWrapped = findWrapped(document) !== null;
  const around = isWrapped ? takeAround(outer) : noAround;
  const workflow = around.workflow ?? outer;
  workflow.absorb(platformRecord);
  const name = workflow.takeString('name') ?? (isWrapped ? outer.takeString('name') : null);
  if (!workflow.has('name') && name === null) workflow.report('shape/no-name', workflow.at, {});
  const { settings, model } = takeModel(workflow);
  const everywhere = [...around.tools, ...(model === null ? [] : takeTools(model))];
  const draft = readGraph(workflow);
  const overrides = [...around.shared, ...workflow.takeSettings(shared)];
  const prompts = [
    ...around.instructions,
    ...workflow.takeTexts(['globalPrompt', ...names.instructions]),
    ...takeInstructions(model),
  ];
  const unknownFields = listUnknown(ledger);
  const graph = settleGraph(workflow, draft, around.line);
  const read = withRoles({
    dialect,
    at: workflow.at,
    name: name?.value ?? null,
    nameAt: name?.at ?? workflow.at,
    globalPrompt: joinTexts(prompts),
    settings: { ...around.settings, ...settings },
    shared: [...new Map(overrides.map((it) => [it.key, it])).values()],
    ...graph,
    unknownFields,
    absorbed: [...ledger.absorbed, ...graph.absorbed],
  });
  if (everywhere.length === 0) return read;
  const equip = (node: WorkflowNode) =>
    node.role === 'talk' ? { ...node, tools: [...node.tools, ...everywhere] } : node;
  return { ...read, nodes: read.nodes.map(equip) };
}

const noAround = {
  ...{ workflow: null, line: null, settings: {} as Settings },
  ...{ shared: [] as NamedSetting[], tools: [] as GivenTool[], instructions: [] as Text[] },
};

/** What an assistant round a workflow has beside it: all of it counts where the workflow says nothing. */
function takeAround(outer: Reading) {
  const { settings, model } = takeModel(outer);
  const workflow = outer.takeInside('workflow') ?? model!.takeInside('workflow');
  outer.absorb(platformRecord);
  return {
    workflow,
    line: outer.takeText('firstMessage'),
    settings,
    shared: outer.takeSettings(shared),
    tools: model === null ? [] : takeTools(model),
    instructions: [...outer.takeTexts(names.instructions), ...takeInstructions(model)],
  };
}

/** Nodes that could not be read are null. */
interface Draft {
  readonly entries: readonly Reading[];
  readonly ids: readonly (string | null)[];
  readonly nodes: readonly (WorkflowNode | null)[];
  readonly edges: readonly WorkflowEdge[];
  /** Nodes that the source marks as the start. */
  readonly marked: readonly NodeIndex[];
}

function readGraph(workflow: Reading): Draft {
  const entries = takeEntries(workflow);
  if (entries.length === 0) {
    workflow.report('shape/no-nodes', child(workflow.at, 'nodes'), {});
  }
  const borne = new Set(entries.flatMap((entry) => idOf(entry)?.value ?? []));
  const ids = entries.map((entry, index) => takeId(entry, index, borne));
  checkIds(entries);
  const nodes = entries.map((entry, index) => readNode(entry, ids[index]!, index));
  const edges = readEdges(workflow, entries);
  const marked = entries.flatMap((entry, index) => {
    return entry.takeAs('true or false', 'isStart')?.value ? [index as NodeIndex] : [];
  });
  return { entries, ids, nodes, edges, marked };
}

/** The nodes; in an object of them the keys are their names. */
function takeEntries(workflow: Reading): Reading[] {
  const { nodes } = workflow.value;
  if (nodes === undefined || !isJsonObject(nodes) || workflow.words.isStrict) {
    return workflow.takeInsides('nodes');
  }
  const at = child(workflow.at, 'nodes');
  workflow.take('nodes');
  workflow.report('shape/read-as', at, { found: 'an object of nodes', as: 'a list of them' });
  return Object.entries(nodes).flatMap(([name, node]) => {
    const named = { name, ...(isJsonObject(node) ? node : {}) };
    return [new Reading(named, child(at, name), workflow.ledger, 'nodes')];
  });
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

type Graph = Pick<Workflow, 'nodes' | 'edges' | 'markedStart' | 'absorbed'>;

/**
 * The graph without the nodes that could not be read and that no call reaches, and without one that
 * only marks the start. `line` is said as the call begins.
 */
function settleGraph(workflow: Reading, draft: Draft, line: Text | null): Graph {
  const { entries, ids, nodes, edges, marked } = draft;
  const ofType = entries.findIndex(({ value }) => /^start$/i.test(String(value['type'])));
  const [first = ofType, second] = marked;
  const faulty = listFaulty(workflow, entries);
  const reached = faulty.size === 0 ? null : findReached(draft, first, faulty);
  const isOut = (node: number) => reached !== null && faulty.has(node) && !reached.has(node);
  // With a fault in a node that a call reaches, or elsewhere, the workflow is not used.
  const errors = workflow.faults.filter(isError).length - [...faulty.values()].flat().length;
  if (errors > 0 || [...faulty.keys()].some((node) => !isOut(node))) {
    return { nodes: [], edges: [], markedStart: null, absorbed: [] };
  }
  for (const [node, places] of faulty) {
    for (const place of places) {
      const { at, message } = workflow.faults[place]!;
      const told = diagnose('shape/unreached-fault', at, {
        node: ids[node] ?? '',
        problem: message,
      });
      workflow.faults[place] = told;
    }
  }
  const whole = { nodes: nodes as readonly WorkflowNode[], edges };
  if (second !== undefined) {
    // Which of them counts nobody says, so none does.
    const both = [nodes[first]!.id, nodes[second]!.id];
    const [earlier, later] = [first, second].map((at) => child(entries[at]!.at, 'isStart'));
    workflow.report('flow/several-starts', later!, { ids: both }, { related: [earlier!] });
  }
  const start = second === undefined ? first : -1;
  const mark = onlyMarks(whole, ofType) ? ofType : -1;
  const [onward] = mark === -1 ? [] : edges.filter(({ from }) => from === mark);
  const entry = start === mark && onward !== undefined ? onward.to : start;
  const graph = withoutNodes(whole, (node) => isOut(node) || node === mark, entry, onward);
  const reason = 'marks the start and does nothing';
  const absorbed = [
    ...[...faulty.keys()].map((node) => ({ ...dropped, at: entries[node]!.at })),
    ...(onward === undefined
      ? []
      : [
          { at: nodes[mark]!.at, kind: 'node' as const, reason },
          { at: onward.at, kind: 'edge' as const, reason },
        ]),
  ];
  return sayFirst({ ...graph, absorbed }, line, workflow);
}

const dropped = { kind: 'node', reason: 'unreachable', status: 'dropped' } as const;

/** Nodes with errors, and the numbers of these. */
function listFaulty({ faults }: Reading, entries: readonly Reading[]): Map<number, number[]> {
  const places = new Map(entries.map(({ at }, index) => [at, index]));
  const faulty = new Map<number, number[]>();
  for (const [number, fault] of faults.entries()) {
    // Two nodes of one id leave open which of them the edges mean.
    if (!isError(fault) || /^shape\/(?:duplicate|ambiguous)-id$/.test(fault.code)) continue;
    let at = fault.at;
    while (at !== '' && !places.has(at)) at = at.slice(0, at.lastIndexOf('/'));
    const node = places.get(at);
    if (node !== undefined) append(faulty, node, number);
  }
  return faulty;
}

/**
 * What a call can come to. Where no start is marked it may begin at each node that nothing leads to,
 * but for one that could not be read and leads nowhere. Null where nobody can tell.
 */
function findReached(
  { entries, nodes, edges }: Draft,
  start: number,
  faulty: ReadonlyMap<number, unknown>,
): ReadonlySet<number> | null {
  const leaving = groupBy(edges, ({ from }) => from);
  const entered = new Set(edges.flatMap(({ from, to }) => (from === to ? [] : to)));
  const isRoot = (node: number) =>
    !entered.has(node as NodeIndex) && (leaving.has(node as NodeIndex) || !faulty.has(node));
  const indexes = entries.map((_, index) => index);
  const roots = start === -1 ? indexes.filter(isRoot) : [start];
  const isGlobal = (index: number) =>
    nodes[index]?.global != null || 'globalNodePlan' in entries[index]!.value;
  const arcsOf = (node: number) =>
    (leaving.get(node as NodeIndex) ?? []).map(({ to }) => to as number);
  return roots.length * edges.length === 0
    ? null
    : flood([...roots, ...indexes.filter(isGlobal)], arcsOf);
}

/** Whether a node says nothing and does nothing, and one edge without a condition leads on from it. */
function onlyMarks({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, mark: number): boolean {
  const node = nodes[mark];
  const [only, ...more] = edges.filter(({ from }) => from === mark);
  if (node == null || only === undefined || more.length > 0) return false;
  const { global, firstMessage, systemPrompt, captures, tools } = node;
  const isIdle = (global ?? firstMessage ?? systemPrompt ?? captures[0] ?? tools[0]) === undefined;
  return isIdle && only.condition === null && only.to !== mark;
}

/** The others, numbered anew; what led to a node that only marks the start leads on behind it. */
function withoutNodes(
  { nodes, edges }: Pick<Graph, 'nodes' | 'edges'>,
  isOut: (node: number) => boolean,
  start: number,
  onward: WorkflowEdge | undefined,
) {
  const numbers = new Map<number, NodeIndex>();
  for (const [index] of nodes.entries()) {
    if (!isOut(index)) numbers.set(index, numbers.size as NodeIndex);
  }
  const numberOf = (node: number) => numbers.get(node === onward?.from ? onward.to : node);
  const kept = edges.flatMap(({ from, to, ...edge }) => {
    const ends = { from: numberOf(from), to: numberOf(to) };
    const isGone = ends.from === undefined || ends.to === undefined || edge.at === onward?.at;
    return isGone ? [] : [{ ...edge, from: ends.from!, to: ends.to! }];
  });
  return {
    nodes: nodes.flatMap((node, index) => {
      const number = numbers.get(index);
      return number === undefined ? [] : [{ ...node, index: number }];
    }),
    edges: kept.map((edge, index) => ({ ...edge, index: index as EdgeIndex })),
    markedStart: numbers.get(start) ?? null,
  };
}

/** The line that an assistant round the workflow says is the first of the marked start. */
function sayFirst(graph: Graph, line: Text | null, workflow: Reading): Graph {
  const { nodes, markedStart } = graph;
  const start = markedStart === null ? undefined : nodes[markedStart];
  if (line === null || start?.firstMessage?.value === line.value) return graph;
  if (start === undefined || start.role !== 'talk' || start.firstMessage !== null) {
    workflow.report('shape/lost-text', line.at, { field: 'firstMessage' });
    return graph;
  }
  const opening = { ...start, firstMessage: line };
  return { ...graph, nodes: nodes.map((node) => (node === start ? opening : node)) };
}
