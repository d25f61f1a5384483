/**
 * What operations take and answer, from the schema of the service.
 *
 * Bodies go out as they are given: the service judges them, these types guide. What is answered may
 * have more than stands here, and is handed out as it was sent.
 */
import type * as Schema from '../../schemas/documents-types.generated.js';

export type { ExtractConfig, LegacyField } from '../../schemas/documents-types.generated.js';

/** The form of the specification, or the one that the service takes today. */
export type Wire = 'spec' | 'current';

/** Anything that JSON can hold, by name. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The body of a request, by the id of its operation. */
type Body<Id extends keyof Schema.Documents> =
  NonNullable<Schema.Documents[Id]> extends {
    request?: infer Request;
  }
    ? Readonly<Request>
    : never;

/** The parameters of an operation, those of its path included. */
export type Parameters<Id extends keyof Schema.Documents> = NonNullable<
  NonNullable<Schema.Documents[Id]>['parameters']
>;

/** A stored processor or a configuration; one of both. */
type Either<Request, Noun extends string> = Request &
  ({ config?: never } | { [Name in Noun]?: never });

/** Which document: one at an address, one that was uploaded, or a text. */
export type FileReference = Schema.File;
/** Extract values by a stored extractor, or by a configuration that is sent along. */
export type ExtractRequest = Either<Schema.ExtractRequest, 'extractor'>;
/** Tell what kind of document it is. */
export type ClassifyRequest = Either<Schema.ClassifyRequest, 'classifier'>;
/** Tell where in a document another begins. */
export type SplitRequest = Either<Schema.SplitRequest, 'splitter'>;
/** Make text of a document. */
export type ParseRequest = Schema.ParseRequest;
/** Fill in or change a document. */
export type EditRequest = Schema.EditRequest;
type ProcessorNouns = 'extractors' | 'classifiers' | 'splitters';
/** A new processor: from a configuration, or from another processor (`cloneExtractorId`). */
export type CreateProcessor<Nouns extends ProcessorNouns = ProcessorNouns> =
  Body<`${Nouns}.create`>;
/** What is to be different of a processor's draft; what is absent stays. */
export type UpdateProcessor = Body<'extractors.update'>;
/** Makes a version of a processor that no longer changes. */
export type PublishVersion = Schema.Publish;
/** A run of a workflow as specified, by `workflowId`, or as the service takes it today. */
export type WorkflowRunRequest<W extends Wire = 'spec'> = W extends 'spec'
  ? Extract<Schema.WorkflowRunRequest, { workflowId: unknown }>
  : Exclude<Schema.WorkflowRunRequest, { workflowId: unknown }>;
/** What is to be different of a workflow run; what is absent stays. */
export type UpdateWorkflowRun = Body<'workflowRuns.update'>;
/** A new workflow of the documents service. */
export type CreateWorkflow = Body<'workflows.create'>;
/** A new evaluation set for the processor `entityId`. */
export type CreateEvaluationSet = Body<'evaluationSets.create'>;

/** A page of a list. The service filters by more than the specification tells. */
export interface ListQuery {
  /** From the page before. */
  readonly nextPageToken?: string | undefined;
  readonly maxPageSize?: number | undefined;
  readonly sortBy?: string | undefined;
  readonly sortDir?: 'asc' | 'desc' | undefined;
  readonly [filter: string]: string | number | undefined;
}

/** More may be there than is told. */
type Open<Told> = Readonly<Told> & JsonObject;

/** One page of a list. */
export interface List<Entry = unknown> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly nextPageToken?: string | null;
}

/** Answer to a deletion, where there is one. */
export type Deleted = Open<Schema.Deleted>;
/** A file that was uploaded, or that a run took from elsewhere. */
export type StoredFile = Open<Schema.StoredFile>;
/** A run of an extractor; the form of its output follows the form of its configuration. */
export type ExtractRun = Open<Schema.ExtractRun>;
/** A run of a classifier. */
export type ClassifyRun = Open<Schema.ClassifyRun>;
/** A run of a splitter. */
export type SplitRun = Open<Schema.SplitRun>;
/** A run that makes text of a document. */
export type ParseRun = Open<Schema.ParseRun>;
/** A run that fills in or changes a document. */
export type EditRun = Open<Schema.EditRun>;
/** A run of a workflow of the service: several processors, perhaps with a person's review between. */
export type WorkflowRun = Open<Schema.WorkflowRun>;
/** One step of a workflow run, with the result of its processor. */
export type StepRun = NonNullable<Schema.WorkflowRun['stepRuns']>[number];
/** Extractor, classifier or splitter. */
export type Processor = Open<Schema.Processor>;
/** A published, unchanging configuration of a processor. */
export type ProcessorVersion = Open<Schema.Version>;
/** Something that the service keeps: a workflow, an evaluation set, an item or a run of one. */
export type Resource = Open<Schema.Resource>;

/** Where a run stands; other words count as running. The last two only a workflow's run knows. */
export type RunStatus =
  | ('PENDING' | 'PROCESSING' | 'CANCELLING' | 'PROCESSED' | 'FAILED' | 'CANCELLED')
  | ('NEEDS_REVIEW' | 'REJECTED');

/** About one value of an extraction. */
export interface ValueMetadata {
  readonly citations?: readonly JsonObject[];
  readonly confidence?: number | null;
  readonly [name: string]: unknown;
}

/** What an extractor with a JSON Schema found: values by name, metadata by path (`lines[0].amount`). */
export interface ExtractOutput {
  readonly value: JsonObject;
  readonly metadata: Readonly<Record<string, ValueMetadata>>;
}

/** Whether a failed run may succeed when it is started once more. */
export function isRetryable(run: {
  readonly status: string;
  readonly failureReason?: string | null;
}): boolean {
  const passing = /^(?:INTERNAL|DOCUMENT_PROCESSOR)_ERROR$/.test(run.failureReason ?? '');
  return passing && run.status === 'FAILED';
}
