/** `squadc/bills`: the client of the bills service. */
export type {
  Attachment,
  Bill,
  BillItem,
  BillStatus,
  DateText,
  Frequency,
} from './adapters/bills/bill.js';
export type {
  ApprovalResponse,
  BillApproval,
  BillEvent,
  BillListRecord,
  BillListResponse,
  BillListSummary,
  BillRecord,
  BillResponse,
  DeletedAttachmentResponse,
  DocumentsReference,
  FileContent,
  GetBillResponse,
} from './adapters/bills/bill-record.js';
export { type BillsClientOptions, createBillsClient } from './adapters/bills/client.js';
export type {
  BillsClient,
  KeyParameters,
  ReturnObject,
  SendToApprovalParameters,
} from './adapters/bills/client-type.js';
export type {
  ApiKeyCredentials,
  BearerCredentials,
  BillsCredentials,
  ClientCredentials,
} from './adapters/bills/credentials.js';
export type { BillFilter, FilterValue, OrgBillFilter } from './adapters/bills/filter.js';
export type {
  BillExport,
  BillQuery,
  OrgBillExport,
  OrgBillQuery,
} from './adapters/bills/list-query.js';
export {
  type BillsOperation,
  type BillsOperationId,
  billsOperations,
} from './adapters/bills/operations.js';
export type {
  BillingData,
  VendorRecord,
  VendorSummary,
} from './adapters/bills/vendor-record.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/api-error.js';
export type { Validator, Validators } from './adapters/http/call.js';
export type { FileAnswer } from './adapters/http/file-answer.js';
export type { CallOptions, RetryOptions } from './adapters/http/options.js';
