/** A bill as the service holds and shows it; the names are the service's own. */

export interface BillEvent {
  readonly description: 'Created Bill' | 'Sent to Approval';
  readonly eventTime: string;
  readonly refData: string;
  readonly extraData: null;
  readonly source: 'API';
}

export interface Approval {
  readonly Id: number;
  readonly email: string;
  /** 0 not decided, 1 approved, -1 disapproved. */
  approved: number;
  approvedTime: string | null;
}

export interface DocumentReference {
  readonly originalName: string;
  readonly zipName: string;
  readonly descriptor: string;
}

export interface BillRecord {
  readonly IdBill: number;
  BillNumber: string;
  NetAmount: number;
  TotalAmount: number;
  Discount: number | null;
  BillDate: string | null;
  DueDate: string | null;
  Comments: string;
  BatchNumber: string | null;
  BillItems: readonly unknown[];
  Mode: number;
  PaymentMethod: string | null;
  PaymentId: string | null;
  AccountingField1: string;
  AccountingField2: string;
  Terms: string | null;
  Source: string | null;
  AdditionalData: unknown;
  Vendor: Readonly<Record<string, unknown>>;
  Status: number;
  readonly CreatedAt: string;
  LastUpdated: string;
  EndDate: string | null;
  Frequency: string | null;
  billEvents: BillEvent[];
  billApprovals: Approval[] | null;
  readonly PaypointLegalname: string;
  readonly PaypointDbaname: string;
  readonly PaypointEntryname: string;
  readonly ParentOrgId: number;
  readonly ParentOrgName: string;
  paylinkId: string | null;
  DocumentsRef: { readonly zipfile: string; readonly filelist: readonly DocumentReference[] };
  externalPaypointID: string | null;
  LotNumber: string;
  EntityID: string | null;
}

/** What the numbers in `Status` mean. */
export const statuses = {
  cancelled: -99,
  active: 1,
  sentToApproval: 2,
  partlyApproved: 5,
  disapproved: 11,
  approved: 20,
  inTransit: 50,
  paid: 100,
} as const;
