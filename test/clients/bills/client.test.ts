/**
 * The bills client: queries, refused arguments, files, failures. The comparison with the official SDK
 * tests what each method sends.
 */
import { describe, expect, it } from 'vitest';
import {
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
} from '../../../src/bills.js';
import { answer, failureOf, type Step, scripted } from '../harness.js';

const ok = { isSuccess: true };

function start(...steps: Step[]) {
  const { sent, fetch } = scripted(...steps, answer(200, ok));
  const options: BillsClientOptions = {
    baseUrl: 'https://api.example.com',
    auth: { apiKey: 'k' },
    retry: { baseMs: 1 },
    fetch,
  };
  return { sent, bills: createBillsClient(options) };
}

/** For arguments that the types forbid. */
type Loose = Record<string, (...given: unknown[]) => Promise<unknown>>;
const loosely = (bills: BillsClient) => bills as unknown as Loose;

/** The query of a list, as it went out. */
async function written(query: unknown, method: 'list' | 'listByOrg' | 'export' = 'list') {
  const { sent, bills } = start(answer(200, {}));
  await loosely(bills)[method]?.(method === 'listByOrg' ? 3 : 'e', query);
  return decodeURIComponent(new URL(sent[0]?.url ?? '').search);
}

describe('a query', () => {
  const queries: [object | undefined, string][] = [
    [undefined, ''],
    [{ filters: undefined, fromRecord: undefined, sortBy: undefined }, ''],
    [{ filters: [{ field: 'status', op: 'eq', value: 2 }] }, '?status(eq)=2'],
    [{ filters: [{ field: 'frequency', op: 'in', value: ['a', 'b'] }] }, '?frequency(in)=a|b'],
    [{ filters: [{ field: 'parentOrgId', op: 'nin', value: [1, 2] }] }, '?parentOrgId(nin)=1|2'],
    [{ filters: [{ field: 'target', op: 'ct', value: 'a|b' }] }, '?target(ct)=a|b'],
    [{ filters: { field: 'x', op: 'eq', value: 1 } }, '?x(eq)=1'],
    [
      { rawFilters: { 'totalAmount(gt)': '20' }, limitRecord: -1 },
      '?totalAmount(gt)=20&limitRecord=-1',
    ],
    [
      { sortBy: { field: 'BillDate', direction: 'desc' }, fromRecord: 0 },
      '?sortBy=desc(BillDate)&fromRecord=0',
    ],
    [{ sortBy: { field: 'a.b', direction: 'asc' } }, '?sortBy=asc(a.b)'],
    [{ sortBy: 'desc(field_name)' }, '?sortBy=desc(field_name)'],
    [{ sortBy: 'DueDate' }, '?sortBy=DueDate'],
    [
      {
        filters: [1, 20].map((value) => ({ field: 'status', op: 'ne', value })),
        rawFilters: { 'status(ne)': 100 },
      },
      '?status(ne)=1&status(ne)=20&status(ne)=100',
    ],
  ];
  it.each(queries)('%j is written as %j', async (query, expected) => {
    expect(await written(query)).toBe(expected);
    expect(await written(query, 'listByOrg')).toBe(expected);
  });
});

const status = (value: unknown) => ({ filters: [{ field: 'status', op: 'eq', value }] });
const event = (value: unknown) => ({ filters: [{ field: 'event', op: 'in', value }] });

describe('an argument is refused before anything is sent:', () => {
  /** What follows the first arguments, once each. */
  type Refused = [argument: string, method: string, before: unknown[], ...given: unknown[]];
  const values = (member: string, ...all: unknown[]) => all.map((each) => ({ [member]: each }));
  const days = ['28.02.2026', '2026-2-8', '2026-02-30', '2026-13-01', '', 20260228, new Date(0)];
  const names = ['exportFormat', 'fromRecord', 'status', 'a(b)=1&c', '(eq)', 'a()', 'a b(eq)'];
  const raw = [...[...names, 'a(eq)\n'].map((name) => ({ [name]: '1' })), 'status(eq)=2'];
  const unsendable = ['', Number.NaN, {}, undefined, null];
  it.each<Refused>([
    ['idBill', 'get', [], 0, -1, 1.5, 2 ** 53, '1', undefined],
    ['entry', 'list', [], '', '..', 'a\nb', 7, undefined],
    ['orgId', 'listByOrg', [], '1'],
    ['filename', 'getAttachment', [1], '..', undefined],
    ['approved', 'setApproved', [1], undefined],
    ['email', 'setApproved', [1, true], { email: '' }],
    ['idempotencyKey', 'setApproved', [1, true], { idempotencyKey: 'k' }],
    ['idempotencykey', 'create', ['e', {}], { idempotencykey: 'k' }],
    ['signal', 'create', ['e', {}], { signal: null }],
    ['0', 'create', ['e', {}], 'k'],
    [
      ...['idempotencyKey', 'create', ['e', {}]],
      ...values('idempotencyKey', '', ' ', 'a\r\nb', 'é', 7),
    ] as unknown as Refused,
    ['autocreateUser', 'sendToApproval', [1, []], { autocreateUser: {} }],
    ['returnObject', 'getAttachment', [1, 'a'], { returnObject: null }],
    ['exportFormat', 'export', ['e'], { format: '' }],
    ['exportFormat', 'list', ['e'], { exportFormat: 'csv' }],
    ['limit', 'list', ['e'], { limit: 1 }],
    ['fromRecord', 'list', ['e'], { fromRecord: Number.NaN }],
    ['limitRecord', 'list', ['e'], { limitRecord: '' }],
    ['billDate', 'create', ['e'], ...values('billDate', ...days)],
    ['dueDate', 'update', [1], { dueDate: 'soon' }],
    ['endDate', 'update', [1], { endDate: '2026-02-28T00:00:00Z' }],
    ['status(eq)', 'list', ['e'], ...unsendable.map(status)],
    ['event(in)', 'list', ['e'], event([])],
    ['filters', 'list', ['e'], event(['a', 'b|c']), event([''])],
    ['filters', 'list', ['e'], { filters: [{ field: {}, op: 'eq' }] }],
    ['rawFilters', 'list', ['e'], ...values('rawFilters', ...raw)],
    ['a(eq)', 'list', ['e'], ...unsendable.map((value) => ({ rawFilters: { 'a(eq)': value } }))],
    ['sortBy', 'list', ['e'], { sortBy: '' }, { sortBy: {} }],
  ])('%s, in %s', async (reason, method, before, ...given) => {
    const { sent, bills } = start();
    for (const each of given) {
      const error = await failureOf(loosely(bills)[method]?.(...before, each) as Promise<unknown>);
      expect(error).toMatchObject({ code: 'api/invalid-argument', reason, outcome: 'not-sent' });
    }
    expect(sent).toEqual([]);
  });

  it('other members, null and absent dates are not checked as dates', async () => {
    const { sent, bills } = start();
    const bill = { endDate: null, dueDate: undefined, comments: '28.02.2026' };
    await bills.create('e', bill as never);
    expect(sent[0]?.body).toBe('{"endDate":null,"comments":"28.02.2026"}');
  });
});

describe('a file', () => {
  it('arrives unchanged for an export, and for an attachment without returnObject', async () => {
    const bytes = Uint8Array.of(0x50, 0x4b, 0xff, 0xfe, 0x00, 0x80);
    const { bills } = start(...Array(4).fill(answer(200, bytes, { 'content-type': 'text/csv' })));
    const files = [
      bills.export('e', { format: 'csv' }),
      bills.exportByOrg(3, { format: 'xlsx', fromRecord: 2 }),
      bills.getAttachment(1, 'b.pdf'),
      bills.getAttachment(1, 'b.pdf', { returnObject: false }),
    ];
    for (const file of files) {
      const { body } = await file;
      expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(bytes);
    }
  });

  it('is never a failure in JSON', async () => {
    const { bills } = start(answer(200, { isSuccess: false }));
    expect((await failureOf(bills.export('e', { format: 'csv' }))).code).toBe('api/refused');
  });

  it('can be JSON, and is an object with returnObject', async () => {
    const { bills } = start(answer(200, { a: 1 }), answer(200, { fContent: 'x' }));
    const { body } = await bills.getAttachment(1, 'a');
    expect(await new Response(body).text()).toBe('{"a":1}');
    const object = bills.getAttachment(1, 'a', { returnObject: true });
    expect(await object).toEqual({ fContent: 'x' });
  });
});

describe('a failure', () => {
  const declined = { responseCode: 2, responseText: 'Declined', responseData: 'why' };
  const missing = { explanation: 'netAmount is missing', todoAction: 'add it' };
  const bad = { responseCode: 400, responseText: 'Bad Request', responseData: missing };
  it.each([
    [200, declined, 'api/refused', '2', 'Declined: why'],
    [400, bad, 'api/bad-request', '400', 'Bad Request: netAmount is missing'],
    [409, { responseCode: 'D', responseText: 'Twice' }, 'api/conflict', 'D', 'Twice'],
  ])('with status %i repeats what the service said: %j', async (status, said, ...facts) => {
    const [code, serviceCode, serviceMessage] = facts;
    const { sent, bills } = start(answer(status, { isSuccess: false, ...said }));
    const error = await failureOf(bills.create('e', {}));
    const told = { code, status, serviceCode, serviceMessage };
    expect(error).toMatchObject({ ...told, outcome: 'refused', retryable: false });
    expect(sent).toHaveLength(1);
  });

  it.each([null, [], 'x', 1, { responseData: null }])('can have the body %j', async (body) => {
    expect(await failureOf(start(answer(400, body)).bills.get(1))).toMatchObject({ status: 400 });
  });
});
