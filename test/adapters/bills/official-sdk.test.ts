/**
 * The client and the official SDK of the service send the same requests, and the differences that
 * are known are all there.
 */
import { PayabliClient } from '@payabli/sdk-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BillsClient, billsOperations, createBillsClient } from '../../../src/bills.js';
import { type Recorded, useServer } from '../harness.js';

type Sdk = PayabliClient['bill'];

const server = useServer(() => ({ body: { isSuccess: true, responseData: 1 } }));
const elsewhere = useServer();
let ours: BillsClient;
let theirs: Sdk;

beforeAll(() => {
  const [baseUrl, apiKey] = [`${server.url}/api`, 'key-1'];
  ours = createBillsClient({ baseUrl, auth: { apiKey }, retry: { baseMs: 1 } });
  theirs = new PayabliClient({ baseUrl, apiKey }).bill;
});
afterAll(() => ours.close());

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

type Act<Client> = (client: Client) => PromiseLike<unknown>;

async function requestsOf<Client>(client: Client, act: Act<Client>) {
  server.requests.length = 0;
  await act(client);
  return server.requests.map(essence);
}

const bill = {
  billNumber: 'ä-1',
  netAmount: 3762.87,
  billDate: '2026-07-01',
  vendor: { vendorNumber: '1234-A' },
  frequency: 'monthly',
  billItems: [{ itemCost: 5, itemCategories: ['a'] }],
} as const;

const sdkBill = bill as unknown as Parameters<Sdk['editBill']>[1];

type Pair = [id: string, ours: Act<BillsClient>, theirs: Act<Sdk>];

const pairs: readonly Pair[] = [
  [
    'bills.create',
    (a) => a.create('e 1/ü', bill as never),
    (b) => b.addBill('e 1/ü', { body: sdkBill }),
  ],
  [
    'bills.create',
    (a) => a.create('e', bill as never, { idempotencyKey: 'k-1' }),
    (b) => b.addBill('e', { body: sdkBill, idempotencyKey: 'k-1' }),
  ],
  ['bills.delete', (a) => a.delete(17), (b) => b.deleteBill(17)],
  [
    'bills.update',
    (a) => a.update(17, { netAmount: 1, billDate: '2026-07-01' }),
    (b) => b.editBill(17, { netAmount: 1, billDate: '2026-07-01' }),
  ],
  ['bills.get', (a) => a.get(17), (b) => b.getBill(17)],
  [
    'bills.deleteAttachment',
    (a) => a.deleteAttachment(17, '0_a b?.pdf'),
    (b) => b.deleteAttachedFromBill('0_a b?.pdf', 17),
  ],
  [
    'bills.deleteAttachment',
    (a) => a.deleteAttachment(17, 'a', { returnObject: false }),
    (b) => b.deleteAttachedFromBill('a', 17, { returnObject: false }),
  ],
  [
    'bills.getAttachment',
    (a) => a.getAttachment(17, 'a', { returnObject: true }),
    (b) => b.getAttachedFromBill('a', 17, { returnObject: true }),
  ],
  ['bills.getAttachment', (a) => a.getAttachment(17, 'a'), (b) => b.getAttachedFromBill('a', 17)],
  [
    'bills.setApprovers',
    (a) => a.setApprovers(17, ['a@example.com', 'b']),
    (b) => b.modifyApprovalBill(17, ['a@example.com', 'b']),
  ],
  [
    'bills.sendToApproval',
    (a) => a.sendToApproval(17, ['a'], { autocreateUser: true, idempotencyKey: 'k' }),
    (b) => b.sendToApprovalBill(17, { body: ['a'], autocreateUser: true, idempotencyKey: 'k' }),
  ],
  ['bills.setApproved', (a) => a.setApproved(17, true), (b) => b.setApprovedBill('true', 17)],
  [
    'bills.setApproved',
    (a) => a.setApproved(17, false, { email: 'a+b@example.com' }),
    (b) => b.setApprovedBill('false', 17, { email: 'a+b@example.com' }),
  ],
  ['bills.list', (a) => a.list('e'), (b) => b.listBills('e')],
  [
    'bills.list',
    (a) =>
      a.list('e', {
        fromRecord: 0,
        limitRecord: -1,
        sortBy: { field: 'BillDate', direction: 'desc' },
      }),
    (b) => b.listBills('e', { fromRecord: 0, limitRecord: -1, sortBy: 'desc(BillDate)' }),
  ],
  [
    'bills.list',
    (a) => a.export('e', { format: 'csv', limitRecord: 0 }),
    (b) => b.listBills('e', { exportFormat: 'csv', limitRecord: 0 }),
  ],
  [
    'bills.list',
    (a) =>
      a.list('e', {
        filters: [
          { field: 'status', op: 'eq', value: 2 },
          { field: 'method', op: 'in', value: ['ach', 'a b'] },
        ],
        rawFilters: { 'totalAmount(gt)': '20' },
      }),
    (b) =>
      b.listBills(
        'e',
        {},
        { queryParams: { 'status(eq)': 2, 'method(in)': 'ach|a b', 'totalAmount(gt)': '20' } },
      ),
  ],
  [
    'bills.listByOrg',
    (a) => a.listByOrg(3, { limitRecord: 5 }),
    (b) => b.listBillsOrg(3, { limitRecord: 5 }),
  ],
  [
    'bills.listByOrg',
    (a) => a.exportByOrg(3, { format: 'xlsx' }),
    (b) => b.listBillsOrg(3, { exportFormat: 'xlsx' }),
  ],
];

describe('both send the same', () => {
  it.each(pairs)('%s (%#)', async (_id, act, sdkAct) => {
    const expected = await requestsOf(theirs, sdkAct);
    expect(expected.length).toBe(1);
    expect(await requestsOf(ours, act)).toEqual(expected);
  });

  it('in every operation', () => {
    const covered = new Set(pairs.map(([id]) => id));
    expect([...covered].sort()).toEqual(
      Object.values(billsOperations)
        .map(({ id }) => id)
        .sort(),
    );
  });
});

const endsWell = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => true,
    () => false,
  );

/** Each is seen on both sides, so that one which is gone is noticed. */
const differences: Readonly<Record<string, () => Promise<void>>> = {
  'filters of the SDK stand below a parameter that the service ignores': async () => {
    const [theirRequest] = await requestsOf(theirs, (b) =>
      b.listBills('e', { parameters: { 'status(eq)': '2' } }),
    );
    const [ourRequest] = await requestsOf(ours, (a) =>
      a.list('e', { filters: [{ field: 'status', op: 'eq', value: 2 }] }),
    );
    expect(theirRequest?.query).toEqual([`parameters=${encodeURIComponent('{"status(eq)":"2"}')}`]);
    expect(ourRequest?.query).toEqual(['status(eq)=2']);
  },

  'the SDK takes an answer that says it failed for a success': async () => {
    server.behave = () => ({ body: { isSuccess: false, responseText: 'Declined' } });
    expect(await endsWell(theirs.getBill(1))).toBe(true);
    expect(await endsWell(ours.get(1))).toBe(false);
  },

  'the SDK repeats a payment without a key after a failure': async () => {
    server.behave = () => ({
      status: 500,
      headers: { 'retry-after': '0' },
      body: {},
    });
    await endsWell(theirs.addBill('e', { body: {} }, { maxRetries: 1 }));
    expect(server.requests.length).toBe(2);
    server.requests.length = 0;
    await endsWell(ours.create('e', {}));
    expect(server.requests.length).toBe(1);
  },

  'the SDK hands out a file as something else': async () => {
    const bytes = Uint8Array.of(0x50, 0x4b, 0xff, 0xfe, 0x00, 0x80);
    server.behave = () => ({
      headers: { 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    const { body } = await ours.export('e', { format: 'xlsx' });
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(bytes);
    const answer = await theirs.listBills('e', { exportFormat: 'xlsx' });
    expect(answer).toMatchObject({ ok: false, error: { reason: 'non-json' } });
    expect(JSON.stringify(answer)).toContain('\ufffd');
  },

  'the SDK takes its key along to where it is redirected': async () => {
    const place = `http://localhost:${new URL(elsewhere.url).port}/`;
    server.behave = () => ({ status: 302, headers: { location: place }, body: {} });
    expect(await endsWell(ours.get(1))).toBe(false);
    expect(elsewhere.requests).toEqual([]);
    await endsWell(theirs.getBill(1));
    expect(elsewhere.requests.map(({ headers }) => headers['requesttoken'])).toEqual(['key-1']);
  },

  'the SDK sends a name that leads out of its place': async () => {
    await endsWell(theirs.deleteAttachedFromBill('..', 17));
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/Bill/attachedFileFromBill/']);
    server.requests.length = 0;
    expect(await endsWell(ours.deleteAttachment(17, '..'))).toBe(false);
    expect(server.requests).toEqual([]);
  },
};

describe('a known difference', () => {
  it.each(Object.entries(differences))('%s', async (_name, appears) => appears());
});
