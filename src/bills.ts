/** `squadc/bills`: the client of the bills service. */
export {
  type BillExport,
  type BillQuery,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
  type OrgBillExport,
  type OrgBillQuery,
} from './clients/bills/client.js';
export type {
  ApiKeyCredentials,
  BearerCredentials,
  BillsCredentials,
  ClientCredentials,
} from './clients/bills/credentials.js';
export {
  type BillsOperation,
  type BillsOperationId,
  billsOperations,
} from './clients/bills/operations.js';
export { ApiError, type ApiErrorCode, type CallOutcome } from './clients/http/error.js';
export type { CallOptions, RetryOptions } from './clients/http/request.js';
export type { FileAnswer } from './clients/http/response.js';
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
