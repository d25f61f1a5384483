/**
 * unknown → Workflow.
 *
 * In: anything. Out: the workflow and all findings about its shape; the workflow is null if one of
 * them is an error. Invariants: see Workflow. The input is neither changed nor kept, none of its
 * getters runs, and nothing is thrown. Fields that no reader takes are reported as unknown and
 * listed in the ledger.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, isObject, type JsonObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import { findNearest } from '../ir/names.js';
import type { Diagnostic } from '../ir/result.js';
import { hidden, hideInSentences, maskSecrets } from '../ir/secrets.js';
import {
  type Condition,
  effectiveSetting,
  roleOf,
  type SettingName,
  type Settings,
  settingNames,
  type Workflow,
  type WorkflowEdge,
  type WorkflowNode,
  withRoles,
} from '../ir/workflow.js';
import { maxValuesOfWorkflow, readJson } from './copy-json.js';
import {
  bySpelling,
  detectDialect,
  findWrapped,
  foreignKind,
  names,
  shared,
  vocabularies,
} from './dialect.js';
import { takeTools } from './given-tools.js';
import { conditionAt } from './logical.js';
import { idOf, readNode, takeId, takeInstructions, takeModel } from './read-node.js';
import { type Ledger, listUnknown, nameType, Reading } from './reading.js';
import { type Draft, isError, settleGraph } from './settle-graph.js';
import { joinTexts } from './template.js';

export function parseWorkflow(input: unknown): {
  readonly workflow: Workflow | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const { value: document = null, faults } = readJson(input, maxValuesOfWorkflow);
  const refuse = (...found: readonly Diagnostic[]) => ({ workflow: null, diagnostics: found });
  if (faults.length > 0) return refuse(...faults);
  if (!isObject(document)) {
    return refuse(diagnose('shape/not-an-object', '', { found: nameType(document) }));
  }
  const found = foreignKind(document);
  if (found !== null) return refuse(diagnose('shape/not-a-workflow', '', { found }));
  const diagnostics: Diagnostic[] = [];
  const { secrets, texts } = maskSecrets(document);
  const read = { ...readDocument(document, diagnostics), secrets: texts };
  // A workflow with masked secrets can be drawn, but not compiled.
  const workflow = diagnostics.some(isError) ? null : read;
  for (const { at, name, texts: found } of secrets) {
    const isMasked = found.some((text) => text.includes(hidden));
    diagnostics.push(
      diagnose(isMasked ? 'data/masked-secret' : 'data/literal-secret', at, { name }),
    );
  }
  return { workflow, diagnostics: hideInSentences(diagnostics, texts) };
}

function readDocument(document: JsonObject, faults: Diagnostic[]): Omit<Workflow, 'secrets'> {
  const { dialect, sign } = detectDialect(document);
  if (sign !== null) faults.push(diagnose('shape/dialect', sign.at, { dialect, sign: sign.text }));
  const ledger: Ledger = { vocabulary: vocabularies[dialect], faults, readings: [], absorbed: [] };
  const outer = new Reading(document, '', ledger, '');
  // A document may hold the workflow in a field, among other properties of an assistant.
  const wrapper = findWrapped(document) === null ? null : takeCommon(outer);
  const workflow = wrapper?.workflow ?? outer;
  const name = workflow.takeString('name') ?? (wrapper === null ? null : outer.takeString('name'));
  if (!workflow.has('name') && name === null) workflow.report('shape/no-name', workflow.at, {});
  const own = takeCommon(workflow);
  const draft = readGraph(workflow);
  const unknownFields = listUnknown(ledger);
  const graph = settleGraph(workflow, draft, wrapper?.line ?? null);
  // What an assistant around a workflow sets applies unless the workflow has its own.
  const holders = wrapper === null ? [own] : [wrapper, own];
  const settings = { ...wrapper?.settings, ...own.settings };
  const shared = holders.flatMap((holder) => holder.shared);
  const tools = holders.flatMap((holder) => holder.tools);
  const read = withRoles({
    dialect,
    at: workflow.at,
    name: name?.value ?? null,
    nameAt: name?.at ?? workflow.at,
    globalPrompt: joinTexts(holders.flatMap((holder) => holder.prompts)),
    settings,
    shared: [...new Map(shared.map((it) => [it.key, it])).values()],
    ...graph,
    nodes: markOwnSettings(settings, graph.nodes),
    unknownFields,
    absorbed: [...ledger.absorbed, ...graph.absorbed],
  });
  const addTools = (node: WorkflowNode): WorkflowNode =>
    node.role === 'talk' ? { ...node, tools: [...node.tools, ...tools] } : node;
  return { ...read, nodes: read.nodes.map(addTools) };
}

/** What a workflow, or an assistant around one, sets for all assistants; and that workflow. */
function takeCommon(holder: Reading) {
  const { settings, model } = takeModel(holder);
  const isWrapper = findWrapped(holder.value) !== null;
  const prompts = isWrapper ? names.instructions : ['globalPrompt', ...names.instructions];
  holder.absorbRecord();
  return {
    workflow: isWrapper ? (holder.takeInside('workflow') ?? model!.takeInside('workflow')) : null,
    line: isWrapper ? holder.takeText('firstMessage') : null,
    settings,
    shared: holder.takeSettings(shared),
    tools: model === null ? [] : takeTools(model),
    prompts: [...holder.takeTexts(prompts), ...(model === null ? [] : takeInstructions(model))],
  };
}

/**
 * The nodes with the settings that are their own. Editors write the same settings into every node,
 * so a setting that all talking nodes share, or that equals the workflow's, is not a node's own. A
 * node without a model has the default one.
 */
function markOwnSettings(shared: Settings, nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const keyOf = (name: SettingName, settings: Settings) =>
    JSON.stringify(effectiveSetting({ settings }, { settings: {} }, name));
  const talking = nodes.filter(({ type, assistant }) => {
    return roleOf[type] === 'talk' && (assistant?.savedAs ?? null) === null;
  });
  const common = settingNames.map((name) => {
    const wanted = new Set(talking.map(({ settings }) => keyOf(name, settings)));
    return shared[name] === undefined && wanted.size === 1 ? [...wanted][0]! : keyOf(name, shared);
  });
  return nodes.map((node) => {
    const { settings } = node;
    const isOwn = (name: SettingName, at: number) =>
      settings[name] !== undefined && keyOf(name, settings) !== common[at];
    return { ...node, ownSettings: settingNames.filter(isOwn) };
  });
}

function readGraph(workflow: Reading): Draft {
  const entries = takeEntries(workflow);
  if (entries.length === 0) {
    workflow.report('shape/no-nodes', child(workflow.at, 'nodes'), {});
  }
  const usedIds = new Set(entries.flatMap((entry) => idOf(entry)?.value ?? []));
  const ids = entries.map((entry, index) => takeId(entry, index, usedIds));
  checkIds(workflow, entries);
  const nodes = entries.map((entry, index) => readNode(entry, ids[index]!, index));
  const edges = readEdges(workflow, entries);
  const isMarked = (entry: Reading) => entry.takeAs('true or false', 'isStart')?.value === true;
  const marked = [...entries.keys()].filter((index) => isMarked(entries[index]!));
  return { entries, ids, nodes, edges, marked };
}

/** The nodes; if they are an object, the keys are their names. */
function takeEntries(workflow: Reading): Reading[] {
  const { nodes } = workflow.value;
  if (nodes === undefined || !isObject(nodes) || workflow.vocabulary.isStrict) {
    return workflow.takeInsides('nodes');
  }
  const at = child(workflow.at, 'nodes');
  workflow.take('nodes');
  const as = 'a list of them in the order of their names';
  workflow.report('shape/read-as', at, { found: 'an object of nodes', as });
  return Object.entries(nodes).map(([name, node]) => {
    const named = { name, ...asObject(node) };
    return new Reading(named, child(at, name), workflow.ledger, 'nodes');
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

function readEdges(workflow: Reading, nodes: readonly Reading[]): WorkflowEdge[] {
  if (!workflow.has('edges')) workflow.report('shape/no-edges', workflow.at, {});
  // Ids take precedence over names, and the first node of a name over the others.
  const ids = nodes.map((node) => idOf(node)?.value);
  const called = workflow.vocabulary.isStrict ? [] : nodes.map(({ value }) => value['name']);
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
  const edges: WorkflowEdge[] = [];
  for (const edge of workflow.takeInsides('edges')) {
    edge.absorbLayout('id');
    const from = takeEnd(edge, 'from');
    const to = takeEnd(edge, 'to');
    const conditions = takeConditions(edge);
    if (from === null || to === null) continue;
    for (const [number, condition] of conditions.entries()) {
      // The first condition stands for the edge; each other stands where its text does.
      const at = number === 0 ? edge.at : condition!.at;
      edges.push({ index: edges.length as EdgeIndex, at, from, to, condition });
    }
  }
  return edges;
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
  if (edge.vocabulary.isStrict || !isObject(edge.value['condition'])) {
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
  const listed = condition.takeEach('a text', 'matches', ({ value, at }) =>
    value.trim() === '' ? [] : [conditionAt(value, at, edge.faults, kind === 'exact')],
  );
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
