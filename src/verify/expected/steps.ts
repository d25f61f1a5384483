/**
 * The steps of each assistant, under the grouping that the squad has: the node that it begins with,
 * then the others as a walk meets them.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { onlySays } from '../../compiler/ir/workflow.js';
import type { Squad } from '../squad.js';
import type { Owners, Passage, SourceGraph } from './source.js';

/** The steps of a member. */
export interface Steps {
  /** What prompts call it. */
  readonly name: string;
  readonly nodes: readonly NodeIndex[];
  /** The first of the nodes, whose lines the assistant opens with; the last of them is its first step. */
  readonly opening: ReadonlySet<NodeIndex>;
  /** Those that a call can begin at. */
  readonly entries: readonly NodeIndex[];
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** The variables that it finds out. */
  readonly collected: readonly string[];
  /** Where it stands among the assistants. */
  readonly rank: number;
}

/**
 * What an assistant says by itself as a call comes to a node: the node's line, or where the call moves
 * on behind it at once, all lines up to that of the first talk node. What has to be said before or after
 * a tool, or before a node without a line, the model says.
 */
function openingFrom(graph: SourceGraph, owners: Owners, first: NodeIndex): readonly NodeIndex[] {
  const { nodeAt, successors } = graph;
  const lines: NodeIndex[] = [];
  const seen = new Set<NodeIndex>();
  const homes = owners.of(first);
  let at = first;
  while (onlySays(nodeAt(at)) && !seen.has(at)) {
    seen.add(at);
    lines.push(at);
    at = owners.standsFor(successors[at]![0]!);
    if (![...owners.of(at)].some((it) => homes.has(it))) return [];
  }
  if (lines.length === 0) return [first];
  const { role, firstMessage } = nodeAt(at);
  return role === 'talk' && firstMessage !== null ? [...lines, at] : [];
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
    const isAlone = entries.length <= 1 && first !== undefined;
    const opening = new Set(isAlone ? openingFrom(graph, owners, first) : []);
    const nodes = [...new Set([...opening, ...(first === undefined ? [] : [first]), ...own])];
    // Lines that are spoken before the first step belong to it.
    const spoken = Math.max(opening.size - 1, 0);
    const numbers = new Map<NodeIndex, number>();
    for (const [at, node] of nodes.entries()) {
      numbers.set(node, Math.max(at - spoken, 0) + 1);
      for (const { alias, name } of graph.nodeAt(node).captures) {
        if (alias === undefined) collected.add(name);
      }
    }
    const firstOwned = own.find((node) => owners.soleOwner(node) !== null) ?? own[0]!;
    return {
      name: name ?? assistantId ?? '',
      nodes,
      opening,
      entries,
      numbers,
      collected: [...collected],
      rank: graph.ranks[firstOwned] ?? 0,
    };
  });
}
