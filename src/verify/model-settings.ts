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

export function createModelCheck(
  comparison: Comparison,
  faults: Finding[],
): (member: Member, node: WorkflowNode | null) => void {
  const { options, graph, squad } = comparison;
  // Most nodes have the same setting, or none.
  const known = new Map<Setting, JsonObject>();
  const wantFor = (setting: Setting): JsonObject => {
    let wanted = known.get(setting);
    if (wanted === undefined) {
      const base = options.model ?? setting?.value ?? defaultModel;
      wanted = { ...objectOf(base), ...objectOf(options.memberOverrides['model']) };
      known.set(setting, wanted);
    }
    return wanted;
  };
  return (member, node) => {
    const isSaved = node !== null && idOf(node) !== null;
    const setting = node?.settings.model ?? (isSaved ? undefined : graph.workflow.settings.model);
    const wanted = wantFor(setting);
    const { layers } = member;
    // Most assistants say all of it themselves.
    const isAlone =
      layers.length === 1 && (squad.overrides === null || !saysModel(squad.overrides));
    if (isAlone && saysModel(layers[0]!) && isModel(modelOf(layers[0]!), wanted)) return;
    const saying = layersSaying(squad.overrides, member);
    if (saying.length === 0 && member.saved) return;
    const source = placeOf(setting, node);
    faults.push(...findDifferences(comparison, member, saying, wanted, source));
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
function isModel(model: JsonObject, wanted: JsonObject): boolean {
  let count = 0;
  for (const key in model) {
    if (noSettings.includes(key)) continue;
    if (!isSame(wanted, model, key)) return false;
    count += 1;
  }
  return count === Object.keys(wanted).length;
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
