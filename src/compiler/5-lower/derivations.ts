/**
 * What the handoffs derive, and what that reads.
 *
 * In: what crosses with the handoffs. Out: which crossings are aliases, and for each handoff the
 * variables that its aliases read. The platform evaluates them when the call is handed over: after
 * the plan's properties, over all that the call knows. So a variable in the value of an alias is
 * read on leaving the node by that handoff, and by nothing where the alias is not carried.
 */
import { append } from '../../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';

/** Which variables the aliases read that cross. */
export interface AliasReads<Handoff> {
  /** Takes in an alias that crosses; returns the variables that are now read for the first time. */
  readonly note: (handoff: Handoff, nodes: readonly NodeIndex[], alias: Text) => string[];
  readonly reads: (handoff: Handoff, variable: string) => boolean;
  /** The nodes that are left with an alias that reads the variable. */
  readonly nodesOf: (variable: string) => readonly NodeIndex[];
}

export function createAliasReads<Handoff>(): AliasReads<Handoff> {
  const byHandoff = new Map<Handoff, Set<string>>();
  const byName = new Map<string, NodeIndex[]>();
  return {
    note: (handoff, nodes, { uses }) => {
      const known = byHandoff.get(handoff) ?? new Set<string>();
      byHandoff.set(handoff, known);
      const fresh = new Set(uses.map(({ name }) => name).filter((name) => !known.has(name)));
      for (const name of fresh) {
        known.add(name);
        for (const node of nodes) append(byName, name, node);
      }
      return [...fresh];
    },
    reads: (handoff, variable) =>
      byHandoff.size > 0 && byHandoff.get(handoff)?.has(variable) === true,
    nodesOf: (variable) => byName.get(variable) ?? [],
  };
}

/** What is read where no alias crosses. */
export const nothingRead: Pick<AliasReads<unknown>, 'reads' | 'nodesOf'> = {
  reads: () => false,
  nodesOf: () => [],
};

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
  { name, captures: all }: Variable,
  captures: readonly CaptureSite[],
): readonly CaptureSite[] {
  const alias = aliasAmong(captures);
  if (alias === null) return captures.some(isAlias) ? captures.filter(isFound) : captures;
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  return all.filter((it) => it.node === alias.node && isFound(it)).slice(-1);
}

export function isAlias({ capture }: CaptureSite): boolean {
  return capture.alias !== undefined;
}

function isFound({ capture }: CaptureSite): boolean {
  return capture.alias === undefined;
}
