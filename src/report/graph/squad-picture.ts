/**
 * Squad → picture: members as nodes, destinations of handoffs as edges, and for each member small
 * nodes for its transfers and for the end of the call.
 *
 * The document may come from anybody, in the shape of either target; what is not as it should be
 * is left out of the picture, and a handoff to a member that is not there says so.
 */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { foldEverywhere } from './everywhere.js';
import type { Picture, PictureEdge, PictureNode } from './picture.js';
import { listIn, objectIn, textIn } from './value-at.js';

/** What is known of the squad beside its text. */
export interface SquadFacts {
  /** Members in which a call can end; null where only their words tell. */
  readonly endings: ReadonlySet<number> | null;
}

/** The picture of a squad; null where the document is none. */
export function squadPicture(squad: Json, facts: SquadFacts = { endings: null }): Picture | null {
  const read = membersOf(squad);
  if (read === null) return null;
  const drawn = read.members.map((member) => {
    const elsewhere = linksOf(member, read.members);
    const ends = facts.endings?.has(member.index) ?? maySayEnd(member);
    return { node: drawMember(member), leaves: [...elsewhere, ...(ends ? [endOf(member)] : [])] };
  });
  const picture: Picture = {
    title: isJsonObject(squad) ? textIn(squad, 'name') : null,
    subject: 'squad',
    nodes: drawn.flatMap(({ node, leaves }) => [node, ...leaves.flatMap(({ node }) => node ?? [])]),
    edges: drawn.flatMap(({ leaves }) => leaves.map(({ edge }) => edge)),
    groups: read.members.map(({ name }) => name),
  };
  return foldEverywhere(picture);
}

/** An edge, and the node that it leads to where that is no member. */
interface Leaf {
  readonly edge: PictureEdge;
  readonly node: PictureNode | null;
}

function drawMember({ at, index, name, isSaved }: Member): PictureNode {
  return {
    id: at,
    label: name,
    caption: isSaved ? 'saved assistant' : 'assistant',
    kind: 'talk',
    isStart: index === 0,
    isGlobal: false,
    groups: [index],
    pointers: [at],
  };
}

/** Handoffs and transfers of a member, in the order of its tools. */
function linksOf(member: Member, members: readonly Member[]): Leaf[] {
  return member.tools.flatMap(({ tool, at }) => {
    const destinations = listIn(tool, 'destinations').map((destination, index) => ({
      destination,
      at: `${at}/destinations/${index}`,
    }));
    if (tool.type === 'handoff') {
      return destinations.map((it) => handoff(member, it.destination, it.at, members));
    }
    if (tool.type !== 'transferCall') return [];
    return destinations.map((it) => transfer(member, it.destination, it.at, at));
  });
}

function handoff(
  member: Member,
  destination: JsonObject,
  at: string,
  members: readonly Member[],
): Leaf {
  const label = textIn(destination, 'description') ?? '';
  const name = textIn(destination, 'assistantName');
  const id = textIn(destination, 'assistantId');
  const target = members.find((it) => (name === null ? it.savedAs === id : it.name === name));
  const known = target !== undefined && (name ?? id) !== null;
  const edge = {
    id: at,
    from: member.at,
    to: known ? target.at : `${at}#to`,
    label,
    pointers: [at],
  };
  if (known) return { edge, node: null };
  const type = textIn(destination, 'type') ?? '';
  const elsewhere = type === 'assistant' || type === '' ? 'not in this squad' : type;
  const shown = name ?? id ?? 'handoff';
  return { edge, node: exitNode(member, `${at}#to`, shown, elsewhere, [at]) };
}

/** Its tool is a place of the transfer too: what has one destination is noted there. */
function transfer(member: Member, destination: JsonObject, at: string, tool: string): Leaf {
  const address = ['number', 'sipUri', 'assistantName'].map((key) => textIn(destination, key));
  const shown = address.find((it) => it !== null) ?? 'transfer';
  const label = textIn(destination, 'description') ?? '';
  return {
    edge: { id: at, from: member.at, to: `${at}#to`, label, pointers: [at, tool] },
    node: exitNode(member, `${at}#to`, shown, 'transfer', [at, tool]),
  };
}

function endOf(member: Member): Leaf {
  const id = endId(member.at);
  return {
    edge: { id: endEdgeId(member.at), from: member.at, to: id, label: '', pointers: [] },
    node: exitNode(member, id, 'end of call', '', member.endAt === null ? [] : [member.endAt]),
  };
}

/** The id of the node at which the calls of a member end. */
export function endId(member: string): string {
  return `${member}#end`;
}

export function endEdgeId(member: string): string {
  return `${member}#ends`;
}

function exitNode(
  { index }: Member,
  id: string,
  label: string,
  caption: string,
  pointers: readonly string[],
): PictureNode {
  return {
    id,
    label,
    caption,
    kind: 'exit',
    isStart: false,
    isGlobal: false,
    groups: [index],
    pointers,
  };
}

/** The tool that ends calls, or the words by which the prompt says that one can end. */
function maySayEnd({ endAt, prompt }: Member): boolean {
  return endAt !== null || /\bend the call\b/i.test(prompt);
}

export interface Member {
  readonly index: number;
  readonly at: string;
  readonly name: string;
  readonly isSaved: boolean;
  /** The id that the platform knows a saved assistant by. */
  readonly savedAs: string | null;
  readonly tools: readonly PlacedTool[];
  /** The texts of its system messages. */
  readonly prompt: string;
  /** The tool that ends calls; null where there is none. */
  readonly endAt: string | null;
}

interface PlacedTool {
  readonly tool: JsonObject;
  readonly at: string;
}

/** Null where the document is no squad. */
function membersOf(document: Json): { readonly members: readonly Member[] } | null {
  if (!isJsonObject(document)) return null;
  const wrapped = objectIn(document, 'squad');
  const base = Object.hasOwn(wrapped, 'members') ? '/squad' : '';
  const squad = base === '' ? document : wrapped;
  if (!Object.hasOwn(squad, 'members') || !Array.isArray(squad.members)) return null;
  const members = listIn(squad, 'members');
  return {
    members: members.map((member, index) => readMember(member, index, `${base}/members/${index}`)),
  };
}

function readMember(member: JsonObject, index: number, at: string): Member {
  const savedAs = textIn(member, 'assistantId');
  const own = objectIn(member, 'assistant');
  const overrides = objectIn(member, 'assistantOverrides');
  const tools = [
    ...toolsOf(own, `${at}/assistant`),
    ...toolsOf(overrides, `${at}/assistantOverrides`),
    ...shorthand(member, at),
  ];
  const end = tools.find(({ tool }) => tool.type === 'endCall');
  return {
    index,
    at,
    name: textIn(own, 'name') ?? textIn(overrides, 'name') ?? savedAs ?? `member ${index + 1}`,
    isSaved: savedAs !== null,
    savedAs,
    tools,
    prompt: listIn(objectIn(own, 'model'), 'messages')
      .map((each) => textIn(each, 'content') ?? '')
      .join('\n'),
    endAt: end?.at ?? null,
  };
}

/** The tools of an assistant or of overrides, where they replace and where they add. */
function toolsOf(assistant: JsonObject, at: string): PlacedTool[] {
  const model = objectIn(assistant, 'model');
  return [
    ...placed(listIn(model, 'tools'), `${at}/model/tools`),
    ...placed(listIn(assistant, 'tools:append'), `${at}/tools:append`),
  ];
}

function placed(tools: readonly JsonObject[], at: string): PlacedTool[] {
  return tools.map((tool, index) => ({ tool, at: `${at}/${index}` }));
}

/** `assistantDestinations`, the platform's older way to say what handoff tools say. */
function shorthand(member: JsonObject, at: string): PlacedTool[] {
  return listIn(member, 'assistantDestinations').map((destination, index) => ({
    tool: { type: 'handoff', destinations: [destination] },
    at: `${at}/assistantDestinations/${index}`,
  }));
}
