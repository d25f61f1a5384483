/** A step of a walk with what decides there: the way taken, the ways beside it, the tools. */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import { textsOf } from '../compiler/ir/texts.js';
import type { Condition, WorkflowNode } from '../compiler/ir/workflow.js';
import type { ToolsOf, WalkedTool } from './tools.js';
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

/** A way that has a condition is told from this many beside it; a wide branch has thousands. */
const enough = 20;

export function momentOf(
  { workflow, leaving }: FlowGraph,
  { node, arrival }: Step,
  before: Step | undefined,
  toolsOf: ToolsOf,
): Moment {
  const here = workflow.nodes[node]!;
  const isEdge = arrival.kind === 'edge';
  const entered = arrival.kind === 'global' ? (here.global?.condition ?? null) : null;
  const way = isEdge ? workflow.edges[arrival.edge]!.condition : entered;
  // A global node is entered by its condition alone.
  const others = isEdge && before ? leaving[before.node]! : [];
  const all = others.filter(({ index }) => isEdge && index !== arrival.edge);
  const beside = way === null ? all : all.slice(0, enough);
  const wordsOf = (condition: Condition | null, { id, name }: WorkflowNode) => [
    ...[condition?.value ?? '', id, name ?? ''],
  ];
  const texts = [
    arrival.kind === 'start' ? workflow.globalPrompt : null,
    way,
    ...beside.map(({ condition }) => condition),
    ...textsOf(here).map(({ value }) => value),
  ];
  return {
    node,
    arrival,
    way,
    calls: toolsOf(node, arrival),
    words: wordsOf(way, here),
    beside: beside.flatMap(({ condition }) => condition ?? []),
    wordsBeside: beside
      .slice(0, enough)
      .flatMap(({ condition, to }) => wordsOf(condition, workflow.nodes[to]!)),
    // Of a variable that is read into nobody knows what else it holds.
    reads: texts.flatMap((text) => text?.uses ?? []).flatMap((use) => (use.nested ? [] : use.name)),
  };
}
