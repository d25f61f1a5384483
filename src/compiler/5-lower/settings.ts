/**
 * Models, voices and transcribers: the option, else a node's own, else the workflow's, else the
 * default. What all assistants share stands in the overrides of the squad. A node that is an
 * assistant already keeps the other settings that it brings; a saved one has settings of its own
 * that nobody sees, so what the workflow says of all is not said of it.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import { fromOption, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { SettingIr } from '../ir/squad-ir.js';
import type { Settings, Workflow, WorkflowNode } from '../ir/workflow.js';
import { firstTalk } from './first-talk.js';

export interface LoweredSettings {
  readonly shared: readonly SettingIr[];
  readonly own: readonly (readonly SettingIr[])[];
  readonly models: readonly Traced<JsonObject>[];
}

const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };
const sharedNames = ['transcriber', 'voice'] as const;

export function lowerSettings(
  graph: FlowGraph,
  map: RegionMap,
  options: Settled,
  decisions: readonly Decision[],
): LoweredSettings {
  const { workflow } = graph;
  const chosen = listChosen(decisions);
  const deciding = map.regions.map((region) => decidingNode(workflow, region, chosen));
  const shared = Object.entries(options.memberOverrides).map(
    ([key, value]): SettingIr => ({ key, value: traced(value, fromOption('memberOverrides')) }),
  );
  const asked = new Set(shared.map(({ key }) => key));
  const own = deciding.map((node) =>
    // Few bring any.
    node === null || node.assistant === null
      ? []
      : node.assistant.settings.filter(({ key }) => !asked.has(key)),
  );
  for (const name of sharedNames) {
    if (asked.has(name)) continue;
    spread(
      name,
      deciding.map((node) => effective(workflow, node, name)),
      shared,
      own,
    );
  }
  for (const { key, value } of workflow.shared) {
    if (asked.has(key)) continue;
    const values = deciding.map((node, at) => {
      const isOwn = own[at]!.some((it) => it.key === key);
      return isOwn || isSaved(node) ? undefined : value;
    });
    spread(key, values, shared, own);
  }
  const models = deciding.map((node) => modelOf(workflow, node, options));
  deciding.forEach((node, at) => {
    const isSaid = isSaved(node) && effective(workflow, node, 'model') !== undefined;
    if (isSaid) own[at]!.push({ key: 'model', value: models[at]! });
  });
  for (const list of own) if (list.length > 1) list.sort(byKey);
  return { shared: shared.sort(byKey), own, models };
}

/** One setting, for all where all want the same, else for each by itself. */
function spread(
  key: string,
  values: readonly (Traced<Json> | undefined)[],
  shared: SettingIr[],
  own: readonly SettingIr[][],
): void {
  const [first] = values;
  if (first !== undefined && values.every((value) => sameValue(value, first))) {
    shared.push({ key, value: first });
    return;
  }
  values.forEach((value, at) => {
    if (value !== undefined) own[at]!.push({ key, value });
  });
}

function isSaved(node: WorkflowNode | null): boolean {
  return (node?.assistant?.savedAs ?? null) !== null;
}

/** Decisions that choose a node's settings for the assistant. */
function listChosen(decisions: readonly Decision[]): readonly Decision[] {
  return decisions.filter(
    ({ inquiry, choice }) =>
      inquiry.question.kind === 'conflicting-settings' &&
      inquiry.subject.of === 'nodes' &&
      choice === 'use',
  );
}

/** The node whose settings the assistant takes: its first talk node, unless an answer says which. */
function decidingNode(
  { nodes }: Workflow,
  region: Region,
  chosen: readonly Decision[],
): WorkflowNode | null {
  const first = firstTalk(nodes, region);
  if (first === null || chosen.length === 0) return first;
  const isTalk = (node: NodeIndex) => nodes[node]!.role === 'talk';
  for (const { inquiry, value } of chosen) {
    const [about] = inquiry.subject.of === 'nodes' ? inquiry.subject.nodes : [];
    if (!region.nodes.some((node) => node === about && isTalk(node))) continue;
    const named = region.nodes.find((node) => isTalk(node) && nodes[node]!.id === value);
    return named === undefined ? first : nodes[named]!;
  }
  return first;
}

function effective<Name extends keyof Settings>(
  { settings }: Workflow,
  node: WorkflowNode | null,
  name: Name,
): Settings[Name] | undefined {
  const own = node?.settings[name];
  return own === undefined && !isSaved(node) ? settings[name] : own;
}

const byDefault = traced(defaultModel, synthesized('default-model'));

function modelOf(
  workflow: Workflow,
  node: WorkflowNode | null,
  { model }: Settled,
): Traced<JsonObject> {
  if (model !== null) return traced(model, fromOption('model'));
  return effective(workflow, node, 'model') ?? byDefault;
}

function sameValue(one: Traced<Json> | undefined, other: Traced<Json>): boolean {
  if (one === undefined || one === other) return one === other;
  return JSON.stringify(one.value) === JSON.stringify(other.value);
}

function byKey(one: SettingIr, other: SettingIr): number {
  return one.key < other.key ? -1 : 1;
}
