/** What a caller of `verify` may say and what it gets. */
import type { JsonPointer } from './ids.js';
import type { CompileOptions } from './options.js';
import type { ChecklistItem, Diagnostic, SourceMapEntry } from './result.js';

/** What is known of how the squad was made; `sourceMap` may be given and is not believed. */
export type VerifyOptions = Partial<CompileOptions> & { sourceMap?: readonly SourceMapEntry[] };

/** Whether a squad is a faithful migration of a workflow, and where it is not. */
export interface Verification {
  /** No item of the checklist fails, and no call shows a difference. */
  readonly holds: boolean;
  /** The nine items of spec/3, in order. */
  readonly checklist: readonly ChecklistItem[];
  /** Calls that the squad answers otherwise than the workflow, the shortest first. */
  readonly counterexamples: readonly Walk[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A call, step by step, up to the point where the squad does something else. */
export interface Walk {
  readonly steps: readonly WalkStep[];
  /** What is different there, in words. */
  readonly text: string;
  /** Places in the workflow and in the squad that show it. */
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
}

/** The call comes to a node. */
export interface WalkStep {
  /** Id of the node, and its place. */
  readonly node: string;
  readonly at: JsonPointer;
  /** The edge that is taken to it; null for the start, and for a global node that is entered. */
  readonly via: JsonPointer | null;
}
