/**
 * The squad document as the checks read it, in the shape of either target.
 *
 * Nothing is taken for granted: what is missing or of the wrong kind reads as absent, so that a
 * damaged document fails its checks and throws nothing. An assistant is read as a call meets it:
 * what the member's overrides say stands in the place of its own. The squad's overrides are settings
 * and no more; where they say anything else, that is a fault of the settings.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';

export interface SquadReading {
  /** Whether the document has the shape of target `squad`: a `squad` around the members. */
  readonly wrapped: boolean;
  readonly members: readonly Member[];
  /** Destinations of handoffs, in the order of the document. */
  readonly destinations: readonly Destination[];
  /** What the squad says about all its members; null where it says nothing. */
  readonly overrides: Layer | null;
}

export interface Member {
  readonly index: number;
  readonly at: JsonPointer;
  readonly name: string | null;
  readonly nameAt: JsonPointer;
  /** Id of a saved assistant. */
  readonly assistantId: string | null;
  /** Whether the assistant stands somewhere else, on the platform. */
  readonly saved: boolean;
  /** Whether what it says and does may be what a node wants, where that is not to be seen. */
  readonly unseen: boolean;
  readonly firstMessage: string | null;
  /** Every system message, with its place. */
  readonly prompts: readonly Prompt[];
  /** All of them as one text, and the place of the first. */
  readonly prompt: string;
  readonly promptAt: JsonPointer;
  /** Whether the prompt opens as those that squadc writes. */
  readonly compiled: boolean;
  readonly tools: readonly Tool[];
  /** Tools that the platform keeps. */
  readonly toolIds: readonly ToolId[];
  /** What says something about the assistant: itself, and the member's overrides of it. */
  readonly layers: readonly Layer[];
}

export interface Prompt {
  readonly text: string;
  readonly at: JsonPointer;
}

/** An assistant, or what overrides parts of it. */
export interface Layer {
  readonly value: JsonObject;
  readonly at: JsonPointer;
}

export interface Tool {
  readonly at: JsonPointer;
  readonly type: string;
  readonly value: JsonObject;
}

export interface ToolId {
  readonly at: JsonPointer;
  readonly id: string;
}

export interface Destination {
  readonly at: JsonPointer;
  /** The member that hands off. */
  readonly member: number;
  /** Where it leads, as written; null where neither a name nor an id is there. */
  readonly target: { readonly by: 'name' | 'id'; readonly value: string } | null;
  /** The member that the target names; null where none does. */
  readonly leadsTo: number | null;
  readonly description: string;
  readonly value: JsonObject;
  /** The tool that it is a destination of; an empty one where the member lists it without. */
  readonly tool: JsonObject;
  readonly toolAt: JsonPointer | null;
}

export function readSquad(document: Json): SquadReading {
  const { squad } = objectOf(document);
  const wrapped = isJsonObject(squad);
  const [root, base] = wrapped ? [squad, '/squad'] : [objectOf(document), ''];
  const overridesKey = wrapped ? 'memberOverrides' : 'membersOverrides';
  const overrides = layerAt(root, overridesKey, base);
  const members = elements(root['members']).map((member, index) =>
    readMember(objectOf(member), index, `${base}/members/${index}`),
  );
  const indexOf = indexByTarget(members);
  const destinations: Destination[] = [];
  for (const member of members) {
    const value = objectOf(elements(root['members'])[member.index]);
    readShorthand(value, member, indexOf, destinations);
    readHandoffs(member, indexOf, destinations);
  }
  return { wrapped, members, destinations, overrides };
}

function layerAt(holder: JsonObject, key: string, at: JsonPointer): Layer | null {
  const value = holder[key];
  return isJsonObject(value) ? { value, at: child(at, key) } : null;
}

function readMember(value: JsonObject, index: number, at: JsonPointer): Member {
  const assistant = layerAt(value, 'assistant', at);
  const overrides = layerAt(value, 'assistantOverrides', at);
  const layers = [assistant, overrides].filter((it) => it !== null);
  const assistantId = textOf(value['assistantId']);
  const saved = assistantId !== null && assistant === null;
  const prompts = readPrompts(layers);
  const prompt =
    prompts.length === 1 ? prompts[0]!.text : prompts.map(({ text }) => text).join('\n\n');
  const named = lastWith(layers, 'name');
  return {
    index,
    at,
    name: textOf(named?.value['name']),
    nameAt: named === undefined ? at : `${named.at}/name`,
    assistantId,
    saved,
    unseen: saved,
    firstMessage: textOf(lastWith(layers, 'firstMessage')?.value['firstMessage']),
    prompts,
    prompt,
    promptAt: prompts[0]?.at ?? assistant?.at ?? at,
    compiled: prompt.includes(opening),
    tools: readTools(layers),
    toolIds: readToolIds(layers),
    layers,
  };
}

/** What follows the assistant's name at the beginning of the prompts that squadc writes. */
const opening = '" of a phone call. Work through the numbered steps; ';

/** The layer that has the last word on a setting. */
export function lastWith(layers: readonly Layer[], key: string): Layer | undefined {
  return layers.findLast(({ value }) => Object.hasOwn(value, key));
}

/** A list of the model; one in an override replaces that of the assistant. */
function listOfModel(layers: readonly Layer[], key: string): (readonly [Json, JsonPointer])[] {
  const layer = layers.findLast(({ value }) => Object.hasOwn(objectOf(value['model']), key));
  if (layer === undefined) return [];
  const list = elements(objectOf(layer.value['model'])[key]);
  return list.map((element, index) => [element, `${layer.at}/model/${key}/${index}`] as const);
}

function readPrompts(layers: readonly Layer[]): Prompt[] {
  return listOfModel(layers, 'messages').flatMap(([message, at]) => {
    const { role, content } = objectOf(message);
    const text = role === 'system' ? textOf(content) : null;
    return text === null ? [] : [{ text, at: `${at}/content` }];
  });
}

/** The tools of the model, and those that overrides add. */
function readTools(layers: readonly Layer[]): Tool[] {
  const key = 'tools:append';
  const all = listOfModel(layers, 'tools');
  for (const { value, at } of layers) {
    elements(value[key]).forEach((tool, index) => {
      all.push([tool, `${at}/${key}/${index}`]);
    });
  }
  return all.map(([tool, at]) => {
    const value = objectOf(tool);
    return { at, type: textOf(value['type']) ?? '', value };
  });
}

/** What is no text is a fault of the shape. */
function readToolIds(layers: readonly Layer[]): ToolId[] {
  return listOfModel(layers, 'toolIds').flatMap(([value, at]) => {
    const id = textOf(value);
    return id === null ? [] : [{ at, id }];
  });
}

type IndexOf = (target: Destination['target']) => number | null;

/** Where a name or an id leads; with several of one name, to the first. */
function indexByTarget(members: readonly Member[]): IndexOf {
  const byName = new Map<string, number>();
  const byId = new Map<string, number>();
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const { index, name, assistantId } = members[at]!;
    if (name !== null) byName.set(name, index);
    if (assistantId !== null) byId.set(assistantId, index);
  }
  return (target) =>
    target === null ? null : ((target.by === 'name' ? byName : byId).get(target.value) ?? null);
}

function readHandoffs({ index, tools }: Member, indexOf: IndexOf, into: Destination[]): void {
  for (const { type, at, value: tool } of tools) {
    if (type !== 'handoff') continue;
    elements(tool['destinations']).forEach((it, number) => {
      const place = `${at}/destinations/${number}`;
      into.push(readDestination(it, place, index, indexOf, tool, at));
    });
  }
}

/** The platform's shorthand: destinations that stand beside the assistant. */
function readShorthand(
  value: JsonObject,
  { index, at }: Member,
  indexOf: IndexOf,
  into: Destination[],
): void {
  elements(value['assistantDestinations']).forEach((it, number) => {
    const place = `${at}/assistantDestinations/${number}`;
    into.push(readDestination(it, place, index, indexOf, {}, null));
  });
}

function readDestination(
  destination: Json,
  at: JsonPointer,
  member: number,
  indexOf: IndexOf,
  tool: JsonObject,
  toolAt: JsonPointer | null,
): Destination {
  const value = objectOf(destination);
  const target = targetOf(value);
  const description = textOf(value['description']) ?? '';
  return { at, member, target, leadsTo: indexOf(target), description, value, tool, toolAt };
}

function targetOf(destination: JsonObject): Destination['target'] {
  const name = textOf(destination['assistantName']);
  if (name !== null) return { by: 'name', value: name };
  const id = textOf(destination['assistantId']);
  return id === null ? null : { by: 'id', value: id };
}

/** The value as an object; an empty one where it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The elements of a list; none where it is no list. */
export function elements(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The value as a text; null where it is none. */
export function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
