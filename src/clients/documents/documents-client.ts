/**
 * The methods of the client, grouped by resource.
 *
 * Arguments: path parameters in path order, the body, query parameters, options of the call. A
 * method resolves to the body of the answer as sent, or to undefined if an optional body is empty;
 * it rejects with an ApiError.
 */
import type { Call, CallOptions } from '../http/request.js';
import type { PollOptions } from './poll.js';
import type * as Types from './types.js';
import type { JsonObject, List, ListQuery, Wire } from './types.js';
import type { UploadOptions, UploadSource } from './upload.js';

type Get<Thing> = Call<[id: string], Thing>;
type Create<Body, Thing> = Call<[body: Body], Thing>;
type Update<Body, Thing> = Call<[id: string, body: Body], Thing | undefined>;
type Delete = Call<[id: string], Types.Deleted | undefined>;
type Cancel<Thing> = Call<[id: string], Thing | undefined>;

/** `Owner` is the id of what the resources belong to, if they do. */
interface Lists<Thing, Owner extends string[] = []> {
  list: Call<[...Owner, query?: ListQuery], List<Thing>>;
  /** Yields all entries, page by page. */
  iterate(
    ...given: [...Owner, query?: ListQuery, options?: CallOptions]
  ): AsyncGenerator<Thing, void, undefined>;
}

type OwnedLists<Thing> = Lists<Thing, [id: string]>;

interface Polls<Body, Thing extends { readonly id: string }, Query = unknown> {
  /** Resolves once the run has ended, even if it failed. */
  poll(run: string | { readonly id: string }, options?: PollOptions<Thing> & Query): Promise<Thing>;
  createAndPoll(body: Body, options?: PollOptions<Thing> & Query): Promise<Thing>;
}

interface Runs<Body, Thing extends { readonly id: string }> extends Polls<Body, Thing> {
  create: Create<Body, Thing>;
  get: Get<Thing>;
  delete: Delete;
}

interface ListedRuns<Body, Thing extends { readonly id: string }>
  extends Runs<Body, Thing>,
    Lists<Thing> {
  cancel: Cancel<Thing>;
}

interface Processors<Nouns extends 'extractors' | 'classifiers' | 'splitters'>
  extends Lists<Types.Processor> {
  create: Create<Types.CreateProcessor<Nouns>, Types.Processor>;
  get: Get<Types.Processor>;
  update: Update<Types.UpdateProcessor, Types.Processor>;
  versions: OwnedLists<Types.ProcessorVersion> & {
    create: Call<[id: string, body: Types.PublishVersion], Types.ProcessorVersion>;
    get: Call<[id: string, versionId: string], Types.ProcessorVersion>;
  };
}

interface Files extends Lists<Types.StoredFile> {
  /** Takes a path, bytes, a Blob or a stream; reads at most its first piece before sending. */
  upload: Call<[source: UploadSource, about?: UploadOptions], Types.StoredFile>;
  get: Call<[id: string, query?: Omit<Types.Parameters<'files.get'>, 'id'>], Types.StoredFile>;
  delete: Delete;
}

/** Whether to return the output itself, or an address to fetch it from. */
type ResponseForm = Omit<Types.Parameters<'parseRuns.get'>, 'id'>;

interface ParseRuns extends Polls<Types.ParseRequest, Types.ParseRun, ResponseForm> {
  create: Create<Types.ParseRequest, Types.ParseRun>;
  get: Call<[id: string, query?: ResponseForm], Types.ParseRun>;
  delete: Delete;
}

interface WorkflowRuns<W extends Wire>
  extends ListedRuns<Types.WorkflowRunRequest<W>, Types.WorkflowRun> {
  createBatch: Create<JsonObject, JsonObject>;
  update: Update<Types.UpdateWorkflowRun, Types.WorkflowRun>;
}

interface EvaluationItems extends OwnedLists<Types.Resource> {
  create: Call<[id: string, body: JsonObject], JsonObject>;
  /** Refused if `wire` is `current`: the service no longer has this endpoint. */
  createBulk: Call<[id: string, body: JsonObject], JsonObject>;
  get: Call<[id: string, itemId: string], Types.Resource>;
  update: Call<[id: string, itemId: string, body: JsonObject], Types.Resource | undefined>;
  delete: Call<[id: string, itemId: string], Types.Deleted | undefined>;
}

interface EvaluationSets extends Lists<Types.Resource> {
  create: Create<Types.CreateEvaluationSet, Types.Resource>;
  get: Get<Types.Resource>;
  items: EvaluationItems;
  runs: { get: Call<[id: string, runId: string], Types.Resource> };
}

/**
 * The operations of section "Endpoints" of the documents specification, grouped by resource. Each
 * rejects with an `ApiError`; `iterate` walks a list page by page.
 */
export interface DocumentsClient<W extends Wire = 'spec'> {
  readonly files: Files;
  /** Waits for the document, up to five minutes; so do the other four verbs. */
  readonly extract: Create<Types.ExtractRequest, Types.ExtractRun>;
  readonly extractRuns: ListedRuns<Types.ExtractRequest, Types.ExtractRun>;
  readonly extractors: Processors<'extractors'>;
  readonly classify: Create<Types.ClassifyRequest, Types.ClassifyRun>;
  readonly classifyRuns: ListedRuns<Types.ClassifyRequest, Types.ClassifyRun>;
  readonly classifiers: Processors<'classifiers'>;
  readonly split: Create<Types.SplitRequest, Types.SplitRun>;
  readonly splitRuns: ListedRuns<Types.SplitRequest, Types.SplitRun>;
  readonly splitters: Processors<'splitters'>;
  readonly parse: Call<[body: Types.ParseRequest, query?: ResponseForm], Types.ParseRun>;
  readonly parseRuns: ParseRuns;
  readonly edit: Create<Types.EditRequest, Types.EditRun>;
  readonly editRuns: Runs<Types.EditRequest, Types.EditRun>;
  readonly workflowRuns: WorkflowRuns<W>;
  readonly workflows: { create: Create<Types.CreateWorkflow, Types.Resource> };
  readonly evaluationSets: EvaluationSets;
  /** Closes idle connections. */
  close(): Promise<void>;
}
