/**
 * How a squad runs: which assistant a step of the call leads to, and what a read finds there.
 *
 * In: the squad's document in the shape of either target, and the ledger, which says what became of
 * each node and edge. Out: `follow` (what a step of the source is for the assistant that the call is
 * with), and the moments at which the squad's memory of a variable changes.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import { isExit, saidCondition } from './spec-workflow.js';
import { nodeOf, type Source, type Step } from './workflow.js';

/** What the squad knows of one variable: values are events, and null is none. */
export interface Memory {
  /** The value in the bag of the call, which all assistants share. */
  readonly bag: string | null;
  /** What was captured last since the assistant became active. */
  readonly captured: string | null;
  /** Whether a tool's response came after that. */
  readonly responded: boolean;
}

/**
 * The moments of a call, each as the memory after it. A capture of the conversation is not in the
 * bag before a handoff carries it; a tool's response (aliases too) is at once.
 */
export const moments = {
  begin: (): Memory => ({ bag: null, captured: null, responded: false }),
  capture: (memory: Memory, event: string): Memory => ({
    ...memory,
    captured: event,
    responded: false,
  }),
  toolRun: (memory: Memory, event: string): Memory => ({ ...memory, bag: event, responded: true }),
  /** The next assistant becomes active; plan and arguments write what they name to the bag. */
  handoff: ({ bag, captured }: Memory, carries: boolean): Memory => ({
    bag: carries ? (captured ?? bag) : bag,
    captured: null,
    responded: false,
  }),
};

/** What a read finds: the latest capture of this assistant, else the bag. */
export function found({ bag, captured, responded }: Memory): string | null {
  return captured !== null && !responded ? captured : bag;
}

/** What a step is for the member that the call is in. */
export type Landing =
  | { readonly kind: 'inner' }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'handoff';
      readonly at: JsonPointer;
      readonly member: number;
      /** Variables that cross: properties of the extraction plan, and arguments of the handoff. */
      readonly carried: readonly string[];
    };

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
export function valueAt(document: Json | undefined, at: JsonPointer): Json | undefined {
  let value = document;
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

export const assistantAt = ({ membersAt }: Tracks, member: number): JsonPointer =>
  `${membersAt}/${member}/assistant`;

/** The system message of a member. */
export const promptAt = (tracks: Tracks, member: number): JsonPointer =>
  `${assistantAt(tracks, member)}/model/messages/0/content`;

/** The places of a member's tools of one type. */
export function toolsOf({ document, ...tracks }: Tracks, member: number, type: string) {
  const base = `${assistantAt({ document, ...tracks }, member)}/model/tools`;
  const places = listAt(document, base).map((_, index) => `${base}/${index}`);
  return places.filter((at) => valueAt(document, `${at}/type`) === type);
}

/** The places of all handoff destinations of a member. */
export function destinationsOf(tracks: Tracks, member: number): JsonPointer[] {
  return toolsOf(tracks, member, 'handoff').flatMap((tool) =>
    listAt(tracks.document, `${tool}/destinations`).map((_, at) => `${tool}/destinations/${at}`),
  );
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

/** What the step has become in this member; throws where the squad has no such way. */
export function follow(tracks: Tracks, member: number, { to, edge }: Step): Landing {
  const ends = isExit(nodeOf(tracks.source, to));
  const at = edge === undefined ? toGlobal(tracks, member, to) : along(tracks, member, edge.index);
  if (ends) return { kind: 'end' };
  const landing = at === null ? ({ kind: 'inner' } as const) : handoffAt(tracks, at);
  const next = landing.kind === 'handoff' ? landing.member : member;
  if (ownersOf(tracks, to).includes(next)) return landing;
  throw new Error(`the step to /nodes/${to} leads to member ${next}, which does not own it`);
}

/** The destination that the edge has become; null where it leads on inside of the member. */
function along(tracks: Tracks, member: number, edge: number): JsonPointer | null {
  const places = tracks.placesOf('edge', `/edges/${edge}`);
  const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
  if (here.length === 0) throw new Error(`/edges/${edge} has no place in member ${member}`);
  const offered = destinationsOf(tracks, member);
  const [at] = here.filter((place) => offered.includes(place));
  if (at !== undefined && here.length > 1) {
    throw new Error(`/edges/${edge} has several places in member ${member}: ${here.join()}`);
  }
  return at ?? null;
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
    (at) => owners.includes(handoffAt(tracks, at).member) && !ofEdges.includes(at),
  );
  const own = tracks.placesOf('condition', `/nodes/${node}/condition`);
  const condition = saidCondition(nodeOf(source, node).condition) ?? '';
  const at =
    leading.find((place) => own.includes(`${place}/description`)) ??
    leading.find((place) => String(valueAt(document, `${place}/description`)).includes(condition));
  if (at === undefined)
    throw new Error(`member ${member} has no handoff for global /nodes/${node}`);
  return at;
}

function handoffAt(tracks: Tracks, at: JsonPointer) {
  const { document, membersAt, memberCount } = tracks;
  const name = valueAt(document, `${at}/assistantName`);
  const members = Array.from({ length: memberCount }, (_, index) => index);
  const nameOf = (index: number) => valueAt(document, `${membersAt}/${index}/assistant/name`);
  const member = members.find((index) => nameOf(index) === name);
  if (member === undefined) throw new Error(`${at} leads to no member`);
  return { kind: 'handoff' as const, at, member, carried: carriedAt(document, at) };
}

/**
 * Where the variables of a destination are named: in its plan, and in the arguments of its tool. The
 * argument `destination` is no variable.
 */
export function schemasAt(destination: JsonPointer): readonly [plan: string, parameters: string] {
  const tool = destination.replace(/\/destinations\/\d+$/, '');
  return [`${destination}/variableExtractionPlan/schema`, `${tool}/function/parameters`];
}

/** The variables that a destination carries; an argument that is not required carries nothing. */
export function carriedAt(document: Json, destination: JsonPointer): string[] {
  const [planned, given] = schemasAt(destination).map((at) => {
    const properties = valueAt(document, `${at}/properties`);
    return isJsonObject(properties) ? Object.keys(properties) : [];
  }) as [string[], string[]];
  const required = listAt(document, `${schemasAt(destination)[1]}/required`);
  return [...planned, ...given.filter((name) => name !== 'destination' && required.includes(name))];
}
