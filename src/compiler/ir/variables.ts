/**
 * Variables of the reachable part of a workflow: where they are set, where they are read, where
 * they are live, and which of them cross each handoff.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its tools'
 * responses arrive, then the conditions of its edges and of all global nodes are read.
 */
import type { NodeIndex } from './ids.js';
import type { UnreachedReads } from './inquiry.js';
import type { Capture, VariableType } from './workflow.js';

export interface VariableFlow {
  /** By name, in walk order. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** A node's position in a topological order; the nodes of a cycle share one. */
  readonly placeOf: (node: NodeIndex) => number;
  /** Where the variable is live, considering only nodes at or after this position. */
  readonly liveFrom: (variable: Variable, place: number) => Liveness;
}

export interface Liveness {
  readonly at: (node: NodeIndex) => boolean;
  /** The only nodes that can be live; null if any can. */
  readonly only: ReadonlySet<NodeIndex> | null;
}

export interface Variable {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
  /** Talk nodes with a tool whose response sets it; whether it is called is unknown. */
  readonly offers: readonly NodeIndex[];
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

/** A variable with the reads that deserve a question or a warning. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Nodes with reads that a walk can reach before the variable is set. */
  readonly maybeUnset: readonly NodeIndex[];
  /** A shortest such walk; if it is long, only its first and last nodes, which are printed. */
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
export function aliasAmong(captures: readonly CaptureSite[]): CaptureSite | null {
  return captures.every(isAlias) ? (captures[0] ?? null) : null;
}

/** The captures from the conversation among these, or beneath an alias that derives from them. */
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

/** The platform reads an argument of this name as the destination and does not keep its value. */
export function canBeArgument(variable: string): boolean {
  return variable !== 'destination';
}

/** Variables that the platform defines in every call, by the root of their path. */
export const builtInVariables: ReadonlySet<string> = new Set([
  ...['now', 'date', 'time', 'month', 'day', 'year', 'customer', 'phoneNumber', 'call'],
  ...['transport', 'messages', 'transcript', 'prompt', 'endedReason', 'assistant'],
  'currentDateTime',
]);
