/**
 * `squadc/documents`: the client of the documents service.
 *
 *     const documents = createDocumentsClient({ baseUrl, apiKey });
 *     const run = await documents.extractRuns.createAndPoll({ extractor: { id }, file: { url } });
 */
export {
  createDocumentsClient,
  type DocumentsClientOptions,
  type Region,
} from './adapters/documents/client.js';
export type { DocumentsClient } from './adapters/documents/documents-client.js';
export type { UploadSource } from './adapters/documents/file-source.js';
export type { List } from './adapters/documents/iterate.js';
export {
  type ApiVersion,
  type DocumentOperation,
  documentOperations,
  type Wire,
} from './adapters/documents/operations.js';
export type { PollError, PollOptions } from './adapters/documents/poll.js';
export type {
  ClassifyRequest,
  CreateEvaluationSet,
  CreateProcessor,
  CreateWorkflow,
  CurrentWorkflowRunBatch,
  CurrentWorkflowRunRequest,
  EditRequest,
  ExtractConfig,
  ExtractRequest,
  FileReference,
  LegacyField,
  ParseRequest,
  PublishVersion,
  SplitRequest,
  UpdateProcessor,
  UpdateWorkflowRun,
  WorkflowRunRequest,
} from './adapters/documents/requests.js';
export type {
  Chunk,
  Citation,
  ClassifyRun,
  EditRun,
  EvaluationSet,
  EvaluationSetItem,
  EvaluationSetRun,
  ExtractOutput,
  ExtractRun,
  LegacyExtractOutput,
  ParseRun,
  Processor,
  ProcessorVersion,
  Run,
  Section,
  SplitRun,
  StepRun,
  StoredFile,
  ValueMetadata,
  Workflow,
  WorkflowRun,
} from './adapters/documents/resources.js';
export {
  type FailureReason,
  isRetryable,
  type RunStatus,
  type WorkflowRunStatus,
} from './adapters/documents/run-status.js';
export {
  fetchSignedPayload,
  type SignedPayloadOptions,
} from './adapters/documents/signed-payload.js';
export type { UploadOptions } from './adapters/documents/upload.js';
export {
  isKnownWebhookEvent,
  isSignedPayload,
  type KnownWebhookEvent,
  type SignedPayload,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookPayloads,
} from './adapters/documents/webhook-events.js';
export {
  verifyWebhook,
  type WebhookDelivery,
  type WebhookHeaders,
} from './adapters/documents/webhooks.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/api-error.js';
export type { Validator, Validators } from './adapters/http/call.js';
export type { CallOptions, RetryOptions } from './adapters/http/options.js';
