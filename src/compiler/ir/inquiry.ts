/**
 * A question with what the compiler needs to carry out its answer.
 */
import type { Answer } from './answers.js';
import type { EdgeIndex, NodeIndex } from './ids.js';
import type { Json } from './json.js';
import type { Question } from './result.js';

export interface Inquiry {
  readonly question: Question;
  readonly subject: Subject;
  /** Per choice, the only values that fit where the schema alone cannot say so. */
  readonly allowed: ReadonlyMap<string, ReadonlySet<string>>;
  /** What speaks against a value that fits otherwise, in words; null where nothing does. */
  readonly objection?: (choice: string, value: Json) => string | null;
  /** What a draft assumes while nobody has answered. */
  readonly assumed: Answer;
}

export type Subject =
  | { readonly of: 'node'; readonly node: NodeIndex }
  | { readonly of: 'edge'; readonly edge: EdgeIndex }
  | { readonly of: 'start' }
  | { readonly of: 'variable'; readonly name: string; readonly unreached: UnreachedReads }
  | { readonly of: 'nodes'; readonly nodes: readonly NodeIndex[] };

/** Reads of a variable that no capture reaches. */
export interface UnreachedReads {
  /** Nodes whose own texts read it. */
  readonly texts: ReadonlySet<NodeIndex>;
  /** Nodes that have an edge whose condition reads it. */
  readonly conditions: ReadonlySet<NodeIndex>;
  /** Global nodes whose condition reads it. */
  readonly globals: ReadonlySet<NodeIndex>;
  /** Whether the global prompt reads it. */
  readonly globalPrompt: boolean;
}

/** Puts questions to the human's answers, and says for each what is to be done. */
export type Decide = (inquiries: readonly Inquiry[]) => readonly Decision[];

/** What is to be done about an inquiry; `by` tells an answer from an assumption. */
export interface Decision {
  readonly inquiry: Inquiry;
  readonly choice: string;
  readonly value: Json;
  readonly by: 'answer' | 'assumption';
}
