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
import { handoffDescription } from '../compiler/ir/wording.js';
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
const readElsewhere = ['name', 'firstMessage', 'firstMessageMode', 'model', 'tools:append'];
const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };
const speaks = 'assistant-speaks-first';
const finds = 'assistant-speaks-first-with-model-generated-message';

/** A member, the node whose settings it takes, and all that says something about it, the last word last. */
interface Subject extends Comparison {
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
  const faults = squad.members.flatMap((member): Finding[] => {
    const node = deciding[member.index] ?? null;
    const { overrides, saved, unseen } = member;
    const layers = [...member.layers, ...(squad.overrides === null ? [] : [squad.overrides])];
    const expected = listExpected(comparison, node);
    const subject = { ...comparison, member, node, layers, expected };
    // A saved assistant of the source keeps its line, its prompt and its model.
    const isOwn = (key: string) =>
      /^firstMessage/.test(key) || (key === 'model' && !node?.settings.model);
    return [
      ...checkModel(subject),
      ...checkLayers(subject),
      ...(saved && !unseen && overrides !== null ? findUnasked(overrides, isOwn, {}) : []),
      ...checkOpening(subject),
      ...checkHandoffTools(member),
    ];
  });
  if (squad.overrides !== null) {
    // Names and lines are each assistant's own; a prompt for all replaces theirs.
    const isOwn = (key: string) =>
      key !== 'model' && readElsewhere.includes(key) && !Object.hasOwn(memberOverrides, key);
    faults.push(...findUnasked(squad.overrides, isOwn, objectOf(memberOverrides['model'])));
  }
  for (const { value, at } of squad.destinations) {
    const [key, place] = ['assistantOverrides', `${at}/assistantOverrides`];
    if (Object.hasOwn(value, key)) faults.push(fault(ofSettings.unasked(key), [], [place]));
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
  const put = (key: string, setting: Traced<Json> | undefined): void => {
    if (setting === undefined) return;
    const { value, origin } = setting;
    expected.set(key, { value, at: origin.kind === 'source' ? origin.at : at, isGiven: false });
  };
  for (const { key, value } of isSaved ? [] : shared) put(key, value);
  for (const { key, value } of assistant?.settings ?? []) {
    // To say its line first is what an assistant does by itself.
    if (key !== 'firstMessageMode' || value.value !== speaks) put(key, value);
  }
  for (const name of ['voice', 'transcriber'] as const) {
    put(name, own[name] ?? (isSaved ? undefined : settings[name]));
  }
  for (const [key, value] of Object.entries(options.memberOverrides)) {
    if (key !== 'model') expected.set(key, { value, at, isGiven: true });
  }
  return expected;
}

function checkLayers({ member, expected, layers }: Subject): Finding[] {
  const { called, saved, at } = member;
  const keys = new Set([...expected.keys(), ...layers.flatMap(({ value }) => Object.keys(value))]);
  return [...keys].flatMap((key): Finding[] => {
    const want = expected.get(key);
    const saying = layers.filter(({ value }) => Object.hasOwn(value, key));
    if (want === undefined) {
      const isRead = readElsewhere.includes(key) || harmless.has(key);
      return (isRead ? [] : saying).map((layer) => {
        const isOwn = layer.at === `${at}/assistant` || key === 'voice' || key === 'transcriber';
        const text = isOwn ? ofSettings.extra(called, key) : ofSettings.unasked(key);
        return fault(text, [], [child(layer.at, key)]);
      });
    }
    // A saved assistant may have it where it is not to be seen.
    if (saying.length === 0) {
      return saved ? [] : [fault(ofSettings.missing(called, key), [want], [member])];
    }
    const counting = want.isGiven ? saying.slice(-1) : saying;
    const others = counting.filter(({ value }) => !isSame(value[key], want.value));
    return others.map((it) => fault(ofSettings.other(called, key), [want], [child(it.at, key)]));
  });
}

/** Whether the model is as the options say, else the node, else the workflow, else the default. */
function checkModel({ options, graph, member, node, layers }: Subject): Finding[] {
  const { called, saved, at } = member;
  const shared = node?.assistant?.savedAs == null ? graph.workflow.settings.model : undefined;
  const setting = node?.settings.model ?? shared;
  const base = options.model ?? setting?.value ?? defaultModel;
  const wanted: JsonObject = { ...base, ...objectOf(options.memberOverrides['model']) };
  const models = layers
    .filter(({ value }) => Object.hasOwn(value, 'model'))
    .map((it): Layer => ({ value: objectOf(it.value['model']), at: `${it.at}/model` }));
  if (saved && models.length === 0) return [];
  const keys = new Set([wanted, ...models.map(({ value }) => value)].flatMap(Object.keys));
  return [...keys].flatMap((key): Finding[] => {
    const layer = lastWith(models, key);
    const want = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    // What a saved assistant has of a model is not to be seen.
    const isRead = writtenByCompiler.includes(key) || (saved && layer === undefined);
    if (isRead || isSame(layer?.value[key], want)) return [];
    const source = setting?.origin.kind === 'source' ? setting.origin.at : (node?.at ?? '');
    const place = layer === undefined ? (models.at(-1)?.at ?? at) : child(layer.at, key);
    return [fault(ofSettings.otherModel(called, key), [source], [place])];
  });
}

/**
 * An assistant that has a line says it; on the platform one that has none finds one, or the call falls
 * silent after a handoff.
 */
function checkOpening({ options, squad, member, expected }: Subject): Finding[] {
  const { called, firstMessage, layers, saved, at } = member;
  // Who asks for another opening gets it: an option, the workflow, or an assistant of the source.
  const asked = expected.get('firstMessageMode');
  const isAsked = asked !== undefined && (asked.isGiven || asked.value !== speaks);
  if (isAsked || Object.hasOwn(options.memberOverrides, 'firstMessage')) return [];
  const layer = lastWith(layers, 'firstMessageMode');
  const mode = layer?.value['firstMessageMode'] ?? speaks;
  const mayBe = firstMessage ? [speaks] : squad.wrapped ? [finds, speaks] : [finds];
  // What a saved assistant says is not to be seen.
  const isUnseen = saved && (layer === undefined || firstMessage === null);
  if (isUnseen || mayBe.some((it) => it === mode)) return [];
  const text = firstMessage ? ofSettings.losesLine(called) : ofSettings.fallsSilent(called);
  return [fault(text, [], [layer === undefined ? at : `${layer.at}/firstMessageMode`])];
}

/** Handoffs are silent; what no handoff can have is a fault of the shape. */
function checkHandoffTools({ tools, called, ours }: Member): Finding[] {
  const handoffs = tools.filter(({ type }) => type === 'handoff');
  const speaking = handoffs.filter(({ value }) => elements(value['messages']).length > 0);
  const keeping = handoffs.filter(({ value }) => {
    const { description } = objectOf(value['function']);
    if (description === undefined || description === handoffDescription) return false;
    // In other hands the words are free, as long as they do not keep the model from the tool.
    return ours || /\b(?:never|not|don[’']t)\b/i.test(textOf(description) ?? 'not');
  });
  const keeps = ofSettings.keepsFrom(called);
  return [
    ...speaking.map(({ at }) => fault(ofSettings.speaks(called), [], [`${at}/messages`])),
    ...keeping.map(({ at }) => fault(keeps, [], [`${at}/function/description`])),
  ];
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
  return [...members.flatMap(({ layers }) => layers), overrides].flatMap((layer) => {
    const keys = Object.keys(layer?.value ?? {});
    const unknown = keys.filter((key) => !harmless.has(key) && !shaping.has(key));
    return unknown.map((key) => child(layer!.at, key));
  });
}
