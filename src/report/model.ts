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
  CompileResult,
  Diagnostic,
  Dialect,
  Json,
  PlacedDiagnostic,
  Question,
  Stats,
} from '../index.js';

/** `failed`: reading or writing went wrong; the others are the compiler's. */
export type WorkflowStatus = CompileResult['status'] | 'failed';

/** A workflow of a run. */
export interface WorkflowRow {
  /** Position in the input, from 0 on. */
  readonly index: number;
  /** Of a JSONL file, from 1 on. */
  readonly line?: number;
  readonly key: string;
  /** Where its files are, below the output folder; POSIX. */
  readonly folder: string;
  /** POSIX path, `stdin`, or `pull/<id>.json`. */
  readonly source: string;
  readonly name: string | null;
  readonly status: WorkflowStatus;
  /** Why it is `failed`. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** What is wrong first, where it is `invalid`; `result.json` has all of it. */
  readonly firstError?: Pick<Diagnostic, 'code' | 'at' | 'message'>;
  readonly stats: Stats;
  readonly errors: number;
  readonly warnings: number;
  /** Open questions by kind. */
  readonly questions: Readonly<Record<string, number>>;
  readonly assessment: Assessment;
}

/** A row that does not know its place yet. */
export type RowFacts = Omit<WorkflowRow, 'index' | 'line'>;

/** A row as it stands in `summary.json`. */
export function rowText(facts: RowFacts, index: number, line?: number): string {
  return JSON.stringify({ index, ...(line !== undefined && { line }), ...facts });
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

/** Which part of a run that is cut into several; `index` is from 1 on. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

export interface Totals
  extends Pick<WorkflowRow, 'errors' | 'warnings' | 'questions'>,
    Pick<Stats, 'nodes' | 'assistants'>,
    Pick<Assessment, 'minutes'> {
  readonly workflows: number;
  readonly byStatus: Readonly<Record<WorkflowStatus, number>>;
  readonly byLevel: Readonly<Record<Assessment['level'], number>>;
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
export interface ResultFile
  extends Pick<WorkflowRow, 'key' | 'source' | 'name' | 'status' | 'failure' | 'assessment'>,
    Pick<BoundResult, 'checklist' | 'ledger' | 'reads' | 'sourceMap' | 'stats' | 'toolBindings'> {
  /** Version of squadc. */
  readonly squadc: string;
  readonly dialect: Dialect | null;
  /** Without answers. */
  readonly options: BoundOptions;
  /** Single answers that were applied, accepted proposals among them. */
  readonly answers: Readonly<Record<string, RunAnswer>>;
  readonly policies: Readonly<Record<string, string>>;
  readonly questions: readonly AskedQuestion[];
  readonly diagnostics: readonly (PlacedDiagnostic | Diagnostic)[];
  /** While questions are open. */
  readonly draft: Json;
  /** The workflow as it was read; null where it is no JSON. */
  readonly workflow: Json;
}
