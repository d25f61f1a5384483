/**
 * Stages: the sets of nodes that the grouping works on until they are the assistants.
 *
 * A stage owns nodes; after tail duplication it may also have copies of tool nodes that no stage
 * owns. Steps between stages are computed from the edges of the nodes after each phase, so they are
 * never stale. Stages are joined unless an answer keeps them apart.
 */
import { groupBy } from '../../graph/lists.js';
import { computeComponents, createDisjointSets, refine } from '../../graph/partitions.js';
import { reverse } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Merge, MergeRule, Region, RegionMap, Split, Step } from '../ir/region-map.js';
import { conditionKey, givenToolKey, settingNames, type WorkflowNode } from '../ir/workflow.js';

/** For each split that applies to a stage, the label of its nodes. */
export type Labels = ReadonlyMap<Split, string>;

export interface Stage {
  /** Its own nodes, each once. */
  readonly nodes: readonly NodeIndex[];
  readonly copies: readonly NodeIndex[];
  readonly labels: Labels;
  readonly merges: readonly Merge[];
}

export type StageGraph = ReturnType<typeof createStageGraph>;

/** The graph to be grouped: equal nodes are one, exits are left out. */
export function createStageGraph(graph: FlowGraph) {
  const representative = computeRepresentatives(graph);
  const { nodes } = graph.workflow;
  const isStaged = (node: NodeIndex) => nodes[node]!.role !== 'exit';
  const staged = graph.order.filter((node) => representative[node] === node && isStaged(node));
  const next = graph.successors.map((targets) =>
    targets.map((target) => representative[target]!).filter(isStaged),
  );
  // A node that is already an assistant is one by itself: a cycle through it cannot be one stage.
  const isOpen = (node: number) => nodes[node]!.assistant === null;
  const open = next.map((targets, node) => (isOpen(node) ? targets.filter(isOpen) : []));
  const { of } = computeComponents(open);
  return {
    graph,
    /** For each node the equal node that represents it. */
    representative,
    /** Representatives that are not exits, in walk order. */
    nodes: staged,
    /** For each node its successors among these nodes, in source order of the edges. */
    next,
    /** The strongly connected components of these nodes, in walk order of their first node. */
    components: [...groupBy(staged, (node) => of[node]!).values()],
  };
}

/**
 * Phase 2 of the grouping: for each node the representative of its class, the first in walk order.
 *
 * Two nodes are in one class if their own behaviour and their continuations are the same: the
 * coarsest bisimulation, by partition refinement. The start and the global nodes equal no other
 * node, nor does an assistant that the source contains: copies of one are intended. A saved
 * assistant is its id, so nodes with the same id and equal continuations are equal.
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

/** Everything that a node does, without its id, name and continuations; equal for equal nodes. */
function behaviourOf(node: WorkflowNode): string {
  const { type, firstMessage, lineBy, systemPrompt, captures, calls, transfer, request } = node;
  const settings = settingNames.map((name) => node.settings[name] ?? null);
  // The order of a node's tools has no meaning.
  const tools = [...new Set(node.tools.map(givenToolKey))].sort();
  const own = [firstMessage, lineBy, systemPrompt, node.assistant?.savedAs ?? null, ...settings];
  return JSON.stringify([type, own, captures, calls, transfer, request, tools], (key, part) => {
    if (ignoredKeys.has(key)) return undefined;
    const isValue = part?.origin !== undefined || part?.uses !== undefined;
    return isValue && part.value !== undefined ? JSON.stringify(part.value) : part;
  });
}

/** Places, names, and texts that are parts of other values. */
const ignoredKeys: ReadonlySet<string> = new Set([
  ...['at', 'sourceAt', 'places', 'origin', 'toolName', 'question', 'moment'],
  ...['texts', 'furtherTexts', 'passedTexts', 'address', 'messages', 'authenticated'],
]);

/** The stage of one node, to which these splits may apply. */
export function stageOf(node: NodeIndex, splits: readonly Split[]): Stage {
  const applying = splits.filter((split) => split.has(node));
  const labels: Labels = new Map(applying.map((split) => [split, split.get(node)!]));
  return { nodes: [node], copies: [], labels, merges: [] };
}

export function talks({ graph: { workflow } }: StageGraph, { nodes }: Stage): boolean {
  return nodes.some((node) => workflow.nodes[node]!.role === 'talk');
}

/** Whether the start or a global node is its own: these are entered from outside. */
export function isEntered({ graph: { workflow, start } }: StageGraph, { nodes }: Stage): boolean {
  return nodes.some((node) => node === start || workflow.nodes[node]!.global !== null);
}

/** Its own nodes and the copies, in walk order. */
function contentOf({ graph: { rank } }: StageGraph, { nodes, copies }: Stage) {
  return [...nodes, ...copies].sort((a, b) => rank[a]! - rank[b]!);
}

/** Joins stages that nothing keeps apart, with the rule that does. */
export function joinStages(within: StageGraph, parts: readonly Stage[], rule: MergeRule): Stage {
  if (parts.length === 1) return parts[0]!;
  const joined = {
    nodes: parts.flatMap(({ nodes }) => nodes),
    copies: [...new Set(parts.flatMap(({ copies }) => copies))],
    labels: new Map(parts.flatMap(({ labels }) => [...labels])),
    merges: parts.flatMap(({ merges }) => merges),
  };
  const merge = { rule, nodes: contentOf(within, joined) };
  return { ...joined, merges: [...joined.merges, merge] };
}

/** Steps between stages, by position; each once, none from a stage to itself. */
export function computeStageSteps({ next }: StageGraph, stages: readonly Stage[]) {
  const owners = ownersOf(stages);
  const successors = stages.map(({ nodes, copies }) => {
    const content = new Set([...nodes, ...copies]);
    const targets = [...content].flatMap((node) => next[node]!);
    return [...new Set(targets.flatMap((to) => (content.has(to) ? [] : owners.get(to)!)))];
  });
  return { successors, predecessors: reverse(successors) };
}

/** For each node the stage that owns it. Every stage with an edge to a copied tool has a copy. */
export function ownersOf(stages: readonly Stage[]): ReadonlyMap<NodeIndex, number> {
  return new Map(stages.flatMap(({ nodes }, at) => nodes.map((node) => [node, at] as const)));
}

/** Joins stages pair by pair; a set is identified by the position of its first stage. */
export function startJoining(within: StageGraph, stages: readonly Stage[]) {
  const { find, union } = createDisjointSets(stages.length);
  const labels = stages.map((stage) => stage.labels);
  return {
    setOf: find,
    /** Returns false if the two are in one set already or are kept apart. */
    join: (one: number, other: number): boolean => {
      const [a, b] = [find(one), find(other)];
      if (a === b || mustStaySeparate(labels[a]!, labels[b]!)) return false;
      union(a, b);
      labels[find(a)] = new Map([...labels[a]!, ...labels[b]!]);
      return true;
    },
    /** The stages, one for each set, with the rule that joined them. */
    finish: (rule: MergeRule): readonly Stage[] =>
      Array.from(groupBy(stages.keys(), find).values(), (members) => {
        const parts = members.map((at) => stages[at]!);
        return joinStages(within, parts, rule);
      }),
  };
}

/** Returns true if a split has different labels for the two. */
export function mustStaySeparate(one: Labels, other: Labels): boolean {
  return [...one].some(([split, label]) => (other.get(split) ?? label) !== label);
}

/**
 * The final stages as regions in the order of the members: by when a walk first reaches a node of
 * their own. Example: for the edges a → b, b → c, b → end and the stages {a, b} and {c}, the first
 * is an inner step, the second a handoff, the third an exit.
 */
export function computeRegions(within: StageGraph, stages: readonly Stage[]): RegionMap {
  const { graph, representative } = within;
  const { workflow, start, globals, rank } = graph;
  const rankOf = ({ nodes }: Stage) => Math.min(...nodes.map((node) => rank[node]!));
  const ordered = stages.toSorted((one, other) => rankOf(one) - rankOf(other));
  const equals = groupBy(graph.order, (node) => representative[node]!);
  const steps = listSteps(within, ordered);
  const handoffs = steps.flat().filter(({ kind }) => kind === 'handoff');
  const entered = new Set([
    ...[start, ...(ordered.length > 1 ? globals : [])],
    ...handoffs.map(({ to }) => to),
  ]);
  const regions = ordered.map((stage, at): Region => {
    const nodes = contentOf(within, stage);
    const own = new Set(stage.nodes);
    const entries = nodes.filter((node) => entered.has(node) && own.has(node));
    // The start, else a global node, else the only entry, else the first in walk order.
    const isGlobal = (node: NodeIndex) => workflow.nodes[node]!.global !== null;
    const first = entries.find((node) => node === start) ?? entries.find(isGlobal) ?? entries[0]!;
    const equal = nodes.flatMap((node): Merge[] => {
      const together = equals.get(node)!;
      return together.length === 1 ? [] : [{ rule: 'equal-nodes', nodes: together }];
    });
    return {
      index: at as RegionIndex,
      nodes: [first, ...nodes.filter((node) => node !== first)],
      entries,
      globals: nodes.filter(isGlobal),
      steps: steps[at]!,
      merges: [...equal, ...stage.merges],
    };
  });
  return { regions, representative };
}

/** The steps from the nodes of each stage; edges to equal nodes with equal conditions are one. */
function listSteps(within: StageGraph, stages: readonly Stage[]): Step[][] {
  const { graph, representative } = within;
  const owners = ownersOf(stages);
  return stages.map((stage) => {
    const content = new Set(contentOf(within, stage));
    return [...content].flatMap((from) => {
      const edges = graph.leaving[from]!.map((edge) => ({ ...edge, to: representative[edge.to]! }));
      const groups = groupBy(edges, ({ to, condition }) => `${to} ${conditionKey(condition)}`);
      return Array.from(groups.values(), ([first]): Step => {
        const { to, index: edge } = first!;
        if (content.has(to)) return { kind: 'inner', from, to, edge };
        const region = owners.get(to) as RegionIndex | undefined;
        if (region === undefined) return { kind: 'exit', from, to, edge };
        return { kind: 'handoff', from, to, edge, region };
      });
    });
  });
}
