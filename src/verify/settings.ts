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
import { settingNames, type WorkflowNode } from '../compiler/ir/workflow.js';
import { ofSettings } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './findings.js';
import { canonical, elements, isSame, objectOf, textOf } from './json.js';
import { type Layer, lastWith, type Member } from './squad.js';

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

/** What the other checks read: of an assistant or a member's overrides, and of a model. */
const readElsewhere = ['name', 'firstMessage', 'firstMessageMode', 'model', 'tools:append'];
const partsOfModel = ['messages', 'tools', 'toolIds'];
const defaultModel: JsonObject = { provider: 'openai', model: 'gpt-4o' };

/** The faults; an override of the squad is the same fault for every assistant, and told once. */
export function checkSettings(comparison: Comparison): Finding[] {
  const { squad, options } = comparison;
  const deciding = chooseDeciding(comparison);
  const faults = squad.members.flatMap((member): Finding[] => {
    const node = deciding[member.index] ?? null;
    const { overrides, saved, unseen } = member;
    const keepsItself = saved && !unseen && overrides !== null;
    const isOwn = (key: string) =>
      /^firstMessage/.test(key) || (key === 'model' && !node?.settings.model);
    return [
      ...checkModel(comparison, member, node),
      ...checkLayers(comparison, member, node),
      // A saved assistant of the source keeps its line, its prompt and its model.
      ...(keepsItself ? [...findUnasked(overrides, isOwn), ...findPrompts(overrides)] : []),
      ...checkOpening(comparison, member, node),
      ...checkHandoffs(member),
    ];
  });
  if (squad.overrides !== null) {
    // Names and lines are each assistant's own; a prompt for all replaces theirs.
    const isOwn = (key: string) =>
      key !== 'model' &&
      readElsewhere.includes(key) &&
      !Object.hasOwn(options.memberOverrides, key);
    const given = objectOf(options.memberOverrides['model']);
    faults.push(...findUnasked(squad.overrides, isOwn), ...findPrompts(squad.overrides, given));
  }
  const byPlace = new Map(faults.toReversed().map((fault) => [fault.output[0], fault]));
  return [...byPlace.values()].reverse();
}

function findUnasked({ value, at }: Layer, isUnasked: (key: string) => boolean): Finding[] {
  const unasked = Object.keys(value).filter(isUnasked);
  return unasked.map((key) => finding(false, ofSettings.unasked(key), [], [child(at, key)]));
}

/** Prompt and tools that an override puts in the place of an assistant's own. */
function findPrompts({ value, at }: Layer, given: JsonObject = {}): Finding[] {
  const model = { value: objectOf(value['model']), at: `${at}/model` };
  return findUnasked(model, (key) => partsOfModel.includes(key) && !Object.hasOwn(given, key));
}

interface Expected {
  readonly value: Json;
  readonly at: JsonPointer;
  /** Whether an option says it for all: then what is said beneath does not count. */
  readonly isGiven: boolean;
}

/** What the assistant of the node is to have, by key. */
function listExpected({ graph, options }: Comparison, node: WorkflowNode | null) {
  const { shared, settings } = graph.workflow;
  const { assistant = null, settings: own = {}, at = '' } = node ?? {};
  // A saved assistant has settings of its own that nobody sees, so those of all are not its.
  const isSaved = assistant?.savedAs != null;
  const expected = new Map<string, Expected>();
  const put = (key: string, { value, origin }: Traced<Json>): void => {
    const place = origin.kind === 'source' ? origin.at : at;
    expected.set(key, { value, at: place, isGiven: false });
  };
  for (const { key, value } of isSaved ? [] : shared) put(key, value);
  for (const { key, value } of assistant?.settings ?? []) {
    // To say its line first is what an assistant does by itself.
    if (key !== 'firstMessageMode' || value.value !== speaks) put(key, value);
  }
  for (const name of ['voice', 'transcriber'] as const) {
    const setting = own[name] ?? (isSaved ? undefined : settings[name]);
    if (setting !== undefined) put(name, setting);
  }
  for (const [key, value] of Object.entries(options.memberOverrides)) {
    if (key !== 'model') expected.set(key, { value, at, isGiven: true });
  }
  return expected;
}

/** All that says something about the assistant; the later has the last word. */
function layersOf({ squad }: Comparison, { layers }: Member): readonly Layer[] {
  return squad.overrides === null ? layers : [...layers, squad.overrides];
}

function checkLayers(comparison: Comparison, member: Member, node: WorkflowNode | null): Finding[] {
  const { called, saved, at } = member;
  const expected = listExpected(comparison, node);
  const layers = layersOf(comparison, member);
  const keys = new Set([...expected.keys(), ...layers.flatMap(({ value }) => Object.keys(value))]);
  return [...keys].flatMap((key): Finding[] => {
    const want = expected.get(key);
    const saying = layers.filter(({ value }) => Object.hasOwn(value, key));
    const fault = (text: string, source: JsonPointer[], place: JsonPointer) =>
      finding(false, text, source, [place]);
    if (want === undefined) {
      const isRead = readElsewhere.includes(key) || harmless.has(key);
      return (isRead ? [] : saying).map((layer) => {
        const isOwn = layer.at === `${at}/assistant` || key === 'voice' || key === 'transcriber';
        const text = isOwn ? ofSettings.extra(called, key) : ofSettings.unasked(key);
        return fault(text, [], child(layer.at, key));
      });
    }
    // A saved assistant may have it where it is not to be seen.
    const isMissing = saying.length === 0 && !saved;
    const counting = want.isGiven ? saying.slice(-1) : saying;
    const others = counting.filter(({ value }) => !isSame(value[key], want.value));
    return [
      ...(isMissing ? [fault(ofSettings.missing(called, key), [want.at], at)] : []),
      ...others.map((it) => fault(ofSettings.other(called, key), [want.at], child(it.at, key))),
    ];
  });
}

/** Whether the model is as the options say, else the node, else the workflow, else the default. */
function checkModel(comparison: Comparison, member: Member, node: WorkflowNode | null): Finding[] {
  const { options, graph } = comparison;
  const { called, saved, at } = member;
  const shared = node?.assistant?.savedAs == null ? graph.workflow.settings.model : undefined;
  const setting = node?.settings.model ?? shared;
  const base = options.model ?? setting?.value ?? defaultModel;
  const wanted: JsonObject = { ...base, ...objectOf(options.memberOverrides['model']) };
  const models = layersOf(comparison, member)
    .filter(({ value }) => Object.hasOwn(value, 'model'))
    .map((it): Layer => ({ value: objectOf(it.value['model']), at: `${it.at}/model` }));
  if (saved && models.length === 0) return [];
  const keys = new Set([wanted, ...models.map(({ value }) => value)].flatMap(Object.keys));
  return [...keys].flatMap((key): Finding[] => {
    const layer = lastWith(models, key);
    const want = Object.hasOwn(wanted, key) ? wanted[key] : undefined;
    if (partsOfModel.includes(key) || isSame(layer?.value[key], want)) return [];
    // What a saved assistant has of a model is not to be seen.
    if (saved && layer === undefined) return [];
    const source = setting?.origin.kind === 'source' ? setting.origin.at : (node?.at ?? '');
    const place = layer === undefined ? (models.at(-1)?.at ?? at) : child(layer.at, key);
    return [finding(false, ofSettings.otherModel(called, key), [source], [place])];
  });
}

const speaks = 'assistant-speaks-first';
const finds = 'assistant-speaks-first-with-model-generated-message';

/**
 * An assistant that has a line says it; on the platform one that has none finds one, or the call falls
 * silent after a handoff.
 */
function checkOpening(
  comparison: Comparison,
  member: Member,
  node: WorkflowNode | null,
): Finding[] {
  const { options, squad } = comparison;
  const { called, firstMessage, layers, saved, at } = member;
  // Who asks for another opening gets it: an option, the workflow, or an assistant of the source.
  const asked = listExpected(comparison, node).get('firstMessageMode');
  const isAsked = asked !== undefined && (asked.isGiven || asked.value !== speaks);
  if (isAsked || Object.hasOwn(options.memberOverrides, 'firstMessage')) return [];
  const layer = lastWith(layers, 'firstMessageMode');
  const mode = layer?.value['firstMessageMode'] ?? speaks;
  const hasLine = firstMessage !== null && firstMessage !== '';
  const isRight = hasLine ? mode === speaks : mode === finds || (squad.wrapped && mode === speaks);
  // What a saved assistant says is not to be seen.
  if (isRight || (saved && (layer === undefined || firstMessage === null))) return [];
  const text = hasLine ? ofSettings.losesLine(called) : ofSettings.fallsSilent(called);
  return [finding(false, text, [], [layer === undefined ? at : `${layer.at}/firstMessageMode`])];
}

/** Handoffs are silent and change nothing; what no handoff can have is a fault of the shape. */
function checkHandoffs({ tools, destinations, called, ours }: Member): Finding[] {
  const fault = (text: string, at: JsonPointer) => finding(false, text, [], [at]);
  const handoffs = tools.filter(({ type }) => type === 'handoff');
  const speaking = handoffs.filter(({ value }) => elements(value['messages']).length > 0);
  const keeping = handoffs.filter(({ value }) => {
    const { description } = objectOf(value['function']);
    if (description === undefined || description === handoffDescription) return false;
    // In other hands the words are free, as long as they do not keep the model from the tool.
    return ours || /\b(?:never|not|don[’']t)\b/i.test(textOf(description) ?? 'not');
  });
  const changing = destinations.filter(({ value }) => Object.hasOwn(value, 'assistantOverrides'));
  return [
    ...speaking.map(({ at }) => fault(ofSettings.speaks(called), `${at}/messages`)),
    ...keeping.map(({ at }) => fault(ofSettings.keepsFrom(called), `${at}/function/description`)),
    ...changing.map(({ at }) =>
      fault(ofSettings.unasked('assistantOverrides'), `${at}/assistantOverrides`),
    ),
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
export function listUnknown({ squad }: Comparison): readonly JsonPointer[] {
  const layers = [...squad.members.flatMap((it) => it.layers), squad.overrides];
  return layers.flatMap((layer) => {
    const keys = layer === null ? [] : Object.keys(layer.value);
    const unknown = keys.filter((key) => !harmless.has(key) && !shaping.has(key));
    return unknown.map((key) => child(layer!.at, key));
  });
}
