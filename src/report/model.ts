/**
 * What is known of a run over many workflows, and of each of them: the one model that every
 * rendering (JSON, CSV, Markdown, SARIF, HTML) is made of.
 *
 * It is a function of the sources, the answers, the options and the version alone: no time, no
 * host, no absolute path, and nothing of whether a workflow was compiled or found unchanged.
 */
import type { BoundOptions, BoundResult } from '../adapters/tools/compile-bound.js';
import type {
  Answer,
  ChecklistItem,
  CompileResult,
  Dialect,
  Json,
  LedgerEntry,
  PlacedDiagnostic,
  Question,
  Read,
  SourceMapEntry,
  Stats,
} from '../index.js';

/** `failed`: reading or writing went wrong; the others are the compiler's. */
export type WorkflowStatus = CompileResult['status'] | 'failed';

/** A finding as a summary needs it; the place is in the text of the workflow. */
export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  /** JSON Pointer. */
  readonly at: string;
  /** From 1 on; in a line of JSONL the line is the file's. */
  readonly line?: number;
  readonly column?: number;
}

/** A workflow of a run. */
export interface WorkflowRow {
  /** Position in the input, from 0 on. */
  readonly index: number;
  readonly key: string;
  /** Where its files are, below the output folder; POSIX. */
  readonly folder: string;
  /** POSIX path, `stdin`, or `pull/<id>.json`. */
  readonly source: string;
  /** Of a JSONL file, from 1 on. */
  readonly line?: number;
  readonly name: string | null;
  readonly status: WorkflowStatus;
  /** Why it is `failed`. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** What is wrong first, where it is `invalid`. */
  readonly firstError?: FirstError;
  readonly stats: Stats;
  readonly errors: number;
  readonly warnings: number;
  /** Open questions by kind. */
  readonly questions: Readonly<Record<string, number>>;
  readonly assessment: Assessment;
}

/** The first error of a workflow, as `result.json` has it with all others. */
export interface FirstError {
  readonly code: string;
  /** A JSON Pointer into the workflow, or into its answers. */
  readonly at: string;
  readonly message: string;
}

/** How much work is left, by a formula that stands in `assess.ts`. */
export interface Assessment {
  /** A: automatic. B: answers are needed. C: work is needed. */
  readonly level: 'A' | 'B' | 'C';
  /** 1 to 5, by nodes and edges. */
  readonly size: 1 | 2 | 3 | 4 | 5;
  /** Estimated time of manual work. */
  readonly minutes: number;
  /** Nodes, edges and variables that need nobody. */
  readonly automatic: number;
  /** Those that wait for a person. */
  readonly manual: number;
}

/** What stands above the totals and the rows of `summary.json`. */
export interface SummaryHead {
  /** Version of squadc. */
  readonly squadc: string;
  /** Without answers. */
  readonly options: BoundOptions;
  /** Which part of a run that was cut into several; absent for all of it. */
  readonly shard?: Shard;
}

export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

export interface Totals {
  readonly workflows: number;
  readonly byStatus: Readonly<Record<WorkflowStatus, number>>;
  readonly byLevel: Readonly<Record<Assessment['level'], number>>;
  readonly questions: Readonly<Record<string, number>>;
  readonly nodes: number;
  readonly assistants: number;
  readonly minutes: number;
  readonly errors: number;
  readonly warnings: number;
}

/** An open question with the hash by which a change of its subject is noticed. */
export interface AskedQuestion extends Question {
  readonly subject: string;
}

/** An answer of a run. */
export interface RunAnswer extends Answer {
  readonly subject?: string;
}

/** `result.json` of a workflow; secrets are masked in all of it. */
export interface ResultFile {
  readonly squadc: string;
  readonly key: string;
  readonly source: string;
  readonly name: string | null;
  readonly status: WorkflowStatus;
  readonly failure?: { readonly code: string; readonly message: string };
  readonly dialect: Dialect | null;
  /** Without answers. */
  readonly options: BoundOptions;
  /** Single answers that were applied, accepted proposals among them. */
  readonly answers: Readonly<Record<string, RunAnswer>>;
  readonly policies: Readonly<Record<string, string>>;
  readonly questions: readonly AskedQuestion[];
  readonly diagnostics: readonly (PlacedDiagnostic | CompileResult['diagnostics'][number])[];
  readonly checklist: readonly ChecklistItem[];
  readonly ledger: readonly LedgerEntry[];
  readonly reads: readonly Read[];
  readonly sourceMap: readonly SourceMapEntry[];
  readonly stats: Stats;
  readonly toolBindings?: BoundResult['toolBindings'];
  /** While questions are open. */
  readonly draft: Json;
  readonly assessment: Assessment;
  /** The workflow as it was read; null where it is no JSON. */
  readonly workflow: Json;
}

/** A row that does not know its place yet. */
export type RowFacts = Omit<WorkflowRow, 'index' | 'line'>;

/** The members in the order in which every summary has them, wherever the object came from. */
export function rowText(facts: RowFacts): string {
  const { key, folder, source, name, status, failure, firstError, stats } = facts;
  const { nodes, edges, assistants, handoffs, extractions, tools, questions } = stats;
  const { level, size, minutes, automatic, manual } = facts.assessment;
  return JSON.stringify({
    key,
    folder,
    source,
    name,
    status,
    ...(failure && { failure: { code: failure.code, message: failure.message } }),
    ...(firstError && { firstError: firstErrorOf(firstError) }),
    stats: { nodes, edges, assistants, handoffs, extractions, tools, questions },
    errors: facts.errors,
    warnings: facts.warnings,
    questions: facts.questions,
    assessment: { level, size, minutes, automatic, manual },
  });
}

function firstErrorOf({ code, at, message }: FirstError): FirstError {
  return { code, at, message };
}

/** The text of a row with its place in front. */
export function placedRowText(text: string, index: number, line?: number): string {
  const place = line === undefined ? `{"index":${index},` : `{"index":${index},"line":${line},`;
  return place + text.slice(1);
}

/** The text of a row that is whole. */
export function wholeRowText(row: WorkflowRow): string {
  return placedRowText(rowText(row), row.index, row.line);
}
