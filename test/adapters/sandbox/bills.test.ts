/** The bills of the sandbox, by plain requests: a bill's life, approval, keys, files, lists. */
import { describe, expect, it } from 'vitest';
import { type Send, type Served, serve } from './serve.js';

const bill = {
  billNumber: 'B-1',
  netAmount: 120.5,
  billDate: '2026-01-02',
  dueDate: '2026-02-01',
  comments: 'two chairs',
  billItems: [{ itemProductName: 'chair', itemCost: 60.25, itemQty: 2 }],
  mode: 0,
  accountingField1: 'A',
  vendor: { vendorNumber: 'V-7' },
  frequency: 'onetime',
  terms: 'NET30',
};

/** Bills of these fields, in this order, at one entry. */
async function serveBills(...fields: readonly object[]): Promise<Served> {
  const served = await serve();
  for (const json of fields) await served.bills('POST', '/Bill/single/shop', { json });
  return served;
}

/** A request, its body, and the data of the answer or the explanation of a refusal. */
type Line = readonly [request: string, json: unknown, expected: unknown];

async function play({ bills }: Served, lines: readonly Line[]): Promise<void> {
  for (const [request, json, expected] of lines) {
    const [method = '', path = ''] = request.split(' ');
    const answer = await bills(method, path, { json });
    const { responseData } = answer.json;
    const found = answer.status === 200 ? responseData : responseData.explanation;
    if (typeof expected === 'object') expect([request, found]).toMatchObject([request, expected]);
    else expect([request, found]).toEqual([request, expected]);
  }
}

describe('a bill', () => {
  it('has what its creation gave, changes in what an update gives, and is gone once deleted', async () => {
    const served = await serve();
    const { bills, sandbox } = served;
    expect((await bills('POST', '/Bill/single/shop', { json: bill })).json).toEqual({
      ...{ responseCode: 1, pageIdentifier: null, roomId: 0, isSuccess: true },
      ...{ responseText: 'Success', responseData: 1 },
    });
    const { vendor, mode, ...fields } = bill;
    const named = Object.entries(fields).map(([name, value]) => {
      return [name.charAt(0).toUpperCase() + name.slice(1), value];
    });
    const at = '2026-01-01T00:00:00.000Z';
    const record = {
      ...Object.fromEntries(named),
      ...{ IdBill: 1, TotalAmount: 120.5, Mode: mode, Status: 1, CreatedAt: at },
      Vendor: { VendorNumber: vendor.vendorNumber, PaypointEntryname: 'shop' },
      ...{ PaypointEntryname: 'shop', ParentOrgId: 100, billApprovals: null },
      billEvents: [{ description: 'Created Bill', eventTime: at, source: 'API' }],
    };
    const amounts = { NetAmount: 99, TotalAmount: 99 };
    const changed = { ...record, ...amounts, BillDate: '2026-01-09' };
    const LastUpdated = '2026-01-01T00:00:01.000Z';
    await play(served, [['GET /Bill/1', undefined, record]]);
    sandbox.clock.advance(1000);
    await play(served, [
      ['PUT /Bill/1', { netAmount: 99, billDate: '2026-01-09' }, 1],
      ['GET /Bill/1', undefined, { ...changed, LastUpdated }],
      ['DELETE /Bill/1', undefined, 1],
    ]);
    const gone = await bills('DELETE', '/Bill/1');
    expect([gone.status, gone.json]).toMatchObject([
      400,
      { isSuccess: false, responseCode: 400, responseText: 'Bad Request' },
    ]);
    expect(gone.json.responseData.explanation).toBe('Bill 1 does not exist');
  });

  const refusals: readonly (readonly [request: string, json: unknown, why: string | RegExp])[] = [
    ['POST /Bill/single/shop', { netAmount: '12' }, '/netAmount must be number'],
    ['POST /Bill/single/shop', { dueDate: '1.2.2026' }, /^\/dueDate must match pattern/],
    ['POST /Bill/single/shop', '{', 'The body is not JSON'],
    ['POST /Bill/single/shop', undefined, 'Content-Type must be application/json'],
    ['GET /Bill/x', undefined, 'idBill must be an integer'],
    ['GET /Query/bills/org/1.5', undefined, 'orgId must be an integer'],
    ['GET /Query/bills/%ff', undefined, 'A part of the path is not encoded correctly'],
    ['GET /Bill/approval/1/true', undefined, 'The bill was not sent to this approver'],
    ['GET /Bill/approval/1/yes', undefined, 'approved must be true or false'],
    ['POST /Bill/approval/1', [], 'There must be users, each with a name'],
    ['PUT /Bill/approval/1', [7], '/0 must be string'],
    ['POST /Bill/approval/2', ['ann'], 'Bill 2 does not exist'],
    ['GET /Bill/attachedFileFromBill/1/x', undefined, 'The bill has no file with this name'],
  ];

  it('is neither made nor changed by what is refused', async () => {
    const { bills, sandbox } = await serveBills(bill);
    const before = sandbox.bills.all();
    for (const [request, json, why] of refusals) {
      const [method = '', path = ''] = request.split(' ');
      const headers = { 'content-type': 'application/json' };
      const answer = await bills(method, path, json === '{' ? { body: json, headers } : { json });
      expect([request, answer.status]).toEqual([request, 400]);
      expect(answer.json.responseData.explanation).toMatch(why);
    }
    expect(sandbox.bills.all()).toEqual(before);
  });
});

it('approval adds approvers and an event, and the status follows what they decide', async () => {
  const path = '/Bill/approval/1';
  const approval = (Id: number, email: string) => ({ Id, email, approved: 0, approvedTime: null });
  const told = ['Created Bill', 'Sent to Approval', 'Sent to Approval'];
  const shows = (Status: number, more: object = {}): Line => {
    return ['GET /Bill/1', undefined, { Status, ...more }];
  };
  await play(await serveBills(bill), [
    [`POST ${path}`, ['ann'], 1],
    [`POST ${path}`, ['bob', 'ann', 'bob'], 1],
    shows(2, { billApprovals: [approval(1, 'ann'), approval(2, 'bob')] }),
    shows(2, { billEvents: told.map((description) => ({ description })) }),
    [`GET ${path}/true?email=ann`, undefined, 1],
    shows(5),
    [`GET ${path}/true?email=bob`, undefined, 1],
    shows(20),
    [`GET ${path}/false?email=bob`, undefined, 1],
    shows(11),
    // Those who stay keep what they have decided; the same twice does what it does once.
    [`PUT ${path}`, ['ann'], 1],
    [`PUT ${path}`, ['ann'], 1],
    shows(20, { billApprovals: [{ email: 'ann', approved: 1 }] }),
    [`PUT ${path}`, ['eve'], 1],
    shows(2),
    [`GET ${path}/false`, undefined, 1],
    shows(11),
    [`POST ${path}`, ['eve'], 1],
    shows(2),
  ]);
});

it('tokens are issued to the client, and are good for an hour', async () => {
  const { bills, sandbox } = await serve();
  const issue = (clientSecret: string) => {
    const json = { clientId: 'sandbox-client', clientSecret };
    return bills('POST', '/v2/Token/serverside', { json });
  };
  expect((await issue('wrong')).status).toBe(401);
  // The API key is right, but does not count beside a token.
  const statusWith = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` };
    return (await bills('GET', '/Query/bills/shop', { headers })).status;
  };
  const { json } = await issue('sandbox-secret');
  expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
  sandbox.clock.advance(3_599_999);
  expect(await statusWith(json.access_token)).toBe(200);
  sandbox.clock.advance(1);
  expect(await statusWith(json.access_token)).toBe(401);
});

describe('idempotency keys', () => {
  const keyed = async (bills: Send, key: string, json: object = bill, path = '/Bill/single/shop') =>
    (await bills('POST', path, { json, headers: { idempotencyKey: key } })).json;

  it('let a request act once in two minutes, and again afterwards', async () => {
    const { bills, sandbox } = await serve();
    expect((await keyed(bills, 'k', { netAmount: 'x' })).responseCode).toBe(400);
    expect((await keyed(bills, 'k')).responseData).toBe(1);
    sandbox.clock.advance(119_999);
    expect((await keyed(bills, 'k')).responseData).toBe(1);
    expect((await keyed(bills, 'k', { ...bill, netAmount: 1 })).responseCode).toBe(409);
    sandbox.clock.advance(1);
    expect((await keyed(bills, 'k')).responseData).toBe(2);
    expect((await keyed(bills, 'other')).responseData).toBe(3);
    // A key counts for one operation on one bill.
    for (const id of [1, 1, 2]) {
      const sent = await keyed(bills, 'k', ['ann'], `/Bill/approval/${id}`);
      expect(sent.responseData).toBe(id);
    }
    const events = sandbox.bills.all().map(({ billEvents }) => billEvents.length);
    expect(events).toEqual([2, 2, 1]);
    // A lost request uses up its key.
    sandbox.faults.next('key-lost=500');
    for (const code of [500, 409]) expect((await keyed(bills, 'l')).responseCode).toBe(code);
  });
});

describe('attachments', () => {
  const path = (name: string, query = '') =>
    `/Bill/attachedFileFromBill/1/${encodeURIComponent(name)}${query}`;
  const content = Buffer.from([0, 1, 0xff, 0xfe, 13, 10]);

  it('come with the bill, and are returned byte by byte', async () => {
    const fContent = content.toString('base64');
    const pdf = { ftype: 'pdf', filename: 'a.pdf', furl: 'https://x/a', fContent };
    const served = await serveBills({ attachments: [pdf, { filename: 'note' }] });
    const { bills } = served;
    const filelist = [
      { originalName: 'a.pdf', zipName: '1_a.pdf', descriptor: '' },
      { originalName: 'note', zipName: '2_note', descriptor: '' },
    ];
    await play(served, [['GET /Bill/1', undefined, { DocumentsRef: { filelist } }]]);
    const { bytes, headers } = await bills('GET', path('1_a.pdf'));
    expect(bytes).toEqual(content);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain('filename="a.pdf"');
    const object = await bills('GET', path('1_a.pdf', '?returnObject=true'));
    expect(object.json).toEqual(pdf);
    expect((await bills('GET', path('2_note'))).bytes.toString()).toContain('note');
    expect((await bills('GET', path('2_note', '?returnObject=1'))).status).toBe(400);
  });

  it('are deleted one by one, each with a name of its own, and replaced by an update', async () => {
    const served = await serveBills({ attachments: [{ filename: 'a.txt' }] });
    const { bills, sandbox } = served;
    const attach = (text: string) => sandbox.bills.attach(1, 'a.txt', Buffer.from(text));
    expect(attach('second')).toBe('2_a.txt');
    await play(served, [[`DELETE ${path('1_a.txt')}`, undefined, 1]]);
    expect(attach('third')).toBe('3_a.txt');
    expect((await bills('GET', path('2_a.txt'))).bytes.toString()).toBe('second');
    const none = { IdBill: 1, DocumentsRef: { filelist: [] } };
    await play(served, [
      [`DELETE ${path('2_a.txt')}`, undefined, 1],
      [`DELETE ${path('3_a.txt', '?returnObject=true')}`, undefined, none],
      ['PUT /Bill/1', { attachments: [{ filename: 'b' }] }, 1],
      ['PUT /Bill/1', { comments: 'x' }, 1],
    ]);
    expect((await bills('GET', path('1_b'))).status).toBe(200);
  });
});

describe('a list', () => {
  const mixed = [
    { netAmount: 30, frequency: 'onetime', billNumber: 'A-1', comments: 'red chair' },
    { netAmount: 10, frequency: 'monthly', billNumber: 'A-2', mode: 1 },
    { netAmount: 20, frequency: 'weekly', billNumber: 'B-1', status: 20 },
    { netAmount: 10 },
  ];

  const queries: readonly (readonly [query: string, found: readonly number[] | string])[] = [
    ['', [1, 2, 3, 4]],
    ['fromRecord=1&limitRecord=2', [2, 3]],
    ['limitRecord=x', 'limitRecord must be an integer'],
    ['sortBy=asc(netAmount)', [2, 4, 3, 1]],
    ['sortBy=desc(netAmount)', [1, 3, 2, 4]],
    ['sortBy=up(netAmount)', 'sortBy names no field'],
    ['status(eq)=20', [3]],
    ['status=20', [3]],
    ['status(ne)=20', [1, 2, 4]],
    ['frequency(in)=onetime|weekly', [1, 3]],
    ['frequency(nin)=onetime|weekly', [2, 4]],
    ['status(eq)=1&frequency(eq)=monthly', [2]],
    ['event(in)=Sent to Approval|x', [2, 3]],
    ['target(ct)=bill-2', [2]],
    ['target(nct)=bill-2', [1, 3, 4]],
    ['approvalUserEmail(eq)=ann', [2]],
    ['approvalUserId(eq)=2', [2, 3]],
    ['scheduleId(eq)=2', [2]],
    ['totalAmount(gt)=10', [1, 3]],
    ['totalAmount(lt)=20', [2, 4]],
    ['totalAmount(le)=20', [2, 3, 4]],
    ['billNumber(ct)=A-', [1, 2]],
    ['parameters=status(eq)=20', [1, 2, 3, 4]],
    ['Status(eq)=20', 'Bills are not filtered by "Status(eq)"'],
    ['constructor=1', 'Bills are not filtered by "constructor"'],
    ['status(like)=20', 'Bills are not filtered by "status(like)"'],
    ['exportFormat=xlsx', 'The sandbox only exports csv'],
  ];

  it('has the bills that a query asks for', async () => {
    const { bills } = await serveBills(...mixed);
    await bills('POST', '/Bill/approval/2', { json: ['ann', 'bob'] });
    await bills('POST', '/Bill/approval/3', { json: ['bob'] });
    await bills('PUT', '/Bill/2', { json: { status: 1 } });
    await bills('PUT', '/Bill/3', { json: { status: 20 } });
    for (const [query, expected] of queries) {
      const { json } = await bills('GET', `/Query/bills/shop?${encodeURI(query)}`);
      const ids = json.Records?.map(({ IdBill }: { IdBill: number }) => IdBill);
      expect([query, ids ?? json.responseData.explanation]).toEqual([query, expected]);
    }
  });

  it('is of one entry or one organization, twenty at first, with sums of all', async () => {
    const { bills } = await serve({ bills: { organizations: { other: 7 } } });
    for (const netAmount of [1.1, 2.2, 0, 0]) {
      await bills('POST', '/Bill/single/__proto__', { json: { netAmount } });
    }
    for (let count = 0; count < 23; count += 1) {
      await bills('POST', '/Bill/single/other', { json: {} });
    }
    for (const [path, count] of [
      ['other', 20],
      ['org/7?limitRecord=0', 23],
      ['org/100', 4],
    ]) {
      expect((await bills('GET', `/Query/bills/${path}`)).json.Records).toHaveLength(Number(count));
    }
    const { json } = await bills('GET', '/Query/bills/__proto__?limitRecord=2');
    expect(json.Records[0]).toMatchObject({ IdBill: 1, Transaction: null });
    const totals = { totalPages: 2, totalRecords: 4, totalAmount: 3.3 };
    expect(json.Summary).toMatchObject({ pageidentifier: null, pageSize: 2, ...totals });
  });

  it('can be a CSV file, filtered, sorted and limited alike', async () => {
    const { bills } = await serveBills(
      { billNumber: 'B"1', netAmount: 1.5 },
      { billNumber: 'a, b\r\nc', netAmount: 7 },
      { billNumber: '=1+1\u0000\ud800', netAmount: 2 },
    );
    const query = 'exportFormat=csv&totalAmount(lt)=7&sortBy=desc(netAmount)&limitRecord=2';
    const file = await bills('GET', `/Query/bills/org/100?${query}`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('filename="bills.csv"');
    expect(file.bytes.toString()).toBe(
      'IdBill,BillNumber,NetAmount,BillDate,DueDate,Status\r\n' +
        '3,=1+1\u0000\ufffd,2,,,1\r\n1,"B""1",1.5,,,1\r\n',
    );
  });
});
