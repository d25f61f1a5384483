/**
 * The bills client: one method per operation, and what builds on them.
 *
 * Arguments: the path, the body, one object with the operation's other parameters, call options.
 * Methods do not use `this`. Operations are numbered as in section "Endpoints" of the bills
 * specification.
 *
 * A failed call rejects with an ApiError: `api/invalid-argument` if it is refused before anything
 * is sent; `api/refused` if a 200 answer says `isSuccess: false`; otherwise a code that depends on
 * the status, such as `api/bad-request`, `api/unauthorized` or `api/server-error`. Its `outcome`
 * says whether the call may have acted.
 */
import type {
  ApprovalResponse,
  Attachment,
  Bill,
  BillListRecord,
  BillListResponse,
  BillResponse,
  Bills,
  DeletedAttachmentResponse,
  GetBillResponse,
} from '../../schemas/bills-types.generated.js';
import { invalidArgument } from '../http/error.js';
import { mapValues, type Operation } from '../http/operation.js';
import { argumentsOf, type Call, type CallOptions } from '../http/request.js';
import type { FileAnswer, ServiceDialect } from '../http/response.js';
import { createKeyMemory } from '../http/retry.js';
import { createSender } from '../http/send.js';
import { authOf, type BillsCredentials } from './credentials.js';
import { type BillsOperation, billsOperations } from './operations.js';
import { walkPages } from './walk-pages.js';

/** An operation's parameters in the schema, without those of its path. */
type Parameters<Id extends keyof Bills, Path extends string> = Given<
  Omit<NonNullable<NonNullable<Bills[Id]>['parameters']>, Path>
>;
type Given<All> = { readonly [Name in keyof All]?: All[Name] | undefined };

/** Selects, sorts and pages bills. */
export type BillQuery = Parameters<'bills.list', 'entry' | 'format'>;
/** The same for an organization, whose bills cannot be filtered by schedule. */
export type OrgBillQuery = Parameters<'bills.listByOrg', 'orgId' | 'format'>;
/** A query that is answered with a file. */
export type BillExport = BillQuery & { readonly format: 'csv' | 'xlsx' };
/** The same for an organization. */
export type OrgBillExport = OrgBillQuery & { readonly format: 'csv' | 'xlsx' };

type Attachments = [idBill: number, filename: string];
type Approvers = [idBill: number, users: readonly string[]];

/**
 * The eleven operations of section "Endpoints" of the bills specification, numbered as there. Each
 * rejects with an `ApiError`.
 */
export interface BillsClient {
  /** 1. Creates a bill; answers with its id. `entry` is the name of the paypoint's entrypoint. */
  create: Call<
    [entry: string, bill: Bill, parameters?: Parameters<'bills.create', 'entry'>],
    BillResponse
  >;
  /** 2. Deletes a bill. */
  delete: Call<[idBill: number], BillResponse>;
  /** 3. Changes the given fields of a bill; sends nothing else. */
  update: Call<[idBill: number, patch: Bill], BillResponse>;
  /** 4. Returns a whole bill. */
  get: Call<[idBill: number], GetBillResponse>;
  /** 5. Deletes a file. `filename` is a `zipName` of the bill's `DocumentsRef.filelist`. */
  deleteAttachment: Call<
    [...Attachments, parameters?: Parameters<'bills.deleteAttachment', 'idBill' | 'filename'>],
    DeletedAttachmentResponse
  >;
  /** 6. Returns the file as a stream; with `returnObject`, in Base64 with its names. */
  getAttachment<AsObject extends boolean = false>(
    ...given: [
      ...Attachments,
      parameters?: { readonly returnObject?: AsObject },
      options?: CallOptions,
    ]
  ): Promise<AsObject extends true ? Attachment : FileAnswer>;
  /** 7. Replaces the approvers, given by address or name. */
  setApprovers: Call<Approvers, ApprovalResponse>;
  /** 8. Adds approvers, and notes in the bill's history that it was sent. */
  sendToApproval: Call<
    [...Approvers, parameters?: Parameters<'bills.sendToApproval', 'idBill'>],
    BillResponse
  >;
  /** 9. Approves or disapproves. `email`: address or name of the user who does so. */
  setApproved: Call<
    [
      idBill: number,
      approved: boolean,
      parameters?: Parameters<'bills.setApproved', 'idBill' | 'approved'>,
    ],
    ApprovalResponse
  >;
  /** 10. Returns one page of an entrypoint's bills. */
  list: Call<[entry: string, query?: BillQuery], BillListResponse>;
  /** 11. Returns one page of an organization's bills. */
  listByOrg: Call<[orgId: number, query?: OrgBillQuery], BillListResponse>;
  /** 10 with a format: bills as a file, streamed. */
  export: Call<[entry: string, query: BillExport], FileAnswer>;
  /** 11 with a format. */
  exportByOrg: Call<[orgId: number, query: OrgBillExport], FileAnswer>;
  /**
   * 10, page by page: yields every bill once, starting at `fromRecord`; `limitRecord` is the page
   * size (100). If the service repeats the same bills endlessly: `api/repeated-page`.
   */
  iterate(entry: string, query?: BillQuery, options?: CallOptions): BillWalk;
  /** 11, page by page. */
  iterateByOrg(orgId: number, query?: OrgBillQuery, options?: CallOptions): BillWalk;
  /** Closes idle connections. */
  close(): Promise<void>;
}

type BillWalk = AsyncGenerator<BillListRecord, void, undefined>;

/** Address and credential of a bills client, and defaults for its calls. */
export interface BillsClientOptions extends CallOptions {
  /** Base of the specification's paths (the service's own ends with `/api`). */
  readonly baseUrl: string;
  readonly auth: BillsCredentials;
}

/** A 200 answer is a failure if it says so itself (`isSuccess: false`). */
const dialect: ServiceDialect = {
  isFailure: (body) => (body as { readonly isSuccess?: unknown } | null)?.isSuccess === false,
  readError(body, status) {
    const { responseCode, responseText, responseData } = Object(body);
    // A failure may have a text in place of the details.
    const message = [responseText, responseData?.explanation, responseData]
      .filter((text) => typeof text === 'string' && text)
      .join(': ');
    // The service has no status for "not found". The words count only if a DELETE is repeated, to
    // tell that the record is gone.
    const notFound = status === 400 && /not (?:found|exist)|no such/i.test(message);
    return { serviceCode: responseCode, message, notFound };
  },
};

/** Throws an ApiError (`api/invalid-option`) for invalid options. */
export function createBillsClient(options: BillsClientOptions): BillsClient {
  const shared = { ...options, secrets: [Object(options.auth).clientSecret], dialect };
  const sender = createSender({ ...shared, auth: authOf(shared), useKey: createKeyMemory() });

  const methodOf =
    (operation: BillsOperation) =>
    async (...given: unknown[]) => {
      const [path, body, parameters, own] = argumentsOf(operation, given);
      const { returnObject, format, idempotencyKey: key } = parameters;
      const file = format || (operation === billsOperations.getAttachment && !returnObject);
      const sent = { path, body, file, key, query: writeQuery(operation, parameters) };
      return sender.send(operation, sent, own);
    };
  const methods = mapValues(billsOperations, methodOf);
  const walk =
    (name: 'list' | 'listByOrg') => (owner: unknown, query?: BillQuery, own?: CallOptions) =>
      walkPages(`bills.${name}`, query, (page) => methods[name](owner, page, own));

  return {
    ...methods,
    export: methods.list,
    exportByOrg: methods.listByOrg,
    iterate: walk('list'),
    iterateByOrg: walk('listByOrg'),
    close: sender.close,
  } as unknown as BillsClient;
}

/** Requires the operator, so that no filter can pass for another parameter (`exportFormat`). */
const condition = /^[\w.]+\([a-z]+\)$/;

/**
 * Writes the query of a call as it is sent. Filters go straight into it as `field(op)=value`; a bill must
 * meet all of them. Lists of values are joined by `|`. Fields and operators that the specification does
 * not list are sent; only the types warn about them. Refused are unknown names (a misspelt key would
 * protect nothing), and values that are empty or would be misread.
 */
const writeQuery = ({ id, query: names = [], key }: Operation, parameters: object) =>
  Object.entries(parameters).flatMap(([name, value]) => {
    if (value === undefined || name === key) return [];
    return pairsOf(name, value).map(([written, said]) => {
      const isList = Array.isArray(said);
      const fits = !/filters$/i.test(name) || condition.test(written);
      // In a list, a value that contains the separator would be read as two.
      const isSplit = isList && said.some((each) => /^$|\|/.test(each));
      if (!names.includes(name) || !fits || isSplit) throw invalidArgument(id, name);
      return [written, isList ? said.join('|') : (said ?? '')] as const;
    });
  });

/** Names as sent, and unchecked values. */
const pairsOf = (name: string, value: unknown): [string, unknown][] => {
  if (name === 'rawFilters') return Object.entries(Object(value));
  if (name === 'filters') {
    return [value].flat().map((filter) => {
      const { field, op, value } = Object(filter);
      return [`${field}(${op})`, value];
    });
  }
  const { field, direction } = Object(value);
  const written = name === 'format' ? 'exportFormat' : name;
  return [[written, direction ? `${direction}(${field})` : value]];
};
