/**
 * Where a walk of the source is in the squad: which members own a node, and what an edge or a step
 * to a global node has become in the member that the call is in. The compiler's ledger says so;
 * the squad itself says where a handoff leads and what it carries.
 */
import { type JsonPointer, pointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { LedgerEntry } from '../compiler/ir/result.js';
import { nodeOf, type Source, type SourceEdge } from './source.js';
import { isExit } from './spec-workflow.js';

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
      readonly plan: readonly string[];
    };

/** A squad, read together with its source. */
export interface Tracks {
  readonly source: Source;
  readonly document: Json;
  readonly entry: (kind: string, at: JsonPointer) => LedgerEntry | undefined;
}

/** The squad's document and the ledger that came with it. */
export function readTracks(source: Source, document: Json, ledger: readonly LedgerEntry[]): Tracks {
  const entries = new Map(ledger.map((entry) => [`${entry.kind} ${entry.at}`, entry]));
  return { source, document, entry: (kind, at) => entries.get(`${kind} ${at}`) };
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
function memberOf(at: JsonPointer): number | null {
  const found = /^\/squad\/members\/(\d+)(?:\/|$)/.exec(at);
  return found === null ? null : Number(found[1]);
}

/** The members that own the node, in order. */
export function ownersOf(tracks: Tracks, node: number): number[] {
  const outputs = tracks.entry('node', `/nodes/${node}`)?.outputs ?? [];
  return [...new Set(outputs.map(memberOf).filter((member) => member !== null))];
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
  const here = outputs.filter((at) => memberOf(at) === member);
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

/** The destination that bears the global node's condition, or one that no edge accounts for. */
function globalDestination(tracks: Tracks, member: number, node: number): JsonPointer | undefined {
  const condition = tracks.entry('condition', `/nodes/${node}/condition`);
  if (condition !== undefined) {
    return condition.outputs
      .map((at) => at.replace(/\/description$/, ''))
      .find((at) => memberOf(at) === member && isDestination(tracks, at));
  }
  const ofEdges = new Set(
    tracks.source.edges.flatMap(
      ({ index }) => tracks.entry('edge', `/edges/${index}`)?.outputs ?? [],
    ),
  );
  return destinationsOf(tracks, member).find((at) => {
    const target = handoff(tracks, at);
    return (
      !ofEdges.has(at) &&
      target.kind === 'handoff' &&
      ownersOf(tracks, node).includes(target.member)
    );
  });
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
  const base = pointer('squad', 'members', member, 'assistant', 'model', 'tools');
  return elements(valueAt(tracks.document, base)).flatMap((tool, index) =>
    isJsonObject(tool) && tool.type === type ? [`${base}/${index}`] : [],
  );
}

/** How many members the squad has. */
export function memberCount(tracks: Tracks): number {
  return elements(valueAt(tracks.document, '/squad/members')).length;
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
  const members = elements(valueAt(tracks.document, '/squad/members'));
  const member = members.findIndex((_, index) => nameOf(tracks, index) === name);
  if (member < 0) throw new Error(`${at} leads to no member`);
  const properties = valueAt(tracks.document, `${at}/variableExtractionPlan/schema/properties`);
  return {
    kind: 'handoff',
    at,
    member,
    plan: isJsonObject(properties) ? Object.keys(properties) : [],
  };
}

function nameOf(tracks: Tracks, member: number): Json | undefined {
  return valueAt(tracks.document, pointer('squad', 'members', member, 'assistant', 'name'));
}
