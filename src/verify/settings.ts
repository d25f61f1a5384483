/**
 * Whether every assistant has the settings that it is to have, and no others.
 *
 * Precedence: option, node, workflow, default. The node that counts is the assistant's first talk
 * node, unless an answer to `conflicting-settings` names another. Whatever says something about an
 * assistant has to say the expected: its own fields, its member's overrides, the squad's. Anything
 * that no expectation explains is a difference, unless it stands in the table of settings that cannot
 * change a call.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import type { Json, JsonObject } from '../compiler/ir/json.js';
import type { Traced } from '../compiler/ir/provenance.js';
import { fixed, writeTemplate } from '../compiler/ir/template.js';
import { describeHandoff } from '../compiler/ir/wording.js';
import { settingNames, type WorkflowNode, writtenByCompiler } from '../compiler/ir/workflow.js';
import { ofSettings } from '../diagnostics/checklist.js';
import { type Comparison, type Finding, fault } from './comparison.js';
import { canonical, elements, isSame, objectOf, textOf } from './json.js';
import { type Layer, lastWith, type Member, type Squad } from './squad.js';

/** Settings of the platform that a caller cannot hear, and that leave the call as it is. */
const harmless: ReadonlySet<string> = new Set([
  ...['analysisPlan', 'artifactPlan', 'clientMessages', 'compliancePlan', 'credentialIds'],
  ...['credentials', 'metadata', 'modelOutputInMessagesEnabled', 'monitorPlan', 'server'],
  ...['observabilityPlan', 'serverMessages', 'transportConfigurations'],
  ...['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
]);

/** Settings of the platform that shape a call. */
const shaping: ReadonlySet<string> = new Set<string>([
  ...['name', 'model', 'voice', 'transcriber', 'firstMessage', 'firstMessageMode', 'hooks'],
  ...['backgroundSound', 'backgroundDenoisingEnabled', 'backgroundSpeechDenoisingPlan'],
  ...['endCallFunctionEnabled', 'endCallMessage', 'endCallPhrases', 'keypadInputPlan'],
  ...['firstMessageInterruptionsEnabled', 'maxDurationSeconds', 'silenceTimeoutSeconds'],
  ...['startSpeakingPlan', 'stopSpeakingPlan', 'variableValues', 'voicemailDetection'],
  ...['voicemailMessage', 'tools:append'],
]);

/** What the other checks read of an assistant or a member's overrides. */
const readElsewhere: ReadonlySet<string> = new Set([
  ...['name', 'firstMessage', 'firstMessageMode', 'model', 'tools:append'],
]);
const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };
const speaks = 'assistant-speaks-first';
const finds = 'assistant-speaks-first-with-model-generated-message';

/** A member, the node whose settings it takes, and all that says something about it, the last word last. */
interface Subject {
  readonly comparison: Comparison;
  readonly member: Member;
  readonly node: WorkflowNode | null;
  readonly layers: readonly Layer[];
  readonly expected: ReadonlyMap<string, Expected>;
}

interface Expected {
  readonly value: Json;
  readonly at: JsonPointer;
  /** Whether an option says it for all: then what is said beneath does not count. */
  readonly isGiven: boolean;
}

/** The faults; an override of the squad is the same fault for every assistant, and told once. */
export function checkSettings(comparison: Comparison): Finding[] {
  const { squad, options } = comparison;
  const { memberOverrides } = options;
  const deciding = chooseDeciding(comparison);
  const faults: Finding[] = [];
  for (const member of squad.members) {
    const node = deciding[member.index] ?? null;
    const layers = squad.overrides === null ? member.layers : [...member.layers, squad.overrides];
    const expected = listExpected(comparison, node);
    const subject: Subject = { comparison, member, node, layers, expected };
    checkModel(subject, faults);
    checkLayers(subject, faults);
    if (member.saved && !member.unseen && member.overrides !== null) {
      // A saved assistant of the source keeps its line, its prompt and its model.
      const isOwn = (key: string) =>
        /^firstMessage/.test(key) || (key === 'model' && !node?.settings.model);
      faults.push(...findUnasked(member.overrides, isOwn, {}));
    }
    checkOpening(subject, faults);
    checkHandoffTools(member, faults);
  }
  if (squad.overrides !== null) {
    // Names and lines are each assistant's own; a prompt for all replaces theirs.
    const isOwn = (key: string) =>
      key !== 'model' && readElsewhere.has(key) && !Object.hasOwn(memberOverrides, key);
    faults.push(...findUnasked(squad.overrides, isOwn, objectOf(memberOverrides['model'])));
  }
  for (const { value, at } of squad.destinations) {
    const key = 'assistantOverrides';
    if (Object.hasOwn(value, key))
      faults.push(fault(ofSettings.unasked(key), [], [child(at, key)]));
  }
  const byPlace = new Map(faults.toReversed().map((it) => [it.output[0], it]));
  return [...byPlace.values()].reverse();
}

/** What is said that nobody asked for, a prompt and tools among it. */
function findUnasked(
  { value, at }: Layer,
  isUnasked: (key: string) => boolean,
  asked: JsonObject,
): Finding[] {
  const ofModel = Object.keys(objectOf(value['model'])).filter(
    (key) => writtenByCompiler.includes(key) && !Object.hasOwn(asked, key),
  );
  const say = (key: string, base: JsonPointer) =>
    fault(ofSettings.unasked(key), [], [child(base, key)]);
  const own = Object.keys(value).filter(isUnasked);
  return [...own.map((key) => say(key, at)), ...ofModel.map((key) => say(key, `${at}/model`))];
}

/** What the assistant of the node is to have, by key. */
function listExpected({ graph, options }: Comparison, node: WorkflowNode | null) {
  const { shared, settings } = graph.workflow;
  const { assistant = null, settings: own = {}, at = '' } = node ?? {};
  // A saved assistant has settings of its own that nobody sees, so those of all are not its.
  const isSaved = assistant?.savedAs != null;
  const expected = new Map<string, Expected>();
  for (const { key, value } of isSaved ? [] : shared) put(expected, key, value, at);
  for (const { key, value } of assistant?.settings ?? []) {
    // To say its line first is what an assistant does by itself.
    if (key !== 'firstMessageMode' || value.value !== speaks) put(expected, key, value, at);
  }
  const { voice, transcriber } = isSaved ? {} : settings;
  put(expected, 'voice', own.voice ?? voice, at);
  put(expected, 'transcriber', own.transcriber ?? transcriber, at);
  for (const key of Object.keys(options.memberOverrides)) {
    const value = options.memberOverrides[key]!;
    if (key !== 'model') expected.set(key, { value, at, isGiven: true });
  }
  return expected;
}

function put(
  expected: Map<string, Expected>,
  key: string,
  setting: Traced<Json> | undefined,
  at: JsonPointer,
): void {
  if (setting === undefined) return;
  const { value, origin } = setting;
  expected.set(key, { value, at: origin.kind === 'source' ? origin.at : at, isGiven: false });
}

function checkLayers({ member, expected, layers }: Subject, faults: Finding[]): void {
  const { called, saved, at } = member;
  const keys = new Set(expected.keys());
  for (const { value } of layers) for (const key of Object.keys(value)) keys.add(key);
  for (const key of keys) {
    const want = expected.get(key);
    if (want === undefined && (readElsewhere.has(key) || harmless.has(key))) continue;
    const saying = layers.filter(({ value }) => Object.hasOwn(value, key));
    // A saved assistant may have it where it is not to be seen.
    if (saying.length === 0 && !saved) {
      faults.push(fault(ofSettings.missing(called, key), [want!], [member]));
    }
    for (const layer of want?.isGiven ? saying.slice(-1) : saying) {
      const place = child(layer.at, key);
      if (want === undefined) {
        const isOwn = layer.at === `${at}/assistant` || key === 'voice' || key === 'transcriber';
        const text = isOwn ? ofSettings.extra(called, key) : ofSettings.unasked(key);
        faults.push(fault(text, [], [place]));
      } else if (!isSame(layer.value[key], want.value)) {
        faults.push(fault(ofSettings.other(called, key), [want], [place]));
      }
    }
  }
}

/** Whether the model is as the options say, else the node, else the workflow, else the default. */
function checkModel({ comparison, member, node, layers }: Subject, faults: Finding[]): void {
  const { options, graph } = comparison;
  const { called, saved, at } = member;
  const shared = node?.assistant?.savedAs == null ? graph.workflow.settings.model : undefined;
  const setting = node?.settings.model ?? shared;
  const base: JsonObject = options.model ?? setting?.value ?? defaultModel;
  const own = options.memberOverrides['model'];
  const wanted = own === undefined ? base : { ...base, ...objectOf(own) };
  const models: Layer[] = [];
  const keys = new Set(Object.keys(wanted));
  for (const it of layers) {
    if (!Object.hasOwn(it.value, 'model')) continue;
    const value = objectOf(it.value['model']);
    models.push({ value, at: `${it.at}/model` });
    for (const key of Object.keys(value)) keys.add(key);
  }
  if (saved && models.length === 0) return;
  for (const key of keys) {
    if (writtenByCompiler.includes(key)) continue;
    const layer = lastWith(models, key);
    const want = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    // What a saved assistant has of a model is not to be seen.
    if ((saved && layer === undefined) || isSame(layer?.value[key], want)) continue;
    const source = setting?.origin.kind === 'source' ? setting.origin.at : (node?.at ?? '');
    const place = layer === undefined ? (models.at(-1)?.at ?? at) : child(layer.at, key);
    faults.push(fault(ofSettings.otherModel(called, key), [source], [place]));
  }
}

/**
 * An assistant that has a line says it; on the platform one that has none finds one, or the call falls
 * silent after a handoff.
 */
function checkOpening({ comparison, member, layers, expected }: Subject, faults: Finding[]): void {
  const { called, firstMessage, saved, at } = member;
  // Who asks for another opening gets it: an option, the workflow, or an assistant of the source.
  const asked = expected.get('firstMessageMode');
  const isAsked = asked !== undefined && (asked.isGiven || asked.value !== speaks);
  if (isAsked || Object.hasOwn(comparison.options.memberOverrides, 'firstMessage')) return;
  const layer = lastWith(layers, 'firstMessageMode');
  const mode = layer?.value['firstMessageMode'] ?? speaks;
  // What a saved assistant says is not to be seen.
  if (saved && (layer === undefined || firstMessage === null)) return;
  if (mode === speaks && (firstMessage || comparison.squad.wrapped)) return;
  if (mode === finds && !firstMessage) return;
  const text = firstMessage ? ofSettings.losesLine(called) : ofSettings.fallsSilent(called);
  faults.push(fault(text, [], [layer === undefined ? at : `${layer.at}/firstMessageMode`]));
}

/** Handoffs are silent; what no handoff can have is a fault of the shape. */
function checkHandoffTools({ tools, called, ours }: Member, faults: Finding[]): void {
  const handoffs = tools.filter(({ type }) => type === 'handoff');
  for (const { value, at } of handoffs) {
    if (elements(value['messages']).length === 0) continue;
    faults.push(fault(ofSettings.speaks(called), [], [`${at}/messages`]));
  }
  for (const { value, at } of handoffs) {
    const { description } = objectOf(value['function']);
    if (description === undefined) continue;
    const destinations = elements(value['destinations']).map(objectOf);
    const targets = destinations.map((it) => textOf(it['assistantName'] ?? it['assistantId']));
    const when = textOf(destinations[0]?.['description']) ?? '';
    const wanted = describeHandoff([...new Set(targets)].map(String), fixed(when));
    if (description === writeTemplate(wanted, '', [])) continue;
    // In other hands the words are free, as long as they do not keep the model from the tool.
    const words = textOf(description)?.replaceAll(when, '') ?? 'not';
    if (ours || /\b(?:never|not|don[’']t)\b/i.test(words)) {
      faults.push(fault(ofSettings.keepsFrom(called), [], [`${at}/function/description`]));
    }
  }
}

/** By member, its talk nodes that stand for themselves, in walk order. */
export function listTalking({ graph, owners, squad }: Comparison): readonly WorkflowNode[][] {
  const talking = squad.members.map((): WorkflowNode[] => []);
  for (const index of graph.order) {
    const node = graph.nodeAt(index);
    if (node.role !== 'talk' || owners.standsFor(index) !== index) continue;
    for (const member of owners.of(index)) talking[member]!.push(node);
  }
  return talking;
}

/** By member, the node whose settings the assistant takes. */
function chooseDeciding(comparison: Comparison): readonly (WorkflowNode | undefined)[] {
  const { graph, owners, grouping } = comparison;
  const keyOf = (nodes: readonly WorkflowNode[]) =>
    [...new Set(nodes.map(({ index }) => index))].sort((one, other) => one - other).join(' ');
  const answers = new Map<string, WorkflowNode | undefined>();
  for (const { inquiry, choice, value } of grouping.decisions) {
    const { question, subject } = inquiry;
    if (question.kind !== 'conflicting-settings' || subject.of !== 'nodes') continue;
    const nodes = subject.nodes.map((it) => graph.nodeAt(owners.standsFor(it)));
    const chosen = choice === 'use' ? nodes.find(({ id }) => id === value) : nodes[0];
    answers.set(keyOf(nodes), chosen);
  }
  const wants = ({ settings }: WorkflowNode) =>
    settingNames.map((name) => canonical(settings[name]?.value)).join('\n');
  return listTalking(comparison).map((nodes) => {
    const isOne = answers.size === 0 || new Set(nodes.map(wants)).size < 2;
    return isOne ? nodes[0] : (answers.get(keyOf(nodes)) ?? nodes[0]);
  });
}

/** Places of settings that were passed through and that the platform is not known to have. */
export function listUnknown({ members, overrides }: Squad): readonly JsonPointer[] {
  const unknown: JsonPointer[] = [];
  const ofAll = overrides === null ? [] : [overrides];
  for (const { value, at } of [...members.flatMap(({ layers }) => layers), ...ofAll]) {
    for (const key of Object.keys(value)) {
      if (!harmless.has(key) && !shaping.has(key)) unknown.push(child(at, key));
    }
  }
  return unknown;
}
