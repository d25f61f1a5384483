/**
 * What is answered: records of bills and the envelopes around them, with the service's own names.
 *
 * Members are optional, as the service promises none, and may be null where a bill was created
 * without them.
 */
import type { Attachment, BillItem, BillStatus, Frequency } from './bill.js';

/** The whole of a bill. */
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

/** A bill in a list; its vendor has some of the fields only. */
export interface BillListRecord extends BillRecord {
  Transaction?: unknown;
}

export interface DocumentsReference {
  zipfile?: string;
  filelist?: {
    originalName?: string;
    /** The `filename` of the attachment operations. */
    zipName?: string;
    descriptor?: string | null;
  }[];
}

export interface BillEvent {
  /** Known: `Created Bill`, `Sent to Approval`. */
  description?: string | null;
  eventTime?: string | null;
  refData?: string | null;
  extraData?: unknown;
  /** Known: `API`. */
  source?: string | null;
}

export interface BillApproval {
  /** Known: 0, not yet. */
  approved?: number | null;
  approvedTime?: string | null;
  email?: string | null;
  Id?: number | null;
}

export interface VendorRecord {
  VendorNumber?: string | null;
  Name1?: string | null;
  Name2?: string | null;
  /** Masked. */
  EIN?: string | null;
  Phone?: string | null;
  Email?: string | null;
  RemitEmail?: string | null;
  Address1?: string | null;
  Address2?: string | null;
  City?: string | null;
  State?: string | null;
  Zip?: string | null;
  Country?: string | null;
  Mcc?: string | null;
  LocationCode?: string | null;
  Contacts?:
    | {
        ContactName?: string;
        ContactEmail?: string;
        ContactTitle?: string;
        ContactPhone?: string;
      }[]
    | null;
  BillingData?: BillingData | null;
  PaymentMethod?: string | null;
  VendorStatus?: number | null;
  VendorId?: number;
  EnrollmentStatus?: unknown;
  Summary?: VendorSummary | null;
  PaypointLegalname?: string | null;
  PaypointDbaname?: string | null;
  PaypointEntryname?: string | null;
  ParentOrgName?: string | null;
  ParentOrgId?: number | null;
  CreatedDate?: string | null;
  LastUpdated?: string | null;
  remitAddress1?: string | null;
  remitAddress2?: string | null;
  remitCity?: string | null;
  remitState?: string | null;
  remitZip?: string | null;
  remitCountry?: string | null;
  payeeName1?: string | null;
  payeeName2?: string | null;
  customField1?: string | null;
  customField2?: string | null;
  customerVendorAccount?: string | null;
  InternalReferenceId?: number | null;
  additionalData?: Record<string, string> | null;
  externalPaypointID?: string | null;
  StoredMethods?: unknown[] | null;
}

export interface BillingData {
  id?: number;
  accountId?: string | null;
  nickname?: string | null;
  bankName?: string | null;
  routingAccount?: string | null;
  /** Masked. */
  accountNumber?: string | null;
  typeAccount?: string | null;
  bankAccountHolderName?: string | null;
  bankAccountHolderType?: string | null;
  bankAccountFunction?: number | null;
  verified?: boolean | null;
  status?: number | null;
  services?: unknown[] | null;
  default?: boolean | null;
}

type BillState =
  | 'Active'
  | 'Pending'
  | 'InTransit'
  | 'Paid'
  | 'Overdue'
  | 'Approved'
  | 'Disapproved'
  | 'Total';

/** How many bills a vendor has in each state, and their amounts. */
export type VendorSummary = Partial<
  Record<`${BillState}Bills` | `${BillState}BillsAmount`, number>
>;

/** Answer of the operations that act. */
export interface BillResponse {
  responseCode?: number;
  pageIdentifier?: string | null;
  roomId?: number;
  isSuccess?: boolean;
  responseText?: string;
  /** The id of the bill. */
  responseData?: number;
}

/** With `returnObject`, the bill may stand in the place of its id. */
export interface DeletedAttachmentResponse extends Omit<BillResponse, 'responseData'> {
  responseData?: number | BillRecord;
}

export interface ApprovalResponse {
  isSuccess?: boolean;
  /** The id of the bill. */
  responseData?: number;
  responseText?: string;
}

export interface GetBillResponse extends Omit<BillResponse, 'responseData'> {
  responseData?: BillRecord;
}

/** An attachment with its content in Base64. */
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

export interface BillListSummary
  extends Partial<Record<`total${ListedState}` | `totalamount${ListedState}`, number>> {
  pageidentifier?: string | null;
  pageSize?: number;
  totalPages?: number;
  totalRecords?: number;
  totalAmount?: number;
}

export interface BillListResponse {
  Summary?: BillListSummary;
  Records?: BillListRecord[];
}
