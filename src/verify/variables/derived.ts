/**
 * What the handoffs derive: aliases that cross, and the reads that this makes.
 *
 * An alias is evaluated when the call is handed over, behind what the same plan extracts. So its
 * value is read on leaving the node by that way, or all nodes of the member by a way to a global
 * node. A way that can come with something found out as well carries that and derives nothing; of
 * several aliases the first is taken.
 */
import type { Capture, Text } from '../../compiler/ir/workflow.js';
import type { Owners } from '../owners.js';
import type { Passage } from '../passages.js';
import type { SourceGraph } from '../source-graph.js';
import type { Crossing } from './crossings.js';
import type { Variable } from './sites.js';

/** The alias among captures that reach one way together; null where the value is found out. */
export function derivedBy(captures: readonly Capture[]): Text | null {
  if (captures.some(({ alias }) => alias === undefined)) return null;
  return captures[0]?.alias ?? null;
}

/** What is found out among them, or at the node of an alias that refines what it is called by. */
export function foundOut(
  { workflow }: SourceGraph,
  name: string,
  captures: readonly Capture[],
): readonly Capture[] {
  const alias = derivedBy(captures);
  if (alias === null) return captures.filter((it) => it.alias === undefined);
  if (!alias.uses.some((use) => use.name === name)) return [];
  const home = workflow.nodes.find((node) => node.captures.includes(captures[0]!));
  const own = home?.captures.filter((it) => it.name === name && it.alias === undefined) ?? [];
  return own.slice(-1);
}

export function hasAliases(variables: ReadonlyMap<string, Variable>): boolean {
  for (const { aliasReads } of variables.values()) if (aliasReads.length > 0) return true;
  return false;
}

/**
 * The variables that these ways are the first to read, with these reads; `known` has what was read
 * before, by way.
 */
export function noteReads(
  graph: SourceGraph,
  owners: Pick<Owners, 'of'>,
  variables: Map<string, Variable>,
  carried: readonly (readonly [Passage, Crossing])[],
  known: Map<Passage, Set<string>>,
): ReadonlyMap<string, Variable> {
  const fresh = new Map<string, Passage[]>();
  for (const [passage, { captures }] of carried) {
    const before = known.get(passage) ?? new Set();
    known.set(passage, before);
    for (const { name } of derivedBy(captures)?.uses ?? []) {
      if (before.has(name)) continue;
      before.add(name);
      const ways = fresh.get(name);
      if (ways === undefined) fresh.set(name, [passage]);
      else ways.push(passage);
    }
  }
  const changed = new Map<string, Variable>();
  for (const [name, ways] of fresh) {
    const variable = variables.get(name)!;
    const left = ways.flatMap(({ member, from }) => {
      if (from !== null) return [from];
      const isInside = (node: (typeof graph.order)[number]) =>
        graph.nodeAt(node).role !== 'exit' && owners.of(node).has(member);
      return graph.order.filter(isInside);
    });
    const reading = {
      ...variable,
      exitReads: [...new Set([...variable.exitReads, ...left])],
      handedOn: [...variable.handedOn, ...ways],
    };
    changed.set(name, reading);
    variables.set(name, reading);
  }
  return changed;
}
