/**
 * A machine: places, what happens at each, and the moves between them. Here that of a workflow, in
 * which each node is a place; places.ts makes that of a squad.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { startLineOf } from '../compiler/ir/texts.js';
import type * as ir from '../compiler/ir/workflow.js';
import type { JsonObject } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import { factsOf } from './facts.js';
import type { Destination } from './squad.js';
import { type Reading, transfersOf } from './vocabulary.js';

export interface Machine {
  /** The places that a call can come to, the start first. */
  readonly places: readonly Place[];
  /** Each has a memory of its own; none in a workflow, which has one memory. */
  readonly assistants: readonly Reading[];
}

export interface Place {
  readonly node: number;
  /** The assistant that leads the call. */
  readonly member: number;
  readonly acts: readonly Act[];
  readonly moves: readonly Move[];
}

/** One step of a call: along an edge, or into a global node. */
export interface Step {
  readonly to: number;
  readonly edge?: ir.WorkflowEdge | undefined;
}

export interface Move {
  readonly step: Step;
  readonly to: number;
  /** The variables that a tool sets before the move is made. */
  readonly responds: readonly string[];
  /** Null if the call stays with its assistant. */
  readonly handoff: Destination | null;
}

/** One thing that happens at a place. */
export type Act =
  | Quotation
  /** The request of a node, by a tool of the squad. */
  | { readonly kind: 'sent'; readonly node: ir.WorkflowNode; readonly tool: JsonObject | null }
  | { readonly kind: 'found'; readonly capture: ir.Capture }
  | { readonly kind: 'response'; readonly variables: readonly string[] };

/** A text that is read or spoken. */
export interface Quotation {
  readonly kind: 'said' | 'read';
  /** The text of the source; null for one that is spoken out of turn. */
  readonly text: ir.Text | ir.Condition | null;
  /** The text around it, in which it is marked. */
  readonly whole: string;
  /** Whether it is rendered when the assistant becomes active or when it is used. */
  readonly isEarly: boolean;
  readonly by: 'platform' | 'model';
  /** The place in the squad. */
  readonly place?: JsonPointer;
}

export function machineOfWorkflow(graph: FlowGraph): Machine {
  const places = graph.order.map((node): Place => {
    const moves = stepsFrom(graph, node).map((step): Move => {
      const responds = givenBefore(graph, step);
      return { step, to: graph.rank[step.to]!, responds, handoff: null };
    });
    return { node, member: 0, acts: actsAt(graph, node), moves };
  });
  return { places, assistants: [] };
}

/** The variables that a tool sets before the call enters a global node. */
export function givenBefore(graph: FlowGraph, { to, edge }: Step): readonly string[] {
  return edge === undefined ? (nodeOf(graph, to).global?.condition?.call?.variables ?? []) : [];
}

function actsAt(graph: FlowGraph, index: number): Act[] {
  const node = nodeOf(graph, index);
  const quote = (kind: Quotation['kind'], text: ir.Text | ir.Condition): Quotation => {
    return { kind, text, whole: text.value, isEarly: false, by: 'model' };
  };
  const conditions = stepsFrom(graph, index).flatMap((it) => writtenConditionOf(graph, it) ?? []);
  return [
    ...textsAt(graph, index).map(({ kind, text }) => quote(kind, text)),
    ...(hasTool(node) ? [{ kind: 'sent', node, tool: null } as const] : []),
    ...node.captures.map((capture) => ({ kind: 'found', capture }) as const),
    { kind: 'response', variables: [...factsOf(graph, node).responds] },
    ...conditions.map((it) => quote('read', it)),
  ];
}

/** The texts of a node that are spoken or that the model reads. */
export function textsAt({ workflow }: FlowGraph, index: number) {
  const node = workflow.nodes[index]!;
  const { firstMessage, systemPrompt, captures, request } = node;
  const said = [firstMessage, ...transfersOf(node).map((it) => it.message), startLineOf(node)];
  const asked = captures.map(({ description }) => description);
  const read = [workflow.globalPrompt, systemPrompt, request?.description ?? null, ...asked];
  // A capture that an answer added has no text in the source.
  const written = read.filter((text) => text?.value.trim() && text.at !== node.at);
  return [
    ...said.flatMap((text) => (text?.value ? [{ kind: 'said', text } as const] : [])),
    ...written.map((text) => ({ kind: 'read', text: text! }) as const),
  ];
}

export function conditionOf(graph: FlowGraph, { to, edge }: Step): ir.Condition | null {
  return (edge ?? nodeOf(graph, to).global)?.condition ?? null;
}

/** The condition of a step, if the source has it; one from an answer has the place of its node. */
export function writtenConditionOf(graph: FlowGraph, step: Step): ir.Condition | null {
  const condition = conditionOf(graph, step);
  return graph.globals.some((it) => nodeOf(graph, it).at === condition?.at) ? null : condition;
}

/** Whether a node calls a tool. */
export function hasTool({ request, role, tools }: ir.WorkflowNode): boolean {
  return request !== null || (role === 'act' && tools.length > 0);
}

export function nodeOf({ workflow }: FlowGraph, index: number): ir.WorkflowNode {
  return workflow.nodes[index]!;
}

/** The possible steps at a node: its edges in order, then every other global node. */
export function stepsFrom(graph: FlowGraph, node: number): Step[] {
  if (nodeOf(graph, node).role === 'exit') return [];
  return [
    ...graph.leaving[node]!.map((edge) => ({ to: edge.to, edge })),
    ...graph.globals.filter((to) => to !== node).map((to) => ({ to })),
  ];
}
