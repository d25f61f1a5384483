/** The bills: what is kept of them, and the changes that the service makes to them. */
import type { JsonObject } from '../call.js';
import type { SandboxClock } from '../clock.js';
import { createApprovals } from './approvals.js';
import { type BillFiles, createBillFiles, filesIn, putFiles } from './bill-files.js';
import { newEvent, newRecord } from './new-record.js';
import { applyRequest, checkRequest } from './request-record.js';
import { createShelf, type Shelf } from './shelf.js';

export interface BillStore extends BillRecords, BillFiles, BillApprovals {
  readonly find: Shelf['find'];
  readonly all: Shelf['all'];
}

interface BillRecords {
  create(entry: string, request: JsonObject): number;
  update(id: number, request: JsonObject): void;
  delete(id: number): void;
  setStatus(id: number, status: number): void;
}

interface BillApprovals {
  setApprovers(id: number, users: readonly string[]): void;
  sendToApproval(id: number, users: readonly string[]): void;
  decide(id: number, approved: boolean, email: string | undefined): void;
}

export interface StoreOptions {
  readonly clock: SandboxClock;
  /** The organization of an entry. */
  readonly orgOf: (entry: string) => number;
  /** Status of the refusal of a bill that does not exist. */
  readonly notFound: 400 | 404;
}

export function createBillStore({ clock, orgOf, notFound }: StoreOptions): BillStore {
  const shelf = createShelf(clock, notFound);
  return {
    find: shelf.find,
    all: shelf.all,
    ...createRecords(shelf, orgOf),
    ...createBillFiles(shelf),
    ...createBillApprovals(shelf),
  };
}

/** A request is read whole before anything changes. */
function createRecords(shelf: Shelf, orgOf: StoreOptions['orgOf']): BillRecords {
  let created = 0;
  return {
    create(entry, request) {
      checkRequest(request);
      const files = filesIn(request) ?? [];
      created += 1;
      const record = newRecord(created, entry, orgOf(entry), shelf.now());
      applyRequest(record, request);
      record.billEvents.push(newEvent('Created Bill', shelf.now(), record));
      const bill = { record, attachments: new Map() };
      putFiles(bill, files);
      shelf.add(bill);
      return record.IdBill;
    },
    update(id, request) {
      checkRequest(request);
      const files = filesIn(request);
      shelf.change(id, (bill) => {
        applyRequest(bill.record, request);
        if (files !== null) putFiles(bill, files);
      });
    },
    delete: shelf.delete,
    setStatus: (id, status) =>
      shelf.change(id, ({ record }) => {
        record.Status = status;
      }),
  };
}

function createBillApprovals({ change, now }: Shelf): BillApprovals {
  const approvals = createApprovals();
  return {
    setApprovers: (id, users) => change(id, ({ record }) => approvals.set(record, users)),
    sendToApproval: (id, users) =>
      change(id, ({ record }) => {
        approvals.ask(record, users);
        record.billEvents.push(newEvent('Sent to Approval', now(), record));
      }),
    decide: (id, approved, email) =>
      change(id, ({ record }) => approvals.decide(record, approved, email, now())),
  };
}
