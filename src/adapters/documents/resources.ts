/**
 * What the service answers with, as far as it is told.
 *
 * Every resource is open: it may have more than stands here, and it is handed out as it was sent.
 */
/** Any text, with proposals for those that are known. */
type Open<Known extends string> = Known | (string & Record<never, never>);

/** Where a run stands. A status that is not in the list counts as running. */
export type RunStatus = Open<
  'PENDING' | 'PROCESSING' | 'CANCELLING' | 'PROCESSED' | 'FAILED' | 'CANCELLED'
>;

/** Where a run of a workflow stands; it may wait for a person, or be turned down by one. */
export type WorkflowRunStatus = RunStatus | 'NEEDS_REVIEW' | 'REJECTED';

/** Why a run failed; the first two may pass when it is started once more. */
export type FailureReason = Open<
  'INTERNAL_ERROR' | 'DOCUMENT_PROCESSOR_ERROR' | 'INVALID_WORKFLOW' | 'FAILED_TO_PROCESS_FILE'
>;

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

/** One page of a list. */
export interface List<Entry = unknown> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly nextPageToken?: string | null;
}

/** Answer to a deletion, where there is one. */
export interface Deleted extends OpenResource {
  readonly id?: string;
  readonly deleted?: boolean;
}

/** A file that was uploaded, or that a run took from elsewhere. */
export interface StoredFile extends Named<'file'> {
  readonly type?: string | null;
  /** Where the content is, for a while and without a credential. */
  readonly presignedUrl?: string | null;
  readonly parentFileId?: string | null;
  readonly contents?: Readonly<Record<string, unknown>> | null;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Work on a document: started, then read until its `status` is over. */
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

/** About one value. */
export interface ValueMetadata extends OpenResource {
  readonly citations?: readonly Citation[];
  readonly confidence?: number | null;
}

/** What an extractor with a JSON Schema found. */
export interface ExtractOutput {
  /** By the names of the properties of the schema. */
  readonly value: Readonly<Record<string, unknown>>;
  /** By path: `lines[0].amount`. */
  readonly metadata: Readonly<Record<string, ValueMetadata>>;
}

/** How extractors that are configured by `fields` answer: data and metadata mixed, by field name. */
export type LegacyExtractOutput = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A run of an extractor; the form of its output follows the form of its configuration. */
export type ExtractRun = Run<ExtractOutput | LegacyExtractOutput, 'extract_run'>;

export interface ClassifyOutput extends OpenResource {
  readonly id?: string;
  readonly type: string;
  readonly confidence?: number;
}

/** A run of a classifier. */
export type ClassifyRun = Run<ClassifyOutput, 'classify_run'>;

/** A part of a document: pages from `startPage` to `endPage`, both included and counted from 1. */
export interface Section extends OpenResource {
  readonly type: string;
  readonly startPage: number;
  readonly endPage: number;
}

/** A run of a splitter: the document in sections. */
export type SplitRun = Run<
  { readonly splits: readonly Section[]; readonly [name: string]: unknown },
  'split_run'
>;

/** A piece of the text of a parsed document. */
export interface Chunk extends OpenResource {
  readonly content: string;
}

/** A run that makes text of a document. */
export type ParseRun = Run<
  { readonly chunks: readonly Chunk[]; readonly [name: string]: unknown },
  'parse_run'
> & {
  /** In place of the output, when the call asked for its address. */
  readonly outputUrl?: string | null;
};

/** A run that fills in or changes a document. */
export type EditRun = Run<Readonly<Record<string, unknown>>, 'edit_run'>;

/** One step of a workflow run, with the result of its processor. */
export interface StepRun extends OpenResource {
  readonly step?: { readonly type: string; readonly [name: string]: unknown };
  readonly result?: unknown;
}

/**
 * A run of a workflow of the service: several processors, one after the other, perhaps with a
 * person's review in between.
 */
export interface WorkflowRun extends Omit<Run<never, 'workflow_run'>, 'status' | 'output'> {
  readonly id: string;
  readonly status: WorkflowRunStatus;
  readonly failureReason?: FailureReason | null;
  readonly stepRuns?: readonly StepRun[];
}

/** Extractor, classifier or splitter. */
export type Processor = Named;

/** A published, unchanging configuration of a processor. */
export interface ProcessorVersion extends Resource {
  readonly version?: string;
  readonly description?: string | null;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A workflow of the documents service; it has nothing to do with those of telephone calls. */
export type Workflow = Named<'workflow'>;
/** Documents with the values that a processor ought to find in them. */
export type EvaluationSet = Named<'evaluation_set'>;
/** One document of an evaluation set. */
export type EvaluationSetItem = Resource<'evaluation_set_item'>;
/** How a processor did on an evaluation set. */
export type EvaluationSetRun = Resource<'evaluation_set_run'>;
/** An answer of which nothing is told. */
export type Answer = OpenResource;

/** Whether a failed run may succeed when it is started once more. */
export function isRetryable(run: {
  readonly status: string;
  readonly failureReason?: string | null;
}): boolean {
  const passing = /^(?:INTERNAL|DOCUMENT_PROCESSOR)_ERROR$/.test(run.failureReason ?? '');
  return passing && run.status === 'FAILED';
}
