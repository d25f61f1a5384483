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
import { listCarried, listSayable, wantCarried } from './carried-settings.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { idOf } from './ready-assistants.js';
import { type Layer, lastWith, type Member, objectOf } from './squad-reading.js';
import { chooseDeciding } from './tools/deciding-nodes.js';
import { isEqualJson } from './tools/equal-json.js';
import { checkOpening } from './tools/opening.js';

/** The faults; nothing where all is as it is to be. `decisions` are those about the grouping. */
export function findSettingFaults(
  comparison: Comparison,
  decisions: readonly Decision[],
): Finding[] {
  const { squad, options, graph } = comparison;
  const deciding = chooseDeciding(comparison, decisions);
  const shared = graph.workflow.shared.map(({ key }) => key);
  const carried = listCarried(graph);
  const asked = new Set([...Object.keys(options.memberOverrides), ...settingNames, ...shared]);
  const read = new Set([...asked, ...readAsTheAssistants]);
  return [
    ...(squad.overrides === null ? [] : findUnasked(squad.overrides, asked)),
    ...findSharedPrompts(comparison),
    ...squad.members.flatMap((member) => {
      const node = deciding.of(member.index);
      return [
        ...checkMember(comparison, member, node, carried),
        ...(member.saved && !member.unseen
          ? findUnsayable(overridesOf(member), listSayable(node, asked))
          : findUnasked(overridesOf(member), read)),
        ...(squad.wrapped ? [] : checkOpening(comparison, member, node)),
      ];
    }),
  ];
}

/** What a member's overrides may say beside settings: the other checks read it. */
const readAsTheAssistants = ['name', 'firstMessage', 'firstMessageMode', 'tools:append'];

const nothing: Layer = { value: {}, at: '' };

function overridesOf({ at, layers }: Member): Layer {
  if (layers.length === 0) return nothing;
  const last = layers[layers.length - 1]!;
  return last.at === `${at}/assistantOverrides` ? last : nothing;
}

function findUnasked({ value, at }: Layer, asked: ReadonlySet<string>): Finding[] {
  return Object.keys(value)
    .filter((key) => !asked.has(key))
    .map((key) => finding(false, () => ofSettings.unasked(key), [], [child(at, key)]));
}

/** A saved assistant that the source names keeps its prompt and its tools. */
function findUnsayable(overrides: Layer, sayable: ReadonlySet<string>): Finding[] {
  return [...findUnasked(overrides, sayable), ...findUnasked(promptsOf(overrides), new Set())];
}

/** Prompt and tools that the squad's overrides put in the place of every assistant's own. */
function findSharedPrompts({ squad: { overrides }, options }: Comparison): Finding[] {
  if (overrides === null) return [];
  const asked = new Set(Object.keys(objectOf(options.memberOverrides['model'])));
  return findUnasked(promptsOf(overrides), asked);
}

function promptsOf({ value, at }: Layer): Layer {
  const { messages, tools, toolIds } = objectOf(value['model']);
  return {
    value: {
      ...(messages === undefined ? {} : { messages }),
      ...(tools === undefined ? {} : { tools }),
      ...(toolIds === undefined ? {} : { toolIds }),
    },
    at: `${at}/model`,
  };
}

/** All that says something about the settings of an assistant; the later has the last word. */
function layersOf({ squad }: Comparison, { layers }: Member): readonly Layer[] {
  return squad.overrides === null ? layers : [...layers, squad.overrides];
}

/** A value that an assistant is to have, and where the source has it. */
interface Wanted {
  readonly value: Json;
  readonly at: JsonPointer;
}

function checkMember(
  comparison: Comparison,
  member: Member,
  node: WorkflowNode | null,
  carried: readonly string[],
): Finding[] {
  const { memberOverrides } = comparison.options;
  const options = Object.keys(memberOverrides).filter((name) => name !== 'model');
  const own = (['voice', 'transcriber'] as const).filter(
    (name) => !Object.hasOwn(memberOverrides, name),
  );
  return [
    ...checkModel(comparison, member, node),
    ...options.flatMap((name) => {
      const wanted = { value: memberOverrides[name]!, at: node?.at ?? '' };
      const last = layersSaying(comparison, member, name).slice(-1);
      return checkSetting(comparison, member, name, wanted, last);
    }),
    ...carried.flatMap((key) => {
      if (Object.hasOwn(memberOverrides, key)) return [];
      const wanted = wantCarried(comparison.graph, node, key);
      const all = layersSaying(comparison, member, key);
      // How an assistant opens that does not say so itself is looked at with its line.
      if (wanted === null && key === 'firstMessageMode') return [];
      return checkSetting(comparison, member, key, wanted, wanted === null ? all : all.slice(-1));
    }),
    // Which of two that differ counts depends on who reads them, so all say the same.
    ...own.flatMap((name) => {
      const wanted = effective(comparison, node, name);
      const all = layersSaying(comparison, member, name);
      return checkSetting(comparison, member, name, wanted, all);
    }),
  ];
}

function layersSaying(comparison: Comparison, member: Member, name: string): readonly Layer[] {
  return layersOf(comparison, member).filter(({ value }) => Object.hasOwn(value, name));
}

function effective(
  { graph }: Comparison,
  node: WorkflowNode | null,
  name: SettingName,
): Wanted | null {
  const isSaved = node !== null && idOf(node) !== null;
  const setting = node?.settings[name] ?? (isSaved ? undefined : graph.workflow.settings[name]);
  if (setting === undefined) return null;
  const { value, origin } = setting;
  return { value, at: origin.kind === 'source' ? origin.at : (node?.at ?? '') };
}

/** What is said about the setting is what is wanted, and somebody says it. */
function checkSetting(
  { nameOf }: Comparison,
  member: Member,
  name: string,
  wanted: Wanted | null,
  saying: readonly Layer[],
): Finding[] {
  const assistant = nameOf(member.index);
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
  return saying
    .filter(({ value }) => !isEqualJson(value[name]!, wanted.value))
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
  const layers = layersOf(comparison, member);
  const saying = layers.filter(({ value }) => isJsonObject(value['model']));
  if (member.saved && saying.length === 0) return [];
  const given = saying.map(({ value }) => objectOf(value['model']));
  const {
    messages: _,
    tools: __,
    toolIds: ___,
    ...model
  }: JsonObject = Object.assign({}, ...given);
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
  return isEqualJson(one[key]!, other[key]!);
}
