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
  BillingData,
  BillListRecord,
  BillListResponse,
  BillListSummary,
  BillRecord,
  BillResponse,
  DeletedAttachmentResponse,
  DocumentsReference,
  FileContent,
  GetBillResponse,
  VendorRecord,
  VendorSummary,
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
export {
  type BillFilter,
  type FilterValue,
  filterFields,
  type OrgBillFilter,
  orgFilterFields,
} from './adapters/bills/filter-fields.js';
export type {
  BillExport,
  BillQuery,
  OrgBillExport,
  OrgBillQuery,
} from './adapters/bills/list-query.js';
export { type BillsOperationId, billsOperations } from './adapters/bills/operations.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/api-error.js';
export type { Validator, Validators } from './adapters/http/call.js';
export type { FileAnswer } from './adapters/http/file-answer.js';
export type { CallOptions, RetryOptions } from './adapters/http/options.js';
