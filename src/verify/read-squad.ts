/**
 * The document → the squad as the checks see it.
 *
 * Nothing is taken for granted: what is missing or of the wrong kind reads as absent, so that a
 * damaged document fails its checks and throws nothing.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import { layerAt, MemberPart } from './read-member.js';
import {
  type Destination,
  elements,
  type Member,
  objectOf,
  type SquadReading,
  type Tool,
  textOf,
} from './squad-reading.js';

/** `named` are the ids of saved assistants that the source names. */
export function readSquad(document: Json, named: ReadonlySet<string> = new Set()): SquadReading {
  const { squad } = objectOf(document);
  const wrapped = isJsonObject(squad);
  const [root, base] = wrapped ? [squad, '/squad'] : [objectOf(document), ''];
  const overridesKey = wrapped ? 'memberOverrides' : 'membersOverrides';
  const overrides = layerAt(root, overridesKey, { at: base });
  const values = elements(root['members']);
  const list = `${base}/members`;
  const members = values.map((it, index) => new MemberPart(objectOf(it), list, index, named));
  const byName = indexBy(members, 'name');
  const indexOf = indexByTarget(byName, indexBy(members, 'assistantId'));
  const destinations: Destination[] = [];
  for (const member of members) {
    readShorthand(objectOf(values[member.index]), member, indexOf, destinations);
    readHandoffs(member, indexOf, destinations);
  }
  return { wrapped, members, byName, destinations, overrides };
}

/** Tells where a destination leads. */
type IndexOf = (destination: JsonObject) => number | null;

/** By what they are called so, the members; of several, the first. */
function indexBy(
  members: readonly Member[],
  key: 'name' | 'assistantId',
): ReadonlyMap<string, number> {
  let index: Map<string, number> | null = null;
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const value = members[at]![key];
    if (value === null) continue;
    index ??= new Map();
    index.set(value, at);
  }
  return index ?? nobody;
}

const nobody: ReadonlyMap<string, number> = new Map();

/** Where a name or an id leads. */
function indexByTarget(
  byName: ReadonlyMap<string, number>,
  byId: ReadonlyMap<string, number>,
): IndexOf {
  return ({ assistantName, assistantId }) => {
    const name = textOf(assistantName);
    if (name !== null) return byName.get(name) ?? null;
    const id = textOf(assistantId);
    return id === null ? null : (byId.get(id) ?? null);
  };
}

function readHandoffs(member: Member, indexOf: IndexOf, into: Destination[]): void {
  for (const tool of member.tools) {
    if (tool.type !== 'handoff') continue;
    const destinations = elements(tool.value['destinations']);
    for (let at = 0; at < destinations.length; at += 1) {
      const value = objectOf(destinations[at]);
      into.push(new DestinationPart(into.length, value, indexOf(value), member, tool, at));
    }
  }
}

/** The platform's shorthand: destinations that stand beside the assistant. */
function readShorthand(
  holder: JsonObject,
  member: Member,
  indexOf: IndexOf,
  into: Destination[],
): void {
  const destinations = elements(holder['assistantDestinations']);
  for (let at = 0; at < destinations.length; at += 1) {
    const value = objectOf(destinations[at]);
    into.push(new DestinationPart(into.length, value, indexOf(value), member, null, at));
  }
}

class DestinationPart implements Destination {
  readonly member: number;
  readonly description: string;

  /** `holder` is the tool that it is a destination of; null where the member lists it without. */
  constructor(
    readonly index: number,
    readonly value: JsonObject,
    readonly leadsTo: number | null,
    private readonly owner: Member,
    private readonly holder: Tool | null,
    private readonly number: number,
  ) {
    this.member = owner.index;
    this.description = textOf(value['description']) ?? '';
  }

  get at(): JsonPointer {
    const { owner, holder, number } = this;
    return holder === null
      ? `${owner.at}/assistantDestinations/${number}`
      : `${holder.at}/destinations/${number}`;
  }

  get tool(): JsonObject {
    return this.holder?.value ?? noTool;
  }

  get toolAt(): JsonPointer | null {
    return this.holder?.at ?? null;
  }

  get target(): Destination['target'] {
    const name = textOf(this.value['assistantName']);
    if (name !== null) return { by: 'name', value: name };
    const id = textOf(this.value['assistantId']);
    return id === null ? null : { by: 'id', value: id };
  }
}

const noTool: JsonObject = {};
