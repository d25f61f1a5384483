/**
 * The bills: what is kept of them, and what each operation does to them.
 *
 * The sandbox knows the number of a vendor, and nothing else of him. It fetches no file: one without
 * content holds a line about itself.
 */
import type {
  Attachment,
  Bill,
  BillApproval,
  BillEvent,
  BillRecord,
  VendorRecord,
} from '../../schemas/bills-types.generated.js';
import { type Answer, type Call, fileAnswer, jsonAnswer, Refused } from './call.js';
import type { Clock } from './clock.js';

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

/** A bill as clients know it. */
export interface StoredRecord extends BillRecord {
  IdBill: number;
  BillNumber: string;
  TotalAmount: number;
  Status: number;
  Vendor: VendorRecord;
  billEvents: (BillEvent & { readonly description: string })[];
  billApprovals: BillApproval[] | null;
  DocumentsRef: NonNullable<BillRecord['DocumentsRef']>;
}

interface StoredFile {
  readonly zipName: string;
  readonly filename: string;
  readonly ftype: string;
  readonly furl: string;
  readonly content: Buffer;
}

interface StoredBill {
  readonly record: StoredRecord;
  files: readonly StoredFile[];
  /** How many files it ever had: its number makes the name of a file its own. */
  attached: number;
}

/** The fields of the record that a field of a request sets. */
const settable: Readonly<Partial<Record<keyof Bill, readonly (keyof StoredRecord)[]>>> = {
  billNumber: ['BillNumber'],
  netAmount: ['NetAmount', 'TotalAmount'],
  billDate: ['BillDate'],
  dueDate: ['DueDate'],
  endDate: ['EndDate'],
  comments: ['Comments'],
  billItems: ['BillItems'],
  mode: ['Mode'],
  accountingField1: ['AccountingField1'],
  frequency: ['Frequency'],
  terms: ['Terms'],
  status: ['Status'],
};

export class Bills {
  readonly #bills = new Map<number, StoredBill>();
  readonly #approverIds = new Map<string, number>();
  #created = 0;

  constructor(
    readonly clock: Clock,
    /** By entry; other entries belong to organization 100. */
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
    const organization = this.organizations.get(entry) ?? 100;
    const record = newRecord(id, entry, organization, this.clock.timestamp());
    this.#bills.set(id, { record, files: [], attached: 0 });
    this.update(id, request);
    this.tell(record, 'Created Bill');
    return id;
  }

  /** Takes over what a request gives. */
  update(id: number, request: Bill): void {
    const bill = this.find(id);
    const { vendor, attachments } = request;
    const changes = Object.entries(settable).flatMap(([name, fields]) => {
      const value = request[name as keyof Bill];
      return value === undefined ? [] : fields.map((field) => [field, value]);
    });
    this.change(bill.record, Object.fromEntries(changes));
    if (vendor?.vendorNumber !== undefined) bill.record.Vendor.VendorNumber = vendor.vendorNumber;
    if (attachments === undefined) return;
    bill.attached = 0;
    this.setFiles(bill, []);
    for (const { filename = 'file', fContent = '', ...more } of attachments) {
      const content = Buffer.from(fContent, 'base64');
      const known = content.length > 0 ? content : Buffer.from(`Content of ${filename}\n`);
      this.attach(id, filename, known, more);
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

  /** Adds a file, and returns the name to ask for it. */
  attach(id: number, filename: string, bytes: Uint8Array, more: Attachment = {}): string {
    const bill = this.find(id);
    const { ftype = /\.(\w{1,8})$/.exec(filename)?.[1] ?? 'bin', furl = '' } = more;
    bill.attached += 1;
    const zipName = `${bill.attached}_${filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_')}`;
    const file = { zipName, filename, ftype, furl, content: Buffer.from(bytes) };
    this.setFiles(bill, [...bill.files, file]);
    return zipName;
  }

  setFiles(bill: StoredBill, files: readonly StoredFile[]): void {
    bill.files = files;
    const filelist = files.map(({ filename: originalName, zipName }) => {
      return { originalName, zipName, descriptor: '' };
    });
    const zipfile = files.length === 0 ? '' : `bill-${bill.record.IdBill}.zip`;
    this.change(bill.record, { DocumentsRef: { zipfile, filelist } });
  }

  /** An approval that has yet to be given; who approves has the same number everywhere. */
  approval(email: string): BillApproval {
    const id = this.#approverIds.get(email) ?? this.#approverIds.size + 1;
    this.#approverIds.set(email, id);
    return { Id: id, email, approved: 0, approvedTime: null };
  }
}

/** An operation; `id` is the number in its path. */
export type Act = (bills: Bills, id: number, call: Call) => Answer;

export const billActs = {
  'bills.create': (bills, _, call) =>
    success(bills.create(call.path[0] ?? '', call.object() as Bill)),
  'bills.delete': (bills, id) => {
    bills.delete(id);
    return success(id);
  },
  'bills.update': (bills, id, call) => {
    bills.update(id, call.object() as Bill);
    return success(id);
  },
  'bills.get': (bills, id) => success(bills.find(id).record),
  'bills.deleteAttachment': (bills, id, call) => {
    const bill = bills.find(id);
    const gone = fileNamed(bill, call);
    const isWhole = call.flag('returnObject');
    const rest = bill.files.filter((each) => each !== gone);
    bills.setFiles(bill, rest);
    return success(isWhole ? bill.record : id);
  },
  'bills.getAttachment': (bills, id, call) => {
    const { content, filename, furl, ftype } = fileNamed(bills.find(id), call);
    if (call.flag('returnObject')) {
      return jsonAnswer(200, { fContent: content.toString('base64'), filename, ftype, furl });
    }
    const type = ftype === 'pdf' ? 'application/pdf' : 'application/octet-stream';
    return fileAnswer(content, type, filename);
  },
  // Approvers who stay keep what they have decided.
  'bills.setApprovers': (bills, id, call) => {
    const { record } = bills.find(id);
    const before = record.billApprovals ?? [];
    const billApprovals = usersIn(call).map(
      (user) => before.find(({ email }) => email === user) ?? bills.approval(user),
    );
    const { sentToApproval, partlyApproved, approved, disapproved } = statuses;
    const decided: readonly number[] = [sentToApproval, partlyApproved, approved, disapproved];
    const isDecided = decided.includes(record.Status);
    const Status = isDecided ? statusOf(billApprovals) : record.Status;
    bills.change(record, { billApprovals, Status });
    return approvalSet(id);
  },
  // All approvers are asked (again).
  'bills.sendToApproval': (bills, id, call) => {
    const { record } = bills.find(id);
    const before = (record.billApprovals ?? []).map(({ email }) => email ?? '');
    const users = new Set([...before, ...usersIn(call)]);
    const billApprovals = [...users].map((user) => bills.approval(user));
    bills.change(record, { billApprovals, Status: statuses.sentToApproval });
    bills.tell(record, 'Sent to Approval');
    return success(id);
  },
  // Who decides without saying as whom decides for all approvers.
  'bills.setApproved': (bills, id, call) => {
    const { record } = bills.find(id);
    const approved = new Map([
      ['true', 1],
      ['false', -1],
    ]).get(call.path[1] ?? '');
    const email = call.query.get('email');
    const approvals = record.billApprovals ?? [];
    const deciding = approvals.filter((each) => email === null || each.email === email);
    if (approved === undefined) throw new Refused(400, 'approved must be true or false');
    if (deciding.length === 0) throw new Refused(400, 'The bill was not sent to this approver');
    for (const each of deciding) {
      each.approved = approved;
      each.approvedTime = bills.clock.timestamp();
    }
    bills.change(record, { Status: statusOf(approvals) });
    return approvalSet(id);
  },
} satisfies Readonly<Record<string, Act>>;

/** BillResponse, EditBillResponse and, with a bill in it, GetBillResponse. */
function success(responseData: unknown): Answer {
  const envelope = { responseCode: 1, pageIdentifier: null, roomId: 0 };
  return jsonAnswer(200, {
    ...envelope,
    isSuccess: true,
    responseText: 'Success',
    responseData,
  });
}

/** ModifyApprovalBillResponse and SetApprovedBillResponse. */
function approvalSet(idBill: number): Answer {
  return jsonAnswer(200, { isSuccess: true, responseData: idBill, responseText: 'Success' });
}

function fileNamed({ files }: StoredBill, { path: [, name] }: Call): StoredFile {
  const file = files.find(({ zipName }) => zipName === name);
  if (file === undefined) throw new Refused(400, 'The bill has no file with this name');
  return file;
}

/** The users in a body, each once. */
function usersIn(call: Call): string[] {
  const users = new Set(call.json() as string[]);
  if (users.size > 0 && !users.has('')) return [...users];
  throw new Refused(400, 'There must be users, each with a name');
}

function statusOf(approvals: readonly BillApproval[]): number {
  const decisions = approvals.map(({ approved }) => approved);
  if (decisions.includes(-1)) return statuses.disapproved;
  if (!decisions.includes(1)) return statuses.sentToApproval;
  return decisions.includes(0) ? statuses.partlyApproved : statuses.approved;
}

/** A new bill. Of the record of the specification it has what the sandbox knows. */
function newRecord(id: number, entry: string, organization: number, at: string): StoredRecord {
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
    Source: 'api',
    Vendor: { VendorNumber: '', VendorStatus: 1, ...owner, CreatedDate: at, LastUpdated: at },
    Status: statuses.active,
    CreatedAt: at,
    LastUpdated: at,
    EndDate: null,
    Frequency: null,
    billEvents: [],
    billApprovals: null,
    DocumentsRef: { zipfile: '', filelist: [] },
  };
}
