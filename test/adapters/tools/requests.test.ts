/** Who is answered with what: methods, secrets, sizes, and the shapes of a call. */
import { describe, expect, it } from 'vitest';
import { address, messageOf, requestOf, resultsOf, secret, stage } from './stage.js';

const nothing = messageOf([]);

const changed = (text: string, at: number) => `${text.slice(0, at)}#${text.slice(at + 1)}`;

describe('a request', () => {
  it('that is not POST gets 405', async () => {
    const { handle } = await stage();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await handle(new Request(address, { method }));
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
    }
  });

  it('of somebody else gets 401, whatever else is wrong with it', async () => {
    const { handle, sandbox } = await stage();
    const before = sandbox.requests.length;
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${secret}x` },
      { authorization: `Bearer ${secret.slice(1)}` },
      { authorization: `Basic ${secret}` },
      { 'x-vapi-secret': 'other' },
      { 'x-other': secret },
      // Of the same length, with each of its characters another one.
      ...[...secret].map((_, at) => ({ authorization: `Bearer ${changed(secret, at)}` })),
    ];
    for (const headers of wrong) {
      expect((await handle(requestOf('no JSON', { headers }))).status).toBe(401);
    }
    expect(sandbox.requests.length).toBe(before);
  });

  it('may carry the secret in either place of the platform, or in a header of its own', async () => {
    const { handle, another } = await stage();
    const chosen = another({ secret: { header: 'X-Tools', value: ['old', secret] } });
    const given = (headers: Record<string, string>) => requestOf(nothing, { headers });
    expect((await handle(given({ authorization: `bearer ${secret}` }))).status).toBe(200);
    expect((await handle(given({ 'X-Vapi-Secret': secret }))).status).toBe(200);
    expect((await chosen(given({ 'x-tools': 'old' }))).status).toBe(200);
    expect((await chosen(given({ 'x-tools': secret }))).status).toBe(200);
    expect((await chosen(given({ authorization: `Bearer ${secret}` }))).status).toBe(401);
  });

  it('is judged by a function with the raw body, which may fail', async () => {
    const { another } = await stage();
    const seen: string[] = [];
    const with_ = (authorize: (r: Request, body: Uint8Array) => boolean | Promise<boolean>) =>
      another({ secret: undefined, authorize } as never);
    const says = with_((_, body) => {
      seen.push(new TextDecoder().decode(body));
      return true;
    });
    expect((await says(requestOf(nothing))).status).toBe(200);
    expect(seen).toEqual([JSON.stringify(nothing)]);
    const throws = with_(() => {
      throw new Error('no');
    });
    expect((await throws(requestOf(nothing))).status).toBe(401);
    const likes = with_((() => 'yes') as never);
    expect((await likes(requestOf(nothing))).status).toBe(401);
  });

  it('that is too large gets 413, told by its length or not', async () => {
    const { another } = await stage();
    const handle = another({ limits: { requestBytes: 100 } });
    const long = ' '.repeat(100);
    expect((await handle(requestOf(`{}${long}`))).status).toBe(413);
    const stream = new Blob([`{}${long}`]).stream();
    const streamed = requestOf('', { body: stream, duplex: 'half' } as RequestInit);
    expect((await handle(streamed)).status).toBe(413);
    const lying = requestOf('{}', {
      headers: { authorization: `Bearer ${secret}`, 'content-length': '101' },
    });
    expect((await handle(lying)).status).toBe(413);
    expect((await handle(requestOf(`{}${long.slice(2)}`))).status).toBe(200);
  });

  it('that is not JSON gets 400', async () => {
    const { handle } = await stage();
    for (const body of ['', '{', 'null x', '\xff']) {
      expect((await handle(requestOf(body))).status).toBe(400);
    }
    const bytes = requestOf('', { body: new Uint8Array([0x22, 0xff, 0x22]) });
    expect((await handle(bytes)).status).toBe(400);
  });

  it('with another message gets {}', async () => {
    const { handle } = await stage();
    const others = [null, 1, [], {}, { message: null }, { message: { type: 'status-update' } }];
    for (const body of [...others, { message: { type: ['tool-calls'] } }]) {
      const response = await handle(requestOf(body));
      expect([response.status, await response.json()]).toEqual([200, {}]);
    }
  });
});

describe('a call', () => {
  it('is understood in each of its shapes, and in the other list', async () => {
    const { handle, bills } = await stage();
    const { responseData: idBill } = await bills.create('shop', { billNumber: 'B-7' });
    const given = { idBill };
    const name = 'get_bill';
    const list = [
      { id: '1', name, arguments: given },
      { id: '2', name, parameters: given },
      { id: '3', type: 'function', function: { name, arguments: JSON.stringify(given) } },
      { id: '4', type: 'function', function: { name, arguments: given } },
    ];
    const other = [
      { name, toolCall: { id: '4', parameters: {} } },
      { name, toolCall: { id: '5', parameters: given } },
      { name, toolCall: { id: '6', function: { name, arguments: JSON.stringify(given) } } },
    ];
    const message = { type: 'tool-calls', toolCallList: list, toolWithToolCallList: other };
    const results = await resultsOf(await handle(requestOf({ message })));
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const { result, name: named } of results) {
      expect(named).toBe(name);
      expect(JSON.parse(`${result}`)).toMatchObject({ billNumber: 'B-7' });
    }
  });

  it('is answered once for its id, and not at all without one', async () => {
    const { send } = await stage();
    const name = 'get_bill';
    const odd = [
      null,
      1,
      'x',
      [],
      {},
      { name },
      { id: 7, name },
      { id: '', name },
      { id: 'x'.repeat(257), name },
    ];
    const results = await send([...odd, { id: 'a', name }, { id: 'a', name }, { id: 'b' }]);
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['a', 'b']);
    expect(results[1]?.error).toBe('I cannot do that here.');
  });

  it('beyond the limit is refused alone', async () => {
    const { bills, send } = await stage({ limits: { calls: 2 } });
    const { responseData: idBill } = await bills.create('shop', {});
    const calls = ['1', '2', '3'].map((id) => ({ id, name: 'get_bill', arguments: { idBill } }));
    const results = await send(calls);
    expect(results.map(({ result }) => result !== undefined)).toEqual([true, true, false]);
    expect(results[2]?.error).toMatch(/^The system is busy/);
  });

  it('runs beside others', async () => {
    const { send, another } = await stage();
    let running = 0;
    let most = 0;
    const bills = {
      async list() {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 20));
        running -= 1;
        return {};
      },
    };
    const calls = [...'123456'].map((id) => ({ id, name: 'list_bills' }));
    const handle = another({
      bills: bills as never,
      allow: ['bills.list'],
    });
    expect(await resultsOf(await handle(requestOf(messageOf(calls))))).toHaveLength(6);
    expect(most).toBe(6);
    expect(await send([])).toEqual([]);
  });
});
