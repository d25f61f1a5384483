/**
 * The client and the official SDK of the service send the same requests, and the differences that
 * are known are all there.
 */
import { PayabliClient } from '@payabli/sdk-node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BillsClient, billsOperations, createBillsClient } from '../../../src/bills.js';
import { type Recorded, useServer } from '../harness.js';

const server = useServer(() => ({ body: { isSuccess: true, responseData: 1 } }));
const elsewhere = useServer();
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
  ['create', ['e 1/ü', body], 'addBill', ['e 1/ü', { body }]],
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

it.each(pairs)('%s sends the same (%#)', async (ours, given, theirs, sdkGiven) => {
  const expected = await requestsOf(sdk, theirs, sdkGiven);
  expect(expected.length).toBe(1);
  expect(await requestsOf(client, ours, given)).toEqual(expected);
});

it('every operation is compared', () => {
  const covered = new Set(pairs.map(([name]) => name).filter((name) => !name.startsWith('export')));
  expect([...covered].sort()).toEqual(Object.keys(billsOperations).sort());
});

const endsWell = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => true,
    () => false,
  );

/** Each is seen on both sides, so that one which is gone is noticed. */
const differences: Readonly<Record<string, () => Promise<void>>> = {
  'filters of the SDK stand below a parameter that the service ignores': async () => {
    await sdk.listBills('e', { parameters: { 'status(eq)': '2' } });
    const ignored = `parameters=${encodeURIComponent('{"status(eq)":"2"}')}`;
    expect(server.requests.map(({ url }) => url)).toEqual([`/api/Query/bills/e?${ignored}`]);
  },

  'the SDK takes an answer that says it failed for a success': async () => {
    server.behave = () => ({ body: { isSuccess: false, responseText: 'Declined' } });
    expect(await endsWell(sdk.getBill(1))).toBe(true);
    expect(await endsWell(client.get(1))).toBe(false);
  },

  'the SDK repeats a payment without a key after a failure': async () => {
    server.behave = () => ({ status: 500, headers: { 'retry-after': '0' }, body: {} });
    await endsWell(sdk.addBill('e', { body: {} }, { maxRetries: 1 }));
    expect(server.requests.length).toBe(2);
    server.requests.length = 0;
    await endsWell(client.create('e', {}));
    expect(server.requests.length).toBe(1);
  },

  'the SDK hands out a file as something else': async () => {
    const bytes = Uint8Array.of(0x50, 0x4b, 0xff, 0xfe, 0x00, 0x80);
    const headers = { 'content-type': 'application/octet-stream' };
    server.behave = () => ({ headers, body: bytes });
    const { body } = await client.export('e', { format: 'xlsx' });
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(bytes);
    const answer = await sdk.listBills('e', { exportFormat: 'xlsx' });
    expect(answer).toMatchObject({ ok: false, error: { reason: 'non-json' } });
  },

  'the SDK takes its key along to where it is redirected': async () => {
    const place = `http://localhost:${new URL(elsewhere.url).port}/`;
    server.behave = () => ({ status: 302, headers: { location: place }, body: {} });
    expect(await endsWell(client.get(1))).toBe(false);
    expect(elsewhere.requests).toEqual([]);
    await endsWell(sdk.getBill(1));
    expect(elsewhere.requests.map(({ headers }) => headers['requesttoken'])).toEqual(['key-1']);
  },

  'the SDK sends a name that leads out of its place': async () => {
    await endsWell(sdk.deleteAttachedFromBill('..', 17));
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/Bill/attachedFileFromBill/']);
  },
};

it.each(Object.entries(differences))('a known difference: %s', async (_, appears) => appears());
