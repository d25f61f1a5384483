/**
 * Variables of the reachable part of a workflow: where they are set, where they are read, where
 * they are live, and which of them cross with each handoff.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its
 * tools' responses arrive, then the conditions of its edges and of all global nodes are read.
 */
import type { NodeIndex } from './ids.js';
import type { UnreachedReads } from './inquiry.js';
import type { Capture, VariableType } from './workflow.js';

export interface VariableFlow {
  /** By name, in the order in which a walk meets them. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** The place of a node in a topological order, which the nodes of a cycle share. */
  readonly placeOf: (node: NodeIndex) => number;
  /** Where the variable is live, as far as the nodes do not stand before this place. */
  readonly liveFrom: (variable: Variable, place: number) => Liveness;
}

export interface Liveness {
  readonly at: (node: NodeIndex) => boolean;
  /** The only nodes that come into question; null where it may be any. */
  readonly only: ReadonlySet<NodeIndex> | null;
}

export interface Variable {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
  /** Talk nodes with a tool whose response sets it; whether it is called nobody knows. */
  readonly offers: readonly NodeIndex[];
  readonly reads: readonly NodeIndex[];
  /**
   * Talk nodes with an alias whose value reads it. The read itself happens where the call is handed
   * over, so it counts with the handoffs that carry the alias.
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

/** A variable with the reads of it that deserve a question or a warning. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Nodes with reads that a walk can come to before the variable is set. */
  readonly maybeUnset: readonly NodeIndex[];
  /** A shortest such walk; of a long one, whose middle nobody prints, the first and last nodes. */
  readonly unsetWalk: readonly NodeIndex[];
}

export function hasUnreached({ unreached }: ReadReview): boolean {
  const { texts, conditions, globals, globalPrompt } = unreached;
  return globalPrompt || texts.size + conditions.size + globals.size > 0;
}

export function isSet({ captures, responses }: Variable): boolean {
  return captures.length + responses.length > 0;
}

/** A variable that crosses, with the captures that reach the handoff. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly CaptureSite[];
  /** Whether, on another walk, a tool's response is the latest word at the same point. */
  readonly mixed: boolean;
  /** Whether a visit can come to the handoff without having set the variable. */
  readonly missable: boolean;
}

export function isAlias({ capture }: CaptureSite): boolean {
  return capture.alias !== undefined;
}

/**
 * The alias that makes the value at a handoff; null where something that is found out can reach it
 * too. A plan has one word on a variable, and what the caller has said counts for more. Of several
 * aliases the first counts.
 */
export function aliasAmong(captures: readonly CaptureSite[]): CaptureSite | null {
  return captures.every(isAlias) ? (captures[0] ?? null) : null;
}

/** What is found out among these, or beneath an alias that makes something else of it. */
export function foundAmong(
  crossing: Pick<Crossing, 'variable' | 'captures'>,
): readonly CaptureSite[] {
  const { variable, captures } = crossing;
  const { name, captures: all } = variable;
  const isFound = (site: CaptureSite) => !isAlias(site);
  const alias = aliasAmong(captures);
  if (alias === null) return captures.filter(isFound);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  return all.filter((it) => it.node === alias.node && isFound(it)).slice(-1);
}

export function typesOf(captures: readonly CaptureSite[]): readonly VariableType[] {
  return [...new Set(captures.map(({ capture }) => capture.type))];
}

/** The platform reads an argument of this name as the way to go, and does not keep its value. */
export function canBeArgument(variable: string): boolean {
  return variable !== 'destination';
}

/** Variables that the platform defines in every call, by the root of their path. */
export const builtInVariables: ReadonlySet<string> = new Set([
  ...['now', 'date', 'time', 'month', 'day', 'year', 'customer', 'phoneNumber', 'call'],
  ...['transport', 'messages', 'transcript', 'prompt', 'endedReason', 'assistant'],
  'currentDateTime',
]);
