/**
 * The squad document as the checks read it, in the shape of either target.
 *
 * Nothing is taken for granted: what is missing or of the wrong kind reads as absent, so that a
 * damaged document fails its checks and throws nothing.
 */
import { child, type JsonPointer, pointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';

export interface SquadReading {
  /** Whether the document has the shape of target `squad`: a `squad` around the members. */
  readonly wrapped: boolean;
  readonly members: readonly Member[];
  /** Destinations of handoff tools, in the order of the document. */
  readonly destinations: readonly Destination[];
}

export interface Member {
  readonly index: number;
  readonly at: JsonPointer;
  readonly name: string | null;
  /** Id of a saved assistant. */
  readonly assistantId: string | null;
  readonly firstMessage: string | null;
  /** Content of the system message, and its place. */
  readonly prompt: string;
  readonly promptAt: JsonPointer;
  readonly tools: readonly Tool[];
}

export interface Tool {
  readonly at: JsonPointer;
  readonly type: string;
  readonly value: JsonObject;
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
  /** The tool that it is a destination of. */
  readonly tool: JsonObject;
}

export function readSquad(document: JsonObject): SquadReading {
  const { squad } = document;
  const wrapped = isJsonObject(squad);
  const [root, base] = wrapped ? [squad, '/squad'] : [document, ''];
  const members = elements(root['members']).map((member, index) =>
    readMember(member, index, child(child(base, 'members'), index)),
  );
  const byTarget = new Map<string, number>();
  for (const { index, name, assistantId } of [...members].reverse()) {
    if (name !== null) byTarget.set(`name ${name}`, index);
    if (assistantId !== null) byTarget.set(`id ${assistantId}`, index);
  }
  return {
    wrapped,
    members,
    destinations: members.flatMap((it) => readDestinations(it, byTarget)),
  };
}

function readMember(value: Json, index: number, at: JsonPointer): Member {
  const member = objectOf(value);
  const assistant = objectOf(member['assistant']);
  const model = objectOf(assistant['model']);
  const place = `${at}/assistant/model`;
  const message = objectOf(elements(model['messages'])[0]);
  return {
    index,
    at,
    name: textOf(assistant['name']),
    assistantId: textOf(member['assistantId']),
    firstMessage: textOf(assistant['firstMessage']),
    prompt: textOf(message['content']) ?? '',
    promptAt: `${place}/messages/0/content`,
    tools: elements(model['tools']).map((tool, number) => ({
      at: `${place}/tools/${number}`,
      type: textOf(objectOf(tool)['type']) ?? '',
      value: objectOf(tool),
    })),
  };
}

function readDestinations(
  { index, tools }: Member,
  byTarget: ReadonlyMap<string, number>,
): Destination[] {
  return tools
    .filter(({ type }) => type === 'handoff')
    .flatMap(({ at, value }) =>
      elements(value['destinations']).map((destination, number): Destination => {
        const target = targetOf(objectOf(destination));
        return {
          at: at + pointer('destinations', number),
          member: index,
          target,
          leadsTo: target === null ? null : (byTarget.get(`${target.by} ${target.value}`) ?? null),
          description: textOf(objectOf(destination)['description']) ?? '',
          value: objectOf(destination),
          tool: value,
        };
      }),
    );
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
