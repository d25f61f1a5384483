/**
 * What the bills client makes of what it is given and of answers: queries, files, failures, refusals.
 * That each method sends what the service takes is tried beside its official SDK.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BillQuery,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
  type OrgBillQuery,
} from '../../../src/bills.js';
import { runs, seed } from '../../seed.js';
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

type Act = (bills: BillsClient) => Promise<unknown>;
/** What types forbid comes from programs without them. */
type Loose = Record<string, (...given: unknown[]) => Promise<unknown>>;
const loosely = (bills: BillsClient) => bills as unknown as Loose;

describe('a method', () => {
  it('exists for every operation, and for what builds on them, and works without its object', async () => {
    const { bills } = start();
    const names = [
      ...['close', 'create', 'delete', 'deleteAttachment', 'export', 'exportByOrg', 'get'],
      ...['getAttachment', 'iterate', 'iterateByOrg', 'list', 'listByOrg', 'sendToApproval'],
      ...['setApproved', 'setApprovers', 'update'],
    ];
    expect(Object.keys(bills).sort()).toEqual(names);
    const { get } = bills;
    expect(await get(1)).toEqual(ok);
  });

  it('takes call options behind all else', async () => {
    const once = { retry: { maxAttempts: 1 } };
    const calls: Act[] = [
      (bills) => bills.create('e', {}, { idempotencyKey: 'k' }, once),
      (bills) => bills.get(1, once),
      (bills) => bills.update(1, {}, once),
      (bills) => bills.getAttachment(1, 'a', undefined, once),
      (bills) => bills.setApproved(1, true, {}, once),
      (bills) => bills.list('e', {}, once),
      (bills) => bills.export('e', { format: 'csv' }, once),
      (bills) => bills.iterate('e', {}, once).next(),
    ];
    const { sent, bills } = start(...calls.map(() => answer(503, ok)));
    for (const call of calls) await failureOf(call(bills));
    expect(sent).toHaveLength(calls.length);
  });

  it('sends the key of the caller, and never one of its own', async () => {
    const { sent, bills } = start(answer(500));
    await bills.create('e', {}, { idempotencyKey: 'k-1' });
    await bills.sendToApproval(1, [], { idempotencyKey: 'k-2' });
    await bills.create('e', {});
    await bills.sendToApproval(1, []);
    const keys = sent.map(({ headers }) => headers['idempotencykey']);
    expect(keys).toEqual(['k-1', 'k-1', 'k-2', undefined, undefined]);
  });
});

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
  it.each(queries)('of %j is written as %j', async (query, expected) => {
    expect(await written(query)).toBe(expected);
    expect(await written(query, 'listByOrg')).toBe(expected);
  });

  it('of what does not compile, but may be known to the service, is sent', async () => {
    const one = { op: 'eq', value: 1 } as const;
    // @ts-expect-error an operator that the field does not have
    const operator: BillQuery = { filters: [{ field: 'status', op: 'in', value: [1] }] };
    // @ts-expect-error capitals count
    const capitals: BillQuery = { filters: [{ field: 'Status', ...one }] };
    // @ts-expect-error organizations have no schedules
    const schedule: OrgBillQuery = { filters: [{ field: 'scheduleId', ...one }] };
    for (const query of [operator, capitals, schedule])
      expect(await written(query)).toMatch(/\)=1/);
  });

  it('whatever is given is refused by name, or writes known parameters and conditions', async () => {
    const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()));
    const field = fc.oneof(fc.constantFrom('status', 'event', 'target'), fc.string());
    const op = fc.oneof(fc.constantFrom('eq', 'ne', 'in', 'ct'), fc.string());
    const query = fc.record(
      {
        filters: fc.oneof(fc.array(fc.record({ field, op, value })), value),
        rawFilters: fc.oneof(fc.dictionary(fc.string(), value), value),
        sortBy: fc.oneof(fc.record({ field: value, direction: value }), value),
        fromRecord: value,
        limitRecord: value,
      },
      { requiredKeys: [] },
    );
    const names = /^(?:fromRecord|limitRecord|sortBy|\w[\w.]*\([a-z]+\))$/;
    const { sent, bills } = start(answer(200, {}));
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        sent.length = 0;
        const error = await bills.list('e', given as never).then(
          () => undefined,
          (reason) => reason,
        );
        if (error)
          expect(error).toMatchObject({ code: 'api/invalid-argument', outcome: 'not-sent' });
        const { searchParams } = new URL(sent[0]?.url ?? 'http://x');
        for (const name of searchParams.keys()) expect(name).toMatch(names);
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});

const status = (value: unknown) => ({ filters: [{ field: 'status', op: 'eq', value }] });
const event = (value: unknown) => ({ filters: [{ field: 'event', op: 'in', value }] });

describe('refused before anything is sent is', () => {
  type Refused = [argument: string, method: string, ...given: unknown[]];
  const refused: Refused[] = [
    ...[0, -1, 1.5, 2 ** 53, '1', undefined].map((id): Refused => ['idBill', 'get', id]),
    ...['', '..', 'a\nb', 7, undefined].map((entry): Refused => ['entry', 'list', entry]),
    ['orgId', 'listByOrg', '1'],
    ['filename', 'getAttachment', 1, '..'],
    ['filename', 'deleteAttachment', 1],
    ['approved', 'setApproved', 1, 'true'],
    ['approved', 'setApproved', 1],
    ['email', 'setApproved', 1, true, { email: '' }],
    ['idempotencyKey', 'setApproved', 1, true, { idempotencyKey: 'k' }],
    ['idempotencykey', 'create', 'e', {}, { idempotencykey: 'k' }],
    ['signal', 'create', 'e', {}, { signal: null }],
    ...['k', 7, null].map((key): Refused => ['parameters', 'create', 'e', {}, key]),
    ...['', ' ', 'a\r\nb', 'é', 7, null].map((idempotencyKey): Refused => {
      return ['idempotencyKey', 'create', 'e', {}, { idempotencyKey }];
    }),
    ['autocreateUser', 'sendToApproval', 1, [], { autocreateUser: {} }],
    ['returnObject', 'getAttachment', 1, 'a', { returnObject: null }],
    ['format', 'export', 'e', { format: '' }],
    ['format', 'export', 'e', { limitRecord: 1 }],
    ['format', 'exportByOrg', 3],
    ['format', 'list', 'e', { format: 'csv' }],
    ['exportFormat', 'list', 'e', { exportFormat: 'csv' }],
    ['limit', 'list', 'e', { limit: 1 }],
    ['parameters', 'list', 'e', 'x'],
    ['fromRecord', 'list', 'e', { fromRecord: Number.NaN }],
    ['limitRecord', 'list', 'e', { limitRecord: '' }],
    ...['28.02.2026', '2026-2-8', '2026-02-30', '2026-13-01', '', 20260228, new Date(0)].map(
      (billDate): Refused => ['billDate', 'create', 'e', { billDate }],
    ),
    ['dueDate', 'update', 1, { dueDate: 'soon' }],
    ['endDate', 'update', 1, { endDate: '2026-02-28T00:00:00Z' }],
    ...[
      ...[...['', Number.NaN, Number.POSITIVE_INFINITY, {}, undefined, null, ['a']].map(status)],
      ...[...['a', [], ['a', 'b|c'], ['']].map(event)],
      ...[
        { filters: [null] },
        { filters: [{ field: {}, op: 'eq', value: 1 }] },
        { filters: 'status' },
      ],
    ].map((query): Refused => ['filters', 'list', 'e', query]),
    ...[
      'exportFormat',
      'fromRecord',
      'status',
      'a(b)=1&c',
      '(eq)',
      'a()',
      'a b(eq)',
      'a(eq)\n',
    ].map((name): Refused => ['rawFilters', 'list', 'e', { rawFilters: { [name]: '1' } }]),
    ...['', null, [''], {}, Number.NaN].map(
      (value): Refused => ['rawFilters', 'list', 'e', { rawFilters: { 'a(eq)': value } }],
    ),
    ['rawFilters', 'list', 'e', { rawFilters: 'status(eq)=2' }],
    ['sortBy', 'list', 'e', { sortBy: { field: 'a' } }],
    ...['', 'a b', 'a)', 'desc(a)', 'a,b', {}, undefined].map(
      (field): Refused => ['sortBy', 'list', 'e', { sortBy: { field, direction: 'asc' } }],
    ),
  ];
  it.each(refused)('%s, in %s(%j, %j, %j)', async (reason, method, ...given) => {
    const { sent, bills } = start();
    const error = await failureOf(loosely(bills)[method]?.(...given) as Promise<unknown>);
    expect(error).toMatchObject({ code: 'api/invalid-argument', reason, outcome: 'not-sent' });
    expect(sent).toEqual([]);
  });

  it('no date but those of a bill: other members, null and what is absent', async () => {
    const { sent, bills } = start();
    const bill = { endDate: null, dueDate: undefined, comments: '28.02.2026' };
    await bills.create('e', bill as never);
    expect(sent[0]?.body).toBe('{"endDate":null,"comments":"28.02.2026"}');
  });
});

describe('a file', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
  const headers = {
    'content-type': 'application/pdf',
    'content-disposition': 'attachment; filename="b.pdf"',
    'content-length': `${bytes.length}`,
  };
  const attached = '/Bill/attachedFileFromBill/1/b.pdf';

  it.each<[string, (client: BillsClient) => ReturnType<BillsClient['export']>, string]>([
    ['export', (bills) => bills.export('e', { format: 'csv' }), '/Query/bills/e?exportFormat=csv'],
    [
      'exportByOrg',
      (bills) => bills.exportByOrg(3, { format: 'xlsx', fromRecord: 2 }),
      '/Query/bills/org/3?exportFormat=xlsx&fromRecord=2',
    ],
    ['getAttachment', (bills) => bills.getAttachment(1, 'b.pdf'), attached],
    [
      'getAttachment without an object',
      (bills) => bills.getAttachment(1, 'b.pdf', { returnObject: false }),
      `${attached}?returnObject=false`,
    ],
  ])('of %s arrives byte by byte', async (_name, act, path) => {
    const { sent, bills } = start(answer(200, bytes, headers));
    const { body, ...about } = await act(bills);
    const told = { contentType: 'application/pdf', filename: 'b.pdf', size: bytes.length };
    expect(about).toEqual(told);
    expect(new Uint8Array(await new Response(body).arrayBuffer())).toEqual(bytes);
    expect(sent[0]?.url).toBe(`https://api.example.com${path}`);
  });

  it('is what there is where JSON comes in its place, and no object', async () => {
    const { bills } = start(answer(200, { a: 1 }), answer(200, { fContent: 'x' }));
    const { body } = await bills.getAttachment(1, 'a');
    expect(await new Response(body).text()).toBe('{"a":1}');
    const object = bills.getAttachment(1, 'a', { returnObject: true });
    expect(await object).toEqual({ fContent: 'x' });
  });

  it('is none where bills are walked through, even with a format', async () => {
    const { sent, bills } = start(answer(200, { Summary: {}, Records: [] }));
    await bills.iterate('e', { format: 'csv' } as never).next();
    expect(new URL(sent[0]?.url ?? '').search).toBe('?fromRecord=0&limitRecord=100');
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
  ])('of status %i says what the service does: %j', async (status, said, ...facts) => {
    const [code, serviceCode, serviceMessage] = facts;
    const { sent, bills } = start(answer(status, { isSuccess: false, ...said }));
    const error = await failureOf(bills.create('e', {}));
    const told = { code, status, serviceCode, serviceMessage };
    expect(error).toMatchObject({ ...told, outcome: 'refused', retryable: false });
    expect(sent).toHaveLength(1);
  });

  it.each([null, [], 'x', 1, { responseData: null }])('may have the body %j', async (body) => {
    expect(await failureOf(start(answer(400, body)).bills.get(1))).toMatchObject({ status: 400 });
  });
});
