/**
 * What is sent and what is answered, with the service's own names.
 *
 * Nothing is demanded by these types, as the service judges what it is sent; what is answered may be
 * null where a bill was created without it. Dates are YYYY-MM-DD, times ISO 8601 in UTC, amounts
 * numbers in units of the currency, with its cents behind the point. Sections are those of the bills
 * specification.
 */

type Texts<Name extends string> = { [Each in Name]?: string | null };
type Numbers<Name extends string> = { [Each in Name]?: number | null };
type Untold<Name extends string> = { [Each in Name]?: unknown };

/** A day of the calendar, YYYY-MM-DD. A client refuses another form (`api/invalid-argument`). */
export type DateText = string;

/** How often a scheduled bill comes. The values that are known; others may come. */
export type Frequency =
  | 'onetime'
  | 'weekly'
  | 'every2weeks'
  | 'monthly'
  | 'every3months'
  | 'every6months'
  | 'annually'
  | (string & {});

/**
 * Section "States and transitions". The values that are known: -99 cancelled, 1 active, 2 sent to
 * approval, 5 partially approved, 11 disapproved, 20 approved, 50 in transit, 100 paid.
 */
export type BillStatus = number;

/** A bill to create, or what to change of one. Section "Bill request record". */
export interface Bill {
  billNumber?: string;
  netAmount?: number;
  billDate?: DateText;
  dueDate?: DateText;
  comments?: string;
  billItems?: BillItem[];
  /** 0: once; 1: by a schedule. */
  mode?: number;
  accountingField1?: string;
  /** Whom the bill is from. */
  vendor?: { vendorNumber?: string; [field: string]: unknown };
  /** End of the schedule. */
  endDate?: DateText;
  frequency?: Frequency;
  /** Example: NET30. */
  terms?: string;
  status?: BillStatus;
  attachments?: Attachment[];
}

/** A line of a bill. Section "Bill item". */
export interface BillItem {
  itemProductCode?: string;
  itemProductName?: string;
  itemDescription?: string;
  itemCommodityCode?: string;
  itemUnitOfMeasure?: string;
  itemCost?: number;
  itemQty?: number;
  itemMode?: number;
  itemCategories?: string[] | null;
  itemTotalAmount?: number;
  itemTaxAmount?: number;
  /** A fraction: 0.07 is seven per cent. */
  itemTaxRate?: number;
}

/** A file of a bill. Section "Attachment and file content". */
export interface Attachment {
  /** Kind of the file, for example `pdf`. */
  ftype?: string;
  filename?: string;
  /** Where the file is. */
  furl?: string;
  /** The file itself, in Base64. */
  fContent?: string;
}

/** An attachment with its content in Base64. */
export type FileContent = Attachment;

/** The whole of a bill. Section "Bill record (returned by get-bill)". */
export interface BillRecord
  extends Texts<'BillNumber' | 'BillDate' | 'DueDate' | 'EndDate' | 'CreatedAt' | 'LastUpdated'>,
    Texts<'Comments' | 'AccountingField1' | 'AccountingField2' | 'Terms' | 'Source' | 'LotNumber'>,
    Texts<'PaypointLegalname' | 'PaypointDbaname' | 'PaypointEntryname' | 'ParentOrgName'>,
    Texts<'externalPaypointID'>,
    Numbers<'NetAmount' | 'TotalAmount' | 'Discount' | 'Mode' | 'ParentOrgId'>,
    Untold<'BatchNumber' | 'PaymentMethod' | 'PaymentId' | 'AdditionalData'>,
    Untold<'paylinkId' | 'EntityID'> {
  IdBill?: number;
  Status?: BillStatus;
  Frequency?: Frequency | null;
  BillItems?: BillItem[] | null;
  Vendor?: VendorRecord | null;
  billEvents?: BillEvent[] | null;
  billApprovals?: BillApproval[] | null;
  DocumentsRef?: DocumentsReference | null;
}

/** A bill in a list (section "Bill list response"); its vendor has some of the fields only. */
export interface BillListRecord extends BillRecord {
  Transaction?: unknown;
}

/** The files of a bill: one archive of all, and each. `DocumentsRef` in section "Bill record". */
export interface DocumentsReference {
  zipfile?: string;
  /** `zipName` is the `filename` of the attachment operations. */
  filelist?: { originalName?: string; zipName?: string; descriptor?: string | null }[];
}

/** An entry in the history of a bill, for example `Created Bill`. Section "Bill event". */
export interface BillEvent extends Texts<'description' | 'eventTime' | 'refData' | 'source'> {
  extraData?: unknown;
}

/** What one user decides on a bill; `approved` is 0 as long as he has not. */
export interface BillApproval extends Numbers<'approved' | 'Id'>, Texts<'approvedTime' | 'email'> {}

/** Whom a bill is from. Section "Vendor record (embedded in a bill)"; `EIN` is masked. */
export interface VendorRecord
  extends Texts<'VendorNumber' | 'Name1' | 'Name2' | 'EIN' | 'Phone' | 'Email' | 'RemitEmail'>,
    Texts<'Address1' | 'Address2' | 'City' | 'State' | 'Zip' | 'Country' | 'Mcc' | 'LocationCode'>,
    Texts<'remitAddress1' | 'remitAddress2' | 'remitCity' | 'remitState' | 'remitZip'>,
    Texts<'remitCountry' | 'payeeName1' | 'payeeName2' | 'customField1' | 'customField2'>,
    Texts<'PaypointLegalname' | 'PaypointDbaname' | 'PaypointEntryname' | 'ParentOrgName'>,
    Texts<'PaymentMethod' | 'CreatedDate' | 'LastUpdated' | 'customerVendorAccount'>,
    Texts<'externalPaypointID'>,
    Numbers<'VendorStatus' | 'ParentOrgId' | 'InternalReferenceId'> {
  VendorId?: number;
  Contacts?: Texts<'ContactName' | 'ContactEmail' | 'ContactTitle' | 'ContactPhone'>[] | null;
  BillingData?: BillingData | null;
  Summary?: VendorSummary | null;
  EnrollmentStatus?: unknown;
  additionalData?: Record<string, string> | null;
  StoredMethods?: unknown[] | null;
}

/** A vendor's account at a bank; `accountNumber` is masked. */
export interface BillingData
  extends Texts<'accountId' | 'nickname' | 'bankName' | 'routingAccount' | 'accountNumber'>,
    Texts<'typeAccount' | 'bankAccountHolderName' | 'bankAccountHolderType'>,
    Numbers<'bankAccountFunction' | 'status'> {
  id?: number;
  verified?: boolean | null;
  services?: unknown[] | null;
  default?: boolean | null;
}

type VendorState = 'Active' | 'Pending' | 'InTransit' | 'Paid' | 'Overdue' | 'Approved';
type BillState = VendorState | 'Disapproved' | 'Total';

/** How many bills a vendor has in each state, and their amounts. "Vendor Summary". */
export type VendorSummary = Partial<
  Record<`${BillState}Bills` | `${BillState}BillsAmount`, number>
>;

/**
 * Answer of the operations that act. Section "Response envelopes" (BillResponse, EditBillResponse).
 * One with `isSuccess: false` does not come: the call rejects (`api/refused`).
 */
export interface BillResponse<Data = number> {
  responseCode?: number;
  pageIdentifier?: string | null;
  roomId?: number;
  isSuccess?: boolean;
  responseText?: string;
  /** The id of the bill. */
  responseData?: Data;
}

/** With `returnObject`, the bill may stand in the place of its id. */
export type DeletedAttachmentResponse = BillResponse<number | BillRecord>;

/** Section "Response envelopes" (ModifyApprovalBillResponse, SetApprovedBillResponse). */
export type ApprovalResponse = Pick<BillResponse, 'isSuccess' | 'responseData' | 'responseText'>;

/** A bill in its envelope. Section "Response envelopes" (GetBillResponse). */
export type GetBillResponse = BillResponse<BillRecord>;

type EarlyState = '2approval' | 'active' | 'approved' | 'cancel' | 'disapproved';
type ListedState = EarlyState | 'intransit' | 'overdue' | 'paid' | 'sent2approval';

/** Counts and amounts of all bills that a list finds, of whatever page. */
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
