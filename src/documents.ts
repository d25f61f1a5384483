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
} from './clients/documents/client.js';
export type { DocumentsClient } from './clients/documents/documents-client.js';
export {
  type ApiVersion,
  type DocumentOperation,
  documentOperations,
} from './clients/documents/operations.js';
export type { PollError, PollOptions } from './clients/documents/poll.js';
export {
  type ClassifyRequest,
  type ClassifyRun,
  type CreateEvaluationSet,
  type CreateProcessor,
  type CreateWorkflow,
  type EditRequest,
  type EditRun,
  type ExtractConfig,
  type ExtractOutput,
  type ExtractRequest,
  type ExtractRun,
  type FileReference,
  isRetryable,
  type LegacyField,
  type List,
  type ListQuery,
  type ParseRequest,
  type ParseRun,
  type Processor,
  type ProcessorVersion,
  type PublishVersion,
  type Resource,
  type RunStatus,
  type SplitRequest,
  type SplitRun,
  type StepRun,
  type StoredFile,
  type UpdateProcessor,
  type UpdateWorkflowRun,
  type ValueMetadata,
  type Wire,
  type WorkflowRun,
  type WorkflowRunRequest,
} from './clients/documents/types.js';
export type { UploadOptions, UploadSource } from './clients/documents/upload.js';
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
} from './clients/documents/webhooks.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './clients/http/error.js';
export type { CallOptions, RetryOptions } from './clients/http/request.js';
