/** Questions with what is needed to apply their answers, and the facts that they are asked about. */
import type { Json } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { FlowGraph } from './flow-graph.js';
import type { EdgeIndex, NodeIndex } from './ids.js';
import type { Answer } from './options.js';
import type { Regrouping } from './region-map.js';
import type { Diagnostic, Question, Read } from './result.js';
import type { ReadReview, UnreachedReads, Variables } from './variables.js';
import type { WorkflowEdge, WorkflowNode } from './workflow.js';

export interface Inquiry {
  readonly question: Question;
  readonly subject: Subject;
  /** Per choice, the only valid values, where a schema alone cannot express them. */
  readonly allowed: Readonly<Record<string, readonly string[]>>;
  /** What a draft assumes until the question is answered. */
  readonly assumed: Answer;
}

export type Subject =
  | { readonly of: 'node'; readonly node: NodeIndex }
  | { readonly of: 'edge'; readonly edge: EdgeIndex }
  | { readonly of: 'start' | 'edges' | 'values' }
  | VariableSubject
  | { readonly of: 'nodes'; readonly nodes: readonly NodeIndex[] }
  /** A node that reads variables, null for any; and the nodes that set them. */
  | { readonly of: 'read'; readonly node: NodeIndex | null; readonly from: readonly NodeIndex[] };

export interface VariableSubject {
  readonly of: 'variable';
  readonly name: string;
  /** The reads that the question is about; null if it is about how the variable crosses. */
  readonly unreached: UnreachedReads | null;
}

/** What to do about an inquiry; `by` distinguishes an answer from an assumption. */
export interface Decision {
  readonly inquiry: Inquiry;
  readonly choice: string;
  readonly value: Json;
  readonly by: 'answer' | 'assumption';
  /** What is wrong with the answer that was given, so that the question is still open. */
  readonly fault: Diagnostic | null;
  /** What it changes in the grouping. */
  readonly regrouping: Regrouping | null;
}

/** A node with an edge that leaves it, or without one if its own condition is judged everywhere. */
export interface ConditionFacts {
  readonly graph: FlowGraph;
  readonly node: WorkflowNode;
  readonly edge: WorkflowEdge | null;
}

/** The source after the answers about its nodes. */
export interface SourceFacts<Graph extends FlowGraph = FlowGraph> {
  readonly graph: Graph;
  readonly variables: Variables;
  readonly reviews: readonly ReadReview[];
  /** Variables that have a value from the start of the call. */
  readonly supplied: ReadonlySet<string>;
}

/** Nodes that behave the same are one, their representative; components are lists of those. */
export interface CycleFacts {
  readonly graph: FlowGraph;
  readonly representative: readonly NodeIndex[];
  readonly components: readonly (readonly NodeIndex[])[];
}

/** The stages, and what the assistants that they would become read. */
export interface StageFacts extends CycleFacts {
  /** The nodes of each, its first node first, then in walk order; and the steps between them. */
  readonly stages: readonly {
    readonly nodes: readonly NodeIndex[];
    readonly inner: readonly { readonly from: NodeIndex; readonly to: NodeIndex }[];
  }[];
  /** Global nodes from whose stage an edge leads to other stages, and where these begin. */
  readonly returns: readonly { readonly global: NodeIndex; readonly to: readonly NodeIndex[] }[];
  readonly reads: readonly StageRead[];
}

/** What crosses between the assistants. */
export interface CrossingFacts {
  readonly graph: FlowGraph;
  readonly variables: Variables;
  /** Variables that a handoff carries. */
  readonly crossing: ReadonlySet<string>;
  /** Variables whose captured value no handoff carries on some walk to the end of the call. */
  readonly lost: ReadonlySet<string>;
  readonly reads: readonly StageRead[];
}

export interface StageRead {
  readonly variable: string;
  readonly kind: Read['kind'];
  readonly at: JsonPointer;
  readonly stage: number;
  /** The node that reads; null if it can be any. */
  readonly node: NodeIndex | null;
  /** The nodes of the stage that set the variable. */
  readonly from: readonly NodeIndex[];
  /** The request that reads it when it is sent. */
  readonly request: WorkflowNode | null;
}
