/**
 * Phase 3 of the grouping: a strongly connected component is one stage, unless an answer keeps
 * parts of it apart; then each group is a stage, and so is each node that no group names. A node
 * that is an assistant already is a component of its own: a cycle through it cannot be one stage.
 */

import { buildSuccessors } from '../graph/adjacency.js';
import { computeComponents } from '../graph/components.js';
import { append } from '../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import { isReady } from './ready-assistants.js';
import { aloneLabel, type Split, type Stage, type StageGraph, successorsOf } from './stages.js';

/** Components in walk order of their first node, each in walk order. */
function listComponents(within: StageGraph): NodeIndex[][] {
  const sources: number[] = [];
  const targets: number[] = [];
  for (const node of within.nodes) {
    if (isReady(within, node)) continue;
    for (const target of successorsOf(within, node)) {
      if (isReady(within, target)) continue;
      sources.push(node);
      targets.push(target);
    }
  }
  const nodeCount = within.graph.workflow.nodes.length;
  const arcs = { sources, targets, edges: sources };
  const components = computeComponents(buildSuccessors(nodeCount, arcs));
  const lists = new Map<number, NodeIndex[]>();
  for (const node of within.nodes) append(lists, components.of[node]!, node);
  return [...lists.values()];
}

/** Components that hold several talk nodes: what `cyclic-stages` asks about. */
export function listCycles(within: StageGraph): NodeIndex[][] {
  const isTalk = (node: NodeIndex) => within.graph.workflow.nodes[node]!.role === 'talk';
  return listComponents(within).filter((members) => members.filter(isTalk).length > 1);
}

/** `lasting` take no component apart; they keep stages apart from then on. */
export function stagesOfComponents(
  within: StageGraph,
  splits: readonly Split[],
  lasting: readonly Split[] = [],
): Stage[] {
  return listComponents(within).flatMap((members) => takeApart(members, splits, lasting));
}

function takeApart(
  members: readonly NodeIndex[],
  splits: readonly Split[],
  lasting: readonly Split[],
): Stage[] {
  const applying = splits.filter((split) => members.some((node) => split.has(node)));
  const parts = new Map<string, NodeIndex[]>();
  for (const node of members) append(parts, partOf(node, applying), node);
  return [...parts.values()].map((part) => ({
    nodes: new Set(part),
    given: new Set(),
    groups: groupsOf(part, [...applying, ...lasting]),
    merges: part.length > 1 ? [{ rule: 'component', nodes: part }] : [],
  }));
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
