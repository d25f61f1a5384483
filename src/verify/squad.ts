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

export interface Member {
  readonly index: number;
  readonly at: JsonPointer;
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
  readonly destinations: readonly Destination[];
  /** What says something about the assistant: itself, and the member's overrides of it. */
  readonly layers: readonly Layer[];
  readonly overrides: Layer | null;
}

/** An assistant, or what overrides parts of it. */
export interface Layer {
  readonly value: JsonObject;
  readonly at: JsonPointer;
}

export interface Tool extends Layer {
  readonly type: string;
  /** What the model calls it; empty where it goes by its type. */
  readonly name: string;
}

export interface Destination extends Layer {
  /** Its number among the destinations of the squad. */
  readonly index: number;
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
  const root = wrapped ? objectOf(document['squad']) : document;
  const base = wrapped ? '/squad' : '';
  const values = elements(root['members']).map(objectOf);
  const members = values.map((it, index) =>
    readMember(it, `${base}/members/${index}`, index, named),
  );
  const [byName, byId] = [new Map<string, number>(), new Map<string, number>()];
  for (const { name, assistantId, index } of members) {
    if (name !== null && !byName.has(name)) byName.set(name, index);
    if (assistantId !== null && !byId.has(assistantId)) byId.set(assistantId, index);
  }
  const destinations: Destination[] = [];
  members.forEach((member, index) => {
    const add = (value: JsonObject, at: JsonPointer, tool: Tool | null): void => {
      const [name, id] = [textOf(value['assistantName']), textOf(value['assistantId'])];
      const leadsTo = (name === null ? byId.get(id ?? '') : byName.get(name)) ?? null;
      const description = textOf(value['description']) ?? '';
      const ends = { member: index, target: name ?? id, leadsTo };
      const destination = { index: destinations.length, value, at, description, tool, ...ends };
      destinations.push(destination);
      member.destinations.push(destination);
    };
    const beside = elements(values[index]!['assistantDestinations']);
    beside.forEach((it, at) => {
      add(objectOf(it), `${member.at}/assistantDestinations/${at}`, null);
    });
    for (const tool of member.tools.filter(({ type }) => type === 'handoff')) {
      elements(tool.value['destinations']).forEach((it, at) => {
        add(objectOf(it), `${tool.at}/destinations/${at}`, tool);
      });
    }
  });
  const overrides = layerAt(root, wrapped ? 'memberOverrides' : 'membersOverrides', base);
  return { wrapped, members, destinations, overrides };
}

function layerAt(holder: JsonObject, key: string, at: JsonPointer): Layer | null {
  const value = holder[key];
  return isJsonObject(value) ? { value, at: child(at, key) } : null;
}

function readMember(
  value: JsonObject,
  at: JsonPointer,
  index: number,
  named: ReadonlySet<string>,
): Member & { readonly destinations: Destination[] } {
  const assistant = layerAt(value, 'assistant', at);
  const overrides = layerAt(value, 'assistantOverrides', at);
  const layers = [assistant, overrides].filter((it) => it !== null);
  const assistantId = textOf(value['assistantId']);
  const saved = assistantId !== null && assistant === null;
  const named_ = lastWith(layers, 'name');
  const line = lastWith(layers, 'firstMessage');
  const name = textOf(named_?.value['name']);
  const listed = modelList(layers, 'messages');
  const prompts = listed.filter(
    ({ value: it }) => it['role'] === 'system' && textOf(it['content']) !== null,
  );
  const prompt = prompts.map(({ value: it }) => it['content']).join('\n\n');
  return {
    index,
    at,
    name,
    nameAt: named_ === undefined ? at : `${named_.at}/name`,
    called: name ?? assistantId ?? `member ${index}`,
    assistantId,
    saved,
    unseen: saved && !named.has(assistantId),
    firstMessage: textOf(line?.value['firstMessage']),
    firstMessageAt: line === undefined ? (assistant?.at ?? at) : `${line.at}/firstMessage`,
    prompt,
    promptAt: prompts[0] === undefined ? (assistant?.at ?? at) : `${prompts[0].at}/content`,
    messages: listed.length,
    ours: isSpelt(prompt),
    tools: [
      ...modelList(layers, 'tools'),
      ...layers.flatMap((it) => listAt(it, it.value['tools:append'], 'tools:append')),
    ].map(readTool),
    toolIds: modelList(layers, 'toolIds', (it) => ({ id: it })).flatMap((it) => {
      const id = textOf(it.value['id']);
      return id === null ? [] : [{ id, at: it.at }];
    }),
    destinations: [],
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

/** A list of the model: one in an override replaces the assistant's. */
function modelList(
  layers: readonly Layer[],
  key: string,
  read: (value: Json) => JsonObject = objectOf,
): Layer[] {
  const layer = layers.findLast(({ value }) => Object.hasOwn(objectOf(value['model']), key));
  return layer === undefined
    ? []
    : listAt(layer, objectOf(layer.value['model'])[key], `model/${key}`, read);
}

function listAt(
  { at }: Layer,
  list: Json | undefined,
  key: string,
  read: (value: Json) => JsonObject = objectOf,
): Layer[] {
  return elements(list).map((it, index) => ({ value: read(it), at: `${at}/${key}/${index}` }));
}
