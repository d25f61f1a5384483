/** `squadc/bills`: the client of the bills service. */
export {
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
  type KeyParameters,
  type ReturnObject,
  type SendToApprovalParameters,
} from './adapters/bills/client.js';
export type {
  ApiKeyCredentials,
  BearerCredentials,
  BillsCredentials,
  ClientCredentials,
} from './adapters/bills/credentials.js';
export {
  type BillExport,
  type BillFilter,
  type BillQuery,
  type BillsOperation,
  type BillsOperationId,
  billsOperations,
  type FilterValue,
  type OrgBillExport,
  type OrgBillFilter,
  type OrgBillQuery,
} from './adapters/bills/operations.js';
export type {
  ApprovalResponse,
  Attachment,
  Bill,
  BillApproval,
  BillEvent,
  BillItem,
  BillingData,
  BillListRecord,
  BillListResponse,
  BillListSummary,
  BillRecord,
  BillResponse,
  BillStatus,
  DateText,
  DeletedAttachmentResponse,
  DocumentsReference,
  FileContent,
  Frequency,
  GetBillResponse,
  VendorRecord,
  VendorSummary,
} from './adapters/bills/types.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/error.js';
export type { CallOptions, RetryOptions, Validator, Validators } from './adapters/http/request.js';
export type { FileAnswer } from './adapters/http/response.js';
