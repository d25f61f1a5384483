/**
 * The data of a run and of each of its workflows, from which all files are written.
 *
 * It depends on the sources, the answers, the options and the version alone: no time, no host, no
 * absolute path, and not whether a workflow was compiled or found unchanged.
 */
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
import type { BoundOptions, BoundResult } from '../serve/compile-bound.js';

/** `failed`: reading or writing went wrong. */
export type WorkflowStatus = CompileResult['status'] | 'failed';

/** A workflow of a run. */
export interface WorkflowRow {
  /** Position in the input, counted from 0. */
  readonly index: number;
  /** Line of a JSONL file, counted from 1. */
  readonly line?: number | undefined;
  readonly key: string;
  /** The folder of its files, below the output folder; POSIX. */
  readonly folder: string;
  /** POSIX path, `stdin`, or `pull/<id>.json`. */
  readonly source: string;
  readonly name: string | null;
  readonly status: WorkflowStatus;
  /** Why it is `failed`. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** If it is `invalid`; `result.json` has all errors. */
  readonly firstError?: Pick<Diagnostic, 'code' | 'at' | 'message'>;
  readonly stats: Stats;
  readonly errors: number;
  readonly warnings: number;
  /** Open questions by kind. */
  readonly questions: Readonly<Record<string, number>>;
  readonly assessment: Assessment;
}

/** A row without its position in the run. */
export type RowFacts = Omit<WorkflowRow, 'index'>;

/** How much work is left, by the formula in `assess.ts`. */
export interface Assessment {
  /** A: automatic. B: answers are needed. C: work is needed. */
  readonly level: 'A' | 'B' | 'C';
  /** 1 to 5, by nodes and edges. */
  readonly size: 1 | 2 | 3 | 4 | 5;
  /** Of manual work, estimated. */
  readonly minutes: number;
  /** Nodes, edges and variables that are done. */
  readonly automatic: number;
  /** Those that need somebody. */
  readonly manual: number;
}

export interface Totals
  extends Pick<WorkflowRow, 'errors' | 'warnings' | 'questions'>,
    Pick<Stats, 'nodes' | 'assistants'>,
    Pick<Assessment, 'minutes'> {
  readonly workflows: number;
  readonly byStatus: Readonly<Record<WorkflowStatus, number>>;
  readonly byLevel: Readonly<Record<Assessment['level'], number>>;
}

/** With a hash of what is asked about, which shows if that has changed. */
export interface AskedQuestion extends Question {
  readonly subject: string;
}

/** An answer of a run. */
export interface RunAnswer extends Answer {
  readonly subject?: string;
}

/** `result.json`. Tokens stand in the place of secrets. */
export interface ResultFile
  extends Pick<WorkflowRow, 'key' | 'source' | 'name' | 'status' | 'failure' | 'assessment'>,
    Pick<BoundResult, 'checklist' | 'ledger' | 'reads' | 'sourceMap' | 'stats' | 'toolBindings'> {
  /** Version of squadc. */
  readonly squadc: string;
  readonly dialect: Dialect | null;
  /** Without answers. */
  readonly options: BoundOptions;
  /** Those that were applied, including accepted proposals. */
  readonly answers: Readonly<Record<string, RunAnswer>>;
  readonly policies: Readonly<Record<string, string | Required<Answer>>>;
  readonly questions: readonly AskedQuestion[];
  readonly diagnostics: readonly (PlacedDiagnostic | Diagnostic)[];
  /** While questions are open. */
  readonly draft: Json;
  /** As it was read; null if it is not JSON. */
  readonly workflow: Json;
}

/** An answer that was given on the page, with the text of its question. */
export interface GivenAnswer extends Answer {
  readonly text: string;
}

/** What a page shows of a workflow. */
export interface PageInput {
  readonly result: ResultFile;
  /** The squad, or the draft while questions are open; else null. */
  readonly squad: Json;
  /** Tokens stand in the place of secrets in what the page compiles. */
  readonly hasTokens: boolean;
  /** Address of the summary; null in the playground. */
  readonly home: string | null;
  /** Names of the files beside the page. */
  readonly files: readonly string[];
  /** Answers given on the page. */
  readonly given?: readonly GivenAnswer[];
  /** Names of files that the page offers. */
  readonly downloads?: readonly string[];
}
