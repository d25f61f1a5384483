/** Which requests are answered with what: methods, secrets, sizes, shapes of a call; options; logs. */
import { describe, expect, it } from 'vitest';
import { type Bound, createToolHandler } from '../../src/tools.js';
import { address, bind, messageOf, newBill, requestOf, resultsOf, secret, stage } from './stage.js';

const nothing = messageOf([]);
const changed = (text: string, at: number) => `${text.slice(0, at)}#${text.slice(at + 1)}`;
const withHeaders = (headers: Record<string, string>, body: unknown = nothing) =>
  requestOf(body, { headers });

describe('a request', () => {
  const lying = { authorization: `Bearer ${secret}`, 'content-length': '101' };
  const long = `{}${' '.repeat(100)}`;
  const stream = () => ({ body: new Blob([long]).stream(), duplex: 'half' });
  it.each<[what: string, status: number, () => Request]>([
    ['by GET', 405, () => new Request(address)],
    ['by PUT', 405, () => new Request(address, { method: 'PUT' })],
    ['that is too large', 413, () => requestOf(long)],
    ['that is too large, without its length', 413, () => requestOf('', stream() as RequestInit)],
    ['that is too large by its length only', 413, () => withHeaders(lying, '{}')],
    ['that is as large as is allowed', 200, () => requestOf(long.slice(0, 100))],
    ['that is empty', 400, () => requestOf('')],
    ['that is not JSON', 400, () => requestOf('null x')],
    ['that is not UTF-8', 400, () => requestOf('', { body: new Uint8Array([0x22, 0xff, 0x22]) })],
    ['of no message', 200, () => requestOf({ message: null })],
    ['of another type of message', 200, () => requestOf({ message: { type: ['tool-calls'] } })],
    ['of a list', 200, () => requestOf([])],
  ])('%s gets %i', async (_, status, request) => {
    const { handle } = (await stage()).another({ limits: { requestBytes: 100 } });
    const response = await handle(request());
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    if (status === 200) expect(await response.json()).toEqual({});
  });

  it('without the secret gets 401, whatever else is wrong with it', async () => {
    const { handle, sandbox } = await stage();
    const wrong: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: `Bearer ${secret}x` },
      { authorization: `Bearer ${secret.slice(1)}` },
      { authorization: `Basic ${secret}` },
      { 'x-vapi-secret': 'other' },
      { 'x-other': secret },
      ...[...secret].map((_, at) => ({ authorization: `Bearer ${changed(secret, at)}` })),
    ];
    for (const headers of wrong) {
      expect((await handle(withHeaders(headers, 'no JSON'))).status).toBe(401);
    }
    expect(sandbox.requests).toEqual([]);
  });

  it('may carry the secret in either header of the platform, or in a chosen one', async () => {
    const { handle, another } = await stage();
    const chosen = another({ secret: { header: 'X-Tools', value: ['old', secret] } }).handle;
    for (const [answer, headers, status] of [
      [handle, { authorization: `bearer ${secret}` }, 200],
      [handle, { 'X-Vapi-Secret': secret }, 200],
      [chosen, { 'x-tools': 'old' }, 200],
      [chosen, { authorization: `Bearer ${secret}` }, 401],
    ] as const) {
      expect((await answer(withHeaders({ ...headers }))).status).toBe(status);
    }
  });
});

describe('a call', () => {
  it('is read in each of its shapes, and from either list', async () => {
    const on = await stage();
    const given = { idBill: await newBill(on, { billNumber: 'B-7' }) };
    const name = 'get_bill';
    const toolCallList = [
      { id: '1', name, arguments: given },
      { id: '2', name, parameters: given },
      { id: '3', type: 'function', function: { name, arguments: JSON.stringify(given) } },
      { id: '4', type: 'function', function: { name, arguments: given } },
    ];
    const toolWithToolCallList = [
      { name, toolCall: { id: '4', parameters: {} } },
      { name, toolCall: { id: '5', parameters: given } },
      { name, toolCall: { id: '6', function: { name, arguments: JSON.stringify(given) } } },
    ];
    const message = { type: 'tool-calls', toolCallList, toolWithToolCallList };
    const results = await resultsOf(await on.handle(requestOf({ message })));
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const { result } of results) expect(result).toContain('"billNumber":"B-7"');
  });

  it('is answered once for each id, and with an error without one', async () => {
    const name = 'get_bill';
    const ids = [undefined, 7, '', 'x'.repeat(257)];
    const odd = [null, 1, 'x', [], ...ids.map((id) => ({ id, name }))];
    const { send, handle, another } = await stage();
    const results = await send([...odd, { id: 'a', name }, { id: 'a', name }, { id: 'b' }]);
    const none = odd.map(() => '');
    expect(results.map(({ toolCallId }) => toolCallId)).toEqual([...none, 'a', 'b']);
    expect(results.at(-1)?.error).toBe('I cannot do that here.');
    for (const { error } of results.slice(0, odd.length)) expect(error).toMatch(/no valid ID/);
    // The second list contains the same calls as the first; the third is another name of it.
    const both = { toolCallList: [{ name }], toolWithToolCallList: [{ name, toolCall: {} }] };
    const told = (lists: object) =>
      handle(requestOf({ message: { type: 'tool-calls', ...lists } }));
    expect(await resultsOf(await told(both))).toHaveLength(1);
    expect(await resultsOf(await told({ toolCalls: [{ id: 'c', name }] }))).toHaveLength(1);
    const text = await another().call(name, { idBill: '1' });
    expect(text.error).toBe('The bill ID is not right: it must be a whole number.');
  });

  it('beyond the limit is refused', async () => {
    const { send } = await stage({ limits: { calls: 2 } });
    const results = await send(['1', '2', '3'].map((id) => ({ id, name: 'list_bills' })));
    expect(results.map(({ error }) => error?.slice(0, 18))).toEqual([
      ...[undefined, undefined, 'The system is busy'],
    ]);
  });
});

describe('an option', () => {
  const list = (own: Bound) => ({ operation: 'bills.list', bind: own });
  const fact = { name: 'x', at: '/x', as: 'text' };
  const wrong: readonly (readonly [reason: string, options: object])[] = [
    ['secret', { secret: undefined }],
    ['secret', { authorize: () => true }],
    ['secret.value', { secret: { value: 'two words' } }],
    ['secret.value', { secret: { value: ['good', ''] } }],
    ['secret.header', { secret: { value: 'x', header: 'a b' } }],
    ['allow: bills.got', { allow: ['bills.got'] }],
    ['allow: bills.get', { bills: undefined }],
    ['bind.entry', { bind: {} }],
    ['bind.entry', { bind: { entry: 7 } }],
    ['bind.orgId', { bind: { entry: 'shop', orgId: '100' } }],
    ['bind.entry', { bind: { entry: '{{ shop }}' } }],
    ['bind.entri', { bind: { entri: 'shop' } }],
    ['bind.users', { allow: ['bills.setApprovers'], bind: { entry: 'shop' } }],
    ['bind.idempotencyKey', { allow: ['bills.create'], bind: { ...bind, idempotencyKey: 'k' } }],
    ['bind.entry', { allow: ['bills.list'], bind: { orgId: 100 } }],
    ['tools.look', { tools: { look: 'bills.look' } }],
    ['tools.look.bind.x', { tools: { look: { operation: 'bills.get', bind: { x: 1 } } } }],
    ['tools.look.bind.entry', { tools: { look: list({ entry: '{{ x }}' }) } }],
    ['tools.look.bind.entry', { tools: { look: list({}) }, allow: ['bills.list'], bind: {} }],
    ['fileHosts', { fileHosts: ['https://files.example.com'] }],
    ['fileHosts', { fileHosts: ['Files.example.com'] }],
    ['say.bills.got', { say: { 'bills.got': [] } }],
    ['say.bills.get', { say: { 'bills.get': [{ ...fact, name: 'say' }] } }],
    ['say.bills.get', { say: { 'bills.get': [{ ...fact, as: 'toString' }] } }],
    ['limits.calls', { limits: { calls: 0 } }],
    ['limits.speed', { limits: { speed: 1 } }],
  ];
  const good = { bills: {}, documents: {}, secret: { value: secret }, allow: ['bills.get'], bind };

  it.each(wrong)(
    'that is invalid is refused when the handler is created: %s %j',
    (reason, more) => {
      expect(() => createToolHandler({ ...good, ...more } as never)).toThrowError(
        expect.objectContaining({ code: 'api/invalid-option', reason }),
      );
    },
  );

  it('is needed before an operation can be called', async () => {
    const on = await stage();
    const { error } = await on.another({ allow: undefined } as never).call('list_bills');
    expect(error).toBe('I am not able to do that here.');
  });
});

describe('the log', () => {
  const failing = { bind: () => Promise.reject(new Error('no database')) };
  it.each([
    ['a service', { code: 'api/server-error', status: 500, name: 'ApiError' }, {}],
    ['`bind`', { message: 'no database' }, failing],
    ['what `bind` lacks', { reason: 'bind.entry' }, { bind: () => ({ orgId: 100 }) }],
  ])('has the errors of %s, which the caller does not hear', async (_, error, options) => {
    const errors: unknown[] = [];
    const on = await stage({ ...options, onError: (...given) => errors.push(given.slice(0, 2)) });
    on.sandbox.faults.next('status=500', { operation: 'bills.list', times: 9 });
    expect((await on.call('list_bills', {}, '7')).error).not.toMatch(/500|database/);
    const named = { tool: 'list_bills', operation: 'bills.list' };
    const call = { callId: 'call-1', toolCallId: '7', ...named };
    expect(errors).toEqual([[expect.objectContaining(error), call]]);
  });
});
