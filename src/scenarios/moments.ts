/** A step of a walk with what decides there: conditions, tools, variables. */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { textsOf } from '../compiler/ir/texts.js';
import type { Condition, WorkflowNode } from '../compiler/ir/workflow.js';
import type { ToolsOf, WalkedTool } from './tools.js';
import type { Arrival, Step } from './walks.js';

export interface Moment {
  readonly node: WorkflowNode;
  readonly arrival: Arrival['kind'];
  /** What has to become true for the call to get here; null if nothing has to. */
  readonly condition: Condition | null;
  /** Conditions of the other edges of the node before. */
  readonly others: readonly Condition[];
  /** Texts that may name a choice of the caller: of this edge, and of the other ones. */
  readonly words: readonly string[];
  readonly otherWords: readonly string[];
  /** Whether the node before calls a tool, whose response can decide. */
  readonly afterTool: boolean;
  /** Variables that are read here. */
  readonly reads: readonly string[];
  readonly calls: readonly WalkedTool[];
}

/** Only so many other edges are considered; a wide branch has thousands. */
const mostOthers = 20;

export function momentOf(
  { workflow, leaving }: FlowGraph,
  { node: index, arrival }: Step,
  before: Step | undefined,
  toolsOf: ToolsOf,
): Moment {
  const node = workflow.nodes[index]!;
  const isEdge = arrival.kind === 'edge';
  const entered = arrival.kind === 'global' ? (node.global?.condition ?? null) : null;
  const condition = isEdge ? workflow.edges[arrival.edge]!.condition : entered;
  const siblings = isEdge && before ? leaving[before.node]! : [];
  const all = siblings.filter((each) => isEdge && each.index !== arrival.edge);
  const some = all.slice(0, mostOthers);
  const others = (condition === null ? all : some).flatMap((each) => each.condition ?? []);
  const wordsOf = (condition: Condition | null, { id, name }: WorkflowNode) => [
    ...[condition?.value ?? '', id, name ?? ''],
  ];
  const prompt = arrival.kind === 'start' ? workflow.globalPrompt : null;
  const texts = [prompt, condition, ...others, ...textsOf(node).map(({ value }) => value)];
  return {
    node,
    arrival: arrival.kind,
    condition,
    others,
    words: wordsOf(condition, node),
    otherWords: some.flatMap((each) => wordsOf(each.condition, workflow.nodes[each.to]!)),
    afterTool: isEdge && before !== undefined && workflow.nodes[before.node]!.role === 'act',
    // The rest of a variable that is read into is unknown.
    reads: texts.flatMap((text) => text?.uses ?? []).flatMap((use) => (use.nested ? [] : use.name)),
    calls: toolsOf(index, arrival),
  };
}
