/**
 * Stages: the sets of nodes that the grouping works on until they are the assistants.
 *
 * A stage owns nodes; after tail duplication it may also hold copies of tool nodes that no stage
 * owns any more. Steps between stages follow from the nodes' edges and are computed anew after each
 * phase, so no phase can leave them stale. Stages are joined where no answer keeps them apart.
 */
import { groupBy } from '../../graph/lists.js';
import { createDisjointSets, refine } from '../../graph/partitions.js';
import { reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, MergeRule, Region, RegionMap, Step } from '../ir/region-map.js';
import { conditionKey, givenToolKey, settingNames, type WorkflowNode } from '../ir/workflow.js';

/** Nodes that are kept apart: those with different labels never share an assistant. */
export type Split = ReadonlyMap<NodeIndex, string>;

/** For each split that applies to a stage, the label of its nodes. */
export type Labels = ReadonlyMap<Split, string>;

/** The label of a node that a split keeps apart without naming it in a group. */
export function aloneLabel(node: NodeIndex): string {
  return `alone ${node}`;
}

export interface Stage {
  /** Each node once. */
  readonly nodes: readonly NodeIndex[];
  /** Whether a talk node is among them. */
  readonly talks: boolean;
  readonly holdsStart: boolean;
  /** Whether it holds the start or a global node of its own: those are entered from outside. */
  readonly isEntered: boolean;
  readonly labels: Labels;
  readonly merges: readonly Merge[];
}

/** The graph that is grouped: equal nodes as one, exits aside. */
export interface StageGraph {
  readonly graph: FlowGraph;
  /** For each node the equal node that stands for it. */
  readonly representative: readonly NodeIndex[];
  /** For each representative its equals, itself included, in walk order. */
  readonly twins: ReadonlyMap<NodeIndex, readonly NodeIndex[]>;
  /** Representatives that are not exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
  /** For each of them what follows it among themselves, in source order of the edges. */
  readonly next: readonly (readonly NodeIndex[])[];
  readonly isTalk: (node: NodeIndex) => boolean;
  readonly isGlobal: (node: NodeIndex) => boolean;
}

export function createStageGraph(graph: FlowGraph): StageGraph {
  const representative = computeRepresentatives(graph);
  const { nodes } = graph.workflow;
  const isStaged = (node: NodeIndex) => nodes[node]!.role !== 'exit';
  return {
    graph,
    representative,
    twins: groupBy(graph.order, (node) => representative[node]!),
    nodes: graph.order.filter((node) => representative[node] === node && isStaged(node)),
    next: graph.successors.map((targets) =>
      targets.map((target) => representative[target]!).filter(isStaged),
    ),
    isTalk: (node) => nodes[node]!.role === 'talk',
    isGlobal: (node) => nodes[node]!.global !== null,
  };
}

/**
 * Phase 2 of the grouping: for each node the node that stands for its class, the first in walk order.
 *
 * Two nodes are in one class when their own behaviour is the same and their continuations are: the
 * coarsest bisimulation, computed by partition refinement. The start and the global nodes are equal to
 * none, nor is an assistant that the source holds whole: whoever made two of them wants two. A saved
 * one is what its id says, so nodes with one id and equal continuations are equal.
 */
function computeRepresentatives(graph: FlowGraph): NodeIndex[] {
  const { workflow, start, order, rank, leaving } = graph;
  const labels = workflow.nodes.map((node) => {
    const isHeldWhole = node.assistant !== null && node.assistant.savedAs === null;
    const isUnique = node.index === start || node.global !== null || isHeldWhole;
    return isUnique || rank[node.index] === -1 ? `${node.index}` : behaviourOf(node);
  });
  const arcs = leaving.map((edges) =>
    edges.map(({ to, condition }) => ({ to, label: conditionKey(condition) })),
  );
  const classes = refine(labels, arcs);
  const firstOf = new Map<number, NodeIndex>();
  for (const node of order.toReversed()) firstOf.set(classes[node]!, node);
  return workflow.nodes.map(({ index }) => firstOf.get(classes[index]!) ?? index);
}

/** Everything that a node does, its id, name and continuations aside; two that do the same share it. */
function behaviourOf(node: WorkflowNode): string {
  const { type, firstMessage, systemPrompt, captures, calls, transfer, request } = node;
  const settings = settingNames.map((name) => node.settings[name] ?? null);
  // The order in which a node has its tools says nothing.
  const tools = [...new Set(node.tools.map(givenToolKey))].sort();
  const said = [firstMessage, systemPrompt, node.assistant?.savedAs ?? null, ...settings];
  return JSON.stringify([type, said, captures, calls, transfer, request, tools], (key, part) => {
    if (saysNothing.has(key)) return undefined;
    const isValue = part?.origin !== undefined || part?.uses !== undefined;
    return isValue && part.value !== undefined ? JSON.stringify(part.value) : part;
  });
}

/** Places and names, and texts that stand in other values. */
const saysNothing: ReadonlySet<string> = new Set([
  ...['at', 'sourceAt', 'places', 'origin', 'toolName', 'question', 'moment'],
  ...['texts', 'furtherTexts', 'passedTexts', 'address', 'messages', 'authenticated'],
]);

export function createStage(
  { graph, isTalk, isGlobal }: StageGraph,
  nodes: readonly NodeIndex[],
  labels: Labels,
): Stage {
  const holdsStart = nodes.includes(graph.start);
  const merges: Merge[] = nodes.length > 1 ? [{ rule: 'component', nodes }] : [];
  const isEntered = holdsStart || nodes.some(isGlobal);
  return { nodes, talks: nodes.some(isTalk), holdsStart, isEntered, labels, merges };
}

/** Steps between stages, by their positions; each once, none from a stage to itself. */
export function computeStageSteps({ next }: StageGraph, stages: readonly Stage[]) {
  const owners = ownersOf(stages);
  const successors = stages.map(({ nodes }) => {
    const own = new Set(nodes);
    const outside = nodes.flatMap((node) => next[node]!.filter((to) => !own.has(to)));
    return [...new Set(outside.map((to) => owners.get(to)!))];
  });
  return { successors, predecessors: reverse(successors) };
}

/**
 * For each node the stage that an edge from outside leads to: its only holder. A copied tool has
 * several holders, and every stage with an edge to it is one of them, so nobody asks for it.
 */
export function ownersOf(stages: readonly Stage[]): ReadonlyMap<NodeIndex, number> {
  return new Map(stages.flatMap(({ nodes }, at) => nodes.map((node) => [node, at] as const)));
}

/** Puts stages together, pair by pair; sets go by the position of their first stage. */
export function startJoining(within: StageGraph, stages: readonly Stage[]) {
  const { find, union } = createDisjointSets(stages.length);
  const labels = stages.map((stage) => new Map(stage.labels));
  return {
    setOf: find,
    /** False where the two are in one set already, or kept apart. */
    join: (one: number, other: number): boolean => {
      const [a, b] = [find(one), find(other)];
      if (a === b || areApart(labels[a]!, labels[b]!)) return false;
      const [few, many] = [labels[a]!, labels[b]!].sort((x, y) => x.size - y.size);
      for (const [split, label] of few!) many!.set(split, label);
      union(a, b);
      labels[find(a)] = many!;
      return true;
    },
    /** The stages, those of one set as one, with the rule that brought them together. */
    finish: (rule: MergeRule): readonly Stage[] =>
      Array.from(groupBy(stages.keys(), find), ([root, members]) => {
        const parts = members.map((at) => stages[at]!);
        return parts.length === 1 ? parts[0]! : joinStages(within, parts, labels[root]!, rule);
      }),
  };
}

/** Whether a split has different labels for the two. */
export function areApart(one: Labels, other: Labels): boolean {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  return [...few].some(([split, label]) => (many.get(split) ?? label) !== label);
}

/** Makes one stage of several, with the rule that brought them together. */
export function joinStages(
  { graph: { rank } }: StageGraph,
  parts: readonly Stage[],
  labels: Labels,
  rule: MergeRule,
): Stage {
  const nodes = [...new Set(parts.flatMap((part) => part.nodes))];
  const merge = { rule, nodes: nodes.toSorted((a, b) => rank[a]! - rank[b]!) };
  return {
    nodes,
    talks: parts.some((part) => part.talks),
    holdsStart: parts.some((part) => part.holdsStart),
    isEntered: parts.some((part) => part.isEntered),
    labels,
    merges: [...parts.flatMap((part) => part.merges), merge],
  };
}

/**
 * The stages that are left, as regions in the order of the members: by when a walk first comes to a
 * node that is the stage's own. Example: of the edges a → b, b → c, b → end with the stages {a, b} and
 * {c}, the first is an inner step, the second a handoff, the third an exit.
 */
export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const { graph, representative, twins, isGlobal } = within;
  const { start, globals, rank } = graph;
  // Tools that several stages hold belong to whoever calls them, and are entered from inside alone.
  const holders = groupBy(
    stages.flatMap(({ nodes }) => nodes),
    (node) => node,
  );
  const isCopied = (node: NodeIndex) => holders.get(node)!.length > 1 && node !== start;
  const ordered = stages
    .map((stage) => {
      const nodes = stage.nodes.toSorted((a, b) => rank[a]! - rank[b]!);
      const own = nodes.find((node) => !isCopied(node));
      return { ...stage, nodes, at: own === undefined ? Infinity : rank[own]! };
    })
    .sort((one, other) => one.at - other.at);
  const steps = listSteps(within, ordered);
  const handoffs = steps.flat().filter(({ kind }) => kind === 'handoff');
  const entered = new Set([
    ...[start, ...(ordered.length > 1 ? globals : [])],
    ...handoffs.map(({ to }) => to),
  ]);
  const regions = ordered.map(({ nodes, merges }, at): Region => {
    const entries = nodes.filter((node) => entered.has(node) && !isCopied(node));
    // The start, else a global node, else the only entry, else the one that a walk meets first.
    const isStart = (node: NodeIndex) => node === start;
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

/** The ways on from the nodes of each stage; edges to equal nodes under one condition are one way. */
function listSteps({ graph, representative }: StageGraph, stages: readonly Stage[]): Step[][] {
  const owners = ownersOf(stages);
  return stages.map(({ nodes }) => {
    const own = new Set(nodes);
    return nodes.flatMap((from) => {
      const edges = graph.leaving[from]!.map((edge) => ({ ...edge, to: representative[edge.to]! }));
      const ways = groupBy(edges, ({ to, condition }) => `${to} ${conditionKey(condition)}`);
      return Array.from(ways.values(), ([first]): Step => {
        const { to, index: edge } = first!;
        const region = owners.get(to) as RegionIndex | undefined;
        if (region === undefined) return { kind: 'exit', from, to, edge };
        if (own.has(to)) return { kind: 'inner', from, to, edge };
        return { kind: 'handoff', from, to, edge, region };
      });
    });
  });
}
