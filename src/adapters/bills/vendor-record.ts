/**
 * What is answered of a vendor, with the service's own names; part of the record of a bill.
 *
 * Members are optional and may be null, as in a bill. Sections are those of the bills specification.
 */

/** Whom a bill is from. Section "Vendor record (embedded in a bill)". */
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

/** A vendor's account at a bank. `BillingData` in section "Vendor record". */
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

/**
 * How many bills a vendor has in each state, and their amounts. "Vendor Summary" in section "Vendor
 * record".
 */
export type VendorSummary = Partial<
  Record<`${BillState}Bills` | `${BillState}BillsAmount`, number>
>;
