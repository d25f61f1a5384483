/**
 * The squad document → the squad as a call meets it, in the shape of either target.
 *
 * An assistant is seen with the overrides of its member applied: what they say stands in the place of
 * its own. What is missing or of the wrong kind reads as absent. The squad's overrides are settings
 * and no more (settings.ts).
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { isSpelt } from '../compiler/ir/wording.js';
import { elements, objectOf, textOf } from './json.js';

export interface Squad {
  /** Whether the document has the shape of target `squad`: a `squad` around the members. */
  readonly wrapped: boolean;
  readonly members: readonly Member[];
  readonly destinations: readonly Destination[];
  /** What the squad says about all its members. */
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
  /** What sentences call it. */
  readonly called: string;
  /** Id of a saved assistant. */
  readonly assistantId: string | null;
  /** Whether the assistant stands somewhere else, on the platform. */
  readonly saved: boolean;
  /** Whether it may be any node's: it is saved, and the source does not name it. */
  readonly unseen: boolean;
  readonly firstMessage: string | null;
  readonly firstMessageAt: JsonPointer;
  /** All system messages as one text, and the place of the first. */
  readonly prompt: string;
  readonly promptAt: JsonPointer;
  /** How many messages its model has, of whatever role. */
  readonly messages: number;
  /** Whether the prompt is in the wording of squadc, and has to equal what that spells. */
  readonly ours: boolean;
  readonly tools: readonly Tool[];
  /** Tools that the platform keeps. */
  readonly toolIds: readonly { readonly at: JsonPointer; readonly id: string }[];
  /** What says something about the assistant: itself, and the member's overrides of it. */
  readonly layers: readonly Layer[];
  readonly overrides: Layer | null;
}

export interface Tool extends Layer {
  readonly type: string;
  /** What the model calls it; empty where it goes by its type. */
  readonly name: string;
}

export interface Destination extends Layer {
  /** The member that hands off. */
  readonly member: number;
  /** The name or id that it leads to, as written. */
  readonly target: string | null;
  /** The member that this names; null where none is named so. */
  readonly leadsTo: number | null;
  readonly description: string;
  /** Null where the member lists the destination beside the assistant. */
  readonly tool: Tool | null;
}

/** `named` are the ids of saved assistants that the source names. */
export function readSquad(document: JsonObject, named: ReadonlySet<string>): Squad {
  const wrapped = isJsonObject(document['squad']);
  const base = wrapped ? '/squad' : '';
  const root = { value: wrapped ? objectOf(document['squad']) : document, at: base };
  const members = listIn(root, 'members').map((it, index) => readMember(it, index, named));
  const last = members.toReversed();
  const byName = new Map(last.map(({ name, index }) => [name, index]));
  const byId = new Map(last.map(({ assistantId, index }) => [assistantId, index]));
  const destinations = members.flatMap((member) => {
    const read = ({ value, at }: Layer, tool: Tool | null): Destination => {
      const [name, id] = [textOf(value['assistantName']), textOf(value['assistantId'])];
      const leadsTo = (name === null ? byId.get(id ?? '') : byName.get(name)) ?? null;
      const description = textOf(value['description']) ?? '';
      return { value, at, member: member.index, target: name ?? id, leadsTo, description, tool };
    };
    const handoffs = member.tools.filter(({ type }) => type === 'handoff');
    return [
      ...listIn(member, 'assistantDestinations').map((it) => read(it, null)),
      ...handoffs.flatMap((tool) => listIn(tool, 'destinations').map((it) => read(it, tool))),
    ];
  });
  const overrides = layerIn(root, wrapped ? 'memberOverrides' : 'membersOverrides');
  return { wrapped, members, destinations, overrides };
}

function readMember(member: Layer, index: number, named: ReadonlySet<string>): Member {
  const { at } = member;
  const assistant = layerIn(member, 'assistant');
  const overrides = layerIn(member, 'assistantOverrides');
  const layers = [assistant, overrides].filter((it) => it !== null);
  const models = layers.map((it) => ({ value: objectOf(it.value['model']), at: `${it.at}/model` }));
  const listOfModel = (key: string) => {
    const model = lastWith(models, key);
    return model === undefined ? [] : listIn(model, key);
  };
  const named_ = lastWith(layers, 'name');
  const opening = lastWith(layers, 'firstMessage');
  const [name, assistantId] = [textOf(named_?.value['name']), textOf(member.value['assistantId'])];
  const messages = listOfModel('messages');
  const prompts = messages.filter(
    ({ value }) => value['role'] === 'system' && textOf(value['content']) !== null,
  );
  const prompt = prompts.map(({ value }) => value['content']).join('\n\n');
  const saved = assistantId !== null && assistant === null;
  const idsAt = lastWith(models, 'toolIds');
  const ids = elements(idsAt?.value['toolIds']);
  return {
    ...member,
    index,
    name,
    nameAt: named_ === undefined ? at : `${named_.at}/name`,
    called: name ?? assistantId ?? `member ${index}`,
    assistantId,
    saved,
    unseen: saved && !named.has(assistantId),
    firstMessage: textOf(opening?.value['firstMessage']),
    firstMessageAt: opening === undefined ? (assistant?.at ?? at) : `${opening.at}/firstMessage`,
    prompt,
    promptAt: prompts[0] === undefined ? (assistant?.at ?? at) : `${prompts[0].at}/content`,
    messages: messages.length,
    ours: isSpelt(prompt),
    tools: [
      ...listOfModel('tools'),
      ...layers.flatMap((layer) => listIn(layer, 'tools:append')),
    ].map(readTool),
    toolIds: ids.flatMap((id, place) =>
      typeof id === 'string' ? [{ id, at: `${idsAt!.at}/toolIds/${place}` }] : [],
    ),
    layers,
    overrides,
  };
}

function readTool(layer: Layer): Tool {
  const { type, name, function: declared } = layer.value;
  const called = textOf(name) ?? textOf(objectOf(declared)['name']) ?? '';
  return { ...layer, type: textOf(type) ?? '', name: called };
}

/** The layer that has the last word on a setting. */
export function lastWith(layers: readonly Layer[], key: string): Layer | undefined {
  return layers.findLast(({ value }) => Object.hasOwn(value, key));
}

function layerIn({ value, at }: Layer, key: string): Layer | null {
  const inner = value[key];
  return isJsonObject(inner) ? { value: inner, at: child(at, key) } : null;
}

function listIn({ value, at }: Layer, key: string): Layer[] {
  return elements(value[key]).map((it: Json, index) => ({
    value: objectOf(it),
    at: `${at}/${key}/${index}`,
  }));
}
