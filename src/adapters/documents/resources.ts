/**
 * What the service answers with, as far as it is told.
 *
 * Every resource is open: it may have more than stands here, and it is handed out as it was sent.
 */
import type { FailureReason, RunStatus, WorkflowRunStatus } from './run-status.js';

/** More than is told. */
interface OpenResource {
  readonly [name: string]: unknown;
}

interface Resource<Kind extends string = string> extends OpenResource {
  readonly object?: Kind;
  readonly id: string;
}

interface Named<Kind extends string = string> extends Resource<Kind> {
  readonly name: string;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** Answer to a deletion, where there is one. */
export interface Deleted extends OpenResource {
  readonly id?: string;
  readonly deleted?: boolean;
}

export interface StoredFile extends Named<'file'> {
  readonly type?: string | null;
  /** Where the content is, for a while and without a credential. */
  readonly presignedUrl?: string | null;
  readonly parentFileId?: string | null;
  readonly contents?: Readonly<Record<string, unknown>> | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Run<Output = unknown, Kind extends string = string> extends Resource<Kind> {
  readonly status: RunStatus;
  readonly output?: Output | null;
  readonly failureReason?: FailureReason | null;
  readonly failureMessage?: string | null;
  readonly metadata?: Readonly<Record<string, unknown>> | null;
  /** The configuration that the run followed. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

/** Where a value stands in the document. */
export interface Citation {
  readonly page?: number | { readonly number: number; readonly [name: string]: unknown };
  readonly referenceText?: string | null;
  readonly polygon?: readonly { readonly x: number; readonly y: number }[];
  readonly [name: string]: unknown;
}

/** About one value; the service has several measures of confidence. */
export interface ValueMetadata extends OpenResource {
  readonly citations?: readonly Citation[];
  readonly confidence?: number | null;
  readonly ocrConfidence?: number | null;
  readonly logprobsConfidence?: number | null;
}

export interface ExtractOutput {
  /** By the names of the properties of the schema. */
  readonly value: Readonly<Record<string, unknown>>;
  /** By path: `lines[0].amount`. */
  readonly metadata: Readonly<Record<string, ValueMetadata>>;
}

/** How extractors that are configured by `fields` answer: data and metadata mixed, by field name. */
export type LegacyExtractOutput = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type ExtractRun = Run<ExtractOutput | LegacyExtractOutput, 'extract_run'>;

export interface ClassifyOutput extends OpenResource {
  readonly id?: string;
  readonly type: string;
  readonly confidence?: number;
}

export type ClassifyRun = Run<ClassifyOutput, 'classify_run'>;

export interface Section extends OpenResource {
  readonly type: string;
  readonly startPage: number;
  readonly endPage: number;
}

export type SplitRun = Run<
  { readonly splits: readonly Section[]; readonly [name: string]: unknown },
  'split_run'
>;

export interface Chunk extends OpenResource {
  readonly content: string;
}

export type ParseRun = Run<
  { readonly chunks: readonly Chunk[]; readonly [name: string]: unknown },
  'parse_run'
> & {
  /** In place of the output, when the call asked for its address. */
  readonly outputUrl?: string | null;
};

export type EditRun = Run<Readonly<Record<string, unknown>>, 'edit_run'>;

export interface StepRun extends OpenResource {
  readonly step?: { readonly type: string; readonly [name: string]: unknown };
  readonly result?: unknown;
}

export interface WorkflowRun extends Omit<Run<never, 'workflow_run'>, 'status' | 'output'> {
  readonly id: string;
  readonly status: WorkflowRunStatus;
  readonly failureReason?: FailureReason | null;
  readonly stepRuns?: readonly StepRun[];
}

/** Extractor, classifier or splitter. */
export type Processor = Named;

export interface ProcessorVersion extends Resource {
  readonly version?: string;
  readonly description?: string | null;
  readonly config?: Readonly<Record<string, unknown>>;
}

export type Workflow = Named<'workflow'>;
export type EvaluationSet = Named<'evaluation_set'>;
export type EvaluationSetItem = Resource<'evaluation_set_item'>;
export type EvaluationSetRun = Resource<'evaluation_set_run'>;
/** An answer of which nothing is told. */
export type Answer = OpenResource;
