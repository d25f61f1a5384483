/**
 * Models, voices and transcribers: the option, else a node's own, else the workflow's, else the
 * default. What all assistants share stands in the overrides of the squad.
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
  const own: SettingIr[][] = map.regions.map(() => []);
  for (const name of sharedNames) {
    if (Object.hasOwn(options.memberOverrides, name)) continue;
    const values = deciding.map((node) => effective(graph, node, name));
    const [first] = values;
    if (first !== undefined && values.every((value) => sameValue(value, first))) {
      shared.push({ key: name, value: first });
      continue;
    }
    values.forEach((value, at) => {
      if (value !== undefined) own[at]!.push({ key: name, value });
    });
  }
  const models = deciding.map((node) => modelOf(graph, node, options));
  return { shared: shared.sort(byKey), own, models };
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
): Settings[Name] {
  const own = node === null ? undefined : graph.workflow.nodes[node]!.settings[name];
  return own ?? graph.workflow.settings[name];
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
