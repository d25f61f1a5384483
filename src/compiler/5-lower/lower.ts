/**
 * The planned squad → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the planned squad and the decisions. Out: the squad before it is written. Invariants: see
 * SquadIr; every text of a node stands word for word in the assistant that owns the node.
 *
 * Models, voices and transcribers: the option, else a node's own, else the workflow's, else the
 * default. Settings that all assistants share go into the overrides of the squad. A node that is
 * already an assistant keeps its other settings. Those of a saved one are unknown, so the
 * workflow's settings do not apply to it.
 */
import { asObject, type Json } from '../../text/json.js';
import type { Decision } from '../ir/inquiry.js';
import { joinLines } from '../ir/prompt.js';
import {
  fromOption,
  fromSource,
  synthesized,
  type Traced,
  traced,
  withPart,
} from '../ir/provenance.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { canBeArgument } from '../ir/variables.js';
import {
  defaultModel,
  type NamedSetting,
  type Settings,
  settingNames,
  settingOfAll,
  type WorkflowNode,
} from '../ir/workflow.js';
import { targets } from '../targets.js';
import type { Planned } from './members.js';
import { listEntering, promptOf } from './prompt.js';
import type { Squad } from './supply.js';
import { toolsOf } from './tools.js';

export function lower(squad: Squad, decisions: readonly Decision[]): SquadIr {
  const { options, members } = squad;
  const { name, nameAt } = squad.graph.workflow;
  const { shared, own, models } = lowerSettings(squad, decisions);
  // The platform makes no handoff without its arguments, so these cannot be missing.
  const required = new Set(
    decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
      const isRequired = question.kind === 'critical-variable' && choice === 'argument';
      return isRequired && subject.of === 'variable' ? subject.name : [];
    }),
  );
  const isArgument = (variable: string) =>
    options.pass === 'arguments' ? canBeArgument(variable) : required.has(variable);
  const entering = listEntering(members);
  const { handoffTools, context } = options;
  const assistants = members.map((member, at): AssistantIr => {
    const { region, name, savedAs, version, opening } = member;
    const model = models[at]!;
    const isOpenai = model.value['provider'] === 'openai';
    const isSeparate = handoffTools === 'auto' ? isOpenai : handoffTools === 'separate';
    const lines = opening.flatMap(({ firstMessage }) => firstMessage ?? []);
    const called = toolsOf(squad, member, { isArgument, isSeparate });
    return {
      index: region.index,
      name,
      savedAs,
      version,
      firstMessage: lines.length === 0 ? null : joinLines(lines),
      prompt: savedAs === null ? promptOf(squad, member, entering, called) : [],
      model,
      // An assistant that speaks first without a line would say nothing.
      settings: own[at]!.filter(({ key, value: { value } }) => {
        const speaksFirst = key === 'firstMessageMode' && value === 'assistant-speaks-first';
        return lines.length > 0 || !speaksFirst;
      }),
      ...called,
    };
  });
  const origin = context.type === 'all' ? synthesized('default-context') : fromOption('context');
  return {
    name: name === null ? null : traced(name, fromSource(nameAt)),
    assistants,
    shared,
    context: traced({ ...context }, origin),
  };
}

type Value = Traced<Json> | undefined;

/** The settings that all assistants share, and for each assistant its own ones and its model. */
function lowerSettings(squad: Planned, decisions: readonly Decision[]) {
  const { workflow } = squad.graph;
  const { memberOverrides, model } = squad.options;
  // The settings of an assistant are those of its first talk node unless an answer chose another, by
  // its id. A question about fewer nodes comes later, after a split, and its answer counts.
  const chosen = new Map(
    decisions.flatMap(({ inquiry: { question, subject }, choice, value }) => {
      if (question.kind !== 'conflicting-settings' || subject.of !== 'nodes') return [];
      return [[subject.nodes[0]!, choice === 'use' ? value : null] as const];
    }),
  );
  const talking = squad.members.map(({ nodes }) => nodes.filter(({ role }) => role === 'talk'));
  const deciding = talking.map((nodes) => {
    const [id] = nodes.flatMap(({ index }) => chosen.get(index) ?? []);
    return nodes.find((node) => node.id === id) ?? nodes[0] ?? null;
  });
  const origin = fromOption('memberOverrides');
  const shared = Object.entries(memberOverrides).map(([key, value]): NamedSetting => {
    return { key, value: traced(value, origin) };
  });
  const isGiven = (key: string) => Object.hasOwn(memberOverrides, key);
  const own = deciding.map((node) =>
    (node?.assistant?.settings ?? []).filter(({ key }) => !isGiven(key)),
  );
  const spread = (key: string, values: readonly Value[]): void => {
    if (isGiven(key)) return;
    const [first] = values;
    const isEqual = (it: Value) => JSON.stringify(it?.value) === JSON.stringify(first?.value);
    if (first !== undefined && values.every(isEqual)) shared.push({ key, value: first });
    else for (const [at, value] of values.entries()) if (value) own[at]!.push({ key, value });
  };
  const listWanted = <Name extends keyof Settings>(name: Name) =>
    deciding.map((node, at): Settings[Name] | undefined => {
      if (isSaved(node)) return node!.settings[name];
      return settingOfAll(node === null ? [] : [node, ...talking[at]!], workflow, name);
    });
  for (const name of settingNames) if (name !== 'model') spread(name, listWanted(name));
  for (const { key, value } of workflow.shared) {
    const isOther = (at: number) => isSaved(deciding[at]!) || own[at]!.some((it) => it.key === key);
    const values = own.map((_, at) => (isOther(at) ? undefined : value));
    spread(key, values);
  }
  const models = listWanted('model').map((wanted, at) => {
    const value = model === null ? (wanted ?? defaultModel) : traced(model, fromOption('model'));
    if (wanted !== undefined && isSaved(deciding[at]!)) own[at]!.push({ key: 'model', value });
    return value;
  });
  addFullHistory(shared, own, squad);
  for (const settings of [shared, ...own]) settings.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { shared, own, models };
}

function isSaved(node: WorkflowNode | null): boolean {
  return (node?.assistant?.savedAs ?? null) !== null;
}

const flag = 'fullMessageHistoryEnabled';

/**
 * The platform analyses only the last assistant's part of a call unless a setting says otherwise.
 * The source's own word and a plan of a single assistant stay as they are. The plan of a saved
 * assistant is unknown.
 */
function addFullHistory(
  shared: NamedSetting[],
  own: readonly (readonly NamedSetting[])[],
  { members, options: { context, target } }: Planned,
): void {
  const all = [...shared, ...own.flat()];
  const plans = all.filter(({ key }) => key === 'artifactPlan');
  const at = shared.findIndex(({ key }) => key === 'artifactPlan');
  const plan = shared[at];
  const value = asObject(plan?.value.value);
  const isAnalysed =
    all.some(({ key }) => key === 'analysisPlan') ||
    Object.keys(value).some((key) => /^(?:structuredOutput|scorecard)/.test(key));
  const isNeeded = own.length > 1 && (isAnalysed || context.type !== 'all');
  const isKnown = plans.every((it) => it === plan) && !Object.hasOwn(value, flag);
  const isFree = isKnown && members.every(({ savedAs }) => savedAs === null);
  if (!targets[target].isOfPlatform || !isNeeded || !isFree) return;
  const origin = synthesized('full-history');
  const sorted = Object.entries({ ...value, [flag]: true }).sort(([a], [b]) => (a < b ? -1 : 1));
  const added = plan ? withPart(plan.value.origin, flag, origin) : origin;
  const full = { key: 'artifactPlan', value: traced(Object.fromEntries(sorted), added) };
  shared.splice(plan ? at : shared.length, plan ? 1 : 0, full);
}
