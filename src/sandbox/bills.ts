/**
 * The bills API: what each operation does, who may call, and how keys work.
 *
 * A caller sends an API key in its header, or a bearer token that the token endpoint issued for a
 * client's id and secret. A bearer token takes precedence.
 */
import { STATUS_CODES } from 'node:http';
import type { Bill, BillApproval } from '../schemas/bills-types.generated.js';
import { type BillsOperationId, billsOperations } from '../clients/bills/operations.js';
import { billsValidators } from '../clients/bills/schemas.js';
import { listBills } from './bill-list.js';
import {
  Bills,
  type StoredBill,
  type StoredFile,
  type StoredRecord,
  statuses,
} from './bills-state.js';
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

/** An operation; `id` is the number in its path. */
type Act = (bills: Bills, id: number, call: Call) => object;

const decided: readonly number[] = [
  statuses.sentToApproval,
  statuses.partlyApproved,
  statuses.approved,
  statuses.disapproved,
];

const acts: Readonly<Record<BillsOperationId, Act>> = {
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
    bill.files.splice(bill.files.indexOf(gone), 1);
    bills.change(bill.record, {});
    return success(isWhole ? bill.record : id);
  },
  'bills.getAttachment': (bills, id, call) => {
    const { content, filename, furl, ftype } = fileNamed(bills.find(id), call);
    if (call.flag('returnObject')) {
      return { fContent: content.toString('base64'), filename, ftype, furl };
    }
    const type = ftype === 'pdf' ? 'application/pdf' : 'application/octet-stream';
    return new Download({ name: filename, type, content });
  },
  // Approvers who are listed again keep their decisions.
  'bills.setApprovers': (bills, id, call) => {
    const { record } = bills.find(id);
    const before = record.billApprovals ?? [];
    const billApprovals = usersIn(call).map(
      (user) => before.find(({ email }) => email === user) ?? bills.approval(user),
    );
    const Status = decided.includes(record.Status) ? statusOf(billApprovals) : record.Status;
    bills.change(record, { billApprovals, Status });
    return approvalSet(id);
  },
  // All approvers must decide, even those who already have.
  'bills.sendToApproval': (bills, id, call) => {
    const { record } = bills.find(id);
    const before = (record.billApprovals ?? []).map(({ email }) => email ?? '');
    const users = new Set([...before, ...usersIn(call)]);
    const billApprovals = [...users].map((user) => bills.approval(user));
    bills.change(record, { billApprovals, Status: statuses.sentToApproval });
    bills.tell(record, 'Sent to Approval');
    return success(id);
  },
  // Without an email, the decision is that of all approvers.
  'bills.setApproved': (bills, id, call) => {
    const { record } = bills.find(id);
    const approvals = record.billApprovals ?? [];
    const decision = call.path[1] ?? '';
    const email = call.query.get('email');
    const deciding = approvals.filter((each) => email === null || each.email === email);
    if (!/^(?:true|false)$/.test(decision)) {
      throw new Refused(400, 'approved must be true or false');
    }
    if (deciding.length === 0) throw new Refused(400, 'The bill was not sent to this approver');
    for (const each of deciding) {
      each.approved = decision === 'true' ? 1 : -1;
      each.approvedTime = bills.clock.timestamp();
    }
    bills.change(record, { Status: statusOf(approvals) });
    return approvalSet(id);
  },
  'bills.list': (bills, _, call) =>
    listBills(call, bills.all(), (bill) => bill.PaypointEntryname === call.path[0]),
  'bills.listByOrg': (bills, org, call) =>
    listBills(call, bills.all(), (bill) => bill.ParentOrgId === org),
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

/** The users in a body, without duplicates. */
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

const tokenSeconds = 3600;
const tokens = { id: 'token.create', method: 'POST', path: '/v2/Token/serverside' } as const;

/** The API without any bills, and its state. */
export function createBillsApi(
  { repeatedKey = 'replay', organizations = {} }: BillsOptions,
  clock: Clock,
) {
  const bills = new Bills(clock, new Map(Object.entries(organizations)));
  const actOnce = createKeeperOfKeys(clock, repeatedKey);
  const expiries = new Map<string, number>();
  let issued = 0;
  const issueToken = (call: Call): object => {
    const { clientId, clientSecret } = call.object();
    if (clientId !== 'sandbox-client' || clientSecret !== 'sandbox-secret') {
      throw new Refused(401, 'The client is unknown');
    }
    issued += 1;
    const token = `sandbox-token-${issued}`;
    expiries.set(`Bearer ${token}`, clock.now() + tokenSeconds * 1000);
    return { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds };
  };
  const api: Api = {
    prefix: '/api',
    operations: [...Object.values(billsOperations), tokens],
    validators: billsValidators,
    act(call) {
      if (call.operation.id === tokens.id) return issueToken(call);
      const act = acts[call.operation.id as BillsOperationId];
      return actOnce(call, () => act(bills, Number(call.path[0]), call));
    },
    admit(headers, operation) {
      const token = headers.get('authorization');
      const isKnown =
        token === null
          ? headers.get('requestToken') === 'sandbox-key'
          : (expiries.get(token) ?? 0) > clock.now();
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
    attach: (...file) => bills.attach(...file),
  };
  return { api, state };
}

interface UsedKey {
  readonly at: number;
  readonly body: string;
  /** Absent if the request has not been carried out. */
  answer?: object;
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
function createKeeperOfKeys(clock: Clock, repeated: BillsOptions['repeatedKey']) {
  const used = new Map<string, UsedKey>();
  return ({ arrived, fate, operation, path }: Call, act: () => object): object => {
    const key = ('key' in operation && arrived.headers.get('idempotencyKey')) || '';
    const name = JSON.stringify([operation.id, ...path, key]);
    const before = key === '' ? undefined : used.get(name);
    const one: UsedKey = { at: clock.now(), body: arrived.body.toString() };
    if (before !== undefined && one.at - before.at < keyLifetimeMs) {
      const isSame = repeated === 'replay' && before.body === one.body;
      if (isSame && before.answer !== undefined) return before.answer;
      throw new Refused(409, 'The idempotency key was used before');
    }
    if (fate === 'done') one.answer = act();
    if (key !== '') used.set(name, one);
    if (fate === 'late') {
      clock.after(lateMs, () => {
        try {
          one.answer = act();
        } catch {
          // Refused too late to tell the client.
        }
      });
    }
    // A fault takes its place.
    return one.answer ?? {};
  };
}
