/**
 * The steps of each assistant, under the grouping that the squad has: the node that it begins with,
 * then the others as a walk meets them.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { labelOf } from '../../compiler/ir/names.js';
import { onlySays } from '../../compiler/ir/workflow.js';
import { createGates } from '../../graph/dominators.js';
import { append } from '../../graph/lists.js';
import type { Arcs } from '../../graph/walks.js';
import type { Squad } from '../squad.js';
import type { Owners, Passage, SourceGraph } from './source.js';

export interface Inside extends Arcs<NodeIndex> {
  /** Whether no walk comes back to an earlier component, over a global node or an equal one. */
  readonly isOrdered: boolean;
}

/** The steps of a member. */
export interface Steps {
  /** What prompts call it. */
  readonly name: string;
  /** What sentences call it. */
  readonly label: string;
  readonly nodes: readonly NodeIndex[];
  /** The first of the nodes, whose lines the assistant opens with; the last of them is its first step. */
  readonly opening: ReadonlySet<NodeIndex>;
  /** Those that a call can begin at. */
  readonly entries: readonly NodeIndex[];
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** Walks along its edges, and from all of its nodes to its own global nodes. */
  readonly inside: Inside;
  /** Whether every walk to the node comes through one of the others, or it is one of them. */
  readonly isSure: (gates: readonly NodeIndex[], node: NodeIndex) => boolean;
  /** The variables that it has found out as the node is left, on whatever walk. */
  readonly collectedAt: (node: NodeIndex) => readonly string[];
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

/** Walks inside of a member that owns these nodes. */
export function walkInside(
  graph: SourceGraph,
  owners: Owners,
  member: number,
  nodes: readonly NodeIndex[],
): Inside {
  const own = new Set(nodes);
  const anytime = graph.globalNodes.filter(({ index, role }) => {
    return role !== 'exit' && owners.of(index).has(member);
  });
  const globals = new Set(anytime.map(({ index }) => owners.standsFor(index)));
  const following = new Map<NodeIndex, NodeIndex[]>();
  const leading = new Map<NodeIndex, NodeIndex[]>();
  let isOrdered = globals.size === 0;
  for (const from of own) {
    for (const end of graph.successors[from]!) {
      const to = owners.standsFor(end);
      if (!own.has(to)) continue;
      isOrdered &&= to === end;
      append(following, from, to);
      append(leading, to, from);
    }
  }
  return {
    next: (node) => [...(following.get(node) ?? []), ...globals],
    before: (node) => (globals.has(node) ? [...own] : (leading.get(node) ?? [])),
    isOrdered,
  };
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
    const capturing = new Map<string, NodeIndex[]>();
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
        if (alias === undefined) append(capturing, name, node);
      }
    }
    const inside = walkInside(graph, owners, index, own);
    let gates: Steps['isSure'] | null = null;
    const isSure: Steps['isSure'] = (some, node) => {
      gates ??= createGates(entries, inside);
      return gates(some, node);
    };
    const called = name ?? assistantId ?? '';
    const talk = nodes.find((node) => graph.nodeAt(node).role === 'talk') ?? first;
    const firstOwned = own.find((node) => owners.soleOwner(node) !== null) ?? own[0]!;
    return {
      name: called,
      label: labelOf(called, talk === undefined ? undefined : graph.nodeAt(talk)),
      nodes,
      opening,
      entries,
      numbers,
      inside,
      isSure,
      collectedAt: (node) =>
        [...capturing].flatMap(([name, gates]) => (isSure(gates, node) ? name : [])),
      rank: graph.rank[firstOwned] ?? 0,
    };
  });
}
