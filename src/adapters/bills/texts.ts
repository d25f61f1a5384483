/**
 * What the operations of the bills service are for, in words; under the ids of their table.
 *
 * For documentation and for whoever chooses among them. A client has no use for them.
 */
import type { BillsOperationId } from './operations.js';

export interface OperationText {
  /** A short name. */
  readonly name: string;
  readonly description: string;
  /** By name, those in the path first. */
  readonly parameters: Readonly<Record<string, string>>;
}

const idBill = 'Number of the bill, as lists of bills tell it.';
const entry = "Name of the paypoint's entrypoint.";
const orgId = 'Number of the organization.';
const filename = "Name of the file: the zipName in the DocumentsRef of the bill's record.";
const returnObject =
  'Whether to answer with an object rather than with the least; false if absent.';
const users = 'Addresses or names of the users who are to approve.';
const idempotencyKey =
  'A unique text of the caller: requests that carry the same one within two minutes act once.';

const listing = {
  fromRecord: 'How many records to skip; 0 if absent.',
  limitRecord: 'How many records to return at most; 20 if absent, all if 0 or less.',
  filters: 'Conditions that hold all together, each a field, an operator and a value.',
  rawFilters: 'Conditions as field(operator) and value, for fields that filters do not have.',
  sortBy: 'Field to sort by, and whether upwards (asc) or downwards (desc).',
  format: 'With csv or xlsx, the answer is a file of this kind.',
};

export const billsTexts: Readonly<Record<BillsOperationId, OperationText>> = {
  'bills.create': {
    name: 'Create a bill',
    description: 'Creates a bill, once or by a schedule, and answers with its number.',
    parameters: { entry, idempotencyKey },
  },
  'bills.delete': {
    name: 'Delete a bill',
    description: 'Deletes a bill.',
    parameters: { idBill },
  },
  'bills.update': {
    name: 'Change a bill',
    description: 'Changes the fields of a bill that are given, and leaves all others.',
    parameters: { idBill },
  },
  'bills.get': {
    name: 'Fetch a bill',
    description:
      'Answers with the whole of a bill: its items, vendor, files, events and approvals.',
    parameters: { idBill },
  },
  'bills.deleteAttachment': {
    name: 'Delete a file of a bill',
    description: 'Deletes a file that is attached to a bill.',
    parameters: { idBill, filename, returnObject },
  },
  'bills.getAttachment': {
    name: 'Fetch a file of a bill',
    description:
      'Answers with a file that is attached to a bill: its bytes, or an object in Base64.',
    parameters: { idBill, filename, returnObject },
  },
  'bills.setApprovers': {
    name: 'Change who approves a bill',
    description: 'Replaces the users whom a bill is sent to for approval.',
    parameters: { idBill, users },
  },
  'bills.sendToApproval': {
    name: 'Send a bill to approval',
    description: 'Adds users who approve, and notes in the history of the bill that it was sent.',
    parameters: {
      idBill,
      users,
      idempotencyKey,
      autocreateUser: 'Whether to create users that do not exist; false if absent.',
    },
  },
  'bills.setApproved': {
    name: 'Approve or disapprove a bill',
    description: 'Sets whether a bill is approved.',
    parameters: {
      idBill,
      approved: 'true to approve, false to disapprove.',
      email: 'Address or name of the user who decides.',
    },
  },
  'bills.list': {
    name: "List an entrypoint's bills",
    description: 'Answers with a page of the bills of an entrypoint, and sums over all of them.',
    parameters: { entry, ...listing },
  },
  'bills.listByOrg': {
    name: "List an organization's bills",
    description: 'Answers with a page of the bills of an organization, and sums over all of them.',
    parameters: { orgId, ...listing },
  },
};
