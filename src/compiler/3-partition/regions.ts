/**
 * Stages → regions: members in order, steps told apart, entries found.
 */
import { append, withItem } from '../graph/lists.js';
import { Kind } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, Region, RegionMap, Step } from '../ir/region-map.js';
import { conditionKey } from '../ir/workflow.js';
import { ownersOf } from './stage-steps.js';
import type { Stage, StageGraph } from './stages.js';

export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const copied = markCopied(within, stages);
  const ordered = inMemberOrder(within, stages, copied);
  const steps = listSteps(within, ordered);
  const isEntry = markEntries(within, steps, ordered.length > 1);
  const equalNodes = within.hasEqualNodes ? listEqualNodes(within) : null;
  const hasGlobals = within.graph.globals.length > 0;
  const regions = ordered.map(({ nodes, merges }, at): Region => {
    const entries = nodes.filter((node) => copied[node] === 0 && isEntry[node] === 1);
    const first = chooseFirst(within, entries);
    return {
      index: at as RegionIndex,
      nodes: nodes[0] === first ? nodes : [first, ...nodes.filter((node) => node !== first)],
      first,
      entries,
      globals: hasGlobals ? nodes.filter((node) => isGlobal(within, node)) : [],
      steps: steps[at]!.steps,
      stepsFrom: steps[at]!.stepsFrom,
      merges: equalNodes === null ? merges : [...mergesOfEqualNodes(nodes, equalNodes), ...merges],
    };
  });
  return { regions, representative: within.representative };
}

/** Tools that several stages hold: they belong to whoever calls them. */
function markCopied({ graph }: StageGraph, stages: readonly Stage[]): Uint8Array {
  const seen = new Uint8Array(graph.kinds.length);
  const copied = new Uint8Array(graph.kinds.length);
  for (const { nodes } of stages) {
    for (const node of nodes) {
      copied[node] = seen[node]!;
      seen[node] = 1;
    }
  }
  copied[graph.start] = 0;
  return copied;
}

/** A stage on its way to a region. */
interface Ordered {
  /** In walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly merges: readonly Merge[];
  /** When a walk first comes to a node that is the stage's own. */
  readonly at: number;
}

function inMemberOrder(
  { graph: { rank } }: StageGraph,
  stages: readonly Stage[],
  copied: Uint8Array,
): Ordered[] {
  const byRank = (a: NodeIndex, b: NodeIndex) => rank[a]! - rank[b]!;
  const ordered = stages.map((stage): Ordered => {
    const nodes = stage.nodes.length === 1 ? stage.nodes : stage.nodes.toSorted(byRank);
    const own = nodes.find((node) => copied[node] === 0);
    const at = own === undefined ? Number.POSITIVE_INFINITY : rank[own]!;
    return { nodes, merges: stage.merges, at };
  });
  return ordered.sort((one, other) => one.at - other.at);
}

type Steps = Pick<Region, 'steps' | 'stepsFrom'>;

function listSteps(within: StageGraph, stages: readonly Ordered[]): Steps[] {
  const { kinds, successors } = within.graph;
  const owner = ownersOf(kinds.length, stages);
  const holder = new Int32Array(kinds.length).fill(-1);
  return stages.map((stage, at) => {
    for (const node of stage.nodes) holder[node] = at;
    const stepTo = (from: NodeIndex, slot: number): Step => {
      const edge = successors.edges[slot]! as EdgeIndex;
      const to = targetAt(within, slot);
      if ((kinds[to]! & Kind.exit) !== 0) return { kind: 'exit', from, to, edge };
      if (holder[to] === at) return { kind: 'inner', from, to, edge };
      return { kind: 'handoff', from, to, edge, region: owner[to]! as RegionIndex };
    };
    const stepsFrom = new Map<NodeIndex, readonly Step[]>();
    for (const from of stage.nodes) {
      const slots = listWaysOn(within, from);
      if (slots.length === 0) continue;
      const leaving = slots.map((slot) => stepTo(from, slot));
      stepsFrom.set(from, leaving);
    }
    if (stepsFrom.size === 0) return noSteps;
    const [steps, ...others] = stepsFrom.values();
    return { steps: others.length === 0 ? steps! : [steps!, ...others].flat(), stepsFrom };
  });
}

const noSteps: Steps = { steps: [], stepsFrom: new Map() };

/** The arcs that leave a node; those to equal nodes under one condition are one way on. */
function listWaysOn(within: StageGraph, from: NodeIndex): readonly number[] {
  const { successors, workflow } = within.graph;
  const end = successors.offsets[from + 1]!;
  let leaving: readonly number[] = [];
  for (let slot = successors.offsets[from]!; slot < end; slot += 1) {
    leaving = withItem(leaving, slot);
  }
  if (!within.hasEqualNodes || leaving.length < 2) return leaving;
  const seen = new Set<string>();
  return leaving.filter((slot) => {
    const { condition } = workflow.edges[successors.edges[slot]!]!;
    const way = `${targetAt(within, slot)} ${conditionKey(condition)}`;
    if (seen.has(way)) return false;
    seen.add(way);
    return true;
  });
}

function targetAt({ graph, representative }: StageGraph, slot: number): NodeIndex {
  return representative[graph.successors.targets[slot]!]! as NodeIndex;
}

/** The start, what a handoff leads to, and global nodes where there is anything outside of them. */
function markEntries(
  { graph }: StageGraph,
  steps: readonly Steps[],
  hasOthers: boolean,
): Uint8Array {
  const isEntry = new Uint8Array(graph.kinds.length);
  isEntry[graph.start] = 1;
  for (const region of steps) {
    for (const step of region.steps) if (step.kind === 'handoff') isEntry[step.to] = 1;
  }
  if (hasOthers) for (const node of graph.globals) isEntry[node] = 1;
  return isEntry;
}

function isGlobal({ graph }: StageGraph, node: NodeIndex): boolean {
  return (graph.kinds[node]! & Kind.global) !== 0;
}

/** The start, else a global node, else the only entry, else the entry that a walk meets first. */
function chooseFirst(within: StageGraph, entries: readonly NodeIndex[]): NodeIndex {
  const isStart = (node: NodeIndex) => node === within.graph.start;
  return entries.find(isStart) ?? entries.find((node) => isGlobal(within, node)) ?? entries[0]!;
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
