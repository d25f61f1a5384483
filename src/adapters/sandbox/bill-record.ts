/** A bill as clients see it. */
import type {
  Attachment,
  Bill,
  BillApproval,
  BillEvent,
  BillRecord,
  VendorRecord,
} from '../../schemas/bills-types.generated.js';

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

export interface StoredRecord extends BillRecord {
  readonly IdBill: number;
  BillNumber: string;
  TotalAmount: number;
  Status: number;
  readonly Vendor: VendorRecord;
  readonly billEvents: (BillEvent & { readonly description: string })[];
  billApprovals: BillApproval[] | null;
  readonly DocumentsRef: NonNullable<BillRecord['DocumentsRef']>;
}

/** A file of a bill. */
export interface StoredFile extends Required<Omit<Attachment, 'fContent'>> {
  readonly zipName: string;
  readonly content: Buffer;
}

/** Request fields that set the record field with the same name, capitalized. */
const settable = [
  ...(['billNumber', 'netAmount', 'billDate', 'dueDate', 'endDate', 'comments'] as const),
  ...(['billItems', 'mode', 'accountingField1', 'frequency', 'terms', 'status'] as const),
];

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The changes that a request makes to a record. */
export function changesOf(request: Bill): Partial<StoredRecord> {
  const given = settable.filter((name) => request[name] !== undefined);
  const changes = Object.fromEntries(given.map((name) => [capitalized(name), request[name]]));
  return request.netAmount === undefined ? changes : { ...changes, TotalAmount: request.netAmount };
}

/**
 * A new bill. Its list of files is always current. It has only those fields of the specified
 * record that the sandbox knows.
 */
export function newRecord(
  id: number,
  entry: string,
  organization: number,
  at: string,
  files: readonly StoredFile[],
) {
  const owner = {
    PaypointLegalname: `${entry} (legal)`,
    PaypointDbaname: entry,
    PaypointEntryname: entry,
    ParentOrgId: organization,
    ParentOrgName: `Organization ${organization}`,
  };
  return {
    ...owner,
    IdBill: id,
    BillNumber: `${id}`,
    NetAmount: 0,
    TotalAmount: 0,
    BillDate: null,
    DueDate: null,
    Comments: '',
    BillItems: [],
    Mode: 0,
    PaymentMethod: null,
    AccountingField1: '',
    Terms: null,
    Vendor: { VendorNumber: '', ...owner },
    Status: statuses.active,
    CreatedAt: at,
    LastUpdated: at,
    EndDate: null,
    Frequency: null,
    billEvents: [],
    billApprovals: null,
    get DocumentsRef() {
      const filelist = files.map(({ filename: originalName, zipName }) => {
        return { originalName, zipName, descriptor: '' };
      });
      return { zipfile: `bill-${id}.zip`, filelist };
    },
  } satisfies StoredRecord as StoredRecord;
}
