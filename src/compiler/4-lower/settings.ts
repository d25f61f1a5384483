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
import type { Settings } from '../ir/workflow.js';

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
  const deciding = map.regions.map((region) => decidingNode(graph, region, decisions));
  const shared: SettingIr[] = Object.entries(options.memberOverrides).map(([key, value]) => ({
    key,
    value: traced(value, fromOption('memberOverrides')),
  }));
  const asked = new Set(shared.map(({ key }) => key));
  const own: SettingIr[][] = deciding.map((node) =>
    settingsOfAssistant(graph, node).filter(({ key }) => !asked.has(key)),
  );
  for (const name of sharedNames) {
    if (asked.has(name)) continue;
    const values = deciding.map((node) => effective(graph, node, name));
    spread(name, values, shared, own);
  }
  for (const { key, value } of graph.workflow.shared) {
    if (asked.has(key)) continue;
    const values = deciding.map((node, at) => {
      const isOwn = own[at]!.some((it) => it.key === key);
      return isOwn || isSaved(graph, node) ? undefined : value;
    });
    spread(key, values, shared, own);
  }
  const models = deciding.map((node) => modelOf(graph, node, options));
  deciding.forEach((node, at) => {
    const isSaid = isSaved(graph, node) && effective(graph, node, 'model') !== undefined;
    if (isSaid) own[at]!.push({ key: 'model', value: models[at]! });
  });
  return { shared: shared.sort(byKey), own: own.map((list) => list.sort(byKey)), models };
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

function settingsOfAssistant({ workflow }: FlowGraph, node: NodeIndex | null): SettingIr[] {
  return node === null ? [] : [...(workflow.nodes[node]!.assistant?.settings ?? [])];
}

function isSaved({ workflow }: FlowGraph, node: NodeIndex | null): boolean {
  return node !== null && (workflow.nodes[node]!.assistant?.savedAs ?? null) !== null;
}

/** The node whose settings the assistant takes: its first talk node, unless an answer says which. */
function decidingNode(
  graph: FlowGraph,
  region: Region,
  decisions: readonly Decision[],
): NodeIndex | null {
  const talk = region.nodes.filter((node) => graph.workflow.nodes[node]!.role === 'talk');
  for (const { inquiry, choice, value } of decisions) {
    const { subject, question } = inquiry;
    if (question.kind !== 'conflicting-settings' || choice !== 'use') continue;
    if (subject.of !== 'nodes' || !talk.includes(subject.nodes[0]!)) continue;
    return talk.find((node) => graph.workflow.nodes[node]!.id === value) ?? talk[0] ?? null;
  }
  return talk[0] ?? null;
}

function effective<Name extends keyof Settings>(
  graph: FlowGraph,
  node: NodeIndex | null,
  name: Name,
): Settings[Name] | undefined {
  const own = node === null ? undefined : graph.workflow.nodes[node]!.settings[name];
  return own === undefined && !isSaved(graph, node) ? graph.workflow.settings[name] : own;
}

function modelOf(graph: FlowGraph, node: NodeIndex | null, options: Settled): Traced<JsonObject> {
  if (options.model !== null) return traced(options.model, fromOption('model'));
  const model = effective(graph, node, 'model');
  return model ?? traced(defaultModel, synthesized('default-model'));
}

function sameValue(one: Traced<Json> | undefined, other: Traced<Json>): boolean {
  return one !== undefined && JSON.stringify(one.value) === JSON.stringify(other.value);
}

function byKey(one: SettingIr, other: SettingIr): number {
  return one.key < other.key ? -1 : 1;
}
