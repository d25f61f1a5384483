/** What the compiler returns. */
import type { Json, JsonObject } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { CompileOptions } from './options.js';
import type { Origin } from './provenance.js';
import type { QuestionKind } from './question-kind.generated.js';

/** An error leaves the workflow without a squad. */
export type Severity = 'error' | 'warning' | 'info';

/** One finding: what, where, and what to do. Errors make the result `invalid`. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  /** A place in the workflow, or in the document that `in` names. */
  readonly at: JsonPointer;
  /** The document that `at` points into; absent for the workflow. */
  readonly in?: 'options' | 'answers' | 'squad';
  readonly related: readonly JsonPointer[];
  readonly help: string;
}

export function isError({ severity }: Diagnostic): boolean {
  return severity === 'error';
}

/** Something that only a human can decide. */
export interface Question {
  /** Kind and subject; does not change when the source is reordered. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly at: readonly JsonPointer[];
  readonly text: string;
  readonly choices: readonly Choice[];
  /** The key of the choice that the source suggests; null if only a human can know. */
  readonly proposal: string | null;
  readonly proposalValue?: Json;
}

/** One possible answer to a question, and its effect. */
export interface Choice {
  readonly key: string;
  readonly label: string;
  readonly effect: string;
  /** JSON Schema of the value that this choice needs; absent if it needs none. */
  readonly value?: JsonObject;
}

/** One of the nine items of spec/3's validation checklist. */
export interface ChecklistItem {
  readonly item: number;
  readonly title: string;
  /** False if the item fails, and if it is not decided. */
  readonly holds: boolean;
  /** Whether the documents show that it holds, or that it fails. */
  readonly decided: boolean;
  /** The question whose answer waives the item. */
  readonly waivedBy?: string;
  readonly evidence: readonly Evidence[];
}

/** A fact that an item rests on, with places on both sides. */
export interface Evidence {
  readonly holds: boolean;
  /** Present if the documents show neither that it holds nor that it does not. */
  readonly decided?: false;
  readonly text: string;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
}

/** The origin of one value of the output; `range` is a part of a text, in UTF-16 units. */
export interface SourceMapEntry {
  readonly output: JsonPointer;
  readonly range?: readonly [start: number, end: number];
  readonly origin: Origin;
}

/**
 * A read of a variable, and where its value comes from during the call.
 *
 * - `rendered`: the platform has filled it in before the text is used.
 * - `told`: the model knows it from the conversation; the text contains the token `{{name}}`.
 * - `filled`: the model passes it when it calls the tool.
 * - `response`: a tool of the same assistant has set it.
 * - `early`: the platform evaluates the text before the variable is set.
 */
export interface Read {
  readonly at: JsonPointer;
  readonly variable: string;
  readonly kind: 'rendered' | 'told' | 'filled' | 'response' | 'early';
  /** The assistant's name. */
  readonly assistant: string;
  /** Captures and responses of the same assistant that can supply the value. */
  readonly from: readonly JsonPointer[];
  /** Where the text stands in the assistant. */
  readonly outputs: readonly JsonPointer[];
}

/** The kind of item that an entry accounts for. */
export type LedgerKind =
  | 'workflow'
  | 'node'
  | 'edge'
  | 'variable'
  | 'line'
  | 'instruction'
  | 'condition'
  | 'transfer-message'
  | 'tool'
  | 'setting'
  | 'field';

/** What became of one item of the source. */
export interface LedgerEntry {
  readonly at: JsonPointer;
  readonly kind: LedgerKind;
  readonly status: 'converted' | 'folded' | 'dropped' | 'needs-answer';
  readonly reason?: string;
  readonly outputs: readonly JsonPointer[];
}

/** Counts of the workflow and of the squad. */
export interface Stats {
  readonly nodes: number;
  readonly edges: number;
  readonly assistants: number;
  /** Destinations of handoff tools. */
  readonly handoffs: number;
  /** Properties of extraction plans. */
  readonly extractions: number;
  /** Handoffs that cost a call of a model by their plan (target `vapi`); absent if none does. */
  readonly plans?: number;
  readonly tools: number;
  readonly questions: number;
}

/** The result of `compile`. */
export interface CompileResult {
  readonly status: 'complete' | 'needs-answers' | 'invalid';
  /** The squad document; null unless complete. */
  readonly output: JsonObject | null;
  /**
   * A preview while questions are open: the squad that the proposals would give. Never deploy it.
   */
  readonly draft: JsonObject | null;
  readonly questions: readonly Question[];
  readonly diagnostics: readonly Diagnostic[];
  readonly checklist: readonly ChecklistItem[];
  /** Every read of a variable, once for each assistant that has it. */
  readonly reads: readonly Read[];
  readonly sourceMap: readonly SourceMapEntry[];
  readonly ledger: readonly LedgerEntry[];
  readonly stats: Stats;
}

/** How the squad was made, as far as known; a given `sourceMap` is not trusted. */
export type VerifyOptions = Partial<CompileOptions> & { sourceMap?: readonly SourceMapEntry[] };

/**
 * - `holds`: no call goes otherwise in the squad than in the workflow.
 * - `fails`: one does, or an input cannot be read.
 * - `undecided`: the documents do not show it.
 */
export type Verdict = 'holds' | 'fails' | 'undecided';

/** Whether a squad is a faithful migration of a workflow, and where it is not. */
export interface Verification {
  readonly verdict: Verdict;
  /** Whether the verdict is `holds`. */
  readonly holds: boolean;
  /** The nine items of spec/3, in order. */
  readonly checklist: readonly ChecklistItem[];
  /** Calls that the squad handles differently from the workflow, the shortest first. */
  readonly counterexamples: readonly Walk[];
  /** What a person has to look at. */
  readonly undecided: readonly Undecided[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Something that the documents do not show. */
export interface Undecided {
  /** Places in the workflow, or in the squad if `in` says so. */
  readonly at: readonly JsonPointer[];
  readonly in?: 'squad';
  readonly text: string;
}

/** A call, step by step, up to the point where the squad differs. */
export interface Walk {
  readonly steps: readonly WalkStep[];
  /** The difference at that point, in words. */
  readonly text: string;
  /** Places in the workflow and in the squad that show it. */
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
}

/** The call reaches a node. */
export interface WalkStep {
  /** Id of the node, and its place. */
  readonly node: string;
  readonly at: JsonPointer;
  /** The edge taken to it; null for the start and for a global node. */
  readonly via: JsonPointer | null;
}

export const emptyResult: CompileResult = {
  status: 'invalid',
  output: null,
  draft: null,
  questions: [],
  diagnostics: [],
  checklist: [],
  reads: [],
  sourceMap: [],
  ledger: [],
  stats: { nodes: 0, edges: 0, assistants: 0, handoffs: 0, extractions: 0, tools: 0, questions: 0 },
};
