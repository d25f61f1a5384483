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
import type { NodeIndex } from '../ir/ids.js';
import type { Merge, MergeRule } from '../ir/region-map.js';
import {
  conditionKey,
  givenToolKey,
  type NamedSetting,
  type Request,
  type Transfer,
  type WorkflowNode,
} from '../ir/workflow.js';

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
  /** What stands for the nodes with these ids, those that nothing leads to aside. */
  readonly find: (ids: readonly string[]) => NodeIndex[];
}

export function createStageGraph(graph: FlowGraph): StageGraph {
  const representative = computeRepresentatives(graph);
  const { nodes } = graph.workflow;
  const roleOf = (node: NodeIndex) => nodes[node]!.role;
  const byId = new Map(graph.order.map((node) => [nodes[node]!.id, representative[node]!]));
  const isStaged = (node: NodeIndex) => roleOf(node) !== 'exit';
  return {
    graph,
    representative,
    twins: groupBy(graph.order, (node) => representative[node]!),
    nodes: graph.order.filter((node) => representative[node] === node && isStaged(node)),
    next: graph.successors.map((targets) =>
      targets.map((target) => representative[target]!).filter(isStaged),
    ),
    isTalk: (node) => roleOf(node) === 'talk',
    find: (ids) => ids.flatMap((id) => byId.get(id) ?? []),
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
  const { type, firstMessage, systemPrompt, settings, request, transfer, assistant } = node;
  const { model, voice, transcriber } = settings;
  return JSON.stringify([
    type,
    valuesOf(firstMessage, systemPrompt, model, voice, transcriber, assistant?.savedAs),
    node.captures.map((it) => {
      return [it.name, it.type, it.enum, valuesOf(it.description, it.details, it.alias)];
    }),
    node.calls.map((it) => [it.tool, it.node, it.variables]),
    transfer && transferKey(transfer),
    request && requestKey(request),
    // The order in which a node has its tools says nothing.
    [...new Set(node.tools.map(givenToolKey))].sort(),
  ]);
}

function requestKey(request: Request): unknown {
  const { url, method, headers, body, timeoutSeconds, credentialId, description } = request;
  return [
    valuesOf(url, method, headers, body, timeoutSeconds, credentialId, description),
    valuesOf(request.responseSchema),
    request.responses.map((it) => [it.name, it.path, valuesOf(it.value)]),
    settingsKey(request.statics),
    settingsKey(request.passed),
  ];
}

function transferKey({ destination, message, description, passed, others }: Transfer): unknown {
  const own = valuesOf(destination, message, description);
  return [own, settingsKey(passed), others.map(transferKey)];
}

function settingsKey(settings: readonly NamedSetting[]): unknown {
  return settings.map(({ key, value }) => [key, value.value]);
}

/** Texts and values without their places. */
function valuesOf(...all: readonly ({ readonly value: unknown } | null | undefined)[]): unknown {
  return all.map((it) => it?.value);
}

export function createStage(
  { graph, isTalk }: StageGraph,
  nodes: readonly NodeIndex[],
  labels: Labels,
): Stage {
  const holdsStart = nodes.includes(graph.start);
  const isGlobal = nodes.some((node) => graph.workflow.nodes[node]!.global !== null);
  const merges: Merge[] = nodes.length > 1 ? [{ rule: 'component', nodes }] : [];
  const isEntered = holdsStart || isGlobal;
  return { nodes, talks: nodes.some(isTalk), holdsStart, isEntered, labels, merges };
}

/** Steps between stages, by their positions; each once, none from a stage to itself. */
export function computeStageSteps({ next }: StageGraph, stages: readonly Stage[]) {
  const owners = ownersOf(stages);
  /** Of each node the last stage that was seen to hold it. */
  const holders = new Map<NodeIndex, number>();
  const successors = stages.map(({ nodes }, at) => {
    for (const node of nodes) holders.set(node, at);
    const outside: number[] = [];
    for (const node of nodes) {
      for (const to of next[node]!) if (holders.get(to) !== at) outside.push(owners.get(to)!);
    }
    return outside.length < 2 ? outside : [...new Set(outside)];
  });
  return { successors, predecessors: reverse(successors) };
}

/**
 * For each node the stage that an edge from outside leads to: its only holder. A copied tool has
 * several holders, and every stage with an edge to it is one of them, so nobody asks for it.
 */
export function ownersOf(stages: readonly Stage[]): ReadonlyMap<NodeIndex, number> {
  const owners = new Map<NodeIndex, number>();
  for (const [at, { nodes }] of stages.entries()) for (const node of nodes) owners.set(node, at);
  return owners;
}

/** Puts stages together, pair by pair; sets go by the position of their first stage. */
export function startJoining(within: StageGraph, stages: readonly Stage[]) {
  const { find, union } = createDisjointSets(stages.length);
  const labels = stages.map((stage) => new Map(stage.labels));
  let hasJoined = false;
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
      hasJoined = true;
      return true;
    },
    /** The stages, those of one set as one, with the rule that brought them together. */
    finish: (rule: MergeRule): readonly Stage[] => {
      if (!hasJoined) return stages;
      return Array.from(groupBy(stages.keys(), find), ([root, members]) => {
        const parts = members.map((at) => stages[at]!);
        return parts.length === 1 ? parts[0]! : joinStages(within, parts, labels[root]!, rule);
      });
    },
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
