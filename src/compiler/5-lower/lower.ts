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
  fromAnswer,
  fromOption,
  fromSource,
  type Origin,
  synthesized,
  type Traced,
  traced,
} from '../ir/provenance.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import {
  type Field,
  fieldsOf,
  fieldsWith,
  fixed,
  itemsOf,
  objectOf,
  partOf,
  sorted,
  withFields,
} from '../ir/template.js';
import { propertyField } from '../ir/tool.js';
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
import { promptOf } from './prompt.js';
import { propertyOf, type Squad } from './supply.js';
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
      prompt: savedAs === null ? promptOf(squad, member, called) : [],
      model,
      // An assistant that speaks first without a line would say nothing.
      settings: own[at]!.filter(([key, value]) => {
        const isMode = key === 'firstMessageMode' && 'value' in value;
        return lines.length > 0 || !isMode || value.value !== 'assistant-speaks-first';
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
function lowerSettings(squad: Squad, decisions: readonly Decision[]) {
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
  for (const settings of [shared, ...own]) settings.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { ...writeSettings(squad, shared, own, decisions), models };
}

function isSaved(node: WorkflowNode | null): boolean {
  return (node?.assistant?.savedAs ?? null) !== null;
}

/**
 * The settings with what the platform makes of a call when it is over. It analyses only the last
 * assistant's part of a call unless a setting says otherwise. Settings of the squad would replace the
 * plan that a member has of its own: then each gets one, except for a saved assistant, whose plan is
 * not known here.
 */
function writeSettings(
  { members, variables, options: { context, target } }: Squad,
  shared: readonly NamedSetting[],
  own: readonly (readonly NamedSetting[])[],
  decisions: readonly Decision[],
) {
  const reported = decisions.find(({ choice }) => choice === 'structured-output')?.inquiry.question;
  const planOf = (settings: readonly NamedSetting[]) =>
    settings.find(({ key }) => key === 'artifactPlan')?.value ?? null;
  const outputs = Object.keys(asObject(planOf(shared)?.value));
  const keys = [...[...shared, ...own.flat()].map(({ key }) => key), ...outputs];
  const isAnalysed = keys.some((key) => /^(?:analysisPlan|structuredOutput|scorecard)/.test(key));
  const isPartial = own.length > 1 && (isAnalysed || context.type !== 'all');
  const isOwn = own.some(planOf) || members.some(({ savedAs }) => savedAs !== null);
  const isFull = targets[target].isOfPlatform && isPartial && !isOwn;
  const isShared = planOf(shared) !== null || !isOwn;
  const holders = isShared ? [shared] : own.filter((_, at) => members[at]!.savedAs === null);
  const captured = [...variables.values()].flatMap((variable) => {
    const property = propertyOf({ variable, captures: variable.captures });
    return property === null ? [] : [propertyField(property)];
  });
  const write = (settings: readonly NamedSetting[]): readonly Field[] => {
    const fields = settings.map(({ key, value }): Field => [key, value]);
    if (!holders.includes(settings) || !(isFull || reported)) return fields;
    const plan = objectOf(planOf(settings) ?? fixed({}));
    const others = itemsOf(partOf(plan, 'structuredOutputs'));
    const added = reported && outputOf(captured, fromAnswer(reported.id), others);
    const items = added ? [...others, added] : null;
    const history = traced(true, synthesized('full-history'));
    const whole = withFields(fieldsWith({ fullMessageHistoryEnabled: history }), fieldsOf(plan));
    const full = withFields(whole, fieldsWith({ structuredOutputs: items && { items } }).fields);
    const artifactPlan = { fields: sorted(full.fields) };
    return sorted(withFields({ fields }, [['artifactPlan', artifactPlan]]).fields);
  };
  return { shared: write(shared), own: own.map(write) };
}

/** What the platform extracts from a call that is over. */
function outputOf(fields: readonly Field[], origin: Origin, others: readonly Traced<Json>[]) {
  let name = 'captured_values';
  while (others.some(({ value }) => asObject(value)['name'] === name)) name += '_2';
  const schema = fieldsWith({ type: fixed('object'), properties: { fields } });
  return fieldsWith({ name: traced(name, origin), type: traced('ai', origin), schema });
}
