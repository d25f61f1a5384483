/** The bills that there are, by id; one that changes says when it did. */
import { Refused } from '../answer.js';
import { type SandboxClock, timestamp } from '../clock.js';
import type { Attachment } from './attachments.js';
import type { BillRecord } from './record.js';

export interface StoredBill {
  readonly record: BillRecord;
  readonly attachments: Map<string, Attachment>;
}

export interface Shelf {
  /** Status of the refusal of what does not exist. */
  readonly notFound: 400 | 404;
  /** The time as records show it. */
  now(): string;
  add(bill: StoredBill): void;
  find(id: number): StoredBill;
  change(id: number, action: (bill: StoredBill) => void): void;
  delete(id: number): void;
  all(): readonly BillRecord[];
}

export function createShelf(clock: SandboxClock, notFound: 400 | 404): Shelf {
  const bills = new Map<number, StoredBill>();
  const now = () => timestamp(clock.now());
  const find = (id: number): StoredBill => {
    const bill = bills.get(id);
    if (bill === undefined) throw new Refused(notFound, `Bill ${id} does not exist`);
    return bill;
  };
  return {
    notFound,
    now,
    find,
    add: (bill) => bills.set(bill.record.IdBill, bill),
    change(id, action) {
      const bill = find(id);
      action(bill);
      bill.record.LastUpdated = now();
    },
    delete: (id) => bills.delete(find(id).record.IdBill),
    all: () => [...bills.values()].map(({ record }) => record),
  };
}
