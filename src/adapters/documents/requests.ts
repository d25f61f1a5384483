/**
 * What operations take. Bodies go out as they are given: the service judges them, these types guide.
 */

/** The form of the specification, or the one that the service takes today. */
export type Wire = 'spec' | 'current';

/** Anything that JSON can hold, by name. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Which document: one at an address, one that was uploaded, or a text. */
export type FileReference =
  | { readonly url: string; readonly name?: string; readonly settings?: JsonObject }
  | { readonly id: string }
  | { readonly text: string; readonly name?: string };

interface ProcessorReference {
  readonly id: string;
  readonly version?: string;
  readonly overrideConfig?: JsonObject;
}

/** A JSON Schema, or the fields of earlier configurations. */
export type ExtractConfig = JsonObject &
  ({ readonly schema?: JsonObject } | { readonly fields: readonly LegacyField[] });

/** A field of a configuration that is older than schemas. */
export interface LegacyField {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  /** Fields of an object, or of the entries of an array. */
  readonly schema?: readonly LegacyField[];
  readonly enum?: readonly { readonly value: string; readonly description?: string }[];
}

/** A stored processor or a configuration; one of both. */
type Chosen<Noun extends string, Config> =
  | ({ readonly [Name in Noun]: ProcessorReference } & { readonly config?: never })
  | ({ readonly [Name in Noun]?: never } & { readonly config: Config });

interface Processing {
  readonly file: FileReference;
  readonly metadata?: JsonObject;
}

/** Of the calls that start a run. */
interface Prioritized {
  readonly priority?: number;
}

/** Extract values by a stored extractor, or by a configuration that is sent along. */
export type ExtractRequest = Processing & Chosen<'extractor', ExtractConfig>;
/** Tell what kind of document it is. */
export type ClassifyRequest = Processing & Chosen<'classifier', JsonObject>;
/** Tell where in a document another begins. */
export type SplitRequest = Processing & Chosen<'splitter', JsonObject>;
/** Make text of a document. */
export type ParseRequest = Processing & {
  readonly config?: JsonObject;
  readonly dataRetention?: JsonObject;
};
/** Fill in or change a document. */
export type EditRequest = { readonly file: FileReference; readonly config?: JsonObject };

/** The same, started rather than waited for. */
export type Started<Request> = Request & Prioritized;

/** A new processor: from a configuration, or from another processor (`cloneExtractorId`). */
export interface CreateProcessor<Config = JsonObject> {
  readonly name: string;
  readonly config?: Config;
  readonly [clone: `clone${string}Id`]: string;
}

/** What is to be different of a processor's draft; what is absent stays. */
export interface UpdateProcessor<Config = JsonObject> {
  readonly name?: string;
  readonly config?: Config;
}

/** Makes a version of a processor that no longer changes. */
export interface PublishVersion<Config = JsonObject> {
  readonly releaseType: string;
  readonly description?: string;
  readonly config?: Config;
}

/** As specified. */
export interface WorkflowRunRequest {
  readonly workflowId: string;
  readonly files: readonly { readonly url: string; readonly fileName?: string }[];
}

/** As the service takes it today. */
export interface CurrentWorkflowRunRequest extends Prioritized {
  readonly workflow: { readonly id: string; readonly version?: string };
  readonly file: FileReference;
  readonly outputs?: readonly JsonObject[];
  readonly metadata?: JsonObject;
  readonly secrets?: JsonObject;
}

/** Several runs of one workflow at once, as the service takes them today. */
export interface CurrentWorkflowRunBatch extends Prioritized {
  readonly workflow: { readonly id: string; readonly version?: string };
  readonly inputs: readonly JsonObject[];
}

/** What is to be different of a workflow run; what is absent stays. */
export interface UpdateWorkflowRun {
  readonly name?: string;
  readonly metadata?: JsonObject;
}

/** A new workflow of the documents service. */
export interface CreateWorkflow {
  readonly name: string;
  readonly steps?: readonly JsonObject[];
}

/** A new evaluation set for the processor `entityId`. */
export interface CreateEvaluationSet {
  readonly name: string;
  readonly description?: string;
  readonly entityId: string;
}

/** A page of a list. The service filters by more than the specification tells. */
export interface ListQuery {
  /** From the page before. */
  readonly nextPageToken?: string;
  readonly maxPageSize?: number;
  readonly sortBy?: string;
  readonly sortDir?: 'asc' | 'desc';
  readonly [filter: string]: string | number | undefined;
}

/** Which forms of its content go along with a file. */
export interface FileContents {
  readonly rawText?: boolean;
  readonly markdown?: boolean;
  readonly html?: boolean;
}

/** The output itself, or where it can be fetched. */
export interface ResponseType {
  readonly responseType?: 'json' | 'url';
}
