/** The bills of the sandbox, by plain requests: a bill's life, approval, keys, files, lists. */
import { describe, expect, it } from 'vitest';
import { play, type Served, serve } from './serve.js';

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

describe('a bill', () => {
  it('has the values of its creation, is changed by an update, and is gone once deleted', async () => {
    const served = await serve();
    const { bills } = served;
    expect((await bills('POST', '/Bill/single/shop', { json: bill })).json).toEqual({
      ...{ responseCode: 1, pageIdentifier: null, roomId: 0, isSuccess: true },
      ...{ responseText: 'Success', responseData: 1 },
    });
    const { vendor, ...fields } = bill;
    const named = Object.entries(fields).map(([name, value]) => {
      return [name.charAt(0).toUpperCase() + name.slice(1), value];
    });
    const at = '2026-01-01T00:00:00.000Z';
    const record = {
      ...Object.fromEntries(named),
      ...{ IdBill: 1, TotalAmount: 120.5, Status: 1, CreatedAt: at, billApprovals: null },
      Vendor: { VendorNumber: vendor.vendorNumber, PaypointEntryname: 'shop' },
      ...{ PaypointEntryname: 'shop', ParentOrgId: 100 },
      billEvents: [{ description: 'Created Bill', eventTime: at, source: 'API' }],
    };
    const changed = { ...record, NetAmount: 99, TotalAmount: 99, BillDate: '2026-01-09' };
    const LastUpdated = '2026-01-01T00:00:01.000Z';
    const transcript = `
      GET /Bill/1 => $record
      wait 1000
      PUT /Bill/1 {netAmount: 99, billDate: "2026-01-09"} => 1
      GET /Bill/1 => $changed
      DELETE /Bill/1 => 1
      DELETE /Bill/1 => 400 Bill 1 does not exist`;
    await play(served, 'bills', transcript, { record, changed: { ...changed, LastUpdated } });
    const { json } = await bills('GET', '/Bill/1');
    expect(json).toMatchObject({
      isSuccess: false,
      responseCode: 400,
      responseText: 'Bad Request',
    });
  });

  it('is neither created nor changed by a request that is refused', async () => {
    const served = await serveBills(bill);
    const before = served.sandbox.bills.all();
    const transcript = `
      POST /Bill/single/shop {netAmount: "12"} => 400 /netAmount must be number
      POST /Bill/single/shop {dueDate: "1.2.2026"} => 400 /dueDate must match pattern
      POST /Bill/single/shop => 400 Content-Type must be application/json
      GET /Bill/x => 400 idBill must be an integer
      GET /Query/bills/org/1.5 => 400 orgId must be an integer
      GET /Query/bills/%ff => 400 A part of the path is not encoded correctly
      GET /Bill/approval/1/true => 400 The bill was not sent to this approver
      GET /Bill/approval/1/yes => 400 approved must be true or false
      POST /Bill/approval/1 [] => 400 There must be users, each with a name
      PUT /Bill/approval/1 [7] => 400 /0 must be string
      POST /Bill/approval/2 ["ann"] => 400 Bill 2 does not exist
      GET /Bill/attachedFileFromBill/1/x => 400 The bill has no file with this name`;
    await play(served, 'bills', transcript);
    const broken = { body: '{', headers: { 'content-type': 'application/json' } };
    const { status, json } = await served.bills('POST', '/Bill/single/shop', broken);
    expect([status, json.responseData.explanation]).toEqual([400, 'The body is not JSON']);
    expect(served.sandbox.bills.all()).toEqual(before);
  });
});

it('approval adds approvers and an event, and the status follows their decisions', async () => {
  const ann = { Id: 1, email: 'ann', approved: 0, approvedTime: null };
  const bob = { ...ann, Id: 2, email: 'bob' };
  const sent = { description: 'Sent to Approval' };
  // Those who are listed again keep their decisions; setting the same approvers twice changes nothing.
  const transcript = `
    POST /Bill/approval/1 ["ann"] => 1
    POST /Bill/approval/1 ["bob", "ann", "bob"] => 1
    GET /Bill/1 => {Status: 2, billApprovals: [$ann, $bob], billEvents: [{}, $sent, $sent]}
    GET /Bill/approval/1/true?email=ann => 1
    GET /Bill/1 => {Status: 5}
    GET /Bill/approval/1/true?email=bob => 1
    GET /Bill/1 => {Status: 20}
    GET /Bill/approval/1/false?email=bob => 1
    GET /Bill/1 => {Status: 11}
    PUT /Bill/approval/1 ["ann"] => 1
    PUT /Bill/approval/1 ["ann"] => 1
    GET /Bill/1 => {Status: 20, billApprovals: [{email: "ann", approved: 1}]}
    PUT /Bill/approval/1 ["eve"] => 1
    GET /Bill/1 => {Status: 2}
    GET /Bill/approval/1/false => 1
    GET /Bill/1 => {Status: 11}
    POST /Bill/approval/1 ["eve"] => 1
    GET /Bill/1 => {Status: 2}`;
  await play(await serveBills(bill), 'bills', transcript, { ann, bob, sent });
});

it('a token is issued to the client only, and is valid for an hour', async () => {
  const served = await serve();
  const transcript = `
    POST /v2/Token/serverside {clientId: "sandbox-client", clientSecret: "wrong"} => 401
    POST /v2/Token/serverside {clientId: "sandbox-client", clientSecret: "sandbox-secret"} => $token`;
  const token = { token_type: 'Bearer', expires_in: 3600, access_token: 'sandbox-token-1' };
  await play(served, 'bills', transcript, { token });
  // The API key is right, but does not count beside a token.
  const status = async () => {
    const headers = { authorization: 'Bearer sandbox-token-1' };
    return (await served.bills('GET', '/Query/bills/shop', { headers })).status;
  };
  served.sandbox.clock.advance(3_599_999);
  expect(await status()).toBe(200);
  served.sandbox.clock.advance(1);
  expect(await status()).toBe(401);
});

it('an idempotency key lets a request act once in two minutes, and again afterwards', async () => {
  const served = await serve();
  // A key counts for one operation on one bill.
  const transcript = `
    idempotencyKey=k POST /Bill/single/shop {netAmount: "x"} => 400
    idempotencyKey=k POST /Bill/single/shop $bill => 1
    wait 119999
    idempotencyKey=k POST /Bill/single/shop $bill => 1
    idempotencyKey=k POST /Bill/single/shop {netAmount: 1} => 409
    wait 1
    idempotencyKey=k POST /Bill/single/shop $bill => 2
    idempotencyKey=other POST /Bill/single/shop $bill => 3
    idempotencyKey=k POST /Bill/approval/1 ["ann"] => 1
    idempotencyKey=k POST /Bill/approval/1 ["ann"] => 1
    idempotencyKey=k POST /Bill/approval/2 ["ann"] => 2`;
  await play(served, 'bills', transcript, { bill });
  const events = served.sandbox.bills.all().map(({ billEvents }) => billEvents.length);
  expect(events).toEqual([2, 2, 1]);
  // A request that is lost uses up its key.
  served.sandbox.faults.next('key-lost=500');
  const again = `
    idempotencyKey=l POST /Bill/single/shop $bill => 500
    idempotencyKey=l POST /Bill/single/shop $bill => 409`;
  await play(served, 'bills', again, { bill });
});

describe('an attachment', () => {
  const path = '/Bill/attachedFileFromBill/1';
  const content = Buffer.from([0, 1, 0xff, 0xfe, 13, 10]);

  it('comes with the bill, and is returned byte by byte', async () => {
    const fContent = content.toString('base64');
    const pdf = { ftype: 'pdf', filename: 'a.pdf', furl: 'https://x/a', fContent };
    const served = await serveBills({ attachments: [pdf, { filename: 'note' }] });
    const { bytes, headers } = await served.bills('GET', `${path}/1_a.pdf`);
    expect(bytes).toEqual(content);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toContain('filename="a.pdf"');
    const filelist = [
      { originalName: 'a.pdf', zipName: '1_a.pdf', descriptor: '' },
      { originalName: 'note', zipName: '2_note', descriptor: '' },
    ];
    const transcript = `
      GET /Bill/1 => {DocumentsRef: {filelist: $filelist}}
      GET ${path}/1_a.pdf?returnObject=true => $pdf
      GET ${path}/2_note?returnObject=1 => 400`;
    await play(served, 'bills', transcript, { filelist, pdf });
  });

  it('has a name of its own, is deleted by it, and is replaced by an update', async () => {
    const served = await serveBills({ attachments: [{ filename: 'a.txt' }] });
    const attach = (text: string) => served.sandbox.bills.attach(1, 'a.txt', Buffer.from(text));
    expect(attach('second')).toBe('2_a.txt');
    await play(served, 'bills', `DELETE ${path}/1_a.txt => 1`);
    expect(attach('third')).toBe('3_a.txt');
    expect((await served.bills('GET', `${path}/2_a.txt`)).bytes.toString()).toBe('second');
    const transcript = `
      DELETE ${path}/2_a.txt => 1
      DELETE ${path}/3_a.txt?returnObject=true => {IdBill: 1, DocumentsRef: {filelist: []}}
      PUT /Bill/1 {attachments: [{filename: "b"}]} => 1
      PUT /Bill/1 {comments: "x"} => 1
      GET /Bill/1 => {DocumentsRef: {filelist: [{zipName: "4_b"}]}}`;
    await play(served, 'bills', transcript);
  });
});

describe('a list', () => {
  const mixed = [
    { netAmount: 30, frequency: 'onetime', billNumber: 'A-1', comments: 'red chair' },
    { netAmount: 10, frequency: 'monthly', billNumber: 'A-2', mode: 1 },
    { netAmount: 20, frequency: 'weekly', billNumber: 'B-1', status: 20 },
    { netAmount: 10 },
  ];

  /** A query, and the ids that it finds or why it is refused. */
  const queries = `
    limitRecord=20 => 1 2 3 4
    fromRecord=1&limitRecord=2 => 2 3
    limitRecord=x => limitRecord must be an integer
    sortBy=asc(netAmount) => 2 4 3 1
    sortBy=desc(netAmount) => 1 3 2 4
    sortBy=up(netAmount) => sortBy names no field
    status(eq)=20 => 3
    status=20 => 3
    status(ne)=20 => 1 2 4
    frequency(in)=onetime|weekly => 1 3
    frequency(nin)=onetime|weekly => 2 4
    status(eq)=1&frequency(eq)=monthly => 2
    event(in)=Sent%20to%20Approval|x => 2 3
    target(ct)=bill-2 => 2
    target(nct)=bill-2 => 1 3 4
    approvalUserEmail(eq)=ann => 2
    approvalUserId(eq)=2 => 2 3
    scheduleId(eq)=2 => 2
    totalAmount(gt)=10 => 1 3
    totalAmount(lt)=20 => 2 4
    totalAmount(le)=20 => 2 3 4
    billNumber(ct)=A- => 1 2
    parameters=status(eq)=20 => 1 2 3 4
    Status(eq)=20 => Bills are not filtered by "Status(eq)"
    constructor=1 => Bills are not filtered by "constructor"
    status(like)=20 => Bills are not filtered by "status(like)"
    status(ge)=2 => 3`;

  it('has the bills that a query asks for', async () => {
    const { bills } = await serveBills(...mixed);
    await bills('POST', '/Bill/approval/2', { json: ['ann', 'bob'] });
    await bills('POST', '/Bill/approval/3', { json: ['bob'] });
    await bills('PUT', '/Bill/2', { json: { status: 1 } });
    await bills('PUT', '/Bill/3', { json: { status: 20 } });
    for (const line of queries.trim().split(/\n */)) {
      const [query, expected] = line.split(' => ');
      const { json } = await bills('GET', `/Query/bills/shop?${query}`);
      const ids = json.Records?.map(({ IdBill }: { IdBill: number }) => IdBill).join(' ');
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
    const { bills } = await serveBills({ netAmount: 1.5 }, { netAmount: 7 }, { netAmount: 2 });
    const query = 'exportFormat=csv&totalAmount(lt)=7&sortBy=desc(netAmount)&limitRecord=2';
    const file = await bills('GET', `/Query/bills/org/100?${query}`);
    expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(file.headers.get('content-disposition')).toContain('filename="bills.csv"');
    expect(file.bytes.toString()).toBe('IdBill,NetAmount,Status\r\n3,2,1\r\n1,1.5,1\r\n');
  });
});
