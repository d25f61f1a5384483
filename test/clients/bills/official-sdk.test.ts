/** The client and the official SDK of the service send the same requests. */
import { PayabliClient } from '@payabli/sdk-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BillsClient, billsOperations, createBillsClient } from '../../../src/bills.js';
import { type Recorded, useServer } from '../harness.js';

const server = useServer(() => ({ body: { isSuccess: true, responseData: 1 } }));
let client: BillsClient;
let sdk: PayabliClient['bill'];

beforeAll(() => {
  const [baseUrl, apiKey] = [`${server.url}/api`, 'key-1'];
  client = createBillsClient({ baseUrl, auth: { apiKey }, retry: { baseMs: 1 } });
  sdk = new PayabliClient({ baseUrl, apiKey }).bill;
});
afterAll(() => client.close());

/** What counts of a request; the order of parameters does not. */
function essence({ method, url, headers, body }: Recorded) {
  const [path, query = ''] = url.split('?');
  return {
    method,
    path,
    query: query.split('&').sort(),
    body: body.length === 0 ? null : (JSON.parse(`${body}`) as unknown),
    contentType: headers['content-type'],
    credential: [headers['requesttoken'], headers.authorization],
    key: headers['idempotencykey'],
  };
}

/** Both by the names of their methods; types.test.ts checks what ours take. */
type Named = Record<string, (...given: readonly unknown[]) => PromiseLike<unknown>>;

async function requestsOf(client: object, method: string, given: readonly unknown[]) {
  server.requests.length = 0;
  await (client as Named)[method]?.(...given);
  return server.requests.map(essence);
}

const body = {
  billNumber: 'ä-1',
  netAmount: 3762.87,
  billDate: '2026-07-01',
  vendor: { vendorNumber: '1234-A' },
  billItems: [{ itemCost: 5, itemCategories: ['a'] }],
};
const keyed = { idempotencyKey: 'k-1' };
const approval = { autocreateUser: true, idempotencyKey: 'k' };
const kept = { returnObject: false };
const asObject = { returnObject: true };
const email = { email: 'a+b@example.com' };
const approvers = ['a@example.com', 'b'];
const newest = { sortBy: { field: 'BillDate', direction: 'desc' } };
const paged = { fromRecord: 0, limitRecord: -1 };
const filtered = {
  filters: [
    { field: 'status', op: 'eq', value: 2 },
    { field: 'method', op: 'in', value: ['ach', 'a b'] },
  ],
  rawFilters: { 'totalAmount(gt)': '20' },
};
const bare = {
  queryParams: { 'status(eq)': 2, 'method(in)': 'ach|a b', 'totalAmount(gt)': '20' },
};

type Pair = [ours: string, given: unknown[], theirs: string, given: unknown[]];

const pairs: readonly Pair[] = [
  ['create', ['e 1/ü', body, { idempotencyKey: null }], 'addBill', ['e 1/ü', { body }]],
  ['create', ['e', body, keyed], 'addBill', ['e', { body, ...keyed }]],
  ['delete', [17], 'deleteBill', [17]],
  ['update', [17, { netAmount: 1 }], 'editBill', [17, { netAmount: 1 }]],
  ['get', [17], 'getBill', [17]],
  ['deleteAttachment', [17, '0_a b?.pdf'], 'deleteAttachedFromBill', ['0_a b?.pdf', 17]],
  ['deleteAttachment', [17, 'a', kept], 'deleteAttachedFromBill', ['a', 17, kept]],
  ['getAttachment', [17, 'a', asObject], 'getAttachedFromBill', ['a', 17, asObject]],
  ['getAttachment', [17, 'a'], 'getAttachedFromBill', ['a', 17]],
  ['setApprovers', [17, approvers], 'modifyApprovalBill', [17, approvers]],
  [
    'sendToApproval',
    [17, ['a'], approval],
    'sendToApprovalBill',
    [17, { body: ['a'], ...approval }],
  ],
  ['setApproved', [17, true], 'setApprovedBill', ['true', 17]],
  ['setApproved', [17, false, email], 'setApprovedBill', ['false', 17, email]],
  ['list', ['e'], 'listBills', ['e']],
  [
    'list',
    ['e', { ...paged, ...newest }],
    'listBills',
    ['e', { ...paged, sortBy: 'desc(BillDate)' }],
  ],
  ['list', ['e', filtered], 'listBills', ['e', {}, bare]],
  ['listByOrg', [3, { limitRecord: 5 }], 'listBillsOrg', [3, { limitRecord: 5 }]],
  ['export', ['e', { format: 'csv' }], 'listBills', ['e', { exportFormat: 'csv' }]],
  ['exportByOrg', [3, { format: 'xlsx' }], 'listBillsOrg', [3, { exportFormat: 'xlsx' }]],
];

it.each(pairs)('%s sends the same request (%#)', async (ours, given, theirs, sdkGiven) => {
  const expected = await requestsOf(sdk, theirs, sdkGiven);
  expect(expected.length).toBe(1);
  expect(await requestsOf(client, ours, given)).toEqual(expected);
});

it('every operation is compared with the official SDK', () => {
  const covered = new Set(pairs.map(([name]) => name).filter((name) => !name.startsWith('export')));
  expect([...covered].sort()).toEqual(Object.keys(billsOperations).sort());
});
