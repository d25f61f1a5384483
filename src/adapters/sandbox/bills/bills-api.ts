/** The bills API: its eleven operations and the token endpoint, over the store of bills. */
import { type Answer, fileAnswer, jsonAnswer, Refused } from '../answer.js';
import type { Api } from '../answer-request.js';
import { type Call, flag, jsonBody, jsonObject, pathParameter, queryParameter } from '../call.js';
import type { SandboxClock, Schedule } from '../clock.js';
import { createRouter, type Route } from '../routes.js';
import { contentTypeOf } from './attachments.js';
import { type BillStore, createBillStore } from './bill-store.js';
import { type BillsCredentials, createDoorkeeper } from './credentials.js';
import { approvalResponse, billDeclined, billRefusal, billResponse } from './envelopes.js';
import { createKeys, type RepeatedKey } from './idempotency.js';
import { listBills } from './list.js';
import type { BillRecord } from './record.js';

export interface BillsOptions extends Partial<BillsCredentials> {
  /** What a repeated idempotency key gets within two minutes: the first answer (the default), or 409. */
  readonly repeatedKey?: RepeatedKey;
  /** Organizations by entry; other entries belong to organization 100. */
  readonly organizations?: Readonly<Record<string, number>>;
  /** Users who can approve without being created first; everybody if it is not said. */
  readonly users?: readonly string[];
  /** Status of the answer about a bill that does not exist: 400 (the default), or 404. */
  readonly notFound?: 400 | 404;
}

/** The bills as a test sees them: copies to look at, and what only the service itself can do. */
export interface BillsState {
  all(): readonly BillRecord[];
  /** Attaches a file, and returns the `zipName` to ask for it. */
  attach(idBill: number, filename: string, content: Uint8Array): string;
  /** Sets a status, such as 50 (in transit) or 100 (paid), that no operation leads to. */
  setStatus(idBill: number, status: number): void;
  /** Makes every token that was issued so far invalid. */
  revokeTokens(): void;
  /** How many tokens were issued. */
  tokensIssued(): number;
}

export function createBillsApi(
  options: BillsOptions,
  clock: Schedule,
  seed: number,
): { readonly api: Api; readonly state: BillsState } {
  const organizations = new Map(Object.entries(options.organizations ?? {}));
  const store = createBillStore({
    clock,
    orgOf: (entry) => organizations.get(entry) ?? 100,
    notFound: options.notFound ?? 400,
  });
  const door = createDoorkeeper({ ...defaultCredentials, ...options }, clock, seed);
  const keys = createKeys(clock, options.repeatedKey ?? 'replay');
  const users = options.users === undefined ? null : new Set(options.users);
  const { once } = keys;
  const routes: Route[] = [
    ...recordRoutes(store, once),
    ...attachmentRoutes(store),
    ...approvalRoutes(store, once, users),
    ...listRoutes(store, clock),
    route('token.create', 'POST', '/v2/Token/serverside', door.issue),
  ];
  return {
    api: {
      prefix: '/api',
      router: createRouter(routes),
      admit: (call) => {
        if (call.operation !== 'token.create') door.admit(call);
      },
      refusal: billRefusal,
      declined: billDeclined,
    },
    state: {
      all: () => structuredClone(store.all()),
      attach: store.attach,
      setStatus: store.setStatus,
      revokeTokens: door.revokeTokens,
      tokensIssued: door.issued,
    },
  };
}

const defaultCredentials: BillsCredentials = {
  apiKey: 'sandbox-key',
  apiKeyHeader: 'requestToken',
  clientId: 'sandbox-client',
  clientSecret: 'sandbox-secret',
  tokenSeconds: 3600,
};

type Once = (call: Call, act: (call: Call) => Answer) => Answer;

function route(operation: string, method: string, template: string, act: Route['act']): Route {
  return { operation, method, template, act };
}

function recordRoutes(store: BillStore, once: Once): Route[] {
  return [
    route('bills.create', 'POST', '/Bill/single/{entry}', (call) =>
      once(call, () => billResponse(store.create(pathParameter(call, 'entry'), jsonObject(call)))),
    ),
    route('bills.delete', 'DELETE', '/Bill/{idBill}', (call) => {
      store.delete(idOf(call));
      return billResponse(idOf(call));
    }),
    route('bills.update', 'PUT', '/Bill/{idBill}', (call) => {
      store.update(idOf(call), jsonObject(call));
      return billResponse(idOf(call));
    }),
    route('bills.get', 'GET', '/Bill/{idBill}', (call) =>
      billResponse(store.find(idOf(call)).record),
    ),
  ];
}

const attachmentPath = '/Bill/attachedFileFromBill/{idBill}/{filename}';

function attachmentRoutes(store: BillStore): Route[] {
  return [
    route('bills.deleteAttachment', 'DELETE', attachmentPath, (call) => {
      const whole = flag(call, 'returnObject');
      store.detach(idOf(call), pathParameter(call, 'filename'));
      return billResponse(whole ? store.find(idOf(call)).record : idOf(call));
    }),
    route('bills.getAttachment', 'GET', attachmentPath, (call) => {
      const attachment = store.findAttachment(idOf(call), pathParameter(call, 'filename'));
      const { content, filename, furl, ftype } = attachment;
      if (!flag(call, 'returnObject')) {
        return fileAnswer(content, contentTypeOf(attachment), filename);
      }
      return jsonAnswer(200, { fContent: content.toString('base64'), filename, ftype, furl });
    }),
  ];
}

function approvalRoutes(store: BillStore, once: Once, users: Set<string> | null): Route[] {
  const known = (names: readonly string[], create: boolean): readonly string[] => {
    for (const name of names) {
      if (create) users?.add(name);
      if (users?.has(name) === false) throw new Refused(400, `User ${name} does not exist`);
    }
    return names;
  };
  return [
    route('bills.setApprovers', 'PUT', '/Bill/approval/{idBill}', (call) => {
      store.setApprovers(idOf(call), known(approversIn(call), false));
      return approvalResponse(idOf(call));
    }),
    route('bills.sendToApproval', 'POST', '/Bill/approval/{idBill}', (call) =>
      once(call, () => {
        const create = flag(call, 'autocreateUser');
        store.find(idOf(call));
        store.sendToApproval(idOf(call), known(approversIn(call), create));
        return billResponse(idOf(call));
      }),
    ),
    route('bills.setApproved', 'GET', '/Bill/approval/{idBill}/{approved}', (call) => {
      const approved = pathParameter(call, 'approved');
      if (approved !== 'true' && approved !== 'false') {
        throw new Refused(400, 'approved must be true or false');
      }
      store.decide(idOf(call), approved === 'true', queryParameter(call, 'email'));
      return approvalResponse(idOf(call));
    }),
  ];
}

function listRoutes(store: BillStore, clock: SandboxClock): Route[] {
  return [
    route('bills.list', 'GET', '/Query/bills/{entry}', (call) => {
      const entry = pathParameter(call, 'entry');
      const bills = store.all().filter(({ PaypointEntryname }) => PaypointEntryname === entry);
      return listBills(call, 'entry', bills, clock.now());
    }),
    route('bills.listByOrg', 'GET', '/Query/bills/org/{orgId}', (call) => {
      const org = integerIn(call, 'orgId');
      const bills = store.all().filter(({ ParentOrgId }) => ParentOrgId === org);
      return listBills(call, 'org', bills, clock.now());
    }),
  ];
}

function idOf(call: Call): number {
  return integerIn(call, 'idBill');
}

function integerIn(call: Call, name: string): number {
  const text = pathParameter(call, name);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Refused(400, `${name} must be an integer`);
}

function approversIn(call: Call): string[] {
  const users = jsonBody(call);
  const isList = Array.isArray(users) && users.length > 0;
  if (isList && users.every((each) => typeof each === 'string' && each !== '')) return users;
  throw new Refused(400, 'The body must be an array of users', 'Name one approver at least.');
}
