/**
 * The methods of the client, grouped by resource.
 *
 * Arguments: path parameters in path order, the body, query parameters, options of the call. A
 * method resolves to the body of the answer as sent, or to undefined if an optional body is empty;
 * it rejects with an ApiError.
 */
import type { CallOptions } from '../http/request.js';
import type { PollOptions } from './poll.js';
import type * as Types from './types.js';
import type { JsonObject, List, ListQuery, Wire } from './types.js';
import type { UploadOptions, UploadSource } from './upload.js';

/** Whether to return the output itself, or an address to fetch it from. */
type ResponseForm = Omit<Types.Parameters<'parseRuns.get'>, 'id'>;

/** The last argument of every method. */
type Options = CallOptions;
type Creates<Body, Thing> = (body: Body, options?: Options) => Promise<Thing>;
type Gets<Thing> = (id: string, options?: Options) => Promise<Thing>;
type Updates<Body, Thing> = (
  id: string,
  body: Body,
  options?: Options,
) => Promise<Thing | undefined>;
type Deletes = (id: string, options?: Options) => Promise<Types.Deleted | undefined>;
type Cancels<Thing> = (id: string, options?: Options) => Promise<Thing | undefined>;

interface Lists<Thing> {
  list(query?: ListQuery, options?: Options): Promise<List<Thing>>;
  /** Yields all entries, page by page. */
  iterate(query?: ListQuery, options?: Options): AsyncGenerator<Thing, void, undefined>;
}

/** Lists of resources that belong to another resource. */
interface ListsOf<Thing> {
  list(id: string, query?: ListQuery, options?: Options): Promise<List<Thing>>;
  iterate(id: string, query?: ListQuery, options?: Options): AsyncGenerator<Thing, void, undefined>;
}

interface Polls<Body, Thing extends { readonly id: string }, Query = unknown> {
  /** Resolves once the run has ended, even if it failed. */
  poll(run: string | { readonly id: string }, options?: PollOptions<Thing> & Query): Promise<Thing>;
  createAndPoll(body: Body, options?: PollOptions<Thing> & Query): Promise<Thing>;
}

interface Runs<Body, Thing extends { readonly id: string }> extends Polls<Body, Thing> {
  create: Creates<Body, Thing>;
  get: Gets<Thing>;
  delete: Deletes;
}

interface ProcessorRuns<Body, Thing extends { readonly id: string }>
  extends Runs<Body, Thing>,
    Lists<Thing> {
  cancel: Cancels<Thing>;
}

interface Processors<Nouns extends 'extractors' | 'classifiers' | 'splitters'>
  extends Lists<Types.Processor> {
  create: Creates<Types.CreateProcessor<Nouns>, Types.Processor>;
  get: Gets<Types.Processor>;
  update: Updates<Types.UpdateProcessor, Types.Processor>;
  versions: ListsOf<Types.ProcessorVersion> & {
    create(
      id: string,
      body: Types.PublishVersion,
      options?: Options,
    ): Promise<Types.ProcessorVersion>;
    get(id: string, versionId: string, options?: Options): Promise<Types.ProcessorVersion>;
  };
}

interface Files extends Lists<Types.StoredFile> {
  /** Takes a path, bytes, a Blob or a stream; reads at most its first piece before sending. */
  upload(source: UploadSource, about?: UploadOptions, options?: Options): Promise<Types.StoredFile>;
  get(
    id: string,
    query?: Omit<Types.Parameters<'files.get'>, 'id'>,
    options?: Options,
  ): Promise<Types.StoredFile>;
  delete: Deletes;
}

interface ParseRuns extends Polls<Types.ParseRequest, Types.ParseRun, ResponseForm> {
  create: Creates<Types.ParseRequest, Types.ParseRun>;
  get(id: string, query?: ResponseForm, options?: Options): Promise<Types.ParseRun>;
  delete: Deletes;
}

interface WorkflowRuns<W extends Wire>
  extends Runs<Types.WorkflowRunRequest<W>, Types.WorkflowRun>,
    Lists<Types.WorkflowRun> {
  createBatch: Creates<JsonObject, JsonObject>;
  update: Updates<Types.UpdateWorkflowRun, Types.WorkflowRun>;
  cancel: Cancels<Types.WorkflowRun>;
}

interface EvaluationItems extends ListsOf<Types.Resource> {
  create(id: string, body: JsonObject, options?: Options): Promise<JsonObject>;
  /** Refused if `wire` is `current`: the service no longer has this endpoint. */
  createBulk(id: string, body: JsonObject, options?: Options): Promise<JsonObject>;
  get(id: string, itemId: string, options?: Options): Promise<Types.Resource>;
  update(
    id: string,
    itemId: string,
    body: JsonObject,
    options?: Options,
  ): Promise<Types.Resource | undefined>;
  delete(id: string, itemId: string, options?: Options): Promise<Types.Deleted | undefined>;
}

interface EvaluationSets extends Lists<Types.Resource> {
  create: Creates<Types.CreateEvaluationSet, Types.Resource>;
  get: Gets<Types.Resource>;
  items: EvaluationItems;
  runs: { get(id: string, runId: string, options?: Options): Promise<Types.Resource> };
}

/**
 * The operations of section "Endpoints" of the documents specification, grouped by resource. Each
 * rejects with an `ApiError`; `iterate` walks a list page by page.
 */
export interface DocumentsClient<W extends Wire = 'spec'> {
  readonly files: Files;
  /** Waits for the document, up to five minutes; so do the other four verbs. */
  readonly extract: Creates<Types.ExtractRequest, Types.ExtractRun>;
  readonly extractRuns: ProcessorRuns<Types.ExtractRequest, Types.ExtractRun>;
  readonly extractors: Processors<'extractors'>;
  readonly classify: Creates<Types.ClassifyRequest, Types.ClassifyRun>;
  readonly classifyRuns: ProcessorRuns<Types.ClassifyRequest, Types.ClassifyRun>;
  readonly classifiers: Processors<'classifiers'>;
  readonly split: Creates<Types.SplitRequest, Types.SplitRun>;
  readonly splitRuns: ProcessorRuns<Types.SplitRequest, Types.SplitRun>;
  readonly splitters: Processors<'splitters'>;
  parse(body: Types.ParseRequest, query?: ResponseForm, options?: Options): Promise<Types.ParseRun>;
  readonly parseRuns: ParseRuns;
  readonly edit: Creates<Types.EditRequest, Types.EditRun>;
  readonly editRuns: Runs<Types.EditRequest, Types.EditRun>;
  readonly workflowRuns: WorkflowRuns<W>;
  readonly workflows: { create: Creates<Types.CreateWorkflow, Types.Resource> };
  readonly evaluationSets: EvaluationSets;
  /** Closes idle connections. */
  close(): Promise<void>;
}
