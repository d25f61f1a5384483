/** A walk step by step, with what decides at each: the way taken, the ways beside it, the tools. */

import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type {
  Condition,
  Text,
  Workflow,
  WorkflowEdge,
  WorkflowNode,
} from '../compiler/ir/workflow.js';
import type { ToolsOf, WalkedTool } from './walked-tools.js';
import type { Arrival, Step } from './walks.js';

export interface Moment {
  readonly node: NodeIndex;
  readonly arrival: Arrival;
  /** The condition by which the walk came here; null at the start and where there is none. */
  readonly way: Condition | null;
  /** Conditions of the other edges of the node before. */
  readonly beside: readonly Condition[];
  /** Texts that may name what the caller chose: of the way taken, and of those beside it. */
  readonly words: readonly string[];
  readonly wordsBeside: readonly string[];
  /** Tools that are called here. */
  readonly calls: readonly WalkedTool[];
  /** Variables that are read on the way here and here. */
  readonly reads: readonly string[];
}

export function momentsOf(graph: FlowGraph, walk: readonly Step[], toolsOf: ToolsOf): Moment[] {
  return walk.map((step, at) => momentOf(graph, step, walk[at - 1] ?? null, toolsOf));
}

function momentOf(
  { workflow, leaving }: FlowGraph,
  { node, arrival }: Step,
  before: Step | null,
  toolsOf: ToolsOf,
): Moment {
  const here = workflow.nodes[node]!;
  const taken = conditionOf(workflow, node, arrival);
  const others = before === null ? [] : othersOf(leaving[before.node]!, arrival);
  const beside = taken === null ? others : others.slice(0, enough);
  return {
    node,
    arrival,
    way: taken,
    beside: beside.flatMap(({ condition }) => condition ?? []),
    words: wordsOf(taken, here),
    wordsBeside: beside
      .slice(0, enough)
      .flatMap(({ condition, to }) => wordsOf(condition, workflow.nodes[to]!)),
    calls: toolsOf(node, arrival),
    reads: readsOf([
      arrival.kind === 'start' ? workflow.globalPrompt : null,
      taken,
      ...beside.map(({ condition }) => condition),
      ...textsOf(here),
    ]),
  };
}

/** A way that has a condition is told from this many beside it; a wide branch has thousands. */
const enough = 20;

function conditionOf(workflow: Workflow, node: NodeIndex, arrival: Arrival): Condition | null {
  if (arrival.kind === 'edge') return workflow.edges[arrival.edge]!.condition;
  return arrival.kind === 'global' ? (workflow.nodes[node]!.global?.condition ?? null) : null;
}

/** The other edges of the node before; a global node is entered by its condition alone. */
function othersOf(leaving: readonly WorkflowEdge[], arrival: Arrival): WorkflowEdge[] {
  if (arrival.kind !== 'edge') return [];
  return leaving.filter(({ index }) => index !== arrival.edge);
}

/** Of a variable that is read into nobody knows what else it holds. */
function readsOf(texts: readonly (Text | null)[]): string[] {
  const uses = texts.flatMap((text) => text?.uses ?? []);
  return uses.flatMap(({ name, nested }) => (nested ? [] : name));
}

function textsOf(node: WorkflowNode) {
  const { firstMessage, systemPrompt, captures, transfer, request, tools } = node;
  return [
    firstMessage,
    systemPrompt,
    ...captures.map(({ alias }) => alias ?? null),
    transfer?.address ?? null,
    transfer?.message ?? null,
    ...(request?.texts ?? []),
    ...tools.flatMap(({ texts }) => texts),
  ];
}

function wordsOf(condition: Condition | null, { id, name }: WorkflowNode): string[] {
  return [condition?.value ?? '', id, name ?? ''];
}
