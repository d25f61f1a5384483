/**
 * The methods of the client, group by group.
 *
 * Arguments: path parameters in path order, the body, query parameters, options of the call. A
 * method resolves to the body of the answer as the service sent it and rejects with an ApiError;
 * where no answer is told, an empty one is undefined.
 */
import type { CallOptions } from '../http/request.js';
import type { PollOptions } from './poll.js';
import type {
  ClassifyRequest,
  CreateEvaluationSet,
  CreateProcessor,
  CreateWorkflow,
  CurrentWorkflowRunBatch,
  CurrentWorkflowRunRequest,
  EditRequest,
  ExtractConfig,
  ExtractRequest,
  FileContents,
  JsonObject,
  ListQuery,
  ParseRequest,
  PublishVersion,
  ResponseType,
  SplitRequest,
  Started,
  UpdateProcessor,
  UpdateWorkflowRun,
  Wire,
  WorkflowRunRequest,
} from './requests.js';
import type {
  Answer,
  ClassifyRun,
  Deleted,
  EditRun,
  EvaluationSet,
  EvaluationSetItem,
  EvaluationSetRun,
  ExtractRun,
  List,
  ParseRun,
  Processor,
  ProcessorVersion,
  SplitRun,
  StoredFile,
  Workflow,
  WorkflowRun,
} from './resources.js';
import type { UploadOptions, UploadSource } from './upload.js';

/** The last argument of every method. */
type Options = CallOptions;
type Creates<Body, Thing> = (body: Body, options?: Options) => Promise<Thing>;
type Gets<Thing> = (id: string, options?: Options) => Promise<Thing>;
type Updates<Body, Thing> = (
  id: string,
  body: Body,
  options?: Options,
) => Promise<Thing | undefined>;
type Deletes = (id: string, options?: Options) => Promise<Deleted | undefined>;
type Cancels<Thing> = (id: string, options?: Options) => Promise<Thing | undefined>;

interface Lists<Thing> {
  list(query?: ListQuery, options?: Options): Promise<List<Thing>>;
  /** All entries, page by page. */
  iterate(query?: ListQuery, options?: Options): AsyncGenerator<Thing, void, undefined>;
}

/** Lists of what belongs to something else. */
interface ListsOf<Thing> {
  list(id: string, query?: ListQuery, options?: Options): Promise<List<Thing>>;
  iterate(id: string, query?: ListQuery, options?: Options): AsyncGenerator<Thing, void, undefined>;
}

interface Polls<Body, Thing extends { readonly id: string }, Query = unknown> {
  /** Resolves once nothing more happens to the run, failed ones included. */
  poll(run: string | { readonly id: string }, options?: PollOptions<Thing> & Query): Promise<Thing>;
  createAndPoll(body: Body, options?: PollOptions<Thing> & Query): Promise<Thing>;
}

interface Runs<Body, Thing extends { readonly id: string }> extends Polls<Body, Thing> {
  create: Creates<Body, Thing>;
  get: Gets<Thing>;
  delete: Deletes;
}

interface ProcessorRuns<Body, Thing extends { readonly id: string }>
  extends Runs<Started<Body>, Thing>,
    Lists<Thing> {
  cancel: Cancels<Thing>;
}

interface Processors<Config = JsonObject> extends Lists<Processor> {
  create: Creates<CreateProcessor<Config>, Processor>;
  get: Gets<Processor>;
  update: Updates<UpdateProcessor<Config>, Processor>;
  versions: ListsOf<ProcessorVersion> & {
    create(id: string, body: PublishVersion<Config>, options?: Options): Promise<ProcessorVersion>;
    get(id: string, versionId: string, options?: Options): Promise<ProcessorVersion>;
  };
}

interface Files extends Lists<StoredFile> {
  /** A path, bytes, a Blob or a stream, of which no more than the first piece is read before. */
  upload(source: UploadSource, about?: UploadOptions, options?: Options): Promise<StoredFile>;
  get(id: string, query?: FileContents, options?: Options): Promise<StoredFile>;
  delete: Deletes;
}

interface ParseRuns extends Polls<ParseRequest, ParseRun, ResponseType> {
  create: Creates<Started<ParseRequest>, ParseRun>;
  get(id: string, query?: ResponseType, options?: Options): Promise<ParseRun>;
  delete: Deletes;
}

interface WorkflowRuns<W extends Wire>
  extends Runs<W extends 'current' ? CurrentWorkflowRunRequest : WorkflowRunRequest, WorkflowRun>,
    Lists<WorkflowRun> {
  createBatch: Creates<W extends 'current' ? CurrentWorkflowRunBatch : JsonObject, Answer>;
  update: Updates<UpdateWorkflowRun, WorkflowRun>;
  cancel: Cancels<WorkflowRun>;
}

interface EvaluationItems extends ListsOf<EvaluationSetItem> {
  create(id: string, body: JsonObject, options?: Options): Promise<Answer>;
  /** Refused where the wire is the current one, which has no such endpoint. */
  createBulk(id: string, body: JsonObject, options?: Options): Promise<Answer>;
  get(id: string, itemId: string, options?: Options): Promise<EvaluationSetItem>;
  update(
    id: string,
    itemId: string,
    body: JsonObject,
    options?: Options,
  ): Promise<EvaluationSetItem | undefined>;
  delete(id: string, itemId: string, options?: Options): Promise<Deleted | undefined>;
}

interface EvaluationSets extends Lists<EvaluationSet> {
  create: Creates<CreateEvaluationSet, EvaluationSet>;
  get: Gets<EvaluationSet>;
  items: EvaluationItems;
  runs: { get(id: string, runId: string, options?: Options): Promise<EvaluationSetRun> };
}

/**
 * The operations of section "Endpoints" of the documents specification, grouped by resource. Each
 * rejects with an `ApiError`; lists are walked page by page with `iterate`.
 */
export interface DocumentsClient<W extends Wire = 'spec'> {
  readonly files: Files;
  /** Waits for the document, up to five minutes; so do the other four verbs. */
  readonly extract: Creates<ExtractRequest, ExtractRun>;
  readonly extractRuns: ProcessorRuns<ExtractRequest, ExtractRun>;
  readonly extractors: Processors<ExtractConfig>;
  readonly classify: Creates<ClassifyRequest, ClassifyRun>;
  readonly classifyRuns: ProcessorRuns<ClassifyRequest, ClassifyRun>;
  readonly classifiers: Processors;
  readonly split: Creates<SplitRequest, SplitRun>;
  readonly splitRuns: ProcessorRuns<SplitRequest, SplitRun>;
  readonly splitters: Processors;
  parse(body: ParseRequest, query?: ResponseType, options?: Options): Promise<ParseRun>;
  readonly parseRuns: ParseRuns;
  readonly edit: Creates<EditRequest, EditRun>;
  readonly editRuns: Runs<EditRequest, EditRun>;
  readonly workflowRuns: WorkflowRuns<W>;
  readonly workflows: { create: Creates<CreateWorkflow, Workflow> };
  readonly evaluationSets: EvaluationSets;
  /** Lets go of idle connections. */
  close(): Promise<void>;
}
