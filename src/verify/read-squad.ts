/**
 * The document → the squad as the checks see it.
 *
 * Nothing is taken for granted: what is missing or of the wrong kind reads as absent, so that a
 * damaged document fails its checks and throws nothing.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import {
  type Destination,
  elements,
  type Layer,
  lastWith,
  type Member,
  objectOf,
  type Prompt,
  type SquadReading,
  type Tool,
  type ToolId,
  textOf,
} from './squad-reading.js';

export function readSquad(document: Json): SquadReading {
  const { squad } = objectOf(document);
  const wrapped = isJsonObject(squad);
  const [root, base] = wrapped ? [squad, '/squad'] : [objectOf(document), ''];
  const overridesKey = wrapped ? 'memberOverrides' : 'membersOverrides';
  const overrides = layerAt(root, overridesKey, base);
  const values = elements(root['members']);
  const members = values.map((member, index) =>
    readMember(objectOf(member), index, `${base}/members/${index}`),
  );
  const indexOf = indexByTarget(members);
  const destinations: Destination[] = [];
  for (const member of members) {
    readShorthand(objectOf(values[member.index]), member, indexOf, destinations);
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
  const layers: Layer[] = assistant === null ? [] : [assistant];
  if (overrides !== null) layers.push(overrides);
  const assistantId = textOf(value['assistantId']);
  const saved = assistantId !== null && assistant === null;
  const prompts = readPrompts(layers);
  const prompt = joinPrompts(prompts);
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
    overrides,
  };
}

/** What follows the assistant's name at the beginning of the prompts that squadc writes. */
const opening = '" of a phone call. Work through the numbered steps; ';

function joinPrompts(prompts: readonly Prompt[]): string {
  if (prompts.length === 1) return prompts[0]!.text;
  return prompts.map(({ text }) => text).join('\n\n');
}

/** The layer that a list of the model is read from: one in an override replaces the assistant's. */
function listing(layers: readonly Layer[], key: string): Layer | undefined {
  for (let at = layers.length - 1; at >= 0; at -= 1) {
    if (Object.hasOwn(objectOf(layers[at]!.value['model']), key)) return layers[at];
  }
  return undefined;
}

function listOf({ value }: Layer, key: string): readonly Json[] {
  return elements(objectOf(value['model'])[key]);
}

function readPrompts(layers: readonly Layer[]): readonly Prompt[] {
  const layer = listing(layers, 'messages');
  if (layer === undefined) return noPrompts;
  const prompts = listOf(layer, 'messages').map((message, index): Prompt | null => {
    const { role, content } = objectOf(message);
    const text = role === 'system' ? textOf(content) : null;
    return text === null ? null : { text, at: `${layer.at}/model/messages/${index}/content` };
  });
  return prompts.filter((it) => it !== null);
}

const noPrompts: readonly Prompt[] = [];

/** The tools of the model, and those that overrides add. */
function readTools(layers: readonly Layer[]): readonly Tool[] {
  const layer = listing(layers, 'tools');
  let tools = noTools;
  if (layer !== undefined) tools = readList(listOf(layer, 'tools'), `${layer.at}/model/tools`);
  for (const { value, at } of layers) {
    const more = elements(value['tools:append']);
    if (more.length > 0) tools = [...tools, ...readList(more, `${at}/tools:append`)];
  }
  return tools;
}

const noTools: readonly Tool[] = [];

function readList(list: readonly Json[], at: JsonPointer): readonly Tool[] {
  return list.map((tool, index) => {
    const value = objectOf(tool);
    return { at: `${at}/${index}`, type: textOf(value['type']) ?? '', value };
  });
}

/** What is no text is a fault of the shape. */
function readToolIds(layers: readonly Layer[]): readonly ToolId[] {
  const layer = listing(layers, 'toolIds');
  if (layer === undefined) return noToolIds;
  return listOf(layer, 'toolIds').flatMap((value, index) => {
    const id = textOf(value);
    return id === null ? [] : [{ at: `${layer.at}/model/toolIds/${index}`, id }];
  });
}

const noToolIds: readonly ToolId[] = [];

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
