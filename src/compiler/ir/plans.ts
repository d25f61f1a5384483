/**
 * What crosses with each handoff: the variables that it carries, with the captures that reach it.
 *
 * Invariants: the crossings of a handoff stand in the order in which a walk meets the variables.
 */
import type { NodeIndex, RegionIndex } from './ids.js';
import type { HandoffStep } from './region-map.js';
import type { CaptureSite, Variable } from './variable-flow.js';
import type { VariableType } from './workflow.js';

/** A variable that crosses, with the captures that reach the handoff. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly CaptureSite[];
  /** Whether, on another walk, a tool's response is the latest word at the same point. */
  readonly mixed: boolean;
  /** Whether a visit can come to the handoff without having set the variable. */
  readonly missable: boolean;
}

export interface Plans {
  readonly ofStep: (step: HandoffStep) => readonly Crossing[];
  readonly ofGlobal: (region: RegionIndex, global: NodeIndex) => readonly Crossing[];
  /** Every variable that crosses somewhere, once. */
  readonly variables: readonly Variable[];
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
export function foundAmong({ variable, captures }: Crossing): readonly CaptureSite[] {
  const { name, captures: all } = variable;
  const isFound = (site: CaptureSite) => !isAlias(site);
  const alias = aliasAmong(captures);
  if (alias === null) return captures.filter(isFound);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  return all.filter((it) => it.node === alias.node && isFound(it)).slice(-1);
}

/** The types, each once. */
export function typesOf(captures: readonly CaptureSite[]): readonly VariableType[] {
  return [...new Set(captures.map(({ capture }) => capture.type))];
}

/** The platform reads an argument of this name as the way to go, and does not keep its value. */
export function canBeArgument(variable: string): boolean {
  return variable !== 'destination';
}
