/**
 * The bills client as its caller sees it: one method per operation, and what builds on them.
 *
 * Arguments: the path, the body, one object with the operation's other parameters, call options.
 * Methods need no `this`. A failed call rejects with an ApiError.
 */
import type { FileAnswer } from '../http/file-answer.js';
import type { CallOptions } from '../http/options.js';
import type { Bill } from './bill.js';
import type {
  ApprovalResponse,
  BillListRecord,
  BillListResponse,
  BillResponse,
  DeletedAttachmentResponse,
  FileContent,
  GetBillResponse,
} from './bill-record.js';
import type { BillExport, BillQuery, OrgBillExport, OrgBillQuery } from './list-query.js';

/**
 * A key of the caller's own makes the service act once however often the request comes; without one
 * a call that may have acted is not repeated. The service keeps keys for two minutes.
 */
export interface KeyParameters {
  readonly idempotencyKey?: string | undefined;
}

export interface SendToApprovalParameters extends KeyParameters {
  /** Creates users that do not exist. */
  readonly autocreateUser?: boolean | undefined;
}

export interface ReturnObject<Value extends boolean = boolean> {
  readonly returnObject?: Value | undefined;
}

export interface BillsClient {
  /** Creates a bill; answers with its id. */
  create(
    entry: string,
    bill: Bill,
    parameters?: KeyParameters,
    options?: CallOptions,
  ): Promise<BillResponse>;
  delete(idBill: number, options?: CallOptions): Promise<BillResponse>;
  /** Sends only what is given. */
  update(idBill: number, patch: Bill, options?: CallOptions): Promise<BillResponse>;
  get(idBill: number, options?: CallOptions): Promise<GetBillResponse>;
  /** `filename` is a `zipName` of the bill's `DocumentsRef.filelist`. */
  deleteAttachment(
    idBill: number,
    filename: string,
    parameters?: ReturnObject,
    options?: CallOptions,
  ): Promise<DeletedAttachmentResponse>;
  /** With `returnObject`, the file in Base64 beside its names. */
  getAttachment(
    idBill: number,
    filename: string,
    parameters: ReturnObject<true> & { readonly returnObject: true },
    options?: CallOptions,
  ): Promise<FileContent>;
  /** The file as a stream. */
  getAttachment(
    idBill: number,
    filename: string,
    parameters?: ReturnObject<false>,
    options?: CallOptions,
  ): Promise<FileAnswer>;
  /** Replaces the users who approve. */
  setApprovers(
    idBill: number,
    users: readonly string[],
    options?: CallOptions,
  ): Promise<ApprovalResponse>;
  sendToApproval(
    idBill: number,
    users: readonly string[],
    parameters?: SendToApprovalParameters,
    options?: CallOptions,
  ): Promise<BillResponse>;
  /** `email`: address or name of the user who approves or disapproves. */
  setApproved(
    idBill: number,
    approved: boolean,
    parameters?: { readonly email?: string | undefined },
    options?: CallOptions,
  ): Promise<ApprovalResponse>;
  /** One page of an entrypoint's bills. */
  list(entry: string, query?: BillQuery, options?: CallOptions): Promise<BillListResponse>;
  /** One page of an organization's bills. */
  listByOrg(orgId: number, query?: OrgBillQuery, options?: CallOptions): Promise<BillListResponse>;
  /** Bills as a file, streamed. */
  export(entry: string, query: BillExport, options?: CallOptions): Promise<FileAnswer>;
  exportByOrg(orgId: number, query: OrgBillExport, options?: CallOptions): Promise<FileAnswer>;
  /** Every bill once, from `fromRecord` on; `limitRecord` is the size of a page (100). */
  iterate(
    entry: string,
    query?: BillQuery,
    options?: CallOptions,
  ): AsyncGenerator<BillListRecord, void, undefined>;
  iterateByOrg(
    orgId: number,
    query?: OrgBillQuery,
    options?: CallOptions,
  ): AsyncGenerator<BillListRecord, void, undefined>;
  /** Lets go of idle connections. */
  close(): Promise<void>;
}
