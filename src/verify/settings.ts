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
import type { Json } from '../compiler/ir/json.js';
import { type SettingName, settingNames, type WorkflowNode } from '../compiler/ir/workflow.js';
import { ofSettings } from '../diagnostics/checklist.js';
import { listCarried, listSayable, wantCarried } from './carried-settings.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { createModelCheck } from './model-settings.js';
import { findSharedPrompts, findUnasked, findUnsayable } from './overrides.js';
import { idOf } from './ready-assistants.js';
import { type Layer, lastWith, type Member } from './squad-reading.js';
import { chooseDeciding } from './tools/deciding-nodes.js';
import { isEqualJson } from './tools/equal-json.js';
import { checkOpening } from './tools/opening.js';

/** The faults; nothing where all is as it is to be. `decisions` are those about the grouping. */
export function findSettingFaults(
  comparison: Comparison,
  decisions: readonly Decision[],
): Finding[] {
  const { squad } = comparison;
  const deciding = chooseDeciding(comparison, decisions);
  const { asked, read } = listAsked(comparison);
  const faults: Finding[] = [];
  if (squad.overrides !== null) findUnasked(squad.overrides, asked, faults);
  findSharedPrompts(comparison, faults);
  const check = createCheck(comparison, faults);
  for (const member of squad.members) {
    const node = deciding.of(member.index);
    check(member, node);
    const { overrides, saved, unseen } = member;
    if (overrides !== null && saved && !unseen) {
      findUnsayable(overrides, listSayable(node, asked), faults);
    } else if (overrides !== null) findUnasked(overrides, read, faults);
    if (!squad.wrapped) checkOpening(comparison, member, node, faults);
  }
  return faults;
}

/** What overrides may say: those of the squad, and those of a member. */
function listAsked({ squad, options, graph }: Comparison) {
  const isAnySaid = squad.overrides !== null || squad.members.some(isOverridden);
  if (!isAnySaid) return { asked: nothing, read: nothing };
  const shared = graph.workflow.shared.map(({ key }) => key);
  const asked = new Set([...Object.keys(options.memberOverrides), ...settingNames, ...shared]);
  return { asked, read: new Set([...asked, ...readAsTheAssistants]) };
}

/** Nobody looks into it. */
const nothing: ReadonlySet<string> = new Set();

function isOverridden({ overrides }: Member): boolean {
  return overrides !== null;
}

/** What a member's overrides may say beside settings: the other checks read it. */
const readAsTheAssistants = ['name', 'firstMessage', 'firstMessageMode', 'tools:append'];

/** Checks one member after the other; what is the same for all of them is listed once. */
function createCheck(
  comparison: Comparison,
  faults: Finding[],
): (member: Member, node: WorkflowNode | null) => void {
  const { graph, options, squad } = comparison;
  const { memberOverrides } = options;
  const isGiven = (name: string) => Object.hasOwn(memberOverrides, name);
  const checkModel = createModelCheck(comparison, faults);
  const given = Object.keys(memberOverrides).filter((name) => name !== 'model');
  const carried = listCarried(graph).filter((key) => !isGiven(key));
  const own = (['voice', 'transcriber'] as const).filter((name) => !isGiven(name));
  const saying = (member: Member, name: string) => layersSaying(squad.overrides, member, name);
  const check = (member: Member, name: string, wanted: Wanted | null, said: readonly Layer[]) => {
    if (isAsWanted(name, wanted, said)) return;
    findSettingFault(comparison, member, name, wanted, said, faults);
  };
  return (member, node) => {
    checkModel(member, node);
    for (const name of given) {
      const wanted = { value: memberOverrides[name]!, at: node?.at ?? '' };
      const last = saying(member, name).slice(-1);
      check(member, name, wanted, last);
    }
    for (const key of carried) {
      const wanted = wantCarried(graph, node, key);
      // How an assistant opens that does not say so itself is looked at with its line.
      if (wanted === null && key === 'firstMessageMode') continue;
      const all = saying(member, key);
      const counting = wanted === null ? all : all.slice(-1);
      check(member, key, wanted, counting);
    }
    // Which of two that differ counts depends on who reads them, so all say the same.
    for (const name of own) {
      const wanted = wantOwn(comparison, node, name);
      check(member, name, wanted, saying(member, name));
    }
  };
}

/** All that says something about the setting; the later has the last word. */
function layersSaying(overrides: Layer | null, { layers }: Member, name: string): readonly Layer[] {
  const isSaid = overrides !== null && Object.hasOwn(overrides.value, name);
  // Most say nothing, and what is said for all is not said again.
  if (lastWith(layers, name) === undefined) return isSaid ? [overrides] : nobody;
  const saying = layersWith(layers, name);
  return isSaid ? [...saying, overrides] : saying;
}

function layersWith(layers: readonly Layer[], name: string): readonly Layer[] {
  return layers.filter(({ value }) => Object.hasOwn(value, name));
}

const nobody: readonly Layer[] = [];

/** A value that an assistant is to have, and where the source has it. */
interface Wanted {
  readonly value: Json;
  readonly at: JsonPointer;
}

function wantOwn(
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

/** Whether what is wanted of the setting is said, once: most that is right is. */
function isAsWanted(name: string, wanted: Wanted | null, saying: readonly Layer[]): boolean {
  if (wanted === null) return saying.length === 0;
  return saying.length === 1 && isSame(saying[0]!, name, wanted);
}

function isSame({ value }: Layer, name: string, wanted: Wanted): boolean {
  return isEqualJson(value[name]!, wanted.value);
}

/** What is wrong with what is said about the setting; nothing where it is the same several times. */
function findSettingFault(
  { nameOf }: Comparison,
  member: Member,
  name: string,
  wanted: Wanted | null,
  saying: readonly Layer[],
  faults: Finding[],
): void {
  const fault = (text: (assistant: string) => string, source: string[], at: JsonPointer): void => {
    faults.push(finding(false, () => text(nameOf(member.index)), source, [at]));
  };
  if (wanted === null) {
    for (const { at } of saying) fault((it) => ofSettings.extra(it, name), [], child(at, name));
    return;
  }
  // A saved assistant may have it where it is not to be seen.
  if (saying.length === 0 && !member.saved) {
    fault((it) => ofSettings.missing(it, name), [wanted.at], member.at);
  }
  for (const layer of saying) {
    if (isSame(layer, name, wanted)) continue;
    fault((it) => ofSettings.other(it, name), [wanted.at], child(layer.at, name));
  }
}
