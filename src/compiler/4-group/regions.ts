/**
 * Stages → regions: members in order, steps told apart, entries found.
 *
 * In: the stages that are left. Out: a region for each, the start's first. Example: of the edges
 * a → b, b → c, b → end with the stages {a, b} and {c}, the first is an inner step, the second a
 * handoff, the third an exit.
 */
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, Region, RegionMap, Step } from '../ir/region-map.js';
import { conditionKey } from '../ir/workflow.js';
import { ownersOf, type Stage, type StageGraph } from './stages.js';

export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const { graph, representative, twins } = within;
  const copied = listCopied(within, stages);
  const ordered = inMemberOrder(within, stages, copied);
  const steps = listSteps(within, ordered);
  const entered = new Set([graph.start, ...(ordered.length > 1 ? graph.globals : [])]);
  for (const step of steps.flat()) if (step.kind === 'handoff') entered.add(step.to);
  // A copied tool is entered from inside alone.
  for (const node of copied) entered.delete(node);
  const isGlobal = (node: NodeIndex) => graph.workflow.nodes[node]!.global !== null;
  const regions = ordered.map(({ nodes, merges }, at): Region => {
    const entries = nodes.filter((node) => entered.has(node));
    // The start, else a global node, else the only entry, else the one that a walk meets first.
    const isStart = (node: NodeIndex) => node === graph.start;
    const first = entries.find(isStart) ?? entries.find(isGlobal) ?? entries[0]!;
    const equal = nodes.flatMap((node): Merge[] => {
      const together = twins.get(node)!;
      return together.length === 1 ? [] : [{ rule: 'equal-nodes', nodes: together }];
    });
    return {
      index: at as RegionIndex,
      nodes: [first, ...nodes.filter((node) => node !== first)],
      first,
      entries,
      globals: nodes.filter(isGlobal),
      steps: steps[at]!,
      merges: [...equal, ...merges],
    };
  });
  return { regions, representative };
}

/** Tools that several stages hold: they belong to whoever calls them. */
function listCopied({ graph }: StageGraph, stages: readonly Stage[]): ReadonlySet<NodeIndex> {
  const held = new Set<NodeIndex>();
  const copied = new Set<NodeIndex>();
  for (const { nodes } of stages) {
    for (const node of nodes) (held.has(node) ? copied : held).add(node);
  }
  copied.delete(graph.start);
  return copied;
}

/** Stages by when a walk first comes to a node that is their own; their nodes in walk order. */
function inMemberOrder(
  { graph: { rank } }: StageGraph,
  stages: readonly Stage[],
  copied: ReadonlySet<NodeIndex>,
): Stage[] {
  const ordered = stages.map((stage) => {
    const nodes = stage.nodes.toSorted((a, b) => rank[a]! - rank[b]!);
    const own = nodes.find((node) => !copied.has(node));
    return { stage: { ...stage, nodes }, at: own === undefined ? Infinity : rank[own]! };
  });
  return ordered.sort((one, other) => one.at - other.at).map(({ stage }) => stage);
}

/** The ways on from the nodes of each stage; edges to equal nodes under one condition are one way. */
function listSteps({ graph, representative }: StageGraph, stages: readonly Stage[]): Step[][] {
  const owners = ownersOf(stages);
  return stages.map(({ nodes }) => {
    const own = new Set(nodes);
    const steps: Step[] = [];
    for (const from of nodes) {
      const ways = new Set<string>();
      for (const { to: target, index: edge, condition } of graph.leaving[from]!) {
        const to = representative[target]!;
        const way = `${to} ${conditionKey(condition)}`;
        if (ways.has(way)) continue;
        ways.add(way);
        const region = owners.get(to) as RegionIndex | undefined;
        if (region === undefined) steps.push({ kind: 'exit', from, to, edge });
        else if (own.has(to)) steps.push({ kind: 'inner', from, to, edge });
        else steps.push({ kind: 'handoff', from, to, edge, region });
      }
    }
    return steps;
  });
}
