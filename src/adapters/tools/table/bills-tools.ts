/** The tools of the eleven bill operations. */
import { billsOperations } from '../../bills/operations.js';
import {
  approved,
  autocreateUser,
  billFixed,
  billSaid,
  email,
  entry,
  fileAsObject,
  filename,
  idBill,
  idempotencyKey,
  listing,
  orgId,
  users,
  vendorNumber,
} from './bills-parameters.js';
import type { ToolDefinition } from './tool.js';
import { saying, toolOf } from './tool-of.js';

/** What stays of a bill when everything that people wrote is left out. */
const ofBill = (below: string) => [
  ...saying('identifier', below, { idBill: 'IdBill' }),
  ...saying('sign', below, { billNumber: 'BillNumber' }),
  ...saying('amount', below, { netAmount: 'NetAmount', totalAmount: 'TotalAmount' }),
  ...saying('date', below, { billDate: 'BillDate', dueDate: 'DueDate' }),
  ...saying('status', below, { status: 'Status' }),
];

const acted = saying('identifier', '', { idBill: 'responseData' });

const ofList = [
  ...saying('count', '/Summary', { bills: 'totalRecords', overdue: 'totaloverdue' }),
  ...saying('amount', '/Summary', { amount: 'totalAmount', amountOverdue: 'totalamountoverdue' }),
  ...ofBill('/Records/*'),
];

export const billsTools: readonly ToolDefinition[] = [
  toolOf('bills', billsOperations.create, {
    name: 'create_bill',
    description:
      'Creates a bill that is to be paid to a vendor. Ask for vendor number, amount and date, ' +
      'read all of it back, and call it once the caller has said yes. Never call it twice for one bill.',
    effect: 'changes',
    parameters: [...billSaid(true), vendorNumber(true), entry, ...billFixed, idempotencyKey],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.delete, {
    name: 'delete_bill',
    description:
      'Deletes a bill for good. Name the bill, say that it cannot be brought back, and call it ' +
      'only after a clear yes.',
    effect: 'changes',
    parameters: [idBill],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.update, {
    name: 'change_bill',
    description:
      'Changes the amount, the dates or the number of a bill. Give only what is to change, and ' +
      'read it back before.',
    effect: 'changes',
    parameters: [idBill, ...billSaid(false), vendorNumber(false), ...billFixed],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.get, {
    name: 'get_bill',
    description:
      'Tells number, amount, dates and status of a bill. Ask for the number of the bill first, ' +
      'unless a list has told it.',
    effect: 'reads',
    parameters: [idBill],
    sayable: [
      ...ofBill('/responseData'),
      ...saying('date', '/responseData', { endDate: 'EndDate' }),
      ...saying('count', '/responseData', {
        items: 'BillItems',
        approvers: 'billApprovals',
        files: 'DocumentsRef/filelist',
      }),
    ],
  }),
  toolOf('bills', billsOperations.deleteAttachment, {
    name: 'delete_bill_file',
    description:
      'Deletes a file that is attached to a bill. Name the file and the bill, and call it only ' +
      'after a clear yes.',
    effect: 'changes',
    parameters: [idBill, filename],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.getAttachment, {
    name: 'get_bill_file',
    description:
      'Tells whether a bill has a file of this name, and of what type it is. It does not read ' +
      'the file out.',
    effect: 'reads',
    parameters: [idBill, filename, fileAsObject],
    sayable: saying('sign', '', { fileType: 'ftype' }),
  }),
  toolOf('bills', billsOperations.setApprovers, {
    name: 'set_bill_approvers',
    description:
      'Replaces the people who are to approve a bill; who they are is set already. Call it when ' +
      'the caller asks for it.',
    effect: 'changes',
    parameters: [idBill, users],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.sendToApproval, {
    name: 'send_bill_to_approval',
    description:
      'Sends a bill to the people who approve; who they are is set already. Call it once, when ' +
      'the caller asks for it.',
    effect: 'changes',
    parameters: [idBill, users, autocreateUser, idempotencyKey],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.setApproved, {
    name: 'decide_on_bill',
    description:
      'Approves a bill or rejects it. Say number and amount of the bill, ask which of both it ' +
      'is to be, and call it only after a clear answer.',
    effect: 'changes',
    parameters: [idBill, approved, email],
    sayable: acted,
  }),
  toolOf('bills', billsOperations.list, {
    name: 'list_bills',
    description:
      'Lists bills, all or those of one status, and tells how many there are and what they come ' +
      'to. Use it to find the number of a bill.',
    effect: 'reads',
    parameters: [...listing, entry],
    sayable: ofList,
  }),
  toolOf('bills', billsOperations.listByOrg, {
    name: 'list_organization_bills',
    description:
      'Lists bills of the whole organization, all or those of one status, and tells how many ' +
      'there are and what they come to.',
    effect: 'reads',
    parameters: [...listing, orgId],
    sayable: ofList,
  }),
];
