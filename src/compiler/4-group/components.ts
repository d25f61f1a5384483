/**
 * Phase 3 of the grouping: a strongly connected component is one stage, unless an answer keeps
 * parts of it apart; then each group is a stage, and so is each node that no group names. A node
 * that is an assistant already is a component of its own: a cycle through it cannot be one stage.
 */
import { buildSuccessors } from '../../graph/adjacency.js';
import { computeComponents } from '../../graph/components.js';
import { append } from '../../graph/lists.js';
import { type Adjacency, Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { isReady } from './ready-assistants.js';
import {
  aloneLabel,
  type Groups,
  noGroups,
  noMerges,
  noNodes,
  type Split,
  type Stage,
  type StageGraph,
} from './stages.js';

/** A component, in walk order. */
export type Component = readonly NodeIndex[];

/** Components in walk order of their first node. */
export function listComponents(within: StageGraph): Component[] {
  const { nodes, graph } = within;
  if (leadsOnlyOn(within)) return nodes.map((node) => [node]);
  const components = computeComponents(withoutReady(within));
  // As many as there are nodes: no node is in one with another.
  if (components.count === graph.kinds.length) return nodes.map((node) => [node]);
  const lists = new Map<number, NodeIndex[]>();
  for (const node of nodes) append(lists, components.of[node]!, node);
  return [...lists.values()];
}

/**
 * Whether each edge leads further on, in the source or in walk order: then none is on a cycle. Most
 * workflows are written down so, and this is seen faster than components are found.
 */
function leadsOnlyOn({ nodes, next: { offsets, targets }, graph: { rank } }: StageGraph): boolean {
  let inSource = true;
  let inWalk = true;
  for (const node of nodes) {
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) {
      const target = targets[slot]!;
      inSource &&= target > node;
      inWalk &&= rank[target]! > rank[node]!;
    }
  }
  return inSource || inWalk;
}

/** The edges between nodes that are no assistants yet. */
function withoutReady(within: StageGraph): Adjacency {
  const { nodes, next } = within;
  if (!nodes.some((node) => isReady(within, node))) return next;
  const sources: number[] = [];
  const targets: number[] = [];
  for (const node of nodes) {
    if (isReady(within, node)) continue;
    for (const target of next.targets.subarray(next.offsets[node]!, next.offsets[node + 1]!)) {
      if (isReady(within, target as NodeIndex)) continue;
      sources.push(node);
      targets.push(target);
    }
  }
  return buildSuccessors(next.offsets.length - 1, { sources, targets, edges: sources });
}

/** Components that hold several talk nodes: what `cyclic-stages` asks about. */
export function listCycles(within: StageGraph, components: readonly Component[]): Component[] {
  const isTalk = (node: NodeIndex) => (within.graph.kinds[node]! & Kind.talk) !== 0;
  return components.filter((members) => members.length > 1 && members.filter(isTalk).length > 1);
}

/** `lasting` take no component apart; they keep stages apart from then on. */
export function stagesOfComponents(
  components: readonly Component[],
  splits: readonly Split[],
  lasting: readonly Split[] = [],
): Stage[] {
  if (splits.length + lasting.length === 0) {
    return components.map((members) => stageOf(members, noGroups));
  }
  const naming = indexByNode(splits);
  return components.flatMap((members) => takeApart(members, naming, lasting));
}

/** The splits that name a node. */
type Naming = ReadonlyMap<NodeIndex, readonly Split[]>;

function indexByNode(splits: readonly Split[]): Naming {
  const naming = new Map<NodeIndex, Split[]>();
  for (const split of splits) for (const node of split.keys()) append(naming, node, split);
  return naming;
}

function takeApart(members: Component, naming: Naming, lasting: readonly Split[]): Stage[] {
  const applying = [...new Set(members.flatMap((node) => naming.get(node) ?? []))];
  const parts = new Map<string, NodeIndex[]>();
  for (const node of members) append(parts, partOf(node, applying), node);
  const splits = [...applying, ...lasting];
  return [...parts.values()].map((part) => stageOf(part, groupsOf(part, splits)));
}

function stageOf(nodes: readonly NodeIndex[], groups: Groups): Stage {
  const merges = nodes.length > 1 ? [{ rule: 'component' as const, nodes }] : noMerges;
  return { nodes, given: noNodes, groups, merges };
}

function partOf(node: NodeIndex, splits: readonly Split[]): string {
  const labels = splits.map((split) => split.get(node));
  const isNamed = splits.length === 0 || labels.some((label) => label !== undefined);
  return isNamed ? labels.map((label) => label ?? '').join(' ') : aloneLabel(node);
}

function groupsOf(part: readonly NodeIndex[], splits: readonly Split[]): Map<Split, string> {
  const groups = new Map<Split, string>();
  for (const split of splits) {
    for (const node of part) {
      const label = split.get(node);
      if (label !== undefined) groups.set(split, label);
    }
  }
  return groups;
}
