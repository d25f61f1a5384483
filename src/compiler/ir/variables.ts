/**
 * Variables of the reachable part of a workflow: where they are set, where they are read, what each
 * assistant knows of them, and what crosses its handoffs.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its tools'
 * responses arrive, then the conditions of its edges and of all global nodes are read.
 */
import { type Bits, bit, has, membersOf } from '../../graph/flows.js';
import type { NodeIndex } from './ids.js';
import type { Capture, VariableType } from './workflow.js';

/** By name, in walk order. */
export type Variables = ReadonlyMap<string, Variable>;

export interface Variable {
  readonly name: string;
  /** Its position in walk order, by which sets contain it. */
  readonly number: number;
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
  /** Talk nodes with a tool whose response sets it; whether it is called is unknown. */
  readonly offers: readonly NodeIndex[];
  /** Global nodes for whose condition a tool sets it: before they are entered from elsewhere. */
  readonly given: readonly NodeIndex[];
  readonly reads: readonly NodeIndex[];
  /**
   * Talk nodes with an alias whose value reads it. The read happens at the handoff, so it counts
   * with the handoffs that carry the alias.
   */
  readonly aliasReads: readonly NodeIndex[];
  readonly conditionReads: readonly NodeIndex[];
  readonly globalReads: readonly NodeIndex[];
  readonly readEverywhere: boolean;
}

export interface CaptureSite {
  readonly node: NodeIndex;
  readonly capture: Capture;
}

/** Reads of a variable that no capture reaches. */
export interface UnreachedReads {
  readonly texts: ReadonlySet<NodeIndex>;
  readonly conditions: ReadonlySet<NodeIndex>;
  readonly globals: ReadonlySet<NodeIndex>;
  readonly globalPrompt: boolean;
}

/** A variable with the reads that deserve a question or a warning. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Nodes with reads that a walk can reach before the variable is set. */
  readonly maybeUnset: readonly NodeIndex[];
  /** A shortest such walk. */
  readonly unsetWalk: readonly NodeIndex[];
}

export function hasUnreached({ unreached }: ReadReview): boolean {
  const { texts, conditions, globals, globalPrompt } = unreached;
  return globalPrompt || texts.size + conditions.size + globals.size > 0;
}

export function isSet({ captures, responses }: Variable): boolean {
  return captures.length + responses.length > 0;
}

/** A variable that crosses a handoff, with the captures that reach it. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly CaptureSite[];
  /** True if on another walk a tool's response sets it last before the handoff. */
  readonly mixed: boolean;
}

export function isAlias({ capture }: CaptureSite): boolean {
  return capture.alias !== undefined;
}

/** Nodes on leaving which an earlier value is gone. A capture may fail, so it does not suffice. */
export function replacingNodes({ captures, responses }: Pick<Variable, 'captures' | 'responses'>) {
  return new Set([...captures.filter(isAlias).map(({ node }) => node), ...responses]);
}

/**
 * The alias that makes the value at a handoff; null if a capture from the conversation can reach it
 * too. A plan has one entry for a variable, and what the caller said takes precedence. Of several
 * aliases the first counts.
 */
export function winningAlias(captures: readonly CaptureSite[]): CaptureSite | null {
  return captures.every(isAlias) ? (captures[0] ?? null) : null;
}

/** The captures from the conversation among these, or beneath an alias that derives from them. */
export function extractedCaptures({
  variable: { name, captures: all },
  captures,
}: Pick<Crossing, 'variable' | 'captures'>): readonly CaptureSite[] {
  const isFound = (site: CaptureSite) => !isAlias(site);
  const alias = winningAlias(captures);
  if (alias === null) return captures.filter(isFound);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  return all.filter((it) => it.node === alias.node && isFound(it)).slice(-1);
}

export function typesOf(captures: readonly CaptureSite[]): readonly VariableType[] {
  return [...new Set(captures.map(({ capture }) => capture.type))];
}

/** The platform reads an argument of this name as the destination and does not keep its value. */
export function canBeArgument(variable: string): boolean {
  return variable !== 'destination';
}

/** A place where texts are read: on entry to a node or on leaving it; null if it can be any node. */
export type Place = { readonly node: NodeIndex; readonly isLeft: boolean } | null;

/**
 * What happens inside an assistant. A set has the definitions that can be the last ones at a place,
 * on some walk: a number for each, in `Definitions`.
 */
export interface Inside {
  /** By name, in walk order, the variables that it sets. */
  readonly definitions: ReadonlyMap<string, Definitions>;
  readonly entering: ReadonlyMap<NodeIndex, Bits>;
  readonly leaving: ReadonlyMap<NodeIndex, Bits>;
  readonly anywhere: Bits;
}

export interface Flow extends Inside {
  /** What crosses its handoffs, by `handoffKey`. */
  readonly crossings: ReadonlyMap<string, readonly Crossing[]>;
}

/** The ends of a handoff; `from` is null if it can leave any node. */
export const handoffKey = (from: NodeIndex | null, to: NodeIndex): string => `${from} ${to}`;

/** Where an assistant sets a variable, in walk order. */
export interface Definitions extends Pick<Variable, 'captures' | 'responses' | 'offers'> {
  readonly variable: Variable;
  /** In sets, this number and the next ones stand for the gaps, the tools, and each capture. */
  readonly first: number;
}

/** The walks from an entry of the assistant on which something has not happened yet. */
export const gaps = ['never asked for', 'never captured', 'never set'] as const;
export type Gap = (typeof gaps)[number];

/** What can have set a variable last before a place. */
export function reachingAt(inside: Inside, name: string, place: Place) {
  const own = inside.definitions.get(name);
  if (own === undefined) return { captures: [], isResponse: false };
  const { entering, leaving, anywhere } = inside;
  const last = place === null ? anywhere : (place.isLeft ? leaving : entering).get(place.node)!;
  const tools = own.first + gaps.length;
  const captured = (last >> BigInt(tools + 1)) & (bit(own.captures.length) - 1n);
  return {
    captures: membersOf(captured).map((at) => own.captures[at]!),
    isResponse: has(last, tools),
  };
}

/** Whether a walk from an entry can leave the node with this gap. */
export function hasGap(inside: Inside, name: string, gap: Gap, node: NodeIndex): boolean {
  const { first } = inside.definitions.get(name)!;
  return has(inside.leaving.get(node)!, first + gaps.indexOf(gap));
}

/** Variables that the platform defines in every call, by the root of their path. */
export const builtInVariables: ReadonlySet<string> = new Set([
  ...['now', 'date', 'time', 'month', 'day', 'year', 'customer', 'phoneNumber', 'call'],
  ...['transport', 'messages', 'transcript', 'prompt', 'endedReason', 'assistant'],
  'currentDateTime',
]);
