/**
 * The bills API: what each operation does, who may call, and how keys work.
 *
 * A caller sends an API key in its header, or a bearer token that the token endpoint issued for a
 * client's id and secret. A bearer token takes precedence. A record has only those fields of the
 * specified one that the sandbox knows; no files are fetched.
 */
import { STATUS_CODES } from 'node:http';
import { type BillsMethod, billsOperations } from '../clients/bills/operations.js';
import { billsValidators } from '../clients/bills/schemas.js';
import type { Attachment, Bill, BillApproval } from '../schemas/bills-types.generated.js';
import { capitalized, listBills, type StoredRecord } from './bill-list.js';
import { type Call, Download, Refused } from './call.js';
import type { Clock } from './clock.js';
import type { Api } from './server.js';

export interface BillsOptions {
  /** Answer to a repeated idempotency key within two minutes: the first one (default), or 409. */
  readonly repeatedKey?: 'replay' | 'conflict';
  /** Organization of each entry; all other entries belong to organization 100. */
  readonly organizations?: Readonly<Record<string, number>>;
}

/** The bills as a test sees them, as copies, and actions that only the service can take. */
export interface BillsState {
  all(): readonly StoredRecord[];
  /** Attaches a file, and returns its `zipName`. */
  attach(idBill: number, filename: string, content: Uint8Array): string;
}

/** A file of a bill. */
interface StoredFile extends Required<Omit<Attachment, 'fContent'>> {
  readonly zipName: string;
  readonly content: Buffer;
}

interface StoredBill {
  readonly record: StoredRecord;
  files: StoredFile[];
}

/** What the numbers in `Status` mean. */
const statuses = { active: 1, sent: 2, partlyApproved: 5, disapproved: 11, approved: 20 } as const;

/** Request fields that set the record field with the same name, capitalized. */
const settable = [
  ...(['billNumber', 'netAmount', 'billDate', 'dueDate', 'endDate', 'comments'] as const),
  ...(['billItems', 'mode', 'accountingField1', 'frequency', 'terms', 'status'] as const),
];

/** The bills, and what changes them. */
function createBills(clock: Clock, organizations: ReadonlyMap<string, number>) {
  const bills = new Map<number, StoredBill>();
  /** An approver has the same id in all bills: the position in this list. */
  const approvers: string[] = [];
  let created = 0;
  let attached = 0;

  function find(id: number): StoredBill {
    const bill = bills.get(id);
    if (bill === undefined) throw new Refused(400, `Bill ${id} does not exist`);
    return bill;
  }

  function change({ record, files }: StoredBill, changes: Partial<StoredRecord> = {}): void {
    const filelist = files.map(({ filename: originalName, zipName }) => {
      return { originalName, zipName, descriptor: '' };
    });
    const DocumentsRef = { zipfile: `bill-${record.IdBill}.zip`, filelist };
    Object.assign(record, changes, { DocumentsRef, LastUpdated: clock.timestamp() });
  }

  /** Adds an entry to the bill's history. */
  function addEvent({ billEvents, IdBill }: StoredRecord, description: string): void {
    const refData = `bill-${IdBill}-${billEvents.length + 1}`;
    const eventTime = clock.timestamp();
    billEvents.push({ description, eventTime, refData, extraData: null, source: 'API' });
  }

  function attach(
    bill: StoredBill,
    { filename = 'file', fContent = '', ...more }: Attachment,
  ): string {
    const { ftype = /\.(\w{1,8})$/.exec(filename)?.[1] ?? 'bin', furl = '' } = more;
    attached += 1;
    const zipName = `${attached}_${filename.replaceAll(/[\p{Cc}/\\]/gu, '_')}`;
    bill.files.push({ zipName, filename, ftype, furl, content: Buffer.from(fContent, 'base64') });
    change(bill);
    return zipName;
  }

  function update(id: number, request: Bill): void {
    const bill = find(id);
    const { vendor, attachments, netAmount: TotalAmount } = request;
    const given = settable.filter((name) => request[name] !== undefined);
    const fields = Object.fromEntries(given.map((name) => [capitalized(name), request[name]]));
    const VendorNumber = vendor?.vendorNumber;
    if (VendorNumber !== undefined) Object.assign(bill.record.Vendor!, { VendorNumber });
    if (attachments !== undefined) bill.files = [];
    change(bill, { ...fields, ...(TotalAmount !== undefined && { TotalAmount }) });
    for (const file of attachments ?? []) attach(bill, file);
  }

  return {
    all: () => [...bills.values()].map(({ record }) => record),
    find,
    change,
    addEvent,
    attach,
    update,
    remove: (id: number) => bills.delete(find(id).record.IdBill),
    create(entry: string, request: Bill): number {
      created += 1;
      const id = created;
      const owner = {
        PaypointEntryname: entry,
        ParentOrgId: organizations.get(entry) ?? 100,
      };
      const record: StoredRecord = {
        ...owner,
        ...{ IdBill: id, BillNumber: `${id}`, NetAmount: 0, TotalAmount: 0, Mode: 0, Comments: '' },
        ...{ BillDate: null, DueDate: null, BillItems: [], PaymentMethod: null },
        Vendor: { VendorNumber: '', ...owner },
        Status: statuses.active,
        CreatedAt: clock.timestamp(),
        billEvents: [],
        billApprovals: null,
        DocumentsRef: {},
      };
      bills.set(id, { record, files: [] });
      update(id, request);
      addEvent(record, 'Created Bill');
      return id;
    },
    /** Approvals that are still pending, one for each user. */
    pending(users: Iterable<string>): BillApproval[] {
      return [...new Set(users)].map((email) => {
        if (!approvers.includes(email)) approvers.push(email);
        return { Id: approvers.indexOf(email) + 1, email, approved: 0, approvedTime: null };
      });
    },
  };
}

type Bills = ReturnType<typeof createBills>;

/** An operation; `id` is the number in its path. */
type Act = (bills: Bills, id: number, call: Call) => object;

const acts: Readonly<Record<BillsMethod, Act>> = {
  create: (bills, _, call) => success(bills.create(call.path[0] ?? '', call.object() as Bill)),
  delete(bills, id) {
    bills.remove(id);
    return success(id);
  },
  update(bills, id, call) {
    bills.update(id, call.object() as Bill);
    return success(id);
  },
  get: (bills, id) => success(bills.find(id).record),
  deleteAttachment(bills, id, call) {
    const bill = bills.find(id);
    const gone = fileNamed(bill, call);
    const isWhole = call.flag('returnObject');
    bill.files = bill.files.filter((file) => file !== gone);
    bills.change(bill);
    return success(isWhole ? bill.record : id);
  },
  getAttachment(bills, id, call) {
    const { content, filename, furl, ftype } = fileNamed(bills.find(id), call);
    if (call.flag('returnObject')) {
      return { fContent: content.toString('base64'), filename, ftype, furl };
    }
    const type = ftype === 'pdf' ? 'application/pdf' : 'application/octet-stream';
    return new Download({ name: filename, type, content });
  },
  // Approvers who are listed again keep their decisions.
  setApprovers(bills, id, call) {
    const bill = bills.find(id);
    const before = bill.record.billApprovals ?? [];
    const billApprovals = bills
      .pending(usersIn(call))
      .map((each) => before.find(({ email }) => email === each.email) ?? each);
    const isSent = bill.record.Status !== statuses.active;
    bills.change(bill, { billApprovals, ...(isSent && { Status: statusOf(billApprovals) }) });
    return approvalSet(id);
  },
  // All approvers must decide, even those who already have.
  sendToApproval(bills, id, call) {
    const bill = bills.find(id);
    const before = (bill.record.billApprovals ?? []).map(({ email }) => email ?? '');
    const billApprovals = bills.pending([...before, ...usersIn(call)]);
    bills.change(bill, { billApprovals, Status: statuses.sent });
    bills.addEvent(bill.record, 'Sent to Approval');
    return success(id);
  },
  // Without an email, the decision is that of all approvers.
  setApproved(bills, id, call) {
    const bill = bills.find(id);
    const approvals = bill.record.billApprovals ?? [];
    const decision = call.path[1] ?? '';
    const email = call.query.get('email');
    const isDeciding = (each: BillApproval) => email === null || each.email === email;
    if (!/^(?:true|false)$/.test(decision)) {
      throw new Refused(400, 'approved must be true or false');
    }
    if (!approvals.some(isDeciding)) {
      throw new Refused(400, 'The bill was not sent to this approver');
    }
    const approved = decision === 'true' ? 1 : -1;
    const billApprovals = approvals.map((each) =>
      isDeciding(each) ? { ...each, approved } : each,
    );
    bills.change(bill, { billApprovals, Status: statusOf(billApprovals) });
    return approvalSet(id);
  },
  list: (bills, _, call) =>
    listBills(call, bills.all(), (bill) => bill.PaypointEntryname === call.path[0]),
  listByOrg: (bills, org, call) => listBills(call, bills.all(), (bill) => bill.ParentOrgId === org),
};

/** BillResponse, EditBillResponse and, with a bill in it, GetBillResponse. */
function success(responseData: unknown): object {
  const envelope = { responseCode: 1, pageIdentifier: null, roomId: 0, isSuccess: true };
  return { ...envelope, responseText: 'Success', responseData };
}

/** ModifyApprovalBillResponse and SetApprovedBillResponse. */
function approvalSet(idBill: number): object {
  return { isSuccess: true, responseData: idBill, responseText: 'Success' };
}

function fileNamed({ files }: StoredBill, { path: [, name] }: Call): StoredFile {
  const file = files.find(({ zipName }) => zipName === name);
  if (file === undefined) throw new Refused(400, 'The bill has no file with this name');
  return file;
}

function usersIn(call: Call): string[] {
  const users = call.json() as string[];
  if (users.length > 0 && !users.includes('')) return users;
  throw new Refused(400, 'There must be users, each with a name');
}

function statusOf(approvals: readonly BillApproval[]): number {
  const decisions = approvals.map(({ approved }) => approved);
  if (decisions.includes(-1)) return statuses.disapproved;
  if (!decisions.includes(1)) return statuses.sent;
  return decisions.includes(0) ? statuses.partlyApproved : statuses.approved;
}

const tokenSeconds = 3600;
const tokens = { id: 'token.create', method: 'POST', path: '/v2/Token/serverside' } as const;

/** The API without any bills, and its state. */
export function createBillsApi(
  { repeatedKey = 'replay', organizations = {} }: BillsOptions,
  clock: Clock,
) {
  const bills = createBills(clock, new Map(Object.entries(organizations)));
  const actOnce = createIdempotencyCache(clock, repeatedKey);
  /** When each token ends. */
  const issued = new Map<string, number>();
  const issueToken = (call: Call): object => {
    const { clientId, clientSecret } = call.object();
    if (clientId !== 'sandbox-client' || clientSecret !== 'sandbox-secret') {
      throw new Refused(401, 'The client is unknown');
    }
    const access_token = `sandbox-token-${issued.size + 1}`;
    issued.set(`Bearer ${access_token}`, clock.now() + tokenSeconds * 1000);
    return { access_token, token_type: 'Bearer', expires_in: tokenSeconds };
  };
  const api: Api = {
    prefix: '/api',
    operations: [...Object.values(billsOperations), tokens],
    validators: billsValidators,
    act(call) {
      const { id } = call.operation;
      if (id === tokens.id) return issueToken(call);
      const act = acts[id.replace('bills.', '') as BillsMethod];
      return actOnce(call, () => act(bills, Number(call.path[0]), call));
    },
    admit(headers, operation) {
      const token = headers.get('authorization');
      const isKnown =
        token === null
          ? headers.get('requestToken') === 'sandbox-key'
          : (issued.get(token) ?? 0) > clock.now();
      if (isKnown || operation === tokens.id) return;
      throw new Refused(401, 'The credential is missing or not valid');
    },
    refusal: ({ status, message }) => ({
      isSuccess: false,
      responseCode: status,
      responseText: STATUS_CODES[status] ?? 'Declined',
      responseData: { explanation: message, todoAction: '' },
    }),
  };
  const state: BillsState = {
    all: () => structuredClone(bills.all()),
    attach(id, filename, content) {
      const fContent = Buffer.from(content).toString('base64');
      return bills.attach(bills.find(id), { filename, fContent });
    },
  };
  return { api, state };
}

const keyLifetimeMs = 2 * 60 * 1000;
const lateMs = 2000;

/**
 * Makes repeated requests with the same key within two minutes act only once.
 *
 * A repeat gets the first answer again, or 409, depending on `repeated`. It always gets 409 if its
 * body differs or the first request has no answer yet. A key counts for one operation and path. A
 * refused request does not use up its key; a lost or late one does.
 */
function createIdempotencyCache(clock: Clock, repeated: BillsOptions['repeatedKey']) {
  const used = new Map<string, { readonly at: number; readonly body: string; answer?: object }>();
  return ({ arrived, fate, operation, path }: Call, act: () => object): object => {
    const key = (operation.key && arrived.headers.get('idempotencyKey')) || '';
    const name = JSON.stringify([operation.id, ...path, key]);
    const before = key === '' ? undefined : used.get(name);
    const use: { at: number; body: string; answer?: object } = {
      at: clock.now(),
      body: arrived.body.toString(),
    };
    if (before !== undefined && use.at - before.at < keyLifetimeMs) {
      const isSame = repeated === 'replay' && before.body === use.body;
      if (isSame && before.answer !== undefined) return before.answer;
      throw new Refused(409, 'The idempotency key was used before');
    }
    if (fate === 'done') use.answer = act();
    if (key !== '') used.set(name, use);
    if (fate === 'late') {
      clock.after(lateMs, () => {
        try {
          use.answer = act();
        } catch {
          // Refused too late to tell the client.
        }
      });
    }
    // A fault takes its place.
    return use.answer ?? {};
  };
}
