/**
 * Whether an assistant has the model that it is to have: as the options say, else its node, else
 * the workflow, else the default. An override changes parts of a model; prompt and tools are not
 * among its settings.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type JsonObject } from '../compiler/ir/json.js';
import type { Settings, WorkflowNode } from '../compiler/ir/workflow.js';
import { ofSettings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { idOf } from './ready-assistants.js';
import { type Layer, lastWith, type Member, objectOf } from './squad-reading.js';
import { isEqualJson } from './tools/equal-json.js';

const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };

/** What of a model is not among its settings. */
const noSettings: readonly string[] = ['messages', 'tools', 'toolIds'];

type Setting = Settings['model'];

/** What a node with the setting wants of a model. */
interface WantedModel {
  readonly setting: Setting;
  readonly model: JsonObject;
  readonly size: number;
}

export function createModelCheck(
  comparison: Comparison,
  faults: Finding[],
): (member: Member, node: WorkflowNode | null) => void {
  const { options, graph, squad } = comparison;
  const wantFor = (setting: Setting): WantedModel => {
    const base = options.model ?? setting?.value ?? defaultModel;
    const model = { ...objectOf(base), ...objectOf(options.memberOverrides['model']) };
    return { setting, model, size: Object.keys(model).length };
  };
  // Most nodes have the setting of the node before, or none.
  let last: WantedModel | null = null;
  return (member, node) => {
    const isSaved = node !== null && idOf(node) !== null;
    const setting = node?.settings.model ?? (isSaved ? undefined : graph.workflow.settings.model);
    if (last === null || last.setting !== setting) last = wantFor(setting);
    const { layers } = member;
    // Most assistants say all of it themselves.
    const isAlone =
      layers.length === 1 && (squad.overrides === null || !saysModel(squad.overrides));
    if (isAlone && saysModel(layers[0]!) && isModel(modelOf(layers[0]!), last)) return;
    const saying = layersSaying(squad.overrides, member);
    if (saying.length === 0 && member.saved) return;
    const source = placeOf(setting, node);
    for (const fault of findDifferences(comparison, member, saying, last.model, source)) {
      faults.push(fault);
    }
  };
}

function placeOf(setting: Setting, node: WorkflowNode | null): JsonPointer {
  return setting?.origin.kind === 'source' ? setting.origin.at : (node?.at ?? '');
}

/** All that says something about the model; the later has the last word. */
function layersSaying(overrides: Layer | null, { layers }: Member): readonly Layer[] {
  const saying = layers.filter(saysModel);
  if (overrides !== null && saysModel(overrides)) saying.push(overrides);
  return saying;
}

function saysModel({ value }: Layer): boolean {
  return isJsonObject(value['model']);
}

function modelOf({ value }: Layer): JsonObject {
  return objectOf(value['model']);
}

/** Whether the model is the wanted one, prompt and tools aside. */
function isModel(model: JsonObject, { model: wanted, size }: WantedModel): boolean {
  let count = 0;
  for (const key in model) {
    if (noSettings.includes(key)) continue;
    if (!isSame(wanted, model, key)) return false;
    count += 1;
  }
  return count === size;
}

function isSame(one: JsonObject, other: JsonObject, key: string): boolean {
  if (!Object.hasOwn(one, key) || !Object.hasOwn(other, key)) return false;
  return isEqualJson(one[key]!, other[key]!);
}

function findDifferences(
  { nameOf }: Comparison,
  member: Member,
  saying: readonly Layer[],
  wanted: JsonObject,
  source: JsonPointer,
): Finding[] {
  const models = saying.map((it) => ({ value: modelOf(it), at: `${it.at}/model` }));
  // Keys like `__proto__` are keys like any other here.
  const said = Object.fromEntries(models.flatMap(({ value }) => Object.entries(value)));
  const { messages: _, tools: __, toolIds: ___, ...model } = said;
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(model)])];
  const different = keys.filter((key) => !isSame(wanted, model, key));
  // What a saved assistant has of a model is not to be seen.
  const seen = different.filter((key) => !member.saved || Object.hasOwn(model, key));
  return seen.map((key) => {
    const layer = lastWith(models, key);
    const whole = saying.at(-1)?.at ?? member.at;
    const place = layer === undefined ? whole : child(layer.at, key);
    const text = () => ofSettings.otherModel(nameOf(member.index), key);
    return finding(false, text, [source], [place]);
  });
}
