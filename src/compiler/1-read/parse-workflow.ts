/**
 * unknown → Workflow.
 *
 * In: anything. Out: the workflow and all findings about its shape; the workflow is null if one of
 * them is an error. Invariants: see Workflow. The input is neither changed nor kept, none of its
 * getters runs, and nothing is thrown. Fields that no reader takes are reported as unknown and
 * listed in the ledger.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { isObject, type JsonObject } from '../../text/json.js';
import { child, type JsonPointer, pointer } from '../../text/pointer.js';
import { type Diagnostic, isError } from '../ir/result.js';
import { hidden, hideInSentences, maskSecrets } from '../ir/secrets.js';
import {
  type Dialect,
  roleOf,
  type SettingName,
  type Settings,
  settingNames,
  type WorkflowNode,
  withRoles,
} from '../ir/workflow.js';
import { maxValuesOfWorkflow, readJson } from './copy-json.js';
import { findSign, findWrapped, names, shared, vocabularies } from './dialect.js';
import { foreignKind, openEnvelope, otherToolOf } from './foreign.js';
import { readGraph } from './read-graph.js';
import { addHook, reportExample, takeIdle, takeInstructions, takeModel } from './read-node.js';
import { type Intake, nameType, Reading } from './reading.js';
import { joinTexts } from './template.js';
import { takeTools } from './tools.js';

export function parseWorkflow(input: unknown) {
  const { value: document = null, faults } = readJson(input, maxValuesOfWorkflow);
  const refuse = (...found: readonly Diagnostic[]) => ({ workflow: null, diagnostics: found });
  if (faults.length > 0) return refuse(...faults);
  if (!isObject(document)) {
    return refuse(diagnose('shape/not-an-object', '', { found: nameType(document) }));
  }
  const opened = openEnvelope(document);
  const found = otherToolOf(opened.document) ?? foreignKind(opened.document);
  if (found !== null) return refuse(diagnose('shape/not-a-workflow', opened.at, { found }));
  const diagnostics: Diagnostic[] = [];
  const { secrets, texts } = maskSecrets(document);
  const read = { ...readDocument(opened.document, opened.at, diagnostics), secrets: texts };
  // A workflow with masked secrets can be drawn, but not compiled.
  const workflow = diagnostics.some(isError) ? null : read;
  for (const { at, name, texts: found } of secrets) {
    const isMasked = found.some((text) => text.includes(hidden));
    const code = isMasked ? 'data/masked-secret' : 'data/literal-secret';
    diagnostics.push(diagnose(code, at, { name }));
  }
  return { workflow, diagnostics: hideInSentences(diagnostics, texts) };
}

function readDocument(document: JsonObject, at: JsonPointer, faults: Diagnostic[]) {
  const [sign, ...path] = findSign(document) ?? [];
  const dialect: Dialect = sign === undefined ? 'spec' : 'vapi';
  const signAt = `${at}${pointer(...path)}`;
  if (sign !== undefined) faults.push(diagnose('shape/dialect', signAt, { dialect, sign }));
  const found = { faults, readings: [], absorbed: [], around: {} };
  const intake: Intake = { vocabulary: vocabularies[dialect], ...found };
  const outer = new Reading(document, at, intake, '');
  // A document may hold the workflow in a field, among other properties of an assistant.
  const wrapper = findWrapped(document) === null ? null : takeCommon(outer);
  const workflow = wrapper?.workflow ?? outer;
  const name = workflow.takeString('name') ?? (wrapper && outer.takeString('name'));
  if (!workflow.has('name') && name === null) workflow.report('shape/no-name', workflow.at, {});
  const own = takeCommon(workflow, wrapper === null);
  intake.around = { ...wrapper?.settings, ...own.settings };
  const graph = readGraph(workflow);
  // What an assistant around a workflow sets applies unless the workflow has its own.
  const holders = wrapper === null ? [own] : [wrapper, own];
  const passed = holders.flatMap((holder) => holder.shared);
  const tools = holders.flatMap((holder) => holder.tools);
  const read = withRoles({
    dialect,
    at: workflow.at,
    name: name?.value ?? null,
    nameAt: name?.at ?? workflow.at,
    opening: (wrapper ?? own).opening,
    globalPrompt: joinTexts(holders.flatMap((holder) => holder.prompts)),
    settings: intake.around,
    shared: [...new Map(passed.map((it) => [it.key, it])).values()],
    ...graph,
    nodes: markOwnSettings(intake.around, graph.nodes),
    absorbed: intake.absorbed,
  });
  const isEmpty = ({ firstMessage, systemPrompt, captures, tools: own, assistant }: WorkflowNode) =>
    (firstMessage ?? systemPrompt ?? captures[0] ?? own[0] ?? assistant ?? null) === null;
  const talking = read.nodes.filter(({ type }) => roleOf[type] === 'talk');
  if (talking.length > 0 && read.globalPrompt === null && talking.every(isEmpty)) {
    faults.push(diagnose('shape/no-texts', child(workflow.at, 'nodes'), {}));
  }
  const addTools = (node: WorkflowNode): WorkflowNode =>
    node.role === 'talk' ? { ...node, tools: [...node.tools, ...tools] } : node;
  return { ...read, nodes: read.nodes.map(addTools) };
}

/** What a workflow, or an assistant around one, sets for all assistants; and that workflow. */
function takeCommon(holder: Reading, isOutermost = true) {
  const { settings, model } = takeModel(holder);
  const isWrapper = findWrapped(holder.value) !== null;
  const prompts = isWrapper ? names.instructions : ['globalPrompt', ...names.instructions];
  holder.absorb('internal to the platform');
  const idle = holder.known === null ? takeIdle(holder.takeInside('messagePlan')) : null;
  const ofModel = model && takeInstructions(model);
  reportExample(ofModel?.message ?? null);
  return {
    workflow: isWrapper ? (holder.takeInside('workflow') ?? model!.takeInside('workflow')) : null,
    opening: isOutermost ? holder.takeText('firstMessage') : null,
    settings: addHook(settings, idle),
    shared: holder.takeSettings(shared),
    tools: model === null ? [] : takeTools(model),
    prompts: [...holder.takeTexts(prompts), ...(ofModel?.prompts ?? [])],
  };
}

/**
 * The nodes with the settings that are their own. Editors write the same settings into every node,
 * so a setting that all talking nodes share, or that equals the workflow's, is not a node's own. A
 * node without a model has the default one.
 */
function markOwnSettings(shared: Settings, nodes: readonly WorkflowNode[]): WorkflowNode[] {
  const usual = { model: 'gpt-4o', provider: 'openai' };
  const keyOf = (name: SettingName, settings: Settings) =>
    JSON.stringify(settings[name]?.value ?? (name === 'model' ? usual : null));
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
