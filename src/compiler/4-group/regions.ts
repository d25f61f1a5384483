/**
 * Stages → regions: members in order, steps told apart, entries found.
 */
import { append, extend, withItem } from '../../graph/lists.js';
import { Kind } from '../ir/flow-graph.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, Region, RegionMap, Step, StepsFrom } from '../ir/region-map.js';
import { conditionKey } from '../ir/workflow.js';
import { ownersOf } from './stage-steps.js';
import type { Stage, StageGraph } from './stages.js';

export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const copied = markCopied(within, stages);
  const ordered = inMemberOrder(within, stages, copied);
  const steps = listSteps(within, ordered);
  const isEntry = markEntries(within, steps, copied, ordered.length > 1);
  const equalNodes = within.hasEqualNodes ? listEqualNodes(within) : null;
  const hasGlobals = within.graph.globals.length > 0;
  const regions = ordered.map(({ nodes, merges }, at): Region => {
    const entries = listMarked(nodes, isEntry);
    const first = chooseFirst(within, entries);
    return {
      index: at as RegionIndex,
      nodes: nodes[0] === first ? nodes : [first, ...nodes.filter((node) => node !== first)],
      first,
      entries,
      globals: hasGlobals ? nodes.filter((node) => isGlobal(within, node)) : noNodes,
      steps: steps[at]!.steps,
      stepsFrom: steps[at]!.stepsFrom,
      merges: equalNodes === null ? merges : [...mergesOfEqualNodes(nodes, equalNodes), ...merges],
    };
  });
  return { regions, representative: within.representative };
}

const noNodes: readonly NodeIndex[] = [];

function listMarked(nodes: readonly NodeIndex[], marks: Uint8Array): readonly NodeIndex[] {
  // Most stages are one node, and its list is as good as one of its own.
  if (nodes.length === 1 && marks[nodes[0]!] === 1) return nodes;
  let marked = noNodes;
  for (const node of nodes) if (marks[node] === 1) marked = withItem(marked, node);
  return marked;
}

/** Marks of nodes; null where none is marked. */
type Marks = Uint8Array | null;

/** Tools that several stages hold: they belong to whoever calls them. */
function markCopied({ graph, nodes: all }: StageGraph, stages: readonly Stage[]): Marks {
  let held = 0;
  for (const { nodes } of stages) held += nodes.length;
  // Each node is held by somebody, so where there are as many as nodes nobody shares one.
  if (held === all.length) return null;
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
  copied: Marks,
): Ordered[] {
  const byRank = (a: NodeIndex, b: NodeIndex) => rank[a]! - rank[b]!;
  const ordered = stages.map(({ nodes: unordered, merges }): Ordered => {
    const nodes = unordered.length === 1 ? unordered : unordered.toSorted(byRank);
    const own = copied === null ? nodes[0] : nodes.find((node) => copied[node] === 0);
    return { nodes, merges, at: own === undefined ? Number.POSITIVE_INFINITY : rank[own]! };
  });
  return ordered.sort((one, other) => one.at - other.at);
}

type Steps = Pick<Region, 'steps' | 'stepsFrom'>;

/** Who looks for the steps, stage by stage. */
interface Search {
  readonly within: StageGraph;
  readonly owner: Int32Array;
  /** The stage that is looked at. */
  at: number;
  /** How many handoffs were found. */
  handoffs: number;
}

function listSteps(within: StageGraph, stages: readonly Ordered[]): Steps[] {
  const owner = ownersOf(within.graph.kinds.length, stages);
  const search: Search = { within, owner, at: 0, handoffs: 0 };
  return stages.map(({ nodes }, at) => {
    // Of the holders of a copied tool the one that is looked at counts.
    for (const node of nodes) owner[node] = at;
    search.at = at;
    return stepsOfStage(search, nodes);
  });
}

function stepsOfStage(search: Search, nodes: readonly NodeIndex[]): Steps {
  if (nodes.length === 1) {
    const [only] = nodes;
    const steps = listStepsFrom(search, only!);
    return steps.length === 0 ? noSteps : { steps, stepsFrom: new OnlyLeft(only!, steps) };
  }
  const stepsFrom = new Map<NodeIndex, readonly Step[]>();
  const steps: Step[] = [];
  for (const from of nodes) {
    const leaving = listStepsFrom(search, from);
    if (leaving.length === 0) continue;
    stepsFrom.set(from, leaving);
    extend(steps, leaving);
  }
  return { steps, stepsFrom };
}

/** The steps of a region that only one node leaves. */
class OnlyLeft implements StepsFrom {
  constructor(
    private readonly node: NodeIndex,
    private readonly steps: readonly Step[],
  ) {}

  get(node: NodeIndex): readonly Step[] | undefined {
    return node === this.node ? this.steps : undefined;
  }
}

const noStep: readonly Step[] = [];
const noSteps: Steps = { steps: noStep, stepsFrom: new Map() };

/** The ways on from a node; arcs to equal nodes under one condition are one way. */
function listStepsFrom(search: Search, from: NodeIndex): readonly Step[] {
  const { within } = search;
  const { successors } = within.graph;
  const begin = successors.offsets[from]!;
  const end = successors.offsets[from + 1]!;
  if (begin === end) return noStep;
  const seen = within.hasEqualNodes && end - begin > 1 ? new Set<string>() : null;
  // There is room for as many as there are, and no more: most of what is made here stays small.
  const steps = new Array<Step>(end - begin);
  let count = 0;
  for (let slot = begin; slot < end; slot += 1) {
    const edge = successors.edges[slot]! as EdgeIndex;
    const to = within.representative[successors.targets[slot]!]! as NodeIndex;
    if (seen !== null && isRepeated(within, to, edge, seen)) continue;
    steps[count] = stepTo(search, from, to, edge);
    count += 1;
  }
  steps.length = count;
  return steps;
}

function isRepeated(
  { graph: { workflow } }: StageGraph,
  to: NodeIndex,
  edge: EdgeIndex,
  seen: Set<string>,
): boolean {
  const way = `${to} ${conditionKey(workflow.edges[edge]!.condition)}`;
  if (seen.has(way)) return true;
  seen.add(way);
  return false;
}

function stepTo(search: Search, from: NodeIndex, to: NodeIndex, edge: EdgeIndex): Step {
  const { kinds } = search.within.graph;
  if ((kinds[to]! & Kind.exit) !== 0) return { kind: 'exit', from, to, edge };
  const owner = search.owner[to]!;
  if (owner === search.at) return { kind: 'inner', from, to, edge };
  const number = search.handoffs;
  search.handoffs += 1;
  return { kind: 'handoff', from, to, edge, region: owner as RegionIndex, number };
}

/** The start, what a handoff leads to, and global nodes where there is anything outside of them. */
function markEntries(
  { graph }: StageGraph,
  steps: readonly Steps[],
  copied: Marks,
  hasOthers: boolean,
): Uint8Array {
  const isEntry = new Uint8Array(graph.kinds.length);
  isEntry[graph.start] = 1;
  for (const region of steps) {
    for (const step of region.steps) if (step.kind === 'handoff') isEntry[step.to] = 1;
  }
  if (hasOthers) for (const node of graph.globals) isEntry[node] = 1;
  if (copied === null) return isEntry;
  // A copied tool is entered from inside alone.
  for (let node = 0; node < copied.length; node += 1) if (copied[node] === 1) isEntry[node] = 0;
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
