/**
 * Whether every assistant has the model, the voice and the transcriber that it is to have, and
 * opens its mouth once.
 *
 * Precedence: option, node, workflow, default. The node that counts is the assistant's first talk
 * node, unless an answer to `conflicting-settings` names another. What an assistant has is its own
 * value, or what overrides say; an override has the last word, so no two of them may differ. An
 * override that nobody asked for is a fault as well: it changes what the workflow is.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import type { Decision } from '../compiler/ir/inquiry.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { type SettingName, settingNames, type WorkflowNode } from '../compiler/ir/workflow.js';
import { ofSettings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { type Layer, lastWith, type Member, objectOf } from './squad-reading.js';
import { canonicalText } from './tools/canonical-text.js';
import { chooseDeciding } from './tools/deciding-nodes.js';
import { checkOpening } from './tools/opening.js';

/** The faults; nothing where all is as it is to be. `decisions` are those about the grouping. */
export function findSettingFaults(
  comparison: Comparison,
  decisions: readonly Decision[],
): Finding[] {
  const { squad, options } = comparison;
  const deciding = chooseDeciding(comparison, decisions);
  const asked = new Set([...Object.keys(options.memberOverrides), ...settingNames]);
  return [
    ...(squad.overrides === null ? [] : findUnasked(squad.overrides, asked)),
    ...squad.members.flatMap((member) => [
      ...checkMember(comparison, member, deciding.of(member.index)),
      ...findUnasked(overridesOf(member), asked),
      ...(squad.wrapped ? [] : checkOpening(comparison, member)),
    ]),
  ];
}

const nothing: Layer = { value: {}, at: '' };

function overridesOf({ at, layers }: Member): Layer {
  return layers.find((layer) => layer.at === `${at}/assistantOverrides`) ?? nothing;
}

function findUnasked({ value, at }: Layer, asked: ReadonlySet<string>): Finding[] {
  return Object.keys(value)
    .filter((key) => !asked.has(key))
    .map((key) => finding(false, () => ofSettings.unasked(key), [], [child(at, key)]));
}

/** A value that an assistant is to have, and where the source has it. */
interface Wanted {
  readonly value: Json;
  readonly at: JsonPointer;
}

function checkMember(comparison: Comparison, member: Member, node: WorkflowNode | null): Finding[] {
  const { options } = comparison;
  const others = Object.entries(options.memberOverrides).filter(([key]) => key !== 'model');
  const asked = new Map(others.map(([key, value]) => [key, { value, at: node?.at ?? '' }]));
  const plain = ['voice', 'transcriber'] as const;
  for (const name of plain) {
    const wanted = asked.get(name) ?? effective(comparison, node, name);
    if (wanted === null) asked.delete(name);
    else asked.set(name, wanted);
  }
  const names = new Set<string>([...asked.keys(), ...plain]);
  return [
    ...checkModel(comparison, member, node),
    ...[...names].flatMap((name) =>
      checkSetting(comparison, member, name, asked.get(name) ?? null),
    ),
  ];
}

function effective(
  { graph }: Comparison,
  node: WorkflowNode | null,
  name: SettingName,
): Wanted | null {
  const setting = node?.settings[name] ?? graph.workflow.settings[name];
  if (setting === undefined) return null;
  const { value, origin } = setting;
  return { value, at: origin.kind === 'source' ? origin.at : (node?.at ?? '') };
}

/** All that say something about the setting say the same, and somebody does. */
function checkSetting(
  { nameOf }: Comparison,
  member: Member,
  name: string,
  wanted: Wanted | null,
): Finding[] {
  const assistant = nameOf(member.index);
  const saying = member.layers.filter(({ value }) => Object.hasOwn(value, name));
  if (wanted === null) {
    return saying.map(({ at }) =>
      finding(false, () => ofSettings.extra(assistant, name), [], [child(at, name)]),
    );
  }
  if (saying.length === 0) {
    // A saved assistant may have it where it is not to be seen.
    if (member.saved) return [];
    return [finding(false, () => ofSettings.missing(assistant, name), [wanted.at], [member.at])];
  }
  const text = canonicalText(wanted.value);
  return saying
    .filter(({ value }) => canonicalText(value[name]!) !== text)
    .map(({ at }) =>
      finding(false, () => ofSettings.other(assistant, name), [wanted.at], [child(at, name)]),
    );
}

const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };

/** An override changes parts of a model; prompt and tools are not among its settings. */
function checkModel(comparison: Comparison, member: Member, node: WorkflowNode | null): Finding[] {
  const { options, nameOf } = comparison;
  const own = effective(comparison, node, 'model');
  const base = options.model ?? objectOf(own?.value ?? defaultModel);
  const wanted = { ...base, ...objectOf(options.memberOverrides['model']) };
  const saying = member.layers.filter(({ value }) => isJsonObject(value['model']));
  if (member.saved && saying.length === 0) return [];
  const given = saying.map(({ value }) => objectOf(value['model']));
  const { messages: _, tools: __, ...model }: JsonObject = Object.assign({}, ...given);
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(model)])];
  const different = keys.filter((key) => !isSame(wanted, model, key));
  // What a saved assistant has of a model is not to be seen.
  const seen = different.filter((key) => !member.saved || Object.hasOwn(model, key));
  return seen.map((key) => {
    const layer = lastWith(
      saying.map(({ value, at }) => ({ value: objectOf(value['model']), at: `${at}/model` })),
      key,
    );
    const place = layer === undefined ? (saying.at(-1)?.at ?? member.at) : child(layer.at, key);
    const source = own === null ? (node?.at ?? '') : own.at;
    return finding(
      false,
      () => ofSettings.otherModel(nameOf(member.index), key),
      [source],
      [place],
    );
  });
}

function isSame(one: JsonObject, other: JsonObject, key: string): boolean {
  if (!Object.hasOwn(one, key) || !Object.hasOwn(other, key)) return false;
  return canonicalText(one[key]!) === canonicalText(other[key]!);
}
