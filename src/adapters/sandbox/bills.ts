/**
 * The bills API: who may call, keys, and what each operation of the clients' table does.
 *
 * Whoever calls sends an API key in its header, or a bearer token that the token endpoint has issued
 * for a client's id and secret. Where a bearer token is sent, it alone counts.
 */
import { STATUS_CODES } from 'node:http';
import { type BillsOperationId, billsOperations } from '../bills/operations.js';
import { listBills } from './bill-list.js';
import { Bills, type StoredRecord } from './bills-state.js';
import {
  type Answer,
  type Arrived,
  type Call,
  fileAnswer,
  headerOf,
  jsonAnswer,
  Refused,
} from './call.js';
import type { Schedule } from './clock.js';
import type { Act, Api } from './server.js';

export interface BillsOptions {
  /** Seconds that a token is good for. */
  readonly tokenSeconds?: number;
  /** What a repeated idempotency key gets within two minutes: the first answer (the default), or 409. */
  readonly repeatedKey?: 'replay' | 'conflict';
  /** Organizations by entry; other entries belong to organization 100. */
  readonly organizations?: Readonly<Record<string, number>>;
  /** Status of the answer about a bill that does not exist: 400 (the default), or 404. */
  readonly notFound?: 400 | 404;
}

/** The bills as a test sees them: copies to look at, and what only the service itself can do. */
export interface BillsState {
  all(): readonly StoredRecord[];
  /** Attaches a file, and returns the `zipName` to ask for it. */
  attach(idBill: number, filename: string, content: Uint8Array): string;
  /** Sets a status, such as 50 (in transit) or 100 (paid), that no operation leads to. */
  setStatus(idBill: number, status: number): void;
  /** Makes every token that was issued so far invalid. */
  revokeTokens(): void;
  /** How many tokens were issued. */
  tokensIssued(): number;
}

const tokens = { id: 'token.create', method: 'POST', path: '/v2/Token/serverside' } as const;

export function createBillsApi(options: BillsOptions, clock: Schedule, seed: number) {
  const bills = new Bills(clock, options.notFound ?? 400);
  const organizations = new Map(Object.entries(options.organizations ?? {}));
  const door = createDoor(options, clock, seed);
  const once = keeperOfKeys(clock, options.repeatedKey);
  const api: Api = {
    prefix: '/api',
    operations: [...Object.values(billsOperations), tokens],
    acts: {
      ...actsOn(bills, (entry) => organizations.get(entry) ?? 100, once),
      [tokens.id]: door.issue,
    },
    admit: door.admit,
    refusal: ({ status, message }) =>
      jsonAnswer(status, {
        isSuccess: false,
        responseCode: status,
        responseText: STATUS_CODES[status] ?? 'Declined',
        responseData: { explanation: message, todoAction: '' },
      }),
    declined: jsonAnswer(200, {
      isSuccess: false,
      responseCode: 2,
      responseText: 'Declined',
      responseData: 'The request was declined',
    }),
  };
  const state: BillsState = {
    all: () => structuredClone(bills.all()),
    attach: (...file) => bills.attach(...file),
    setStatus: (...status) => bills.setStatus(...status),
    revokeTokens: door.revokeTokens,
    tokensIssued: door.tokensIssued,
  };
  return { api, state };
}

function createDoor({ tokenSeconds = 3600 }: BillsOptions, clock: Schedule, seed: number) {
  const expiries = new Map<string, number>();
  let issued = 0;
  return {
    tokensIssued: () => issued,
    revokeTokens: () => expiries.clear(),
    admit(arrived: Arrived, operation: string): void {
      const sent = headerOf(arrived, 'authorization');
      const isKnown =
        sent === ''
          ? headerOf(arrived, 'requestToken') === 'sandbox-key'
          : (expiries.get(sent) ?? 0) > clock.now();
      if (isKnown || operation === tokens.id) return;
      throw new Refused(401, 'The credential is missing or not valid');
    },
    issue(call: Call): Answer {
      const { clientId, clientSecret } = call.object();
      if (clientId !== 'sandbox-client' || clientSecret !== 'sandbox-secret') {
        throw new Refused(401, 'The client is not known');
      }
      issued += 1;
      const token = `sandbox-token-${seed}-${issued}`;
      expiries.set(`Bearer ${token}`, clock.now() + tokenSeconds * 1000);
      const lifetime = { expires_in: tokenSeconds };
      return jsonAnswer(200, { access_token: token, token_type: 'Bearer', ...lifetime });
    },
  };
}

const keyLifetimeMs = 2 * 60 * 1000;
const lateMs = 2000;

interface Used {
  readonly at: number;
  readonly body: string;
  /** Absent where it was not carried out, or not yet. */
  answer?: Answer;
}

/**
 * Makes a request that is repeated with its key within two minutes act once.
 *
 * The repeat gets the first answer again, or a 409, as `repeated` says; a key that comes with another
 * body, or whose request has no answer yet, gets the 409 either way. A key counts for its operation
 * and path. A request that is refused does not use it up; one that is lost or late does.
 */
function keeperOfKeys(clock: Schedule, repeated: BillsOptions['repeatedKey'] = 'replay') {
  const used = new Map<string, Used>();
  return (act: Act): Act =>
    (call) => {
      const { arrived, fate, operation, path } = call;
      const key = headerOf(arrived, 'idempotencyKey');
      const name = JSON.stringify([operation.id, ...path.values(), key]);
      const before = key === '' ? undefined : used.get(name);
      const one: Used = { at: clock.now(), body: arrived.body.toString() };
      if (before !== undefined && one.at - before.at < keyLifetimeMs) {
        const isSame = repeated === 'replay' && before.body === one.body;
        if (isSame && before.answer !== undefined) return before.answer;
        throw new Refused(409, 'The idempotency key was used before');
      }
      const finish = () => {
        one.answer = act(call);
      };
      if (fate === undefined) finish();
      if (fate === 'late') clock.after(lateMs, () => unlessRefused(finish));
      if (key !== '') used.set(name, one);
      return one.answer ?? jsonAnswer(500, {});
    };
}

/** What comes late is refused like anything else, and nobody is there to be told. */
function unlessRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}

/** What the operations do, by their ids. */
function actsOn(
  bills: Bills,
  organizationOf: (entry: string) => number,
  once: (act: Act) => Act,
): Readonly<Record<BillsOperationId, Act>> {
  const idOf = (call: Call) => call.integer('idBill');
  /** Does something to a bill, and answers with its id. */
  const doing = (act: (id: number, call: Call) => void, answer: (id: number) => Answer): Act => {
    return (call) => {
      act(idOf(call), call);
      return answer(idOf(call));
    };
  };
  return {
    'bills.create': once((call) => {
      const entry = call.param('entry');
      return success(bills.create(entry, organizationOf(entry), call.object()));
    }),
    'bills.delete': doing((id) => bills.delete(id), success),
    'bills.update': doing((id, call) => bills.update(id, call.object()), success),
    'bills.get': (call) => success(bills.record(idOf(call))),
    'bills.deleteAttachment': (call) => {
      const whole = call.flag('returnObject');
      bills.detach(idOf(call), call.param('filename'));
      return success(whole ? bills.record(idOf(call)) : idOf(call));
    },
    'bills.getAttachment': (call) => {
      const { content, filename, furl, ftype } = bills.file(idOf(call), call.param('filename'));
      if (call.flag('returnObject')) {
        return jsonAnswer(200, { fContent: content.toString('base64'), filename, ftype, furl });
      }
      const type = ftype === 'pdf' ? 'application/pdf' : 'application/octet-stream';
      return fileAnswer(content, type, filename);
    },
    'bills.setApprovers': doing(
      (id, call) => bills.setApprovers(id, approversIn(call)),
      approvalSet,
    ),
    'bills.sendToApproval': once(
      doing((id, call) => bills.sendToApproval(id, approversIn(call)), success),
    ),
    'bills.setApproved': doing((id, call) => {
      const approved = call.param('approved');
      if (!/^(?:true|false)$/.test(approved)) {
        throw new Refused(400, 'approved must be true or false');
      }
      bills.decide(id, approved === 'true', call.query.get('email'));
    }, approvalSet),
    'bills.list': (call) => {
      const entry = call.param('entry');
      const found = bills.all().filter(({ PaypointEntryname }) => PaypointEntryname === entry);
      return listBills(call, found, bills.clock.timestamp());
    },
    'bills.listByOrg': (call) => {
      const org = call.integer('orgId');
      const found = bills.all().filter(({ ParentOrgId }) => ParentOrgId === org);
      return listBills(call, found, bills.clock.timestamp());
    },
  };
}

function approversIn(call: Call): string[] {
  const users = call.json();
  const isList = Array.isArray(users) && users.length > 0;
  if (isList && users.every((each) => typeof each === 'string' && each !== '')) return users;
  throw new Refused(400, 'The body must be an array of users');
}

/** BillResponse, EditBillResponse and, with a bill in it, GetBillResponse. */
function success(responseData: unknown): Answer {
  return jsonAnswer(200, {
    responseCode: 1,
    pageIdentifier: null,
    roomId: 0,
    isSuccess: true,
    responseText: 'Success',
    responseData,
  });
}

/** ModifyApprovalBillResponse and SetApprovedBillResponse. */
function approvalSet(idBill: number): Answer {
  return jsonAnswer(200, { isSuccess: true, responseData: idBill, responseText: 'Success' });
}
