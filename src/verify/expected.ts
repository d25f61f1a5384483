/**
 * What a squad of the workflow has to be, decided without the compiler: the types of what is found.
 *
 *     settle.ts                source, options → Settlement: answers applied, asked, grouped
 *       expected-graph.ts      what a call can reach, and the passages out of assistants
 *       expected-variables.ts  where variables are set and read, and reads that nothing sets
 *       stage-questions.ts     the grouping with a human's say
 *         equality.ts          which nodes are one node
 *         expected-grouping.ts which nodes are one assistant
 *     expected-crossings.ts    what has to cross with the passages of a squad
 *     witness.ts               the shortest call that shows what a handoff loses
 *
 * The last two are told which assistants own which nodes in the squad that is looked at: what crosses
 * is judged under the grouping that was found in it; the others know the source alone. With the
 * compiler all of them share facts (the reader, the questions, the texts of a node) and the
 * algorithms of the graph algorithms, and no decision.
 */
import type { Dialogue } from '../compiler/2-ask/answers.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decision } from '../compiler/ir/inquiry.js';
import type {
  Capture,
  Condition,
  Workflow,
  WorkflowEdge,
  WorkflowNode,
} from '../compiler/ir/workflow.js';

export interface Settlement {
  readonly graph: SourceGraph;
  readonly variables: Variables;
  readonly grouping: Grouping;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: IsDemanded;
  readonly dialogue: Dialogue;
}

export type IsDemanded = (variable: string) => boolean;

/** The source as a call walks it. */
export interface SourceGraph {
  readonly workflow: Workflow;
  readonly start: NodeIndex;
  /** What a call can reach: breadth first from the start, then from each global node. */
  readonly order: readonly NodeIndex[];
  readonly globals: readonly WorkflowNode[];
  /** Edges that a call can take, in source order: none leaves an exit, none repeats an earlier one. */
  readonly edges: readonly WorkflowEdge[];
  readonly successors: readonly (readonly NodeIndex[])[];
  readonly predecessors: readonly (readonly NodeIndex[])[];
  readonly nodeAt: (node: NodeIndex) => WorkflowNode;
  /** The edges that leave a node, in source order. */
  readonly leaving: (node: NodeIndex) => readonly WorkflowEdge[];
}

/** The expected assistants: stages, numbered as a call first meets them. */
export interface Grouping {
  /** For each node the equal node that stands for it, the first in walk order. */
  readonly representative: readonly NodeIndex[];
  readonly stageCount: number;
  /** Whether a stage has a talk node; only a start that is a tool may have none. */
  readonly talks: (stage: number) => boolean;
  /** The stages that hold the node; exits are in none. */
  readonly stagesOf: (node: NodeIndex) => readonly number[];
  /** The first of these; null where there is none. */
  readonly stageOf: (node: NodeIndex) => number | null;
  /** The part of its stage that a node is in by a cycle, and by chains, else by the boundary. */
  readonly partOf: (node: NodeIndex, phase: 'cycle' | 'chain') => number;
  /** Whether an answer keeps the two stages apart. */
  readonly keptApart: (one: number, other: number) => boolean;
  /** Whether the stage is an assistant that the source brings. */
  readonly isReady: (stage: number) => boolean;
  /** What was decided about cycles and settings. */
  readonly decisions: readonly Decision[];
}

/** By name, in the order in which a walk meets them. */
export type Variables = ReadonlyMap<string, Variable>;

/**
 * Where a variable is set and read. At a node texts are read on entry, then its captures happen,
 * then its tools respond, then the conditions of its edges and of all global nodes are read.
 */
export interface Variable {
  readonly name: string;
  /** Where a node captures the variable twice, the later capture counts. */
  readonly captures: readonly CaptureSite[];
  /** Nodes whose tools set the variable, after their captures. */
  readonly responses: readonly NodeIndex[];
  /** Whether a talk node has a tool that may set it at any time. */
  readonly isOffered: boolean;
  /** Nodes whose own texts read it, on entry. */
  readonly entryReads: readonly NodeIndex[];
  /** Nodes with an alias that is made of it; what reads it is the handoff that derives the alias. */
  readonly aliasReads: readonly NodeIndex[];
  /** Nodes with an edge whose condition reads it. */
  readonly exitReads: readonly NodeIndex[];
  /** Global nodes whose condition reads it, on leaving any node. */
  readonly globalReads: readonly NodeIndex[];
  /** Whether the prompt of all assistants reads it, on entry to any node. */
  readonly inGlobalPrompt: boolean;
  /** Global nodes that are entered, but for their edges, only after a tool has set it. */
  readonly givenTo: readonly NodeIndex[];
}

export interface CaptureSite {
  readonly node: NodeIndex;
  readonly capture: Capture;
}

/** Which members of a squad own which nodes. */
export interface Owners {
  readonly of: (node: NodeIndex) => ReadonlySet<number>;
  /** The only member that owns the node; null where there is none or several. */
  readonly soleOwner: (node: NodeIndex) => number | null;
  /** The equal node that stands for this one; itself where it has none. */
  readonly standsFor: (node: NodeIndex) => NodeIndex;
}

/** A step of the source that leads out of a member. */
export interface Passage {
  /** The member whose assistant is left. */
  readonly member: number;
  /** The node that is left; null where it can be any of the assistant's. */
  readonly from: NodeIndex | null;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Null for the step to a global node from anywhere. */
  readonly edge: WorkflowEdge | null;
  /** The member that owns the end; null where not exactly one does. */
  readonly target: number | null;
}

/** A variable that has to cross, with the captures that reach the passage. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly Capture[];
}

export interface Crossings {
  /** What crosses with the passage, one of those that were given; in the order of the variables. */
  readonly of: (passage: Passage) => readonly Crossing[];
}
