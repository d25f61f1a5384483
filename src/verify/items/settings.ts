/**
 * Checks that every assistant has exactly the expected settings.
 *
 * Precedence: option, node, workflow, default. The deciding node is the assistant's first talk
 * node, unless an answer to `conflicting-settings` names another. Everything that sets something
 * must set the expected value: the assistant's own fields, its member's overrides, the squad's. A
 * setting that no expectation explains is judged by its effect (effects.ts); one that squadc does not
 * know is reported with the schema.
 */
import { type Layer, lastWith, type Member, type Tool } from '../../call/squad.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Traced } from '../../compiler/ir/provenance.js';
import { fixed } from '../../compiler/ir/template.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { settingNames, settingOfAll, writtenByCompiler } from '../../compiler/ir/workflow.js';
import { ofSettings } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, type Json, type JsonObject } from '../../text/json.js';
import { elements, isSame } from '../../text/parts.js';
import { child, type JsonPointer, pointer } from '../../text/pointer.js';
import type { Comparison } from '../comparison.js';
import { propertyOf } from '../expected/requests.js';
import type { SourceGraph } from '../expected/source.js';
import { doubt, type Finding, fault } from '../finding.js';
import { effectOf } from '../foreign/effects.js';

/** Fields of an assistant or of a member's overrides that other checks read. */
const checkedElsewhere: ReadonlySet<string> = new Set([
  ...['name', 'firstMessage', 'firstMessageMode', 'tools:append'],
  ...writtenByCompiler.map((key) => `model/${key}`),
]);
const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };
const speaksFirst = 'assistant-speaks-first';
const generatesFirst = 'assistant-speaks-first-with-model-generated-message';

/** A member, and the layers that set something for it, the last taking precedence. */
interface Subject extends Pick<Comparison, 'squad' | 'options'> {
  readonly member: Member;
  readonly layers: readonly Layer[];
  readonly expected: ReadonlyMap<string, Expected>;
  /** The places of settings that squadc does not know. */
  readonly unknown: ReadonlySet<JsonPointer>;
}

/** The expected value of a setting. Settings of the model have a path, `model/temperature`. */
interface Expected {
  readonly value: Json;
  readonly at: JsonPointer;
  /** Whether only the last layer counts, and not those beneath it. */
  readonly isLast: boolean;
}

/** The faults; a fault in the squad's overrides concerns every assistant and is reported once. */
export function checkSettings(comparison: Comparison): Finding[] {
  const { squad, options, faults: found } = comparison;
  const deciding = chooseDeciding(comparison);
  const strangers = found.settings.filter((it) => it.fault.keyword.endsWith('Properties'));
  const unknown = new Set(strangers.map(({ at }) => at));
  const isWhole = needsFullHistory(comparison);
  const faults = squad.members.flatMap((member) => {
    const layers = squad.overrides === null ? member.layers : [...member.layers, squad.overrides];
    const expected = listExpected(comparison, deciding[member.index]!, isWhole);
    const subject: Subject = { squad, options, member, layers, expected, unknown };
    const { value, at, called, saved } = member;
    const key = 'assistantVersion';
    const isOdd = !saved && Object.hasOwn(value, key);
    return [
      ...checkLayers(subject),
      ...checkOpening(subject),
      ...checkMessages(member),
      ...(isOdd ? [fault(ofSettings.extra(called, key), [], [child(at, key)])] : []),
    ];
  });
  // What the squad sets for all its members is one fault.
  const byPlace = groupBy(faults, ({ output, source }) => `${output[0]} ${source[0]}`);
  return Array.from(byPlace.values(), ([first]) => first!);
}

/** The expected settings of the assistant with these talk nodes, the deciding one first. */
function listExpected(
  { graph, options, isReported }: Comparison,
  nodes: readonly ir.WorkflowNode[],
  isWhole: boolean,
) {
  const { workflow } = graph;
  const { assistant = null, settings: own = {}, at = '' } = nodes[0] ?? {};
  const expected = new Map<string, Expected>();
  const put = (key: string, setting: Traced<Json> | undefined, isLast = false): void => {
    if (setting === undefined) return;
    const { value, origin } = setting;
    expected.set(key, { value, at: origin.kind === 'source' ? origin.at : at, isLast });
  };
  // The settings of a saved assistant are unknown, so the workflow's do not apply to it.
  const isSaved = assistant?.savedAs != null;
  for (const { key, value } of isSaved ? [] : workflow.shared) put(key, value);
  for (const { key, value } of assistant?.settings ?? []) {
    // Speaking first is the default.
    if (key !== 'firstMessageMode' || value.value !== speaksFirst) put(key, value);
  }
  const settingBy = (name: ir.SettingName) =>
    isSaved ? own[name] : settingOfAll(nodes, workflow, name);
  for (const name of settingNames) if (name !== 'model') put(name, settingBy(name));
  const wanted = settingBy('model') ?? (isSaved ? null : fixed(defaultModel));
  if (wanted !== null) {
    const { origin } = wanted;
    const value = asObject(options.model ?? wanted.value);
    for (const key of Object.keys(value)) put(`model/${key}`, { value: value[key]!, origin }, true);
  }
  for (const { path, value } of listSettings({ value: options.memberOverrides, at })) {
    expected.set(path, { value, at, isLast: true });
  }
  const isGiven = Object.hasOwn(options.memberOverrides, 'artifactPlan');
  const isExtended = isReported && (isGiven || !isSaved);
  if (isWhole || isExtended) {
    const plan = asObject(expected.get('artifactPlan')?.value);
    const others = elements(plan['structuredOutputs']);
    const added = isExtended && { structuredOutputs: [...others, outputOf(graph, others)] };
    const value = { [history]: true, ...plan, ...added };
    expected.set('artifactPlan', { value, at, isLast: true });
  }
  return expected;
}

const history = 'fullMessageHistoryEnabled';

/** The output that reports all captures after the call. */
function outputOf({ order, nodeAt }: SourceGraph, others: readonly Json[]): Json {
  const captures = order.flatMap((node) => nodeAt(node).captures.filter(({ alias }) => !alias));
  const byName = groupBy(captures, ({ name }) => name);
  const fields = Array.from(byName, ([it, all]) => [it, { description: it, ...propertyOf(all) }]);
  const schema = { type: 'object', properties: Object.fromEntries(fields) };
  let name = 'captured_values';
  while (others.some((it) => asObject(it)['name'] === name)) name += '_2';
  return { name, type: 'ai', schema };
}

/** Whether what the platform makes of a call when it is over would miss all but the last assistant. */
function needsFullHistory({ graph, options, squad }: Comparison): boolean {
  const { nodes, shared } = graph.workflow;
  const own = nodes.flatMap(({ assistant }) => assistant?.settings ?? []);
  const given = [...shared, ...own].map(({ key, value }): [string, Json] => [key, value.value]);
  const all: JsonObject = { ...Object.fromEntries(given), ...options.memberOverrides };
  const { analysisPlan, artifactPlan } = all;
  const outputs = Object.keys(asObject(artifactPlan)).join(' ');
  const isMade = analysisPlan !== undefined || /structuredOutput|scorecard/.test(outputs);
  const isShared = squad.shape.isOfPlatform && squad.members.every(({ saved }) => !saved);
  const isOwn = own.some(({ key }) => key === 'artifactPlan');
  const isLost = squad.members.length > 1 && (isMade || options.context.type !== 'all');
  return isLost && isShared && !isOwn;
}

/** The settings of a layer, those of its model by path. */
function listSettings(layer: Layer) {
  const { model, ...others } = layer.value;
  const row = (value: Json, ...keys: readonly string[]) => {
    const place = pointer(...keys);
    return { path: place.slice(1), value, at: `${layer.at}${place}`, layer };
  };
  return [
    ...Object.entries(others).map(([key, value]) => row(value, key)),
    ...Object.entries(asObject(model)).map(([key, value]) => row(value, 'model', key)),
  ];
}

function checkLayers(subject: Subject): Finding[] {
  const { member, expected, layers } = subject;
  const { called, saved, at } = member;
  const byPath = groupBy(layers.flatMap(listSettings), ({ path }) => path);
  return [...new Set([...expected.keys(), ...byPath.keys()])].flatMap((path): Finding[] => {
    const setters = byPath.get(path) ?? [];
    const wanted = expected.get(path);
    if (wanted === undefined) return setters.flatMap((it) => judgeExtra(subject, it) ?? []);
    // A saved assistant may have it where it is not visible.
    const isMissing = setters.length === 0 && !saved;
    const counting = wanted.isLast ? setters.slice(-1) : setters;
    const others = counting.filter(({ value }) => !isSame(value, wanted.value));
    return [
      ...(isMissing ? [fault(ofSettings.missing(called, path), [wanted], [at])] : []),
      ...others.map((it) => fault(ofSettings.other(called, path), [wanted], [it])),
    ];
  });
}

/** What a setting does that is not expected; null if nothing. */
function judgeExtra({ squad, member, unknown }: Subject, it: ReturnType<typeof listSettings>[0]) {
  const { called, saved, unseen, overrides } = member;
  const { path, value, at, layer } = it;
  const extra = fault(ofSettings.extra(called, path), [], [at]);
  if (unknown.has(at)) return null;
  if (checkedElsewhere.has(path)) {
    // A saved assistant of the source keeps its line, its prompt and its model.
    const isKept = saved && !unseen && layer === overrides && /^firstMessage|^model/.test(path);
    return layer === squad.overrides || isKept ? extra : null;
  }
  // An added server answers the tools that have none of their own.
  const isOpen = ({ type, value: it }: Tool) => type === 'function' && it['server'] === undefined;
  const answered = path === 'server' ? member.tools.find(isOpen) : undefined;
  if (answered !== undefined) return fault(ofSettings.answers(called, answered.name), [], [at]);
  const effect = effectOf(path, value);
  if (effect === 'none' || effect === 'call') return effect === 'call' ? extra : null;
  return { ...doubt(ofSettings.extra(called, path), [], [at]), effect };
}

/**
 * An assistant with a line says it. On the platform an assistant without one makes one up, or the
 * call falls silent after a handoff.
 */
function checkOpening({ squad, options, member, layers, expected }: Subject): Finding[] {
  const { called, firstMessage, saved, at } = member;
  // An option, the workflow or an assistant of the source may request another opening.
  const asked = expected.get('firstMessageMode');
  const isAsked = asked !== undefined && (asked.isLast || asked.value !== speaksFirst);
  if (isAsked || Object.hasOwn(options.memberOverrides, 'firstMessage')) return [];
  const layer = lastWith(layers, 'firstMessageMode');
  const mode = layer?.value['firstMessageMode'] ?? speaksFirst;
  // What a saved assistant says is not visible.
  if (saved && (layer === undefined || firstMessage === null)) return [];
  if (mode === speaksFirst && (firstMessage || !squad.shape.needsOpening)) return [];
  if (mode === generatesFirst && !firstMessage) return [];
  const text = firstMessage ? ofSettings.losesLine(called) : ofSettings.fallsSilent(called);
  return [fault(text, [], [layer === undefined ? at : `${layer.at}/firstMessageMode`])];
}

/** A message of the model is a role and a text. */
function checkMessages({ called, layers }: Member): Finding[] {
  return layers.flatMap(({ value, at }) =>
    elements(asObject(value['model'])['messages']).flatMap((message, index) =>
      Object.keys(asObject(message)).flatMap((key) => {
        if (key === 'role' || key === 'content') return [];
        const place = child(`${at}/model/messages/${index}`, key);
        return [fault(ofSettings.extra(called, `model/messages/${key}`), [], [place])];
      }),
    ),
  );
}

/** By member, its talk nodes; first the one whose settings it takes: the first, or as answered. */
function chooseDeciding({ graph, owners, decisions, nodesOf }: Comparison) {
  const standing = (index: NodeIndex) => graph.nodeAt(owners.standsFor(index));
  const keyOf = (nodes: readonly ir.WorkflowNode[]) =>
    [...new Set(nodes.map(({ index }) => index))].sort((one, other) => one - other).join(' ');
  const answers = new Map<string, ir.WorkflowNode | undefined>();
  for (const { inquiry, choice, value } of decisions) {
    const { question, subject } = inquiry;
    if (question.kind !== 'conflicting-settings' || subject.of !== 'nodes') continue;
    const nodes = subject.nodes.map(standing);
    answers.set(keyOf(nodes), choice === 'use' ? nodes.find(({ id }) => id === value) : nodes[0]);
  }
  return nodesOf.map((own) => {
    const nodes = own.map(graph.nodeAt).filter(({ role }) => role === 'talk');
    return [answers.get(keyOf(nodes)) ?? [], nodes].flat();
  });
}
