/**
 * The bills API: who may call, and what a key is good for.
 *
 * Whoever calls sends an API key in its header, or a bearer token that the token endpoint has issued
 * for a client's id and secret. Where a bearer token is sent, it alone counts.
 */
import { STATUS_CODES } from 'node:http';
import { type BillsOperationId, billsOperations } from '../bills/operations.js';
import { billsValidators } from '../bills/schemas.js';
import { listBills } from './bill-list.js';
import { type Act, Bills, billActs, type StoredRecord } from './bills.js';
import { type Answer, type Call, headerOf, jsonAnswer, Refused } from './call.js';
import type { Clock } from './clock.js';
import type { Api } from './server.js';

export interface BillsOptions {
  /** What a repeated idempotency key gets within two minutes: the first answer (the default), or 409. */
  readonly repeatedKey?: 'replay' | 'conflict';
  /** Organizations by entry; other entries belong to organization 100. */
  readonly organizations?: Readonly<Record<string, number>>;
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

const tokenSeconds = 3600;
const keyLifetimeMs = 2 * 60 * 1000;
const lateMs = 2000;

const tokens = { id: 'token.create', method: 'POST', path: '/v2/Token/serverside' } as const;

const acts: Readonly<Record<BillsOperationId, Act>> = {
  ...billActs,
  'bills.list': (bills, _, call) =>
    listBills(call, bills, ({ PaypointEntryname }) => PaypointEntryname === call.path[0]),
  'bills.listByOrg': (bills, org, call) =>
    listBills(call, bills, ({ ParentOrgId }) => ParentOrgId === org),
};

export function createBillsApi(
  { repeatedKey, organizations = {} }: BillsOptions,
  clock: Clock,
  seed: number,
) {
  const bills = new Bills(clock, new Map(Object.entries(organizations)));
  const expiries = new Map<string, number>();
  let issued = 0;
  const issueToken = (call: Call): Answer => {
    const { clientId, clientSecret } = call.object();
    if (clientId !== 'sandbox-client' || clientSecret !== 'sandbox-secret') {
      throw new Refused(401, 'The client is unknown');
    }
    issued += 1;
    const token = `sandbox-token-${seed}-${issued}`;
    expiries.set(`Bearer ${token}`, clock.now() + tokenSeconds * 1000);
    const answer = { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds };
    return jsonAnswer(200, answer);
  };
  const once = createKeeperOfKeys(clock, repeatedKey);
  const api: Api = {
    prefix: '/api',
    operations: [...Object.values(billsOperations), tokens],
    validators: billsValidators,
    act(call) {
      if (call.operation.id === tokens.id) return issueToken(call);
      const act = acts[call.operation.id as BillsOperationId];
      return once(call, () => act(bills, Number(call.path[0]), call));
    },
    admit(arrived, operation) {
      const sent = headerOf(arrived, 'authorization');
      const isKnown =
        sent === ''
          ? headerOf(arrived, 'requestToken') === 'sandbox-key'
          : (expiries.get(sent) ?? 0) > clock.now();
      if (isKnown || operation === tokens.id) return;
      throw new Refused(401, 'The credential is missing or not valid');
    },
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
    setStatus: (id, Status) => bills.change(bills.find(id).record, { Status }),
    revokeTokens: () => expiries.clear(),
    tokensIssued: () => issued,
  };
  return { api, state };
}

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
function createKeeperOfKeys(clock: Clock, repeated: BillsOptions['repeatedKey'] = 'replay') {
  const used = new Map<string, Used>();
  return ({ arrived, fate, operation, path }: Call, act: () => Answer): Answer => {
    const key = 'key' in operation ? headerOf(arrived, 'idempotencyKey') : '';
    const name = JSON.stringify([operation.id, ...path, key]);
    const before = key === '' ? undefined : used.get(name);
    const one: Used = { at: clock.now(), body: arrived.body.toString() };
    if (before !== undefined && one.at - before.at < keyLifetimeMs) {
      const isSame = repeated === 'replay' && before.body === one.body;
      if (isSame && before.answer !== undefined) return before.answer;
      throw new Refused(409, 'The idempotency key was used before');
    }
    if (fate === undefined) one.answer = act();
    if (fate === 'late') {
      clock.after(lateMs, () => {
        try {
          one.answer = act();
        } catch (error) {
          // What comes late is refused like anything else, and nobody is there to be told.
          if (!(error instanceof Refused)) throw error;
        }
      });
    }
    if (key !== '') used.set(name, one);
    return one.answer ?? jsonAnswer(500, {});
  };
}
