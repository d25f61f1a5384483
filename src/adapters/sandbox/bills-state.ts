/**
 * The bills: what is kept of them, and every change that the service makes to them.
 *
 * A request is read whole before anything changes. The sandbox knows the number of a vendor, and
 * nothing else of him. It fetches no file: one without content holds a line about itself.
 */
import type {
  BillApproval,
  BillEvent,
  BillRecord,
  VendorRecord,
} from '../../schemas/bills-types.generated.js';
import { isObject, type JsonObject, Refused } from './call.js';
import type { Schedule } from './clock.js';

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

/** A bill as clients know it, with nothing left out. */
export interface StoredRecord extends Required<BillRecord> {
  BillNumber: string;
  TotalAmount: number;
  Vendor: VendorRecord;
  billEvents: (BillEvent & { readonly description: string })[];
  DocumentsRef: NonNullable<BillRecord['DocumentsRef']>;
}

interface Attachment {
  /** Under which it is asked for: its name with a number in front. */
  readonly zipName: string;
  readonly filename: string;
  readonly ftype: string;
  readonly furl: string;
  readonly content: Buffer;
}

type Described = Partial<Pick<Attachment, 'ftype' | 'furl'>>;

interface StoredBill {
  readonly record: StoredRecord;
  files: readonly Attachment[];
  /** How many files it ever had. */
  attached: number;
}

export class Bills {
  readonly #bills = new Map<number, StoredBill>();
  readonly #approverIds = new Map<string, number>();
  #created = 0;

  constructor(
    readonly clock: Schedule,
    /** Status of the refusal of what does not exist. */
    readonly notFound: 400 | 404,
  ) {}

  all(): StoredRecord[] {
    return [...this.#bills.values()].map(({ record }) => record);
  }

  record(id: number): StoredRecord {
    return this.#find(id).record;
  }

  create(entry: string, organization: number, request: JsonObject): number {
    checkRequest(request);
    this.#created += 1;
    const id = this.#created;
    const record = newRecord(id, entry, organization, this.clock.timestamp());
    const bill = { record, files: [], attached: 0 };
    this.#bills.set(id, bill);
    this.#take(bill, request);
    this.#tell(record, 'Created Bill');
    return id;
  }

  update(id: number, request: JsonObject): void {
    checkRequest(request);
    this.#take(this.#find(id), request);
  }

  setStatus(id: number, status: number): void {
    this.#change(this.record(id), { Status: status });
  }

  delete(id: number): void {
    this.#bills.delete(this.record(id).IdBill);
  }

  file(id: number, zipName: string): Attachment {
    const file = this.#find(id).files.find((each) => each.zipName === zipName);
    if (file === undefined) throw new Refused(this.notFound, 'The bill has no such file');
    return file;
  }

  /** Adds a file, and returns the name to ask for it. */
  attach(id: number, filename: string, bytes: Uint8Array, more: Described = {}): string {
    const bill = this.#find(id);
    const { ftype = /\.(\w{1,8})$/.exec(filename)?.[1] ?? 'bin', furl = '' } = more;
    bill.attached += 1;
    const zipName = `${bill.attached}_${filename.toWellFormed().replaceAll(/[\p{Cc}/\\]/gu, '_')}`;
    const content = Buffer.from(bytes);
    this.#setFiles(bill, [...bill.files, { zipName, filename, ftype, furl, content }]);
    return zipName;
  }

  detach(id: number, zipName: string): void {
    const gone = this.file(id, zipName);
    const bill = this.#find(id);
    const rest = bill.files.filter((each) => each !== gone);
    this.#setFiles(bill, rest);
  }

  /** Makes these the approvers, those who are there with what they have decided. */
  setApprovers(id: number, users: readonly string[]): void {
    const record = this.record(id);
    const billApprovals = [...new Set(users)].map(
      (user) => record.billApprovals?.find(({ email }) => email === user) ?? this.#approver(user),
    );
    this.#change(record, { billApprovals });
    if (madeByApprovers.has(record.Status)) record.Status = statusOf(billApprovals);
  }

  /** Adds approvers; all of them are asked (again). */
  sendToApproval(id: number, users: readonly string[]): void {
    const record = this.record(id);
    const before = (record.billApprovals ?? []).map(({ email }) => email ?? '');
    const billApprovals = [...new Set([...before, ...users])].map((user) => this.#approver(user));
    this.#change(record, { billApprovals, Status: statuses.sentToApproval });
    this.#tell(record, 'Sent to Approval');
  }

  /** Who decides without saying as whom decides for all approvers. */
  decide(id: number, approved: boolean, email: string | null): void {
    const record = this.record(id);
    const approvals = record.billApprovals ?? [];
    const deciding = approvals.filter((each) => email === null || each.email === email);
    if (deciding.length === 0) throw new Refused(400, 'The bill was not sent to this approver');
    for (const each of deciding) {
      each.approved = approved ? 1 : -1;
      each.approvedTime = this.clock.timestamp();
    }
    this.#change(record, { Status: statusOf(approvals) });
  }

  #find(id: number): StoredBill {
    const bill = this.#bills.get(id);
    if (bill === undefined) throw new Refused(this.notFound, `Bill ${id} does not exist`);
    return bill;
  }

  #change(record: StoredRecord, changes: Partial<StoredRecord>): void {
    Object.assign(record, changes, { LastUpdated: this.clock.timestamp() });
  }

  /** Takes over what a request gives; null stands for an absent field. */
  #take(bill: StoredBill, request: JsonObject): void {
    const { record } = bill;
    const { vendor, attachments } = request;
    const given = requestFields.filter(([name]) => (request[name] ?? null) !== null);
    const pairs = given.flatMap(([name, , ...fields]) =>
      fields.map((each) => [each, request[name]]),
    );
    this.#change(record, Object.fromEntries(pairs));
    if (isObject(vendor)) record.Vendor.VendorNumber = String(vendor.vendorNumber);
    if (!Array.isArray(attachments)) return;
    Object.assign(bill, { files: [], attached: 0 });
    this.#setFiles(bill, []);
    for (const { filename = 'file', ftype, furl, fContent } of attachments) {
      const content = fContent ? Buffer.from(`${fContent}`, 'base64') : `Content of ${filename}\n`;
      this.attach(record.IdBill, `${filename}`, Buffer.from(content), { ftype, furl });
    }
  }

  #tell(record: StoredRecord, description: string): void {
    const refData = `bill-${record.IdBill}-${record.billEvents.length + 1}`;
    const eventTime = this.clock.timestamp();
    record.billEvents.push({ description, eventTime, refData, extraData: null, source: 'API' });
  }

  #setFiles(bill: StoredBill, files: readonly Attachment[]): void {
    bill.files = files;
    const filelist = files.map(({ filename, zipName }) => ({
      originalName: filename,
      zipName,
      descriptor: '',
    }));
    const zipfile = files.length === 0 ? '' : `bill-${bill.record.IdBill}.zip`;
    this.#change(bill.record, { DocumentsRef: { zipfile, filelist } });
  }

  #approver(email: string): BillApproval {
    const id = this.#approverIds.get(email) ?? this.#approverIds.size + 1;
    this.#approverIds.set(email, id);
    return { Id: id, email, approved: 0, approvedTime: null };
  }
}

const madeByApprovers: ReadonlySet<number> = new Set([
  ...[statuses.sentToApproval, statuses.partlyApproved],
  ...[statuses.approved, statuses.disapproved],
]);

function statusOf(approvals: readonly BillApproval[]): number {
  const decisions = approvals.map(({ approved }) => approved);
  if (decisions.includes(-1)) return statuses.disapproved;
  if (!decisions.includes(1)) return statuses.sentToApproval;
  return decisions.includes(0) ? statuses.partlyApproved : statuses.approved;
}

type Check = readonly [expected: string, holds: (value: unknown) => boolean];

const oneOf = (expected: string, values: readonly unknown[]): Check => [
  expected,
  (value) => values.includes(value),
];
const isText: Check = ['a text', (value) => typeof value === 'string'];
const isNumber: Check = ['a number', (value) => typeof value === 'number'];
const isDate: Check = [
  'a date YYYY-MM-DD',
  (value) =>
    /^\d{4}-\d\d-\d\d$/.test(`${value}`) &&
    new Date(Date.parse(`${value}`) || 0).toISOString().startsWith(`${value}`),
];
const areObjects: Check = [
  'an array of objects',
  (value) => Array.isArray(value) && value.every(isObject),
];
const isVendor: Check = [
  'an object with vendorNumber',
  (value) => isObject(value) && typeof value.vendorNumber === 'string',
];
const frequencies = [
  ...['onetime', 'weekly', 'every2weeks', 'every6months', 'monthly', 'every3months', 'annually'],
];

/** The fields of a request, what each must be, and where it goes in the record. */
const requestFields: readonly (readonly [name: string, Check, ...(keyof StoredRecord)[]])[] = [
  ['billNumber', isText, 'BillNumber'],
  ['netAmount', isNumber, 'NetAmount', 'TotalAmount'],
  ['billDate', isDate, 'BillDate'],
  ['dueDate', isDate, 'DueDate'],
  ['endDate', isDate, 'EndDate'],
  ['comments', isText, 'Comments'],
  ['billItems', areObjects, 'BillItems'],
  ['mode', oneOf('0 or 1', [0, 1]), 'Mode'],
  ['accountingField1', isText, 'AccountingField1'],
  ['frequency', oneOf('a known frequency', frequencies), 'Frequency'],
  ['terms', isText, 'Terms'],
  ['status', oneOf('a known status', Object.values(statuses)), 'Status'],
  ['vendor', isVendor],
  ['attachments', areObjects],
];

function checkRequest(request: JsonObject): void {
  for (const [name, [expected, holds]] of requestFields) {
    const value = request[name] ?? null;
    if (value !== null && !holds(value)) throw new Refused(400, `${name} is not ${expected}`);
  }
}

const nothing = [
  ...['Discount', 'BillDate', 'DueDate', 'BatchNumber', 'PaymentMethod', 'PaymentId', 'Terms'],
  ...['AdditionalData', 'EndDate', 'Frequency', 'billApprovals', 'paylinkId', 'EntityID'],
  'externalPaypointID',
];

function newRecord(id: number, entry: string, organization: number, at: string): StoredRecord {
  const owner = {
    PaypointLegalname: `${entry} (legal)`,
    PaypointDbaname: entry,
    PaypointEntryname: entry,
    ParentOrgId: organization,
    ParentOrgName: `Organization ${organization}`,
  };
  return {
    ...(Object.fromEntries(nothing.map((name) => [name, null])) as object as StoredRecord),
    ...owner,
    IdBill: id,
    BillNumber: `${id}`,
    NetAmount: 0,
    TotalAmount: 0,
    Comments: '',
    BillItems: [],
    Mode: 0,
    AccountingField1: '',
    AccountingField2: '',
    Source: 'api',
    Status: statuses.active,
    CreatedAt: at,
    LastUpdated: at,
    billEvents: [],
    DocumentsRef: { zipfile: '', filelist: [] },
    LotNumber: '',
    Vendor: { VendorNumber: '', VendorStatus: 1, ...owner, CreatedDate: at, LastUpdated: at },
  };
}
