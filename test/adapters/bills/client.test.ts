/** Every method against a recording server: what goes out, what comes back, what is refused. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
} from '../../../src/bills.js';
import { type RecordingServer, type Reply, startRecording, success } from './recording-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  reply?: (request: RecordingServer['requests'][number]) => Reply | Promise<Reply>,
  options: Partial<BillsClientOptions> = {},
): Promise<{ server: RecordingServer; client: BillsClient }> {
  const server = await startRecording(reply);
  const auth = { apiKey: 'key-1' };
  const client = createBillsClient({ baseUrl: server.url, auth, retry: { baseMs: 1 }, ...options });
  open.push(server, client);
  return { server, client };
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

type Act = (client: BillsClient) => Promise<unknown>;

type Sent = [name: string, act: Act, line: string, body?: unknown];

const sent: readonly Sent[] = [
  [
    'create',
    (bills) => bills.create('e 1/x', { netAmount: 1.5, billDate: '2026-02-28' }),
    'POST /api/Bill/single/e%201%2Fx',
    { netAmount: 1.5, billDate: '2026-02-28' },
  ],
  ['delete', (bills) => bills.delete(17), 'DELETE /api/Bill/17'],
  [
    'update, with no more than is given',
    (bills) => bills.update(17, { comments: 'x' }),
    'PUT /api/Bill/17',
    { comments: 'x' },
  ],
  ['get', (bills) => bills.get(17), 'GET /api/Bill/17'],
  [
    'deleteAttachment',
    (bills) => bills.deleteAttachment(17, '0_a b.pdf'),
    'DELETE /api/Bill/attachedFileFromBill/17/0_a%20b.pdf',
  ],
  [
    'deleteAttachment for the whole bill',
    (bills) => bills.deleteAttachment(17, 'a', { returnObject: true }),
    'DELETE /api/Bill/attachedFileFromBill/17/a?returnObject=true',
  ],
  [
    'getAttachment as an object',
    (bills) => bills.getAttachment(17, 'a', { returnObject: true }),
    'GET /api/Bill/attachedFileFromBill/17/a?returnObject=true',
  ],
  [
    'setApprovers',
    (bills) => bills.setApprovers(17, ['a@example.com']),
    'PUT /api/Bill/approval/17',
    ['a@example.com'],
  ],
  [
    'sendToApproval',
    (bills) => bills.sendToApproval(17, ['u'], { autocreateUser: true }),
    'POST /api/Bill/approval/17?autocreateUser=true',
    ['u'],
  ],
  ['setApproved', (bills) => bills.setApproved(17, true), 'GET /api/Bill/approval/17/true'],
  [
    'setApproved on behalf of a user',
    (bills) => bills.setApproved(17, false, { email: 'a+b@example.com' }),
    'GET /api/Bill/approval/17/false?email=a%2Bb%40example.com',
  ],
  ['list', (bills) => bills.list('e'), 'GET /api/Query/bills/e'],
  [
    'listByOrg',
    (bills) => bills.listByOrg(3, { fromRecord: 5, limitRecord: 0 }),
    'GET /api/Query/bills/org/3?fromRecord=5&limitRecord=0',
  ],
];

describe('a method', () => {
  it.each<Sent>(sent)('sends %s', async (_name, act, line, body) => {
    const { server, client } = await start();
    expect(await act(client)).toEqual(success);
    const [request] = server.requests;
    expect(`${request?.method} ${request?.url}`).toBe(line);
    expect(request?.body).toBe(body === undefined ? '' : JSON.stringify(body));
    expect(request?.headers['content-type']).toBe(body && 'application/json');
    expect(request?.headers['requesttoken']).toBe('key-1');
  });

  it('sends the key of the caller, and never one of its own', async () => {
    const { server, client } = await start();
    await client.create('e', {}, { idempotencyKey: 'k-1' });
    await client.sendToApproval(1, [], { idempotencyKey: 'k-2' });
    await client.create('e', {});
    await client.sendToApproval(1, []);
    const keys = server.requests.map(({ headers }) => headers['idempotencykey']);
    expect(keys).toEqual(['k-1', 'k-2', undefined, undefined]);
  });

  it('works without its object', async () => {
    const { client } = await start();
    const { get } = client;
    expect(await get(1)).toEqual(success);
  });

  it('takes call options behind all else', async () => {
    const { server, client } = await start(() => ({ status: 503, body: { isSuccess: false } }));
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
    for (const call of calls) await failureOf(call(client));
    expect(server.requests.length).toBe(calls.length);
  });

  it('exists for every operation, and for what builds on them', async () => {
    const { client } = await start();
    expect(Object.keys(client).sort()).toEqual(
      [
        ...['create', 'delete', 'update', 'get', 'deleteAttachment', 'getAttachment'],
        ...['setApprovers', 'sendToApproval', 'setApproved', 'list', 'listByOrg'],
        ...['export', 'exportByOrg', 'iterate', 'iterateByOrg', 'close'],
      ].sort(),
    );
  });
});

describe('files', () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
  const file = {
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="b.pdf"',
      'content-length': `${bytes.length}`,
    },
    body: bytes,
  };

  it.each<[string, (client: BillsClient) => ReturnType<BillsClient['export']>, string]>([
    ['export', (bills) => bills.export('e', { format: 'csv' }), '/Query/bills/e?exportFormat=csv'],
    [
      'exportByOrg',
      (bills) => bills.exportByOrg(3, { format: 'xlsx', fromRecord: 2 }),
      '/Query/bills/org/3?exportFormat=xlsx&fromRecord=2',
    ],
    [
      'getAttachment',
      (bills) => bills.getAttachment(1, 'b.pdf'),
      '/Bill/attachedFileFromBill/1/b.pdf',
    ],
    [
      'getAttachment without an object',
      (bills) => bills.getAttachment(1, 'b.pdf', { returnObject: false }),
      '/Bill/attachedFileFromBill/1/b.pdf?returnObject=false',
    ],
  ])('%s arrives byte by byte', async (_name, act, url) => {
    const { server, client } = await start(() => file);
    const answer = await act(client);
    expect(answer.contentType).toBe('application/pdf');
    expect(answer.filename).toBe('b.pdf');
    expect(answer.size).toBe(bytes.length);
    expect(answer.body).toBeInstanceOf(ReadableStream);
    expect(new Uint8Array(await new Response(answer.body).arrayBuffer())).toEqual(bytes);
    expect(server.requests[0]?.url).toBe(`/api${url}`);
  });

  it('is none where bills are walked through, even with a format', async () => {
    const { server, client } = await start(() => ({ body: { Summary: {}, Records: [] } }));
    await client.iterate('e', { format: 'csv' } as never).next();
    expect(server.requests[0]?.url).toBe('/api/Query/bills/e?fromRecord=0&limitRecord=100');
  });

  it('is an error where the service says so with 200', async () => {
    const { client } = await start(() => ({
      body: { isSuccess: false, responseText: 'Declined' },
    }));
    expect(await failureOf(client.export('e', { format: 'csv' }))).toMatchObject({
      code: 'api/refused',
      status: 200,
      operation: 'bills.list',
    });
    expect(await failureOf(client.getAttachment(1, 'a'))).toMatchObject({ code: 'api/refused' });
  });
});

describe('failures', () => {
  it('are answers of 200 that say so', async () => {
    const body = {
      isSuccess: false,
      responseCode: 2,
      responseText: 'Declined',
      responseData: 'why',
    };
    const { server, client } = await start(() => ({ body }));
    expect(await failureOf(client.create('e', {}))).toMatchObject({
      code: 'api/refused',
      status: 200,
      serviceCode: '2',
      serviceMessage: 'Declined: why',
      outcome: 'refused',
      retryable: false,
    });
    expect(server.requests.length).toBe(1);
  });

  it('carry what the service explains', async () => {
    const responseData = { explanation: 'netAmount is missing', todoAction: 'add it' };
    const body = { isSuccess: false, responseCode: 400, responseText: 'Bad Request', responseData };
    const { client } = await start(() => ({ status: 400, body }));
    expect(await failureOf(client.create('e', {}))).toMatchObject({
      code: 'api/bad-request',
      serviceCode: '400',
      serviceMessage: 'Bad Request: netAmount is missing',
      outcome: 'refused',
    });
  });

  it.each([null, [], 'x', 1, { responseData: null }])('may have the body %j', async (body) => {
    const { client } = await start(() => ({ status: 400, body }));
    expect(await failureOf(client.get(1))).toMatchObject({ status: 400 });
  });

  it('of a payment are not repeated without a key, and are with one', async () => {
    const { server, client } = await start(() => ({ status: 500, body: {} }));
    expect(await failureOf(client.create('e', {}))).toMatchObject({ outcome: 'unknown' });
    expect(server.requests.length).toBe(1);
    await failureOf(client.create('e', {}, { idempotencyKey: 'k' }));
    expect(server.requests.length).toBe(5);
    expect(server.requests.slice(1).every(({ headers }) => headers['idempotencykey'] === 'k')).toBe(
      true,
    );
  });

  it.each<[string, Act]>([
    ['create', (bills) => bills.create('e', {}, { idempotencyKey: 'k' })],
    ['sendToApproval', (bills) => bills.sendToApproval(1, [], { idempotencyKey: 'k' })],
  ])('of %s with a key that was seen are unknown if we may have sent it', async (_name, act) => {
    const seen = { isSuccess: false, responseText: 'Duplicate' };
    const replies = [
      { status: 500, body: {} },
      { status: 409, body: seen },
      { status: 409, body: seen },
    ];
    const { client } = await start(() => replies.shift() ?? { body: success });
    const unknown = { status: 409, outcome: 'unknown', code: 'api/conflict' };
    expect(await failureOf(act(client))).toMatchObject(unknown);
    expect(await failureOf(act(client))).toMatchObject({
      outcome: 'refused',
      code: 'api/conflict',
    });
  });

  it.each<[string, Act]>([
    ['setApproved', (bills) => bills.setApproved(1, true)],
    ['setApprovers', (bills) => bills.setApprovers(1, ['a'])],
    ['update', (bills) => bills.update(1, {})],
    ['delete', (bills) => bills.delete(1)],
    ['list', (bills) => bills.list('e')],
  ])('of %s are repeated without a key', async (_name, act) => {
    const replies = [{ status: 503, body: {} }];
    const { server, client } = await start(() => replies.shift() ?? { body: success });
    expect(await act(client)).toEqual(success);
    expect(server.requests.length).toBe(2);
  });

  it('of a repeated deletion that finds nothing left are told from others', async () => {
    const gone = { isSuccess: false, responseText: 'Bill 1 does not exist' };
    const replies = [
      { status: 500, body: {} },
      { status: 400, body: gone },
    ];
    const { client } = await start(() => replies.shift() ?? { body: success });
    expect(await failureOf(client.delete(1))).toMatchObject({ outcome: 'applied' });
    replies.push({ status: 400, body: gone });
    expect(await failureOf(client.delete(1))).toMatchObject({ outcome: 'refused', status: 400 });
  });
});

describe('refused before anything is sent', () => {
  // What types forbid comes from programs without them.
  const loosely = (
    act: (client: Record<string, (...given: unknown[]) => Promise<unknown>>) => Promise<unknown>,
  ) => act as unknown as Act;
  const refused: readonly (readonly [argument: string, act: Act])[] = [
    ...[0, -1, 1.5, 2 ** 53, '1', undefined].map(
      (id) => ['idBill', loosely((bills) => bills['get']!(id))] as const,
    ),
    ...['', '.', '..', 'a\u0000', 'a\nb', 7, undefined].map(
      (entry) => ['entry', loosely((bills) => bills['list']!(entry))] as const,
    ),
    ['orgId', loosely((bills) => bills['listByOrg']!('1'))],
    ['filename', loosely((bills) => bills['getAttachment']!(1, '..'))],
    ['filename', loosely((bills) => bills['deleteAttachment']!(1))],
    ['approved', loosely((bills) => bills['setApproved']!(1, 'true'))],
    ['approved', loosely((bills) => bills['setApproved']!(1))],
    ['email', loosely((bills) => bills['setApproved']!(1, true, { email: '' }))],
    ['idempotencykey', loosely((bills) => bills['create']!('e', {}, { idempotencykey: 'k' }))],
    ['signal', loosely((bills) => bills['create']!('e', {}, { signal: null }))],
    ...['k', 7, null].map(
      (key) => ['parameters', loosely((bills) => bills['create']!('e', {}, key))] as const,
    ),
    ['idempotencyKey', loosely((bills) => bills['setApproved']!(1, true, { idempotencyKey: 'k' }))],
    ...['', ' ', 'a\r\nb', 'é', 7, null].map(
      (idempotencyKey) =>
        [
          'idempotencyKey',
          loosely((bills) => bills['create']!('e', {}, { idempotencyKey })),
        ] as const,
    ),
    ['autocreateUser', loosely((bills) => bills['sendToApproval']!(1, [], { autocreateUser: {} }))],
    ['returnObject', loosely((bills) => bills['getAttachment']!(1, 'a', { returnObject: null }))],
    ['format', loosely((bills) => bills['export']!('e', { format: '' }))],
    ['exportFormat', loosely((bills) => bills['list']!('e', { exportFormat: 'csv' }))],
    ['limit', loosely((bills) => bills['list']!('e', { limit: 1 }))],
    ['parameters', loosely((bills) => bills['list']!('e', 'x'))],
    ['rawFilters', loosely((bills) => bills['list']!('e', { rawFilters: 'status(eq)=2' }))],
    ['format', loosely((bills) => bills['list']!('e', { format: 'csv' }))],
    ['format', loosely((bills) => bills['export']!('e', { limitRecord: 1 }))],
    ['format', loosely((bills) => bills['exportByOrg']!(3))],
    ['fromRecord', loosely((bills) => bills['list']!('e', { fromRecord: Number.NaN }))],
    ['limitRecord', loosely((bills) => bills['list']!('e', { limitRecord: '' }))],
    ...['28.02.2026', '2026-2-8', '2026-02-30', '2026-13-01', '', 20260228, new Date(0)].map(
      (billDate) => ['billDate', loosely((bills) => bills['create']!('e', { billDate }))] as const,
    ),
    ['dueDate', loosely((bills) => bills['update']!(1, { dueDate: 'soon' }))],
    ['endDate', loosely((bills) => bills['update']!(1, { endDate: '2026-02-28T00:00:00Z' }))],
  ];

  it.each(refused)('%s (%#)', async (argument, act) => {
    const { server, client } = await start();
    expect(await failureOf(act(client))).toMatchObject({
      code: 'api/invalid-argument',
      reason: argument,
      outcome: 'not-sent',
    });
    expect(server.requests).toEqual([]);
  });

  it('no dates but those of a bill: other members, null and what is absent', async () => {
    const { server, client } = await start();
    const bill = { endDate: null, dueDate: undefined, comments: '28.02.2026' };
    await client.create('e', bill as never);
    expect(server.requests[0]?.body).toBe('{"endDate":null,"comments":"28.02.2026"}');
  });

  it('and an absent body is an empty one', async () => {
    const { server, client } = await start();
    await loosely((bills) => bills['create']!('e'))(client);
    expect(server.requests[0]?.body).toBe('{}');
  });
});
