/** The bills: what is kept of them, and the changes that the service makes to them. */
import { Refused } from '../answer.js';
import { isObject, type JsonObject } from '../call.js';
import { type SandboxClock, timestamp } from '../clock.js';
import { createApprovals } from './approvals.js';
import { type Attachment, attachmentOf, readAttachments, typeOf } from './attachments.js';
import { newEvent, newRecord } from './new-record.js';
import type { BillRecord } from './record.js';
import { applyRequest, checkRequest } from './request-record.js';

export interface StoredBill {
  readonly record: BillRecord;
  readonly attachments: Map<string, Attachment>;
}

export interface BillStore {
  create(entry: string, request: JsonObject): number;
  update(id: number, request: JsonObject): void;
  delete(id: number): void;
  find(id: number): StoredBill;
  findAttachment(id: number, zipName: string): Attachment;
  all(): readonly BillRecord[];
  /** Adds a file, and returns the name to ask for it. */
  attach(id: number, filename: string, content: Uint8Array): string;
  detach(id: number, zipName: string): void;
  setApprovers(id: number, users: readonly string[]): void;
  sendToApproval(id: number, users: readonly string[]): void;
  decide(id: number, approved: boolean, email: string | undefined): void;
  setStatus(id: number, status: number): void;
}

export interface StoreOptions {
  readonly clock: SandboxClock;
  /** The organization of an entry. */
  readonly orgOf: (entry: string) => number;
  /** Status of the refusal of a bill that does not exist. */
  readonly notFound: 400 | 404;
}

export function createBillStore({ clock, orgOf, notFound }: StoreOptions): BillStore {
  const bills = new Map<number, StoredBill>();
  const approvals = createApprovals();
  let created = 0;
  const now = () => timestamp(clock.now());

  const find = (id: number): StoredBill => {
    const bill = bills.get(id);
    if (bill === undefined) throw new Refused(notFound, `Bill ${id} does not exist`);
    return bill;
  };
  const findAttachment = (id: number, zipName: string): Attachment => {
    const attachment = find(id).attachments.get(zipName);
    if (attachment === undefined) throw new Refused(notFound, 'The bill has no such file');
    return attachment;
  };
  const change = (id: number, action: (bill: StoredBill) => void): void => {
    const bill = find(id);
    action(bill);
    bill.record.LastUpdated = now();
  };
  return {
    find,
    findAttachment,
    all: () => [...bills.values()].map(({ record }) => record),
    create(entry, request) {
      checkRequest(request);
      const attachments = attachmentsIn(request) ?? new Map();
      created += 1;
      const record = newRecord(created, entry, orgOf(entry), now());
      applyRequest(record, request);
      const bill = { record, attachments };
      listAttachments(bill);
      record.billEvents.push(newEvent('Created Bill', now(), record));
      bills.set(record.IdBill, bill);
      return record.IdBill;
    },
    update(id, request) {
      checkRequest(request);
      change(id, (bill) => {
        const attachments = attachmentsIn(request);
        applyRequest(bill.record, request);
        if (attachments === null) return;
        bill.attachments.clear();
        for (const [name, each] of attachments) bill.attachments.set(name, each);
        listAttachments(bill);
      });
    },
    delete(id) {
      find(id);
      bills.delete(id);
    },
    attach(id, filename, content) {
      const { attachments } = find(id);
      let number = attachments.size + 1;
      const named = () =>
        attachmentOf(filename, typeOf(filename), Buffer.from(content), { furl: '', number });
      while (attachments.has(named().zipName)) number += 1;
      const attachment = named();
      change(id, (bill) => {
        bill.attachments.set(attachment.zipName, attachment);
        listAttachments(bill);
      });
      return attachment.zipName;
    },
    detach: (id, zipName) =>
      change(id, (bill) => {
        bill.attachments.delete(findAttachment(id, zipName).zipName);
        listAttachments(bill);
      }),
    setApprovers: (id, users) => change(id, ({ record }) => approvals.set(record, users)),
    sendToApproval: (id, users) =>
      change(id, ({ record }) => {
        approvals.ask(record, users);
        record.billEvents.push(newEvent('Sent to Approval', now(), record));
      }),
    decide: (id, approved, email) =>
      change(id, ({ record }) => approvals.decide(record, approved, email, now())),
    setStatus: (id, status) =>
      change(id, ({ record }) => {
        record.Status = status;
      }),
  };
}

/** The files that a request brings; null where it says nothing of files. */
function attachmentsIn({ attachments }: JsonObject): Map<string, Attachment> | null {
  if (!Array.isArray(attachments)) return null;
  return new Map(readAttachments(attachments.filter(isObject)).map((each) => [each.zipName, each]));
}

function listAttachments({ record, attachments }: StoredBill): void {
  record.DocumentsRef = {
    zipfile: attachments.size === 0 ? '' : `bill-${record.IdBill}.zip`,
    filelist: [...attachments.values()].map(({ filename, zipName }) => ({
      originalName: filename,
      zipName,
      descriptor: '',
    })),
  };
}
