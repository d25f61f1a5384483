/**
 * What the handoffs derive, and what that reads (DESIGN section 4, "Alias keys").
 *
 * In: what crosses with the handoffs. Out: which crossings are aliases, and for each handoff the
 * variables that its aliases read. The platform evaluates them when the call is handed over: after
 * the plan's properties, over all that the call knows. So a variable in the value of an alias is
 * read on leaving the node by that handoff, and by nothing where the alias is not carried.
 */
import { append } from '../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { CaptureSite, Variable } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';

/** Variables, by what reads them. */
export interface Derivations<Handoff> {
  readonly reads: (handoff: Handoff, variable: string) => boolean;
  /** The nodes that are left with an alias that reads the variable. */
  readonly nodesOf: (variable: string) => readonly NodeIndex[];
  /** How many reads there are; it only grows from one round to the next. */
  readonly count: number;
}

interface Derived<Handoff> {
  readonly handoff: Handoff;
  /** Where the call can be when it is handed over. */
  readonly nodes: readonly NodeIndex[];
  readonly value: Text;
}

export function collectReads<Handoff>(
  derived: Iterable<Derived<Handoff>>,
): Derivations<Handoff> {
  const handoffs = new Map<Handoff, Set<string>>();
  const nodes = new Map<string, NodeIndex[]>();
  let count = 0;
  for (const { handoff, nodes: leaving, value } of derived) {
    const known = handoffs.get(handoff) ?? new Set();
    handoffs.set(handoff, known);
    for (const { name } of value.uses) {
      if (known.has(name)) continue;
      known.add(name);
      count += 1;
      for (const node of leaving) append(nodes, name, node);
    }
  }
  return {
    reads: (handoff, variable) => handoffs.get(handoff)?.has(variable) === true,
    nodesOf: (variable) => nodes.get(variable) ?? [],
    count,
  };
}

/**
 * The alias that makes the value at a handoff; null where something that is found out can reach it
 * too. A plan has one word on a variable, and what the caller has said counts for more. Of several
 * aliases the first counts.
 */
export function aliasAmong(captures: readonly CaptureSite[]): CaptureSite | null {
  const isDerived = captures.every(({ capture }) => capture.alias !== undefined);
  return isDerived ? (captures[0] ?? null) : null;
}

/** What is found out among these, or beneath an alias that makes something else of it. */
export function foundAmong(
  { name, captures: all }: Variable,
  captures: readonly CaptureSite[],
): CaptureSite[] {
  const alias = aliasAmong(captures);
  if (alias === null) return captures.filter(({ capture }) => capture.alias === undefined);
  if (!alias.capture.alias!.uses.some((use) => use.name === name)) return [];
  return all.filter((it) => it.node === alias.node && it.capture.alias === undefined).slice(-1);
}
