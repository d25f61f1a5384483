/** `squadc/bills`: the client of the bills service. */
export {
  type BillExport,
  type BillQuery,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
  type OrgBillExport,
  type OrgBillQuery,
} from './adapters/bills/client.js';
export type {
  ApiKeyCredentials,
  BearerCredentials,
  BillsCredentials,
  ClientCredentials,
} from './adapters/bills/credentials.js';
export {
  type BillsOperation,
  type BillsOperationId,
  billsOperations,
} from './adapters/bills/operations.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './adapters/http/error.js';
export type { CallOptions, RetryOptions } from './adapters/http/request.js';
export type { FileAnswer } from './adapters/http/response.js';
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
  DeletedAttachmentResponse,
  Filter as BillFilter,
  FilterValue,
  GetBillResponse,
  OrgFilter as OrgBillFilter,
  VendorRecord,
  VendorSummary,
} from './schemas/bills-types.generated.js';
