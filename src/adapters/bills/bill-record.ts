/**
 * What is answered: records of bills and the envelopes around them, with the service's own names.
 *
 * Members are optional, as the service promises none, and may be null where a bill was created
 * without them. Dates are YYYY-MM-DD, times ISO 8601 in UTC, amounts units of the currency. Sections
 * are those of the bills specification.
 */
import type { Attachment, BillItem, BillStatus, Frequency } from './bill.js';
import type { VendorRecord } from './vendor-record.js';

/** The whole of a bill. Section "Bill record (returned by get-bill)". */
export interface BillRecord {
  IdBill?: number;
  BillNumber?: string | null;
  NetAmount?: number | null;
  TotalAmount?: number | null;
  Discount?: number | null;
  BillDate?: string | null;
  DueDate?: string | null;
  Comments?: string | null;
  BatchNumber?: unknown;
  BillItems?: BillItem[] | null;
  Mode?: number | null;
  PaymentMethod?: unknown;
  PaymentId?: unknown;
  AccountingField1?: string | null;
  AccountingField2?: string | null;
  Terms?: string | null;
  Source?: string | null;
  AdditionalData?: unknown;
  Vendor?: VendorRecord | null;
  Status?: BillStatus;
  /** ISO 8601, UTC. */
  CreatedAt?: string | null;
  LastUpdated?: string | null;
  EndDate?: string | null;
  Frequency?: Frequency | null;
  billEvents?: BillEvent[] | null;
  billApprovals?: BillApproval[] | null;
  PaypointLegalname?: string | null;
  PaypointDbaname?: string | null;
  PaypointEntryname?: string | null;
  ParentOrgId?: number | null;
  ParentOrgName?: string | null;
  paylinkId?: unknown;
  DocumentsRef?: DocumentsReference | null;
  externalPaypointID?: string | null;
  LotNumber?: string | null;
  EntityID?: unknown;
}

/** A bill in a list (section "Bill list response"); its vendor has some of the fields only. */
export interface BillListRecord extends BillRecord {
  Transaction?: unknown;
}

/** The files of a bill: one archive of all, and each. `DocumentsRef` in section "Bill record". */
export interface DocumentsReference {
  zipfile?: string;
  filelist?: {
    originalName?: string;
    /** The `filename` of the attachment operations. */
    zipName?: string;
    descriptor?: string | null;
  }[];
}

/** An entry in the history of a bill. Sections "Bill event" and "Events". */
export interface BillEvent {
  /** Known: `Created Bill`, `Sent to Approval`. */
  description?: string | null;
  eventTime?: string | null;
  refData?: string | null;
  extraData?: unknown;
  /** Known: `API`. */
  source?: string | null;
}

/** What one user decides on a bill. Section "Bill approval entry". */
export interface BillApproval {
  /** Known: 0, not yet. */
  approved?: number | null;
  approvedTime?: string | null;
  email?: string | null;
  Id?: number | null;
}

/**
 * Answer of the operations that act. Section "Response envelopes" (BillResponse, EditBillResponse).
 * One with `isSuccess: false` does not come: the call rejects (`api/refused`).
 */
export interface BillResponse {
  responseCode?: number;
  pageIdentifier?: string | null;
  roomId?: number;
  isSuccess?: boolean;
  responseText?: string;
  /** The id of the bill. */
  responseData?: number;
}

/** A {@link BillResponse}; with `returnObject`, the bill may stand in the place of its id. */
export interface DeletedAttachmentResponse extends Omit<BillResponse, 'responseData'> {
  responseData?: number | BillRecord;
}

/** Section "Response envelopes" (ModifyApprovalBillResponse, SetApprovedBillResponse). */
export interface ApprovalResponse {
  isSuccess?: boolean;
  /** The id of the bill. */
  responseData?: number;
  responseText?: string;
}

/** A bill in its envelope. Section "Response envelopes" (GetBillResponse). */
export interface GetBillResponse extends Omit<BillResponse, 'responseData'> {
  responseData?: BillRecord;
}

/** An attachment with its content in Base64. Section "Attachment and file content". */
export type FileContent = Attachment;

type ListedState =
  | '2approval'
  | 'active'
  | 'approved'
  | 'cancel'
  | 'disapproved'
  | 'intransit'
  | 'overdue'
  | 'paid'
  | 'sent2approval';

/**
 * Counts and amounts of all bills that a list finds, of whatever page. `Summary` in section "Bill
 * list response".
 */
export interface BillListSummary
  extends Partial<Record<`total${ListedState}` | `totalamount${ListedState}`, number>> {
  pageidentifier?: string | null;
  pageSize?: number;
  totalPages?: number;
  totalRecords?: number;
  totalAmount?: number;
}

/** A page of bills. Section "Bill list response (BillQueryResponse)". */
export interface BillListResponse {
  Summary?: BillListSummary;
  Records?: BillListRecord[];
}
