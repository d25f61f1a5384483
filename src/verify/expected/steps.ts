/**
 * The steps of each assistant, under the grouping that the squad has: the node that it begins with,
 * then the others as a walk meets them.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Squad } from '../squad.js';
import type { Owners, Passage, SourceGraph } from './source.js';

/** The steps of a member. */
export interface Steps {
  /** What prompts call it. */
  readonly name: string;
  readonly nodes: readonly NodeIndex[];
  /** Those that a call can begin at. */
  readonly entries: readonly NodeIndex[];
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** The variables that it finds out. */
  readonly collected: readonly string[];
  /** Where it stands among the assistants. */
  readonly rank: number;
}

/** The steps of each member: the node that the assistant begins with, then the others as a walk meets them. */
export function orderSteps(
  graph: SourceGraph,
  { members }: Squad,
  owners: Owners,
  passages: readonly Passage[],
  nodesOf: readonly (readonly NodeIndex[])[],
): readonly Steps[] {
  const entered = new Set<string>();
  const start = owners.standsFor(graph.start);
  const isGlobal = (node: NodeIndex) => graph.nodeAt(node).global !== null;
  for (const { member, target, to, edge } of passages) {
    const isSeen = target !== null && edge !== null && !members[member]!.unseen;
    if (isSeen) entered.add(`${target} ${owners.standsFor(to)}`);
  }
  return members.map(({ index, name, assistantId }) => {
    const own = nodesOf[index]!;
    const collected = new Set<string>();
    const entries = own.filter((node) => {
      if (node === start || entered.has(`${index} ${node}`)) return true;
      return members.length > 1 && isGlobal(node) && owners.soleOwner(node) === index;
    });
    const first = entries.includes(start)
      ? start
      : (entries.find(isGlobal) ?? entries[0] ?? own[0]);
    const nodes = first === undefined ? [] : [first];
    for (const node of own) if (node !== first) nodes.push(node);
    const numbers = new Map<NodeIndex, number>();
    for (const node of nodes) {
      numbers.set(node, numbers.size + 1);
      for (const { alias, name } of graph.nodeAt(node).captures) {
        if (alias === undefined) collected.add(name);
      }
    }
    const firstOwned = own.find((node) => owners.soleOwner(node) !== null) ?? own[0]!;
    return {
      name: name ?? assistantId ?? '',
      nodes,
      entries,
      numbers,
      collected: [...collected],
      rank: graph.ranks[firstOwned] ?? 0,
    };
  });
}
