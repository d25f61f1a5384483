/**
 * What operations take and return, from the service's schema.
 *
 * Bodies are sent as given: these types are a guide, the service decides. Answers are returned as
 * sent, and may hold more than is declared here.
 */
import type * as Schema from '../../schemas/documents-types.generated.js';

export type { ExtractConfig, LegacyField } from '../../schemas/documents-types.generated.js';

/** The form of the specification, or the one that the service accepts today. */
export type Wire = 'spec' | 'current';

/** A JSON object with unknown members. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The body of a request, by the id of its operation. */
type Body<Id extends keyof Schema.Documents> =
  NonNullable<Schema.Documents[Id]> extends {
    request?: infer Request;
  }
    ? Readonly<Request>
    : never;

/** The parameters of an operation, including those of its path. */
export type Parameters<Id extends keyof Schema.Documents> = NonNullable<
  NonNullable<Schema.Documents[Id]>['parameters']
>;

/** Either a stored processor or a configuration, not both. */
type Either<Request, Noun extends string> = Request &
  ({ config?: never } | { [Name in Noun]?: never });

/** A document: one at an address, an uploaded one, or a text. */
export type FileReference = Schema.File;
/** Extracts values with a stored extractor, or with the given configuration. */
export type ExtractRequest = Either<Schema.ExtractRequest, 'extractor'>;
/** Determines what kind of document it is. */
export type ClassifyRequest = Either<Schema.ClassifyRequest, 'classifier'>;
/** Finds where one document ends and the next begins. */
export type SplitRequest = Either<Schema.SplitRequest, 'splitter'>;
/** Converts a document to text. */
export type ParseRequest = Schema.ParseRequest;
/** Fills in or changes a document. */
export type EditRequest = Schema.EditRequest;
type ProcessorNouns = 'extractors' | 'classifiers' | 'splitters';
/** A new processor: from a configuration, or from another processor (`cloneExtractorId`). */
export type CreateProcessor<Nouns extends ProcessorNouns = ProcessorNouns> =
  Body<`${Nouns}.create`>;
/** Changes to a processor's draft; absent members stay as they are. */
export type UpdateProcessor = Body<'extractors.update'>;
/** Publishes a version of a processor, which never changes afterwards. */
export type PublishVersion = Schema.Publish;
/** Runs a workflow: as specified, by `workflowId`, or as the service accepts it today. */
export type WorkflowRunRequest<W extends Wire = 'spec'> = W extends 'spec'
  ? Extract<Schema.WorkflowRunRequest, { workflowId: unknown }>
  : Exclude<Schema.WorkflowRunRequest, { workflowId: unknown }>;
/** Changes to a workflow run; absent members stay as they are. */
export type UpdateWorkflowRun = Body<'workflowRuns.update'>;
/** A new workflow of the documents service. */
export type CreateWorkflow = Body<'workflows.create'>;
/** A new evaluation set for the processor `entityId`. */
export type CreateEvaluationSet = Body<'evaluationSets.create'>;

/** Selects a page of a list. The service has more filters than the specification lists. */
export interface ListQuery {
  /** From the previous page. */
  readonly nextPageToken?: string | undefined;
  readonly maxPageSize?: number | undefined;
  readonly sortBy?: string | undefined;
  readonly sortDir?: 'asc' | 'desc' | undefined;
  readonly [filter: string]: string | number | undefined;
}

/** May have more members than the specification lists. */
type Open<Told> = Readonly<Told> & JsonObject;

/** One page of a list. */
export interface List<Entry = unknown> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly nextPageToken?: string | null;
}

/** Answer to a deletion, if there is one. */
export type Deleted = Open<Schema.Deleted>;
/** A file that was uploaded, or that a run fetched. */
export type StoredFile = Open<Schema.StoredFile>;
/** A run of an extractor; the form of its output depends on that of its configuration. */
export type ExtractRun = Open<Schema.ExtractRun>;
/** A run of a classifier. */
export type ClassifyRun = Open<Schema.ClassifyRun>;
/** A run of a splitter. */
export type SplitRun = Open<Schema.SplitRun>;
/** A run that converts a document to text. */
export type ParseRun = Open<Schema.ParseRun>;
/** A run that fills in or changes a document. */
export type EditRun = Open<Schema.EditRun>;
/** A run of one of the service's workflows: several processors, possibly with a human review. */
export type WorkflowRun = Open<Schema.WorkflowRun>;
/** One step of a workflow run, with the result of its processor. */
export type StepRun = NonNullable<Schema.WorkflowRun['stepRuns']>[number];
/** An extractor, a classifier or a splitter. */
export type Processor = Open<Schema.Processor>;
/** A published configuration of a processor; it never changes. */
export type ProcessorVersion = Open<Schema.Version>;
/** A stored resource: a workflow, an evaluation set, or one of its items or runs. */
export type Resource = Open<Schema.Resource>;

/** Status of a run; unknown ones count as running. Only workflow runs have the last two. */
export type RunStatus =
  | ('PENDING' | 'PROCESSING' | 'CANCELLING' | 'PROCESSED' | 'FAILED' | 'CANCELLED')
  | ('NEEDS_REVIEW' | 'REJECTED');

/** Metadata of one extracted value. */
export interface ValueMetadata {
  readonly citations?: readonly JsonObject[];
  readonly confidence?: number | null;
  readonly [name: string]: unknown;
}

/** The output of an extractor with a JSON Schema. Metadata is by path (`lines[0].amount`). */
export interface ExtractOutput {
  readonly value: JsonObject;
  readonly metadata: Readonly<Record<string, ValueMetadata>>;
}

/** Whether a failed run may succeed if it is started again. */
export function isRetryable(run: {
  readonly status: string;
  readonly failureReason?: string | null;
}): boolean {
  const passing = /^(?:INTERNAL|DOCUMENT_PROCESSOR)_ERROR$/.test(run.failureReason ?? '');
  return passing && run.status === 'FAILED';
}
