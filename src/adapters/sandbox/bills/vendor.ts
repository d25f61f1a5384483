/** The vendor of a bill: the sandbox knows a number, the rest of the record is empty. */
import type { BillRecord } from './record.js';

const emptyTexts = [
  ...['Name1', 'Name2', 'EIN', 'Phone', 'Email', 'RemitEmail', 'Address1', 'Address2', 'City'],
  ...['State', 'Zip', 'Country', 'Mcc', 'LocationCode', 'PaymentMethod', 'remitAddress1'],
  ...['remitAddress2', 'remitCity', 'remitState', 'remitZip', 'remitCountry', 'payeeName1'],
  ...['payeeName2', 'customField1', 'customField2', 'customerVendorAccount'],
  'externalPaypointID',
];

/** Details that lists leave out. */
const detailed: ReadonlySet<string> = new Set([
  ...['Contacts', 'BillingData', 'Summary', 'StoredMethods', 'additionalData'],
]);

type Owner = Pick<
  BillRecord,
  | 'CreatedAt'
  | 'ParentOrgId'
  | 'ParentOrgName'
  | 'PaypointDbaname'
  | 'PaypointEntryname'
  | 'PaypointLegalname'
>;

export function vendorRecord(
  vendorNumber: string,
  owner: Owner,
): Readonly<Record<string, unknown>> {
  return {
    VendorNumber: vendorNumber,
    ...Object.fromEntries(emptyTexts.map((name) => [name, ''])),
    Contacts: [],
    BillingData: null,
    VendorStatus: 1,
    VendorId: numberOf(vendorNumber),
    EnrollmentStatus: null,
    Summary: null,
    PaypointLegalname: owner.PaypointLegalname,
    PaypointDbaname: owner.PaypointDbaname,
    PaypointEntryname: owner.PaypointEntryname,
    ParentOrgName: owner.ParentOrgName,
    ParentOrgId: owner.ParentOrgId,
    CreatedDate: owner.CreatedAt,
    LastUpdated: owner.CreatedAt,
    InternalReferenceId: numberOf(vendorNumber),
    additionalData: {},
    StoredMethods: [],
  };
}

/** The vendor as it stands in a list. */
export function vendorInList(vendor: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(vendor).filter(([name]) => !detailed.has(name)));
}

/** Equal vendors have equal ids. */
function numberOf(text: string): number {
  let number = 7;
  for (const character of text) number = (number * 31 + (character.codePointAt(0) ?? 0)) % 900_000;
  return number + 1000;
}
