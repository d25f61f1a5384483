/**
 * The bills client as its caller sees it: one method per operation, and what builds on them.
 *
 * Arguments: the path, the body, one object with the operation's other parameters, call options.
 * Methods need no `this`. Operations have the numbers of section "Endpoints" of the bills
 * specification.
 *
 * A failed call rejects with an ApiError: `api/invalid-argument` for what is refused before anything
 * is sent; `api/refused` where an answer of 200 says `isSuccess: false`; `api/bad-request`,
 * `api/unauthorized`, `api/server-error` and others by the status of the answer. Its `outcome` says
 * whether the call may have acted.
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
 * Section "Idempotency". A key of the caller's own makes the service act once however often the request comes; without one
 * a call that may have acted is not repeated. The service keeps keys for two minutes.
 */
export interface KeyParameters {
  readonly idempotencyKey?: string | undefined;
}

/** Of operation 8. */
export interface SendToApprovalParameters extends KeyParameters {
  /** Creates users that do not exist. */
  readonly autocreateUser?: boolean | undefined;
}

/** Of operations 5 and 6: whether to answer with an object rather than with the least; no if absent. */
export interface ReturnObject<Value extends boolean = boolean> {
  readonly returnObject?: Value | undefined;
}

/**
 * The eleven operations of section "Endpoints" of the bills specification, numbered as there. Each
 * rejects with an `ApiError`.
 */
export interface BillsClient {
  /** 1. Creates a bill; answers with its id. `entry` is the name of the paypoint's entrypoint. */
  create(
    entry: string,
    bill: Bill,
    parameters?: KeyParameters,
    options?: CallOptions,
  ): Promise<BillResponse>;
  /** 2. Deletes a bill. */
  delete(idBill: number, options?: CallOptions): Promise<BillResponse>;
  /** 3. Changes what is given of a bill, and sends no more. */
  update(idBill: number, patch: Bill, options?: CallOptions): Promise<BillResponse>;
  /** 4. The whole of a bill. */
  get(idBill: number, options?: CallOptions): Promise<GetBillResponse>;
  /** 5. Deletes a file. `filename` is a `zipName` of the bill's `DocumentsRef.filelist`. */
  deleteAttachment(
    idBill: number,
    filename: string,
    parameters?: ReturnObject,
    options?: CallOptions,
  ): Promise<DeletedAttachmentResponse>;
  /** 6. With `returnObject`, the file in Base64 beside its names. */
  getAttachment(
    idBill: number,
    filename: string,
    parameters: ReturnObject<true> & { readonly returnObject: true },
    options?: CallOptions,
  ): Promise<FileContent>;
  /** 6. The file as a stream, of `size` bytes where that is known. */
  getAttachment(
    idBill: number,
    filename: string,
    parameters?: ReturnObject<false>,
    options?: CallOptions,
  ): Promise<FileAnswer>;
  /** 7. Replaces the users who approve: their addresses or names. */
  setApprovers(
    idBill: number,
    users: readonly string[],
    options?: CallOptions,
  ): Promise<ApprovalResponse>;
  /** 8. Adds users who approve, and notes in the bill's history that it was sent. */
  sendToApproval(
    idBill: number,
    users: readonly string[],
    parameters?: SendToApprovalParameters,
    options?: CallOptions,
  ): Promise<BillResponse>;
  /** 9. Approves, or disapproves. `email`: address or name of the user who approves or disapproves. */
  setApproved(
    idBill: number,
    approved: boolean,
    parameters?: { readonly email?: string | undefined },
    options?: CallOptions,
  ): Promise<ApprovalResponse>;
  /** 10. One page of an entrypoint's bills. */
  list(entry: string, query?: BillQuery, options?: CallOptions): Promise<BillListResponse>;
  /** 11. One page of an organization's bills. */
  listByOrg(orgId: number, query?: OrgBillQuery, options?: CallOptions): Promise<BillListResponse>;
  /** 10 with a format: bills as a file, streamed. */
  export(entry: string, query: BillExport, options?: CallOptions): Promise<FileAnswer>;
  /** 11 with a format. */
  exportByOrg(orgId: number, query: OrgBillExport, options?: CallOptions): Promise<FileAnswer>;
  /**
   * 10, page by page: every bill once, from `fromRecord` on; `limitRecord` is the size of a page
   * (100). Where the service gives the same bills again and again: `api/repeated-page`.
   */
  iterate(
    entry: string,
    query?: BillQuery,
    options?: CallOptions,
  ): AsyncGenerator<BillListRecord, void, undefined>;
  /** 11, page by page. */
  iterateByOrg(
    orgId: number,
    query?: OrgBillQuery,
    options?: CallOptions,
  ): AsyncGenerator<BillListRecord, void, undefined>;
  /** Lets go of idle connections. */
  close(): Promise<void>;
}
