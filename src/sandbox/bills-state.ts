/**
 * The state of the bills service: bills as clients see them, their files, and who approves them.
 *
 * A record has only those fields of the specified one that the sandbox knows; of a vendor, the number.
 * No files are fetched: one sent without content gets one line of text.
 */
import type {
  Attachment,
  Bill,
  BillApproval,
  BillEvent,
  BillRecord,
  VendorRecord,
} from '../schemas/bills-types.generated.js';
import { Refused } from './call.js';
import type { Clock } from './clock.js';

/** What the numbers in `Status` mean. */
export const statuses = {
  active: 1,
  sentToApproval: 2,
  partlyApproved: 5,
  disapproved: 11,
  approved: 20,
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

export interface StoredBill {
  readonly record: StoredRecord;
  readonly files: StoredFile[];
  /** Number of files attached so far, which makes each file's `zipName` unique. */
  attached: number;
}

/** Request fields that set the record field with the same name, capitalized. */
const settable = [
  ...(['billNumber', 'netAmount', 'billDate', 'dueDate', 'endDate', 'comments'] as const),
  ...(['billItems', 'mode', 'accountingField1', 'frequency', 'terms', 'status'] as const),
];

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export class Bills {
  readonly #bills = new Map<number, StoredBill>();
  /** An approver has the same id in all bills: the position in this list. */
  readonly #approvers: string[] = [];
  #created = 0;

  constructor(
    readonly clock: Clock,
    readonly organizations: ReadonlyMap<string, number>,
  ) {}

  all(): StoredRecord[] {
    return [...this.#bills.values()].map(({ record }) => record);
  }

  find(id: number): StoredBill {
    const bill = this.#bills.get(id);
    if (bill === undefined) throw new Refused(400, `Bill ${id} does not exist`);
    return bill;
  }

  create(entry: string, request: Bill): number {
    this.#created += 1;
    const id = this.#created;
    const files: StoredFile[] = [];
    const owner = {
      PaypointEntryname: entry,
      ParentOrgId: this.organizations.get(entry) ?? 100,
    };
    const record = {
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
      Vendor: { VendorNumber: '', ...owner },
      Status: statuses.active,
      CreatedAt: this.clock.timestamp(),
      billEvents: [],
      billApprovals: null,
      /** Always current. */
      get DocumentsRef() {
        const filelist = files.map(({ filename: originalName, zipName }) => {
          return { originalName, zipName, descriptor: '' };
        });
        return { zipfile: `bill-${id}.zip`, filelist };
      },
    } satisfies StoredRecord as StoredRecord;
    this.#bills.set(id, { record, files, attached: 0 });
    this.update(id, request);
    this.tell(record, 'Created Bill');
    return id;
  }

  update(id: number, request: Bill): void {
    const bill = this.find(id);
    const { vendor, attachments, netAmount } = request;
    const given = settable.filter((name) => request[name] !== undefined);
    const changes = Object.fromEntries(given.map((name) => [capitalized(name), request[name]]));
    this.change(bill.record, changes);
    if (netAmount !== undefined) bill.record.TotalAmount = netAmount;
    if (vendor?.vendorNumber !== undefined) bill.record.Vendor.VendorNumber = vendor.vendorNumber;
    if (attachments === undefined) return;
    bill.attached = bill.files.length = 0;
    for (const { filename = 'file', fContent = '', ...more } of attachments) {
      const text = fContent === '' ? Buffer.from(`Content of ${filename}\n`) : null;
      this.attach(id, filename, text ?? Buffer.from(fContent, 'base64'), more);
    }
  }

  delete(id: number): void {
    this.#bills.delete(this.find(id).record.IdBill);
  }

  change(record: StoredRecord, changes: Partial<StoredRecord>): void {
    Object.assign(record, changes, { LastUpdated: this.clock.timestamp() });
  }

  tell(record: StoredRecord, description: string): void {
    const refData = `bill-${record.IdBill}-${record.billEvents.length + 1}`;
    const eventTime = this.clock.timestamp();
    record.billEvents.push({ description, eventTime, refData, extraData: null, source: 'API' });
  }

  /** Adds a file, and returns its `zipName`. */
  attach(id: number, filename: string, bytes: Uint8Array, more: Attachment = {}): string {
    const bill = this.find(id);
    const { ftype = /\.(\w{1,8})$/.exec(filename)?.[1] ?? 'bin', furl = '' } = more;
    bill.attached += 1;
    const zipName = `${bill.attached}_${filename.replaceAll(/[\p{Cc}/\\]/gu, '_')}`;
    bill.files.push({ zipName, filename, ftype, furl, content: Buffer.from(bytes) });
    this.change(bill.record, {});
    return zipName;
  }

  /** An approval that is still pending. */
  approval(email: string): BillApproval {
    if (!this.#approvers.includes(email)) this.#approvers.push(email);
    return { Id: this.#approvers.indexOf(email) + 1, email, approved: 0, approvedTime: null };
  }
}
