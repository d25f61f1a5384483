/** A bill of which nothing is said yet, and the entries of its history. */
import { type BillEvent, type BillRecord, statuses } from './record.js';
import { vendorRecord } from './vendor.js';

export function newEvent(
  description: BillEvent['description'],
  at: string,
  bill: BillRecord,
): BillEvent {
  return {
    description,
    eventTime: at,
    refData: `bill-${bill.IdBill}-${bill.billEvents.length + 1}`,
    extraData: null,
    source: 'API',
  };
}

export function newRecord(id: number, entry: string, org: number, at: string): BillRecord {
  const owner = {
    CreatedAt: at,
    PaypointLegalname: `${entry} (legal)`,
    PaypointDbaname: entry,
    PaypointEntryname: entry,
    ParentOrgId: org,
    ParentOrgName: `Organization ${org}`,
  };
  return {
    IdBill: id,
    BillNumber: `${id}`,
    NetAmount: 0,
    TotalAmount: 0,
    Discount: null,
    BillDate: null,
    DueDate: null,
    Comments: '',
    BatchNumber: null,
    BillItems: [],
    Mode: 0,
    PaymentMethod: null,
    PaymentId: null,
    AccountingField1: '',
    AccountingField2: '',
    Terms: null,
    Source: 'api',
    AdditionalData: null,
    Vendor: vendorRecord('', owner),
    Status: statuses.active,
    LastUpdated: at,
    EndDate: null,
    Frequency: null,
    billEvents: [],
    billApprovals: null,
    paylinkId: null,
    DocumentsRef: { zipfile: '', filelist: [] },
    externalPaypointID: null,
    LotNumber: '',
    EntityID: null,
    ...owner,
  };
}
