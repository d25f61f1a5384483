/**
 * Where a walk of the source is in the squad: which members own a node, and what an edge or a step
 * to a global node has become in the member that the call is in. The compiler's ledger says so;
 * the squad itself, in the shape of either target, says where a handoff leads and what it carries.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import type { Settlement } from './answering.js';
import { nodeOf, readSource, type Source, type SourceEdge } from './source.js';
import { isExit, type SpecWorkflow, saidCondition } from './spec-workflow.js';

/** One step of a walk: along an edge, or into a global node. */
export interface Step {
  readonly to: number;
  readonly edge?: SourceEdge;
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
  readonly entry: (kind: string, at: JsonPointer) => LedgerEntry | undefined;
}

/** The squad's document and the ledger that came with it. */
export function layTracks(source: Source, document: Json, ledger: readonly LedgerEntry[]): Tracks {
  const entries = new Map(ledger.map((entry) => [`${entry.kind} ${entry.at}`, entry]));
  const membersAt = valueAt(document, '/squad') === undefined ? '/members' : '/squad/members';
  return { source, document, membersAt, entry: (kind, at) => entries.get(`${kind} ${at}`) };
}

/** A workflow and the squad that came of settling its questions, to be followed side by side. */
export function readTracks(workflow: SpecWorkflow, settlement: Settlement): Tracks {
  const { output, ledger } = settlement.result;
  if (output === null) throw new Error(`there is no squad: ${settlement.result.status}`);
  return layTracks(readSource(workflow, settlement), output, ledger);
}

/** The assistant of a member. */
export function assistantAt({ membersAt }: Tracks, member: number): JsonPointer {
  return `${membersAt}/${member}/assistant`;
}

/** The system message of a member. */
export function promptAt(tracks: Tracks, member: number): JsonPointer {
  return `${assistantAt(tracks, member)}/model/messages/0/content`;
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

/** The member that a place of the squad is in. */
export function memberOf({ membersAt }: Tracks, at: JsonPointer): number | null {
  if (!at.startsWith(`${membersAt}/`)) return null;
  const [member] = at.slice(membersAt.length + 1).split('/');
  return Number(member);
}

/** The members that own the node, in order. */
export function ownersOf(tracks: Tracks, node: number): number[] {
  const outputs = tracks.entry('node', `/nodes/${node}`)?.outputs ?? [];
  const members = outputs.map((at) => memberOf(tracks, at));
  return [...new Set(members.filter((member) => member !== null))];
}

/** What the step has become in this member; throws where the squad has no such way. */
export function follow(tracks: Tracks, member: number, { to, edge }: Step): Landing {
  const landing =
    edge === undefined ? followGlobal(tracks, member, to) : followEdge(tracks, member, edge);
  const next = landing.kind === 'handoff' ? landing.member : member;
  if (landing.kind !== 'end' && !ownersOf(tracks, to).includes(next)) {
    throw new Error(`the step to /nodes/${to} leads to member ${next}, which does not own it`);
  }
  return landing;
}

function followEdge(tracks: Tracks, member: number, edge: SourceEdge): Landing {
  const outputs = tracks.entry('edge', `/edges/${edge.index}`)?.outputs ?? [];
  const here = outputs.filter((at) => memberOf(tracks, at) === member);
  if (here.length === 0) throw new Error(`/edges/${edge.index} has no place in member ${member}`);
  if (isExit(nodeOf(tracks.source, edge.to))) return { kind: 'end' };
  const destinations = here.filter((at) => isDestination(tracks, at));
  if (destinations.length === 0) return { kind: 'inner' };
  const [at] = destinations;
  if (here.length > 1 || at === undefined) {
    throw new Error(`/edges/${edge.index} has several places in member ${member}: ${here.join()}`);
  }
  return handoff(tracks, at);
}

function followGlobal(tracks: Tracks, member: number, to: number): Landing {
  if (isExit(nodeOf(tracks.source, to))) return { kind: 'end' };
  if (ownersOf(tracks, to).includes(member)) return { kind: 'inner' };
  const at = globalDestination(tracks, member, to);
  if (at === undefined) throw new Error(`member ${member} has no handoff for global /nodes/${to}`);
  return handoff(tracks, at);
}

/**
 * The destination that bears the global node's condition; conditions that read the same stand once,
 * so it may be another node's. One without a condition leads there and stands for no edge.
 */
function globalDestination(tracks: Tracks, member: number, node: number): JsonPointer | undefined {
  const ofEdges = new Set(
    tracks.source.edges.flatMap(
      ({ index }) => tracks.entry('edge', `/edges/${index}`)?.outputs ?? [],
    ),
  );
  const leading = destinationsOf(tracks, member).filter((at) => {
    const target = handoff(tracks, at);
    const owners = ownersOf(tracks, node);
    return target.kind === 'handoff' && owners.includes(target.member) && !ofEdges.has(at);
  });
  const own = tracks.entry('condition', `/nodes/${node}/condition`)?.outputs ?? [];
  const condition = saidCondition(nodeOf(tracks.source, node).condition) ?? '';
  const bears = (at: JsonPointer): boolean =>
    String(valueAt(tracks.document, `${at}/description`)).includes(condition);
  return leading.find((at) => own.includes(`${at}/description`)) ?? leading.find(bears);
}

/** The places of all handoff destinations of a member. */
export function destinationsOf(tracks: Tracks, member: number): JsonPointer[] {
  return toolsOf(tracks, member, 'handoff').flatMap((tool) =>
    elements(valueAt(tracks.document, `${tool}/destinations`)).map(
      (_, number) => `${tool}/destinations/${number}`,
    ),
  );
}

/** The places of a member's tools of one type. */
export function toolsOf(tracks: Tracks, member: number, type: string): JsonPointer[] {
  const base = `${assistantAt(tracks, member)}/model/tools`;
  return elements(valueAt(tracks.document, base)).flatMap((tool, index) =>
    isJsonObject(tool) && tool.type === type ? [`${base}/${index}`] : [],
  );
}

/** How many members the squad has. */
export function memberCount(tracks: Tracks): number {
  return elements(valueAt(tracks.document, tracks.membersAt)).length;
}

function elements(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function isDestination(tracks: Tracks, at: JsonPointer): boolean {
  const [, tool] = /^(.*)\/destinations\/\d+$/.exec(at) ?? [];
  return tool !== undefined && valueAt(tracks.document, `${tool}/type`) === 'handoff';
}

function handoff(tracks: Tracks, at: JsonPointer): Landing {
  const name = valueAt(tracks.document, `${at}/assistantName`);
  const members = elements(valueAt(tracks.document, tracks.membersAt));
  const member = members.findIndex((_, index) => nameOf(tracks, index) === name);
  if (member < 0) throw new Error(`${at} leads to no member`);
  return { kind: 'handoff', at, member, carried: carriedAt(tracks.document, at) };
}

/**
 * The variables that a destination carries, by plan or as arguments of its tool. An argument that
 * is not required is given or left out as the model likes, so it carries nothing.
 */
export function carriedAt(document: Json, destination: JsonPointer): string[] {
  return schemasAt(destination).flatMap(({ at, aside }) => {
    const properties = valueAt(document, at);
    const names = isJsonObject(properties) ? Object.keys(properties) : [];
    if (aside === null) return names;
    const required = elements(valueAt(document, at.replace(/properties$/, 'required')));
    return names.filter((name) => name !== aside && required.includes(name));
  });
}

/** Where variables that cross are named; the argument `destination` is the way, not a variable. */
export function schemasAt(destination: JsonPointer): { at: JsonPointer; aside: string | null }[] {
  const tool = destination.replace(/\/destinations\/\d+$/, '');
  return [
    { at: `${destination}/variableExtractionPlan/schema/properties`, aside: null },
    { at: `${tool}/function/parameters/properties`, aside: 'destination' },
  ];
}

function nameOf(tracks: Tracks, member: number): Json | undefined {
  return valueAt(tracks.document, `${assistantAt(tracks, member)}/name`);
}
