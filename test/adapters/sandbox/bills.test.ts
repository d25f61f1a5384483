import { describe, expect, it } from 'vitest';
import { type Send, serve } from './serve.js';

const bill = {
  billNumber: 'B-1',
  netAmount: 120.5,
  billDate: '2026-01-02',
  dueDate: '2026-02-01',
  comments: 'two chairs',
  billItems: [{ itemProductName: 'Chair', itemQty: 2, itemCost: 60.25 }],
  mode: 0,
  accountingField1: 'A',
  vendor: { vendorNumber: 'V-7' },
  frequency: 'onetime',
  terms: 'NET30',
  status: 1,
};

async function created(bills: Send, fields: object = bill): Promise<number> {
  const { json } = await bills('POST', '/Bill/single/shop', { json: fields });
  return json.responseData;
}

async function recordOf(bills: Send, id: number) {
  return (await bills('GET', `/Bill/${id}`)).json.responseData;
}

describe('a bill', () => {
  it('is created, and returned with what it was given', async () => {
    const { bills } = await serve();
    const answer = await bills('POST', '/Bill/single/shop', { json: bill });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      responseCode: 1,
      pageIdentifier: null,
      roomId: 0,
      isSuccess: true,
      responseText: 'Success',
      responseData: 1,
    });
    expect(await recordOf(bills, 1)).toMatchObject({
      IdBill: 1,
      BillNumber: 'B-1',
      NetAmount: 120.5,
      TotalAmount: 120.5,
      BillDate: '2026-01-02',
      DueDate: '2026-02-01',
      Comments: 'two chairs',
      BillItems: bill.billItems,
      Mode: 0,
      AccountingField1: 'A',
      Vendor: { VendorNumber: 'V-7', PaypointEntryname: 'shop' },
      Frequency: 'onetime',
      Terms: 'NET30',
      Status: 1,
      CreatedAt: '2026-01-01T00:00:00.000Z',
      PaypointEntryname: 'shop',
      ParentOrgId: 100,
      billEvents: [
        { description: 'Created Bill', eventTime: '2026-01-01T00:00:00.000Z', source: 'API' },
      ],
      billApprovals: null,
    });
  });

  it('changes in what an update gives, and in nothing else', async () => {
    const { bills, sandbox } = await serve();
    const id = await created(bills);
    const before = await recordOf(bills, id);
    sandbox.clock.advance(1000);
    const json = { netAmount: 99, billDate: '2026-01-09' };
    expect((await bills('PUT', `/Bill/${id}`, { json })).json.responseData).toBe(id);
    expect(await recordOf(bills, id)).toEqual({
      ...before,
      NetAmount: 99,
      TotalAmount: 99,
      BillDate: '2026-01-09',
      LastUpdated: '2026-01-01T00:00:01.000Z',
    });
  });

  it('is gone when it was deleted', async () => {
    const { bills } = await serve();
    const id = await created(bills);
    expect((await bills('DELETE', `/Bill/${id}`)).json).toMatchObject({ responseData: id });
    for (const method of ['GET', 'DELETE']) {
      const answer = await bills(method, `/Bill/${id}`);
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({
        isSuccess: false,
        responseCode: 400,
        responseText: 'Bad Request',
        responseData: { explanation: `Bill ${id} does not exist` },
      });
    }
  });

  it('that is missing has a status of its own, by switch', async () => {
    const { bills } = await serve({ bills: { notFound: 404 } });
    expect((await bills('GET', '/Bill/17')).status).toBe(404);
    const id = await created(bills);
    expect((await bills('GET', `/Bill/attachedFileFromBill/${id}/x`)).status).toBe(404);
  });

  it.each([
    [{ netAmount: '12' }, 'netAmount is not a number'],
    [{ billDate: '2026-02-30' }, 'billDate is not a date YYYY-MM-DD'],
    [{ dueDate: '1.2.2026' }, 'dueDate is not a date YYYY-MM-DD'],
    [{ mode: 2 }, 'mode is not 0 or 1'],
    [{ status: 3 }, 'status is not a known status'],
    [{ frequency: 'daily' }, 'frequency is not a known frequency'],
    [{ vendor: {} }, 'vendor is not an object with vendorNumber'],
    [{ billItems: [1] }, 'billItems is not an array of objects'],
    [{ attachments: 'a.pdf' }, 'attachments is not an array of objects'],
    [[], 'The body must be an object'],
  ])('is refused with %j, and nothing is created', async (json, explanation) => {
    const { bills, sandbox } = await serve();
    const answer = await bills('POST', '/Bill/single/shop', { json });
    expect(answer.status).toBe(400);
    expect(answer.json.responseData.explanation).toBe(explanation);
    expect(sandbox.bills.all()).toEqual([]);
  });

  it.each([
    [{ body: '{', headers: { 'content-type': 'application/json' } }, 'The body is not JSON'],
    [{ body: '{}' }, 'Content-Type must be application/json'],
  ])('is refused where the body is not readable: %j', async (sent, explanation) => {
    const { bills } = await serve();
    const answer = await bills('POST', '/Bill/single/shop', sent);
    expect([answer.status, answer.json.responseData.explanation]).toEqual([400, explanation]);
  });

  it.each(['/Bill/x', '/Bill/-1', '/Bill/1.5', '/Query/bills/org/a', '/Bill/%ff'])(
    'has an integer for an id: %s is refused',
    async (path) => {
      const { bills } = await serve();
      expect((await bills('GET', path)).status).toBe(400);
    },
  );
});

describe('approval', () => {
  const approve = (bills: Send, id: number, approved: boolean, query = '') =>
    bills('GET', `/Bill/approval/${id}/${approved}${query}`);

  it('adds approvers and an event, once for each time it is sent', async () => {
    const { bills } = await serve();
    const id = await created(bills);
    const path = `/Bill/approval/${id}`;
    const answer = await bills('POST', path, { json: ['ann@example.com'] });
    expect(answer.json).toMatchObject({ isSuccess: true, responseData: id });
    await bills('POST', path, { json: ['bob@example.com', 'ann@example.com'] });
    const { Status, billApprovals, billEvents } = await recordOf(bills, id);
    expect(Status).toBe(2);
    expect(billApprovals).toEqual([
      { Id: 1, email: 'ann@example.com', approved: 0, approvedTime: null },
      { Id: 2, email: 'bob@example.com', approved: 0, approvedTime: null },
    ]);
    expect(billEvents.map(({ description }: { description: string }) => description)).toEqual([
      'Created Bill',
      'Sent to Approval',
      'Sent to Approval',
    ]);
  });

  it('makes the status from all decisions', async () => {
    const { bills } = await serve();
    const id = await created(bills);
    const status = async () => (await recordOf(bills, id)).Status;
    await bills('POST', `/Bill/approval/${id}`, { json: ['ann', 'bob'] });
    expect((await approve(bills, id, true, '?email=ann')).json).toEqual({
      isSuccess: true,
      responseData: id,
      responseText: 'Success',
    });
    expect(await status()).toBe(5);
    await approve(bills, id, true, '?email=bob');
    expect(await status()).toBe(20);
    await approve(bills, id, false, '?email=bob');
    expect(await status()).toBe(11);
    await approve(bills, id, true);
    expect(await status()).toBe(20);
    await bills('POST', `/Bill/approval/${id}`, { json: ['ann'] });
    expect(await status()).toBe(2);
  });

  it('keeps what approvers who stay have decided, and does the same twice as once', async () => {
    const { bills } = await serve();
    const id = await created(bills);
    await bills('POST', `/Bill/approval/${id}`, { json: ['ann', 'bob'] });
    await approve(bills, id, true, '?email=ann');
    for (const _ of [1, 2]) {
      const answer = await bills('PUT', `/Bill/approval/${id}`, { json: ['ann'] });
      expect(answer.json).toEqual({ isSuccess: true, responseData: id, responseText: 'Success' });
      const { Status, billApprovals } = await recordOf(bills, id);
      expect(Status).toBe(20);
      expect(billApprovals).toMatchObject([{ email: 'ann', approved: 1 }]);
    }
  });

  it.each([
    ['GET', '/Bill/approval/1/true', undefined],
    ['GET', '/Bill/approval/1/yes', undefined],
    ['POST', '/Bill/approval/1', []],
    ['POST', '/Bill/approval/1', { user: 'ann' }],
    ['PUT', '/Bill/approval/1', [7]],
    ['POST', '/Bill/approval/2', ['ann']],
  ])('refuses what makes no sense: %s %s %j', async (method, path, json) => {
    const { bills, sandbox } = await serve();
    await created(bills);
    const before = sandbox.bills.all();
    expect((await bills(method, path, { json })).status).toBe(400);
    expect(sandbox.bills.all()).toEqual(before);
  });
});

describe('credentials', () => {
  const token = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
  const bearer = (value: string) => ({ headers: { authorization: `Bearer ${value}` } });

  it.each([{}, { requestToken: 'wrong' }, { authorization: 'Bearer wrong' }])(
    'are needed: %j is refused',
    async (headers) => {
      const { sandbox } = await serve();
      const answer = await fetch(`${sandbox.billsUrl}/Bill/1`, { headers });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ isSuccess: false, responseText: 'Unauthorized' });
    },
  );

  it('can be a token, for as long as it is good', async () => {
    const { bills, sandbox } = await serve({ bills: { tokenSeconds: 60 } });
    const issued = await bills('POST', '/v2/Token/serverside', { json: token });
    expect(issued.json).toMatchObject({ token_type: 'Bearer', expires_in: 60 });
    const { access_token: value } = issued.json;
    expect((await bills('GET', '/Query/bills/shop', bearer(value))).status).toBe(200);
    sandbox.clock.advance(60_000);
    // The API key is right, but does not count beside a token.
    expect((await bills('GET', '/Query/bills/shop', bearer(value))).status).toBe(401);
    expect(sandbox.bills.tokensIssued()).toBe(1);
  });

  it('can be revoked', async () => {
    const { bills, sandbox } = await serve();
    const { json } = await bills('POST', '/v2/Token/serverside', { json: token });
    sandbox.bills.revokeTokens();
    expect((await bills('GET', '/Query/bills/shop', bearer(json.access_token))).status).toBe(401);
  });

  it('are not issued to others', async () => {
    const { bills, sandbox } = await serve();
    const json = { ...token, clientSecret: 'wrong' };
    expect((await bills('POST', '/v2/Token/serverside', { json })).status).toBe(401);
    expect(sandbox.bills.tokensIssued()).toBe(0);
  });
});

describe('idempotency keys', () => {
  const keyed = (bills: Send, key: string, fields: object = bill) =>
    bills('POST', '/Bill/single/shop', { json: fields, headers: { idempotencyKey: key } });

  it('let a request act once in two minutes, and again afterwards', async () => {
    const { bills, sandbox } = await serve();
    expect((await keyed(bills, 'k')).json.responseData).toBe(1);
    sandbox.clock.advance(119_999);
    expect((await keyed(bills, 'k')).json.responseData).toBe(1);
    expect(sandbox.bills.all()).toHaveLength(1);
    sandbox.clock.advance(1);
    expect((await keyed(bills, 'k')).json.responseData).toBe(2);
    expect((await keyed(bills, 'other')).json.responseData).toBe(3);
  });

  it('answer a repeat with 409, by switch', async () => {
    const { bills, sandbox } = await serve({ bills: { repeatedKey: 'conflict' } });
    await keyed(bills, 'k');
    expect((await keyed(bills, 'k')).status).toBe(409);
    expect(sandbox.bills.all()).toHaveLength(1);
  });

  it('answer another body with 409', async () => {
    const { bills } = await serve();
    await keyed(bills, 'k');
    expect((await keyed(bills, 'k', { ...bill, netAmount: 1 })).status).toBe(409);
  });

  it('are not used up by a request that was refused', async () => {
    const { bills } = await serve();
    expect((await keyed(bills, 'k', { netAmount: 'x' })).status).toBe(400);
    expect((await keyed(bills, 'k')).status).toBe(200);
  });

  it('count for one operation on one bill, and for sending to approval too', async () => {
    const { bills, sandbox } = await serve();
    await keyed(bills, 'k');
    await keyed(bills, 'l');
    for (const id of [1, 1, 2]) {
      const sent = { json: ['ann'], headers: { idempotencyKey: 'k' } };
      expect((await bills('POST', `/Bill/approval/${id}`, sent)).json.responseData).toBe(id);
    }
    const events = sandbox.bills.all().map(({ billEvents }) => billEvents.length);
    expect(events).toEqual([2, 2]);
  });
});

describe('attachments', () => {
  const path = (id: number, name: string) =>
    `/Bill/attachedFileFromBill/${id}/${encodeURIComponent(name)}`;

  it('come with the bill, and are returned byte by byte', async () => {
    const { bills } = await serve();
    const content = Buffer.from([0, 1, 0xff, 0xfe, 13, 10]);
    const id = await created(bills, {
      attachments: [
        {
          ftype: 'pdf',
          filename: 'a.pdf',
          furl: 'https://x/a',
          fContent: content.toString('base64'),
        },
        { filename: 'note' },
      ],
    });
    const { DocumentsRef } = await recordOf(bills, id);
    expect(DocumentsRef.filelist).toEqual([
      { originalName: 'a.pdf', zipName: '1_a.pdf', descriptor: '' },
      { originalName: 'note', zipName: '2_note', descriptor: '' },
    ]);
    const file = await bills('GET', path(id, '1_a.pdf'));
    expect(file.bytes).toEqual(content);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toContain('filename="a.pdf"');
    const object = await bills('GET', `${path(id, '1_a.pdf')}?returnObject=true`);
    expect(object.json).toEqual({
      fContent: content.toString('base64'),
      filename: 'a.pdf',
      ftype: 'pdf',
      furl: 'https://x/a',
    });
    expect((await bills('GET', path(id, '2_note'))).bytes.toString()).toContain('note');
  });

  it('have names of any kind', async () => {
    const { bills, sandbox } = await serve();
    const id = await created(bills);
    const odd = 'ä %2F "x"\r\n../a\\b ☎.txt';
    const zipName = sandbox.bills.attach(id, odd, Buffer.from('hello'));
    expect(zipName).toBe('1_ä %2F "x"__.._a_b ☎.txt');
    const file = await bills('GET', path(id, zipName));
    expect(file.bytes.toString()).toBe('hello');
    const [, encoded = ''] =
      /filename\*=UTF-8''(.*)$/.exec(file.headers.get('content-disposition') ?? '') ?? [];
    expect(decodeURIComponent(encoded)).toBe(odd);
  });

  it('are deleted, with the bill returned where it is asked for', async () => {
    const { bills } = await serve();
    const id = await created(bills, { attachments: [{ filename: 'a' }, { filename: 'b' }] });
    expect((await bills('DELETE', path(id, '1_a'))).json.responseData).toBe(id);
    const last = await bills('DELETE', `${path(id, '2_b')}?returnObject=true`);
    expect(last.json.responseData).toMatchObject({ IdBill: id, DocumentsRef: { filelist: [] } });
    expect((await bills('DELETE', path(id, '2_b'))).status).toBe(400);
    expect((await bills('GET', path(id, '2_b'))).status).toBe(400);
  });

  it('have a name of their own each, also when one in between is gone', async () => {
    const { bills, sandbox } = await serve();
    const id = await created(bills);
    const attach = (text: string) => sandbox.bills.attach(id, 'a.txt', Buffer.from(text));
    expect([attach('first'), attach('second')]).toEqual(['1_a.txt', '2_a.txt']);
    await bills('DELETE', path(id, '1_a.txt'));
    expect(attach('third')).toBe('3_a.txt');
    const { DocumentsRef } = await recordOf(bills, id);
    expect(DocumentsRef.filelist).toHaveLength(2);
    expect((await bills('GET', path(id, '2_a.txt'))).bytes.toString()).toBe('second');
  });

  it('are replaced by an update that has some, and kept by one that has none', async () => {
    const { bills } = await serve();
    const id = await created(bills, { attachments: [{ filename: 'a' }] });
    await bills('PUT', `/Bill/${id}`, { json: { comments: 'x' } });
    expect((await bills('GET', path(id, '1_a'))).status).toBe(200);
    await bills('PUT', `/Bill/${id}`, { json: { attachments: [{ filename: 'b' }] } });
    expect((await bills('GET', path(id, '1_a'))).status).toBe(400);
    expect((await bills('GET', path(id, '1_b'))).status).toBe(200);
  });
});
