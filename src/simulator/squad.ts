/**
 * How a squad runs: which assistant a step of the call leads to, and what it takes along.
 *
 * In: the squad's document in the shape of either target, and the ledger, which says what became of
 * each node and edge.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import { isExit, nodeOf, type Source, type Step, saidCondition } from './workflow.js';

/** A squad, read together with its source. */
export interface Tracks {
  readonly source: Source;
  readonly document: Json;
  /** Where the members stand in the document. */
  readonly membersAt: JsonPointer;
  readonly memberCount: number;
  /** The places that a thing of the source has become. */
  readonly placesOf: (kind: LedgerEntry['kind'], at: JsonPointer) => readonly JsonPointer[];
}

export function layTracks(source: Source, document: Json, ledger: readonly LedgerEntry[]): Tracks {
  const entries = new Map(ledger.map(({ kind, at, outputs }) => [`${kind} ${at}`, outputs]));
  const membersAt = valueAt(document, '/squad') === undefined ? '/members' : '/squad/members';
  const memberCount = listAt(document, membersAt).length;
  const placesOf: Tracks['placesOf'] = (kind, at) => entries.get(`${kind} ${at}`) ?? [];
  return { source, document, membersAt, memberCount, placesOf };
}

/** The value that the pointer leads to. */
export function valueAt(document: unknown, at: JsonPointer): Json | undefined {
  let value = document as Json | undefined;
  for (const segment of at.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = (value as readonly Json[])[Number(key)];
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}

export function listAt(document: Json, at: JsonPointer): readonly Json[] {
  const value = valueAt(document, at);
  return Array.isArray(value) ? value : [];
}

function placesIn(document: Json, list: JsonPointer): JsonPointer[] {
  return listAt(document, list).map((_, index) => `${list}/${index}`);
}

export const assistantAt = ({ membersAt }: Tracks, member: number): JsonPointer =>
  `${membersAt}/${member}/assistant`;

/** The system message of a member. */
export const promptAt = (tracks: Tracks, member: number): JsonPointer =>
  `${assistantAt(tracks, member)}/model/messages/0/content`;

/** The places of a member's tools of one type. */
export function toolsOf(tracks: Tracks, member: number, type: string): JsonPointer[] {
  const places = placesIn(tracks.document, `${assistantAt(tracks, member)}/model/tools`);
  return places.filter((at) => valueAt(tracks.document, `${at}/type`) === type);
}

/** The places of all handoff destinations of a member. */
export function destinationsOf(tracks: Tracks, member: number): JsonPointer[] {
  const tools = toolsOf(tracks, member, 'handoff');
  return tools.flatMap((tool) => placesIn(tracks.document, `${tool}/destinations`));
}

/** The members that the places are in, each once. */
export function membersOf({ membersAt }: Tracks, places: readonly JsonPointer[]): number[] {
  const within = places.filter((at) => at.startsWith(`${membersAt}/`));
  return [...new Set(within.map((at) => Number(at.slice(membersAt.length + 1).split('/')[0])))];
}

/** The members that own the node, in order. */
export function ownersOf(tracks: Tracks, node: number): number[] {
  return membersOf(tracks, tracks.placesOf('node', `/nodes/${node}`));
}

/**
 * The handoff destination that the step has become in this member, null where the call stays with
 * the member or ends; throws where the squad has no such way.
 */
export function follow(tracks: Tracks, member: number, { to, edge }: Step): JsonPointer | null {
  const at = edge === undefined ? toGlobal(tracks, member, to) : along(tracks, member, edge.index);
  if (isExit(nodeOf(tracks.source, to))) return null;
  const next = at === null ? member : memberAfter(tracks, at);
  if (ownersOf(tracks, to).includes(next)) return at;
  throw new Error(`the step to /nodes/${to} leads to member ${next}, which does not own it`);
}

/** The destination that the edge has become; null where it leads on inside of the member. */
function along(tracks: Tracks, member: number, edge: number): JsonPointer | null {
  const places = tracks.placesOf('edge', `/edges/${edge}`);
  const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
  if (here.length === 0) throw new Error(`/edges/${edge} has no place in member ${member}`);
  const offered = destinationsOf(tracks, member);
  const at = here.find((place) => offered.includes(place)) ?? null;
  if (at === null || here.length === 1) return at;
  throw new Error(`/edges/${edge} has several places in member ${member}: ${here.join()}`);
}

/**
 * The destination that bears the global node's condition. Conditions that read the same stand once,
 * so it may be another node's; one without a condition leads there and stands for no edge.
 */
function toGlobal(tracks: Tracks, member: number, node: number): JsonPointer | null {
  const { source, document } = tracks;
  const owners = ownersOf(tracks, node);
  if (isExit(nodeOf(source, node)) || owners.includes(member)) return null;
  const ofEdges = source.edges.flatMap(({ index }) => tracks.placesOf('edge', `/edges/${index}`));
  const leading = destinationsOf(tracks, member).filter(
    (at) => owners.includes(memberAfter(tracks, at)) && !ofEdges.includes(at),
  );
  const own = tracks.placesOf('condition', `/nodes/${node}/condition`);
  const condition = saidCondition(nodeOf(source, node).condition) ?? '';
  const at =
    leading.find((place) => own.includes(`${place}/description`)) ??
    leading.find((place) => String(valueAt(document, `${place}/description`)).includes(condition));
  if (at !== undefined) return at;
  throw new Error(`member ${member} has no handoff for global /nodes/${node}`);
}

/** The member that the destination names. */
export function memberAfter({ document, membersAt }: Tracks, destination: JsonPointer): number {
  const name = valueAt(document, `${destination}/assistantName`);
  const names = listAt(document, membersAt).map((each) => valueAt(each, '/assistant/name'));
  if (!names.includes(name)) throw new Error(`${destination} leads to no member`);
  return names.indexOf(name);
}

/** Where the variables of a destination are named: in its plan, and in the arguments of its tool. */
export function schemasAt(destination: JsonPointer): readonly [plan: string, parameters: string] {
  const tool = destination.replace(/\/destinations\/\d+$/, '');
  return [`${destination}/variableExtractionPlan/schema`, `${tool}/function/parameters`];
}

/**
 * The variables that a destination carries. An argument that is not required carries nothing, and
 * the argument `destination` is no variable.
 */
export function carriedAt(document: Json, destination: JsonPointer): string[] {
  const [plan, parameters] = schemasAt(destination);
  const namesIn = (at: JsonPointer) => Object.keys(valueAt(document, `${at}/properties`) ?? {});
  const required = listAt(document, `${parameters}/required`);
  const given = namesIn(parameters).filter((name) => required.includes(name));
  return [...namesIn(plan), ...given.filter((name) => name !== 'destination')];
}
