/**
 * How a squad runs: which assistant a step of the call leads to, and what it carries along.
 *
 * In: the squad's document in the shape of either target, and the ledger, which tells what became
 * of each node and edge.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../text/pointer.js';
import { isJsonObject, type Json, type JsonObject } from '../text/json.js';
import type { CompileResult, LedgerEntry, SourceMapEntry } from '../compiler/ir/result.js';
import { withoutRaw } from '../compiler/ir/tokens.js';
import { groupBy } from '../graph/lists.js';
import { type Bag, render } from './render.js';
import { edgesOf, nodeOf, type Step } from './walks.js';

/** A squad, read together with its source. */
export interface Tracks {
  readonly graph: FlowGraph;
  readonly document: Json;
  readonly sourceMap: readonly SourceMapEntry[];
  readonly quotations: readonly Quotation[];
  /** The place of the members in the document. */
  readonly membersAt: JsonPointer;
  readonly memberCount: number;
  /** The places that an item of the source has become. */
  readonly placesOf: (kind: LedgerEntry['kind'], at: JsonPointer) => readonly JsonPointer[];
}

type Made = Pick<CompileResult, 'output' | 'ledger' | 'sourceMap'>;

export function layTracks(graph: FlowGraph, { output: document, ledger, sourceMap }: Made): Tracks {
  if (document === null) throw new Error('there is no squad');
  const entries = new Map(ledger.map(({ kind, at, outputs }) => [`${kind} ${at}`, outputs]));
  const membersAt = valueAt(document, '/squad') === undefined ? '/members' : '/squad/members';
  const memberCount = listAt(document, membersAt).length;
  const placesOf: Tracks['placesOf'] = (kind, at) => entries.get(`${kind} ${at}`) ?? [];
  const quotations = quotationsIn(document, sourceMap);
  return { graph, document, sourceMap, quotations, membersAt, memberCount, placesOf };
}

/** A text of the source in the squad. */
export interface Quotation {
  readonly at: JsonPointer;
  /** Place in the source; empty for a text of an answer. */
  readonly from: string;
  readonly text: string;
  /** The whole text at the place, and where this part begins in it. */
  readonly whole: string;
  readonly start: number;
}

/** The texts of a squad; segments with raw marks between them belong to one text. */
export function quotationsIn(document: Json, sourceMap: readonly SourceMapEntry[]): Quotation[] {
  const quotations: Quotation[] = [];
  const places = groupBy(sourceMap, ({ output }) => output);
  for (const [at, entries] of places) {
    const whole = valueAt(document, at);
    if (typeof whole !== 'string') continue;
    for (const { origin, range: [start, end] = [0, whole.length] } of entries) {
      if (origin.kind === 'synthesized') continue;
      const from = 'at' in origin ? origin.at : '';
      const last = quotations.at(-1);
      const between = last?.at === at ? whole.slice(last.start + last.text.length, start) : null;
      const isNext = last?.from === from && /^\{% (?:end)?raw %\}$/.test(between ?? '');
      const first = isNext ? quotations.pop()!.start : start;
      quotations.push({ at, from, text: whole.slice(first, end), whole, start: first });
    }
  }
  return quotations;
}

const [opening, closing] = ['\uE000', '\uE001'];

/** The quotation as it reads when the whole text is rendered. */
export function renderPiece({ whole, start, text }: Quotation, bag: Bag): string {
  const end = start + text.length;
  const marked = `${whole.slice(0, start)}${opening}${text}${closing}${whole.slice(end)}`;
  return render(marked, bag).split(opening)[1]?.split(closing)[0] ?? '';
}

/** A line of a prompt, or a transition with the lines below it. */
export interface Passage {
  /** The number of the step; 0 for what can happen at any time. */
  readonly step: number;
  /** Squadc's own words, with the texts of the source blacked out. */
  readonly words: string;
  /** The texts of the source. */
  readonly quotes: readonly string[];
  /** The condition of the transition; null if it has none or is none. */
  readonly condition: string | null;
  /** What the model is to say. */
  readonly lines: readonly Quotation[];
}

export function passagesOf(tracks: Tracks, member: number): Passage[] {
  const at = promptAt(tracks, member);
  const whole = String(valueAt(tracks.document, at) ?? '');
  const quotations = tracks.quotations.filter((it) => it.at === at);
  let words = whole;
  for (const { output, origin, range: [from, to] = [0, 0] } of tracks.sourceMap) {
    if (output !== at || (origin.kind === 'synthesized' && origin.rule === 'wording')) continue;
    words = words.slice(0, from) + '█'.repeat(to - from) + words.slice(to);
  }
  let step = 1;
  const pieces = words.matchAll(/^- (?:First|If|Otherwise|When)\b.*\n(?: {2}.*\n)*|^.*\n/gm);
  return Array.from(pieces, ({ 0: piece, index: first }): Passage => {
    const heading = /^(?:Step (\d+)|At any time)\n$/.exec(piece);
    if (heading !== null) step = Number(heading[1] ?? 0);
    const pick = ({ 1: before = '', 2: { length } = '', index = 0 }: RegExpMatchArray) => {
      const start = first + index + before.length;
      return { at, from: '', whole, start, text: whole.slice(start, start + length) };
    };
    const within = quotations.filter(({ start }) => start >= first && start < first + piece.length);
    const said = /^(.*\bIf: )(.*)\n {2}Then: /s.exec(piece);
    return {
      step,
      words: piece,
      quotes: within.map(({ text }) => withoutRaw(text)),
      condition: said && withoutRaw(pick(said).text),
      lines: Array.from(piece.matchAll(/\b([Ss]ay:? ")([^"]*)"/g), pick),
    };
  });
}

/** The value at the pointer. */
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

/** The members that contain the places, each once. */
export function membersOf({ membersAt }: Tracks, places: readonly JsonPointer[]): number[] {
  const within = places.filter((at) => at.startsWith(`${membersAt}/`));
  return [...new Set(within.map((at) => Number(at.slice(membersAt.length + 1).split('/')[0])))];
}

/** The members that own the node, in order. */
export function ownersOf(tracks: Tracks, node: number): number[] {
  return membersOf(tracks, tracks.placesOf('node', nodeOf(tracks.graph, node).at));
}

/**
 * The handoff destination that the step has become in this member; null if the call stays with the
 * member or ends. Throws if the squad has none.
 */
export function follow(tracks: Tracks, member: number, { to, edge }: Step): JsonPointer | null {
  const at = edge === undefined ? toGlobal(tracks, member, to) : along(tracks, member, edge.at);
  const { role, id } = nodeOf(tracks.graph, to);
  if (role === 'exit') return null;
  const next = at === null ? member : memberAfter(tracks, at);
  if (ownersOf(tracks, to).includes(next)) return at;
  throw new Error(`the step to ${id} leads to member ${next}, which does not own it`);
}

/** The destination that the edge has become; null if it stays inside the member. */
function along(tracks: Tracks, member: number, edge: JsonPointer): JsonPointer | null {
  const places = tracks.placesOf('edge', edge);
  const here = places.filter((at) => membersOf(tracks, [at]).includes(member));
  if (here.length === 0) throw new Error(`${edge} has no place in member ${member}`);
  const offered = destinationsOf(tracks, member);
  const at = here.find((place) => offered.includes(place)) ?? null;
  if (at === null || here.length === 1) return at;
  throw new Error(`${edge} has several places in member ${member}: ${here.join()}`);
}

/**
 * The destination with the global node's condition. Equal conditions are written once, so it may be
 * another node's; a destination without the condition leads there and belongs to no edge.
 */
function toGlobal(tracks: Tracks, member: number, node: number): JsonPointer | null {
  const { graph, document } = tracks;
  const { role, at: place, global, id } = nodeOf(graph, node);
  const owners = ownersOf(tracks, node);
  if (role === 'exit' || owners.includes(member)) return null;
  const ofEdges = edgesOf(graph).flatMap((edge) => tracks.placesOf('edge', edge.at));
  const leading = destinationsOf(tracks, member).filter(
    (at) => owners.includes(memberAfter(tracks, at)) && !ofEdges.includes(at),
  );
  const own = tracks.placesOf('condition', global?.condition?.at ?? place);
  const condition = global?.condition?.value ?? '';
  const at =
    leading.find((each) => own.includes(`${each}/description`)) ??
    leading.find((each) => describedAt(document, each).includes(condition));
  if (at !== undefined) return at;
  throw new Error(`member ${member} has no handoff for global ${id}`);
}

/** The description of a destination, as the model reads it. */
function describedAt(document: Json, destination: JsonPointer): string {
  return withoutRaw(String(valueAt(document, `${destination}/description`)));
}

/** The member that the destination names. */
export function memberAfter({ document, membersAt }: Tracks, destination: JsonPointer): number {
  const { assistantName: name, assistantId: id } = valueAt(document, destination) as JsonObject;
  const names = listAt(document, membersAt).map((each) =>
    name === undefined ? valueAt(each, '/assistantId') : valueAt(each, '/assistant/name'),
  );
  if (!names.includes(name ?? id)) throw new Error(`${destination} leads to no member`);
  return names.indexOf(name ?? id);
}

/** Where a destination names its variables: in its plan, and in the arguments of its tool. */
export function schemasAt(destination: JsonPointer): readonly [plan: string, parameters: string] {
  const tool = destination.replace(/\/destinations\/\d+$/, '');
  return [`${destination}/variableExtractionPlan/schema`, `${tool}/function/parameters`];
}

/**
 * The variables that a destination carries. An optional argument carries nothing, and the argument
 * `destination` is not a variable.
 */
export function carriedAt(document: Json, destination: JsonPointer): string[] {
  const [plan, parameters] = schemasAt(destination);
  const namesIn = (at: JsonPointer) => Object.keys(valueAt(document, `${at}/properties`) ?? {});
  const required = listAt(document, `${parameters}/required`);
  const given = namesIn(parameters).filter((name) => required.includes(name));
  return [...namesIn(plan), ...given.filter((name) => name !== 'destination')];
}
