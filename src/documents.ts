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
export {
  type ApiVersion,
  type DocumentOperation,
  documentOperations,
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
  ListQuery,
  ParseRequest,
  PublishVersion,
  SplitRequest,
  UpdateProcessor,
  UpdateWorkflowRun,
  Wire,
  WorkflowRunRequest,
} from './adapters/documents/requests.js';
export {
  type Chunk,
  type Citation,
  type ClassifyRun,
  type EditRun,
  type EvaluationSet,
  type EvaluationSetItem,
  type EvaluationSetRun,
  type ExtractOutput,
  type ExtractRun,
  type FailureReason,
  isRetryable,
  type LegacyExtractOutput,
  type List,
  type ParseRun,
  type Processor,
  type ProcessorVersion,
  type Run,
  type RunStatus,
  type Section,
  type SplitRun,
  type StepRun,
  type StoredFile,
  type ValueMetadata,
  type Workflow,
  type WorkflowRun,
  type WorkflowRunStatus,
} from './adapters/documents/resources.js';
export type { UploadOptions, UploadSource } from './adapters/documents/upload.js';
export {
  isKnownWebhookEvent,
  isSignedPayload,
  type KnownWebhookEvent,
  type SignedPayload,
  type UnknownWebhookEvent,
  verifyWebhook,
  type WebhookDelivery,
  type WebhookEvent,
  type WebhookEventType,
  type WebhookHeaders,
  type WebhookPayloads,
} from './adapters/documents/webhooks.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/error.js';
export type { CallOptions, RetryOptions, Validator, Validators } from './adapters/http/request.js';
