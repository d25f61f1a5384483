/**
 * Stages → regions: members in order, steps told apart, entries found.
 */
import { append, groupBy } from '../graph/lists.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, Region, RegionMap, Step } from '../ir/region-map.js';
import { conditionKey } from '../ir/workflow.js';
import { ownersOf, type Stage, type StageGraph } from './stages.js';

export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const copied = listCopied(within, stages);
  const ordered = inMemberOrder(within, stages, copied);
  const owner = ownersOf(within, ordered);
  const steps = ordered.map((stage) => listSteps(within, stage, owner));
  const entered = new Set(
    steps.flat().flatMap((step) => (step.kind === 'handoff' ? [step.to] : [])),
  );
  const equalNodes = listEqualNodes(within);
  const regions = ordered.map((stage, at): Region => {
    const nodes = inWalkOrder(within, stage.nodes);
    const globals = nodes.filter((node) => isGlobal(within, node));
    const entries = nodes.filter(
      (node) => !copied.has(node) && isEntry(within, node, entered, ordered.length > 1),
    );
    const first = chooseFirst(within, entries, globals);
    return {
      index: at as RegionIndex,
      nodes: [first, ...nodes.filter((node) => node !== first)],
      first,
      entries,
      globals,
      steps: steps[at]!,
      stepsFrom: groupBy(steps[at]!, ({ from }) => from),
      merges: [...mergesOfEqualNodes(nodes, equalNodes), ...stage.merges],
    };
  });
  return { regions, representative: within.representative };
}

/** Tools that several stages hold: they belong to whoever calls them. */
function listCopied(within: StageGraph, stages: readonly Stage[]): ReadonlySet<NodeIndex> {
  const seen = new Set<NodeIndex>();
  const copied = new Set<NodeIndex>();
  for (const stage of stages) {
    for (const node of stage.nodes) {
      if (seen.has(node)) copied.add(node);
      seen.add(node);
    }
  }
  copied.delete(within.graph.start);
  return copied;
}

/** The order in which a walk first comes to a node that is a stage's own. */
function inMemberOrder(
  within: StageGraph,
  stages: readonly Stage[],
  copied: ReadonlySet<NodeIndex>,
): Stage[] {
  const { rank } = within.graph;
  const firstRank = (stage: Stage): number => {
    let least = Number.POSITIVE_INFINITY;
    for (const node of stage.nodes) {
      if (!copied.has(node)) least = Math.min(least, rank[node]!);
    }
    return least;
  };
  return stages
    .map((stage) => ({ stage, at: firstRank(stage) }))
    .sort((one, other) => one.at - other.at)
    .map(({ stage }) => stage);
}

function inWalkOrder(within: StageGraph, nodes: ReadonlySet<NodeIndex>): NodeIndex[] {
  const { rank } = within.graph;
  return [...nodes].sort((a, b) => rank[a]! - rank[b]!);
}

function listSteps(within: StageGraph, stage: Stage, owner: Int32Array): Step[] {
  const { successors, workflow } = within.graph;
  const steps: Step[] = [];
  for (const from of inWalkOrder(within, stage.nodes)) {
    const seen = new Set<string>();
    for (let slot = successors.offsets[from]!; slot < successors.offsets[from + 1]!; slot += 1) {
      const edge = successors.edges[slot]! as EdgeIndex;
      const to = within.representative[successors.targets[slot]!]! as NodeIndex;
      // Edges to equal nodes under one condition are one step.
      const key = `${to} ${conditionKey(workflow.edges[edge]!.condition)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (workflow.nodes[to]!.role === 'exit') steps.push({ kind: 'exit', from, to, edge });
      else if (stage.nodes.has(to)) steps.push({ kind: 'inner', from, to, edge });
      else steps.push({ kind: 'handoff', from, to, edge, region: owner[to]! as RegionIndex });
    }
  }
  return steps;
}

function isEntry(
  within: StageGraph,
  node: NodeIndex,
  entered: ReadonlySet<NodeIndex>,
  hasOthers: boolean,
): boolean {
  return node === within.graph.start || entered.has(node) || (hasOthers && isGlobal(within, node));
}

function isGlobal(within: StageGraph, node: NodeIndex): boolean {
  return within.graph.workflow.nodes[node]!.global !== null;
}

/** The start, else a global node, else the only entry, else the entry that a walk meets first. */
function chooseFirst(
  within: StageGraph,
  entries: readonly NodeIndex[],
  globals: readonly NodeIndex[],
): NodeIndex {
  const { start } = within.graph;
  if (entries.includes(start)) return start;
  return globals.find((node) => entries.includes(node)) ?? entries[0]!;
}

function listEqualNodes(within: StageGraph): ReadonlyMap<NodeIndex, NodeIndex[]> {
  const equal = new Map<NodeIndex, NodeIndex[]>();
  for (const node of within.graph.order) {
    const standsFor = within.representative[node]! as NodeIndex;
    if (standsFor === node) continue;
    if (!equal.has(standsFor)) append(equal, standsFor, standsFor);
    append(equal, standsFor, node);
  }
  return equal;
}

function mergesOfEqualNodes(
  nodes: readonly NodeIndex[],
  equal: ReadonlyMap<NodeIndex, NodeIndex[]>,
): Merge[] {
  return nodes.flatMap((node) => {
    const together = equal.get(node);
    return together === undefined ? [] : [{ rule: 'equal-nodes' as const, nodes: together }];
  });
}
