/**
 * The squad document → the squad as a call meets it, in the shape of either target.
 *
 * An assistant is read with the overrides of its member applied, which replace its own values.
 * Missing values and values of the wrong type count as absent. The squad's overrides are only
 * settings (settings.ts).
 */
import { isWorded } from '../compiler/ir/wording.js';
import { type TargetShape, targetOf, targets } from '../compiler/targets.js';
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { elements, textOf } from '../text/parts.js';
import { type JsonPointer, valueAt } from '../text/pointer.js';

export interface Squad {
  /** That of the document. */
  readonly shape: TargetShape;
  readonly members: readonly Member[];
  readonly destinations: readonly Destination[];
  /** The squad's overrides of all its members. */
  readonly overrides: Layer | null;
}

/** An object of the document, and its place. */
export interface Layer {
  readonly value: JsonObject;
  readonly at: JsonPointer;
}

export interface Member extends Layer {
  readonly index: number;
  readonly name: string | null;
  readonly nameAt: JsonPointer;
  /** What messages call it. */
  readonly called: string;
  /** Id of a saved assistant. */
  readonly assistantId: string | null;
  /** The version of the saved assistant. */
  readonly version: string | null;
  /** Whether the assistant is stored on the platform. */
  readonly saved: boolean;
  /** Whether it may be any node's: it is saved, and the source does not refer to it. */
  readonly unseen: boolean;
  readonly firstMessage: string | null;
  readonly firstMessageAt: JsonPointer;
  /** All system messages as one text, and the place of the first. */
  readonly prompt: string;
  readonly promptAt: JsonPointer;
  /** The messages of its model, in any role. */
  readonly messages: readonly Layer[];
  /** Whether the prompt is in squadc's wording, and so has to equal the expected one. */
  readonly worded: boolean;
  readonly tools: readonly Tool[];
  /** Handoffs that are destinations of transfers. */
  readonly transfers: readonly Layer[];
  /** Saved tools. */
  readonly toolIds: readonly { readonly at: JsonPointer; readonly id: string }[];
  /** What sets something for the assistant: itself, and the member's overrides. */
  readonly layers: readonly Layer[];
  readonly overrides: Layer | null;
}

export interface Tool extends Layer {
  readonly type: string;
  /** The model's name for it; empty if it goes by its type. */
  readonly name: string;
}

export interface Destination extends Layer {
  /** The member that hands off. */
  readonly member: number;
  /** The name or id that it leads to, as written. */
  readonly target: string | null;
  /** The member with this name or id; null if there is none. */
  readonly leadsTo: number | null;
  readonly description: string;
  /** Null if the destination stands beside the assistant, or in the transfer of a call. */
  readonly tool: Tool | null;
}

/** `named` are the ids of saved assistants that the source refers to. */
export function readSquad(document: JsonObject, named: ReadonlySet<string>): Squad {
  const shape = targets[targetOf(document)];
  const root = { value: asObject(valueAt(document, shape.root)), at: shape.root };
  const members = listIn(root, 'members').map((it, index) => readMember(it, index, named));
  const listed = [...members];
  const [byName, byId] = [new Map<string | null, number>(), new Map<string | null, number>()];
  for (const { name, assistantId, index } of members) {
    if (!byName.has(name)) byName.set(name, index);
    if (!byId.has(assistantId)) byId.set(assistantId, index);
  }
  const destinations: Destination[] = [];
  const read = (member: number, { value, at }: Layer, tool: Tool | null): void => {
    const [name, id] = [textOf(value['assistantName']), textOf(value['assistantId'])];
    const description = textOf(value['description']) ?? '';
    const outside = shape.isOfPlatform ? nameOutside(value) : null;
    if (outside !== null) {
      const index = members.length;
      members.push({ ...readMember({ value: {}, at }, index, named), ...unseen, called: outside });
      destinations.push({ value, at, member, target: outside, leadsTo: index, description, tool });
      return;
    }
    const leadsTo = (name === null ? byId.get(id ?? '') : byName.get(name)) ?? null;
    destinations.push({ value, at, member, target: name ?? id, leadsTo, description, tool });
  };
  for (const member of listed) {
    for (const it of listIn(member, 'assistantDestinations')) read(member.index, it, null);
    for (const tool of member.tools) {
      if (tool.type !== 'handoff') continue;
      for (const it of listIn(tool, 'destinations')) read(member.index, it, tool);
    }
    for (const it of member.transfers) read(member.index, it, null);
  }
  const overrides = layerIn(root, shape.sharedKey);
  return { shape, members, destinations, overrides };
}

const unseen = { saved: true, unseen: true } as const;

/** What a destination is called that is no member: it is described within, or asked for. */
function nameOutside({ type, assistant, entryAssistantName }: JsonObject): string | null {
  if (isObject(assistant)) return textOf(assistant['name']) ?? 'the assistant within the handoff';
  if (type === 'squad') return textOf(entryAssistantName) ?? 'another squad';
  return type === 'dynamic' ? 'what a server says' : null;
}

/** Older squads hand off by the transfer of a call to an assistant. */
function splitTransfers(tools: readonly Tool[]) {
  const isHandoff = (it: Json) => asObject(it)['type'] === 'assistant';
  const transfers: Layer[] = [];
  const others = tools.flatMap((tool): Tool[] => {
    const all = elements(tool.value['destinations']);
    if (tool.type !== 'transferCall' || !all.some(isHandoff)) return [tool];
    const list = listIn(tool, 'destinations');
    transfers.push(...list.filter((it) => isHandoff(it.value)));
    const destinations = all.filter((it) => !isHandoff(it));
    return destinations.length === 0 ? [] : [{ ...tool, value: { ...tool.value, destinations } }];
  });
  return { tools: others, transfers };
}

function readMember({ value, at }: Layer, index: number, named: ReadonlySet<string>): Member {
  const assistant = layerIn({ value, at }, 'assistant');
  const overrides = layerIn({ value, at }, 'assistantOverrides');
  const layers = [assistant, overrides].filter((it) => it !== null);
  const models = layers.map((it) => ({ value: asObject(it.value['model']), at: `${it.at}/model` }));
  const nothing: Layer = { value: {}, at: assistant?.at ?? at };
  const [naming, opening] = [lastWith(layers, 'name'), lastWith(layers, 'firstMessage')];
  const [name, assistantId] = [textOf(naming?.value['name']), textOf(value['assistantId'])];
  const messages = listIn(lastWith(models, 'messages') ?? nothing, 'messages');
  const prompts = messages.filter((it) => {
    return it.value['role'] === 'system' && typeof it.value['content'] === 'string';
  });
  const prompt = prompts.map((it) => it.value['content']).join('\n\n');
  const tools = listIn(lastWith(models, 'tools') ?? nothing, 'tools').map(readTool);
  for (const layer of layers) {
    for (const it of listIn(layer, 'tools:append')) tools.push(readTool(it));
  }
  const saved = assistantId !== null && assistant === null;
  const ids = lastWith(models, 'toolIds') ?? nothing;
  const refs = listIn(lastWith(models, 'toolRefs') ?? nothing, 'toolRefs');
  return {
    value,
    at,
    index,
    name,
    nameAt: naming === undefined ? at : `${naming.at}/name`,
    called: name ?? assistantId ?? `member ${index}`,
    assistantId,
    version: textOf(value['assistantVersion']),
    saved,
    unseen: saved && !named.has(assistantId),
    firstMessage: textOf(opening?.value['firstMessage']),
    firstMessageAt: opening === undefined ? nothing.at : `${opening.at}/firstMessage`,
    prompt,
    promptAt: prompts[0] === undefined ? nothing.at : `${prompts[0].at}/content`,
    messages,
    worded: isWorded(prompt),
    ...splitTransfers(tools),
    toolIds: [
      ...elements(ids.value['toolIds']).flatMap((id, place) =>
        typeof id === 'string' ? [{ id, at: `${ids.at}/toolIds/${place}` }] : [],
      ),
      ...refs.map(({ value: { toolId, version }, at: place }) => {
        return { id: savedToolKey(textOf(toolId) ?? '', textOf(version)), at: place };
      }),
    ],
    layers,
    overrides,
  };
}

/** Identifies a saved tool and its version. */
export function savedToolKey(id: string, version: string | null): string {
  return version === null ? id : `${id}, version ${version}`;
}

function readTool({ value, at }: Layer): Tool {
  const { type, name, function: declared } = value;
  const called = textOf(name) ?? textOf(asObject(declared)['name']) ?? '';
  return { value, at, type: textOf(type) ?? '', name: called };
}

/** The layer that takes precedence for a setting. */
export function lastWith(layers: readonly Layer[], key: string): Layer | undefined {
  return layers.findLast(({ value }) => Object.hasOwn(value, key));
}

function layerIn({ value, at }: Layer, key: string): Layer | null {
  const inner = value[key];
  return isObject(inner) ? { value: inner, at: `${at}/${key}` } : null;
}

export function listIn({ value, at }: Layer, key: string): Layer[] {
  const list: Layer[] = [];
  for (const it of elements(value[key])) {
    list.push({ value: asObject(it), at: `${at}/${key}/${list.length}` });
  }
  return list;
}

/** What a model fills in. */
export function formOf(tool: JsonObject): Json | undefined {
  return tool['body'] ?? asObject(tool['function'])['parameters'];
}

/**
 * The variables that a destination carries: by its plan, and by the arguments of its tool. An
 * optional argument carries nothing, and the argument `destination` is not a variable.
 */
export function carriedBy({ value, tool }: Destination): string[] {
  const { schema } = asObject(value['variableExtractionPlan']);
  const { required } = asObject(formOf(tool?.value ?? {}));
  const names = elements(required).filter((name) => name !== 'destination');
  return [...Object.keys(asObject(asObject(schema)['properties'])), ...names.map(String)];
}
