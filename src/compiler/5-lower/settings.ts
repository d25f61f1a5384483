/**
 * Models, voices and transcribers: the option, else a node's own, else the workflow's, else the
 * default. What all assistants share stands in the overrides of the squad. A node that is an
 * assistant already keeps the other settings that it brings; a saved one has settings of its own
 * that nobody sees, so what the workflow says of all is not said of it.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { Decision } from '../ir/inquiry.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { Settled } from '../ir/options.js';
import { fromOption, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { NamedSetting, Settings, Workflow, WorkflowNode } from '../ir/workflow.js';
import { firstTalk } from './names.js';

export interface LoweredSettings {
  readonly shared: readonly NamedSetting[];
  /** By assistant. */
  readonly own: readonly (readonly NamedSetting[])[];
  readonly models: readonly Traced<JsonObject>[];
}

const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };

export function lowerSettings(
  graph: FlowGraph,
  map: RegionMap,
  options: Settled,
  decisions: readonly Decision[],
): LoweredSettings {
  const { workflow } = graph;
  const deciding = map.regions.map((region) => decidingNode(workflow, region, decisions));
  const shared = Object.entries(options.memberOverrides).map(
    ([key, value]): NamedSetting => ({ key, value: traced(value, fromOption('memberOverrides')) }),
  );
  const asked = new Set(shared.map(({ key }) => key));
  const own = deciding.map((node) => {
    return (node?.assistant?.settings ?? []).filter(({ key }) => !asked.has(key));
  });
  const spread = (
    key: string,
    settingOf: (node: WorkflowNode | null, at: number) => Value,
  ): void => {
    if (asked.has(key)) return;
    const values = deciding.map(settingOf);
    const [first] = values;
    if (first !== undefined && values.every((value) => isSame(value, first))) {
      shared.push({ key, value: first });
      return;
    }
    for (const [at, value] of values.entries()) {
      if (value !== undefined) own[at]!.push({ key, value });
    }
  };
  for (const name of ['transcriber', 'voice'] as const) {
    spread(name, (node) => effective(workflow, node, name));
  }
  for (const { key, value } of workflow.shared) {
    spread(key, (node, at) => {
      const isOwn = own[at]!.some((it) => it.key === key);
      return isOwn || isSaved(node) ? undefined : value;
    });
  }
  const models = deciding.map((node) => modelOf(workflow, node, options));
  for (const [at, node] of deciding.entries()) {
    const isSaid = isSaved(node) && effective(workflow, node, 'model') !== undefined;
    if (isSaid) own[at]!.push({ key: 'model', value: models[at]! });
  }
  for (const settings of own) settings.sort(byKey);
  return { shared: shared.sort(byKey), own, models };
}

type Value = Traced<Json> | undefined;

/** The node whose settings the assistant takes: its first talk node, unless an answer says which. */
function decidingNode(
  { nodes }: Workflow,
  region: Region,
  decisions: readonly Decision[],
): WorkflowNode | null {
  const first = firstTalk(nodes, region);
  for (const { inquiry, choice, value } of decisions) {
    const { question, subject } = inquiry;
    if (question.kind !== 'conflicting-settings' || choice !== 'use') continue;
    const talking = region.nodes.map((it) => nodes[it]!).filter(({ role }) => role === 'talk');
    const about = subject.of === 'nodes' ? subject.nodes[0] : undefined;
    if (!talking.some(({ index }) => index === about)) continue;
    return talking.find(({ id }) => id === value) ?? first;
  }
  return first;
}

function isSaved(node: WorkflowNode | null): boolean {
  return (node?.assistant?.savedAs ?? null) !== null;
}

function effective<Name extends keyof Settings>(
  { settings }: Workflow,
  node: WorkflowNode | null,
  name: Name,
): Settings[Name] | undefined {
  const own = node?.settings[name];
  return own === undefined && !isSaved(node) ? settings[name] : own;
}

function modelOf(
  workflow: Workflow,
  node: WorkflowNode | null,
  { model }: Settled,
): Traced<JsonObject> {
  if (model !== null) return traced(model, fromOption('model'));
  const effectiveModel = effective(workflow, node, 'model');
  return effectiveModel ?? traced(defaultModel, synthesized('default-model'));
}

function isSame(one: Value, other: Traced<Json>): boolean {
  return one === other || JSON.stringify(one?.value) === JSON.stringify(other.value);
}

function byKey(one: NamedSetting, other: NamedSetting): number {
  return one.key < other.key ? -1 : 1;
}
