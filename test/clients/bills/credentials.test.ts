/** Which credential each request carries, where tokens come from, and that nothing leaks. */
import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { type BillsCredentials, createBillsClient } from '../../../src/bills.js';
import {
  answer,
  failureOf,
  type Sent,
  type Step,
  scripted,
  useFakeTime,
  useServer,
} from '../harness.js';

const ok = answer(200, { isSuccess: true });
const refusal = answer(401, { isSuccess: false });
const baseUrl = 'https://api.example.com/api';
const client = { clientId: 'id-1', clientSecret: 'secret-1' };

/** Issues `token-1`, `token-2`, …; all other requests follow the script. */
function start(auth: BillsCredentials, steps: Step[] = [ok], token: object = { expires_in: 3600 }) {
  let issued = 0;
  const calls = scripted(...steps);
  const all = scripted((request) => {
    if (!/token/i.test(request.url)) return calls.fetch(request.url, request as never);
    issued += 1;
    return answer(200, { access_token: `token-${issued}`, ...token })(request);
  });
  const bills = createBillsClient({ baseUrl, auth, retry: { baseMs: 1 }, fetch: all.fetch });
  return { bills, calls: calls.sent, all: all.sent };
}

const shown = ({ headers }: Sent) => [headers['authorization'], headers['requestToken']];

it.each<[string, BillsCredentials, object]>([
  ['a key', { apiKey: 'k' }, { requestToken: 'k' }],
  ['a key in another header', { apiKey: 'k', header: 'x-key' }, { 'x-key': 'k' }],
  ['a token', { bearer: 't' }, { authorization: 'Bearer t' }],
  ['a token from a function', { bearer: async () => 't' }, { authorization: 'Bearer t' }],
  ['the token from an exchange', client, { authorization: 'Bearer token-1' }],
  ['a token, not the key', { apiKey: 'k', bearer: 't' }, { authorization: 'Bearer t' }],
  ['a token, not a key', { apiKey: 'k', ...client }, { authorization: 'Bearer token-1' }],
  ['a given token first', { bearer: 't', ...client }, { authorization: 'Bearer t' }],
])('a request carries %s and no other credential', async (_name, auth, headers) => {
  const { bills, calls } = start(auth);
  await bills.get(1);
  expect(calls[0]?.headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...headers,
  });
});

describe('tokens', () => {
  useFakeTime();
  const times = (calls: readonly Sent[]) => calls.map((call) => shown(call)[0]?.slice(-1)).join('');

  it('are fetched once for all waiting calls, and no other request contains the secret', async () => {
    const { bills, calls, all } = start(client);
    await Promise.all(Array.from({ length: 8 }, () => bills.get(1)));
    await bills.create('e', {});
    expect([all.length, times(calls)]).toEqual([10, '111111111']);
    const [exchange] = all;
    expect(exchange).toMatchObject({ method: 'POST', url: `${baseUrl}/v2/Token/serverside` });
    expect(JSON.parse(`${exchange?.body}`)).toEqual(client);
    expect(exchange && shown(exchange)).toEqual([undefined, undefined]);
    expect(JSON.stringify(calls)).not.toContain('secret');
  });

  it('are renewed after nine tenths of their lifetime', async () => {
    const { bills, calls } = start(client, [ok], { expires_in: 600 });
    await bills.get(1);
    await vi.advanceTimersByTimeAsync(539_999);
    await bills.get(1);
    await vi.advanceTimersByTimeAsync(1);
    await bills.get(1);
    expect(times(calls)).toBe('112');
  });

  it('are renewed once after a 401, for every operation; without a lifetime they are used until then', async () => {
    const steps = [refusal, ok, refusal, refusal];
    const { bills, calls } = start(client, steps, { expires_in: undefined });
    await bills.create('e', {});
    const refused = { code: 'api/unauthorized', outcome: 'refused' };
    expect(await failureOf(bills.create('e', {}))).toMatchObject(refused);
    expect(times(calls)).toBe('1223');
  });

  it('are fetched from a function again when refused; a fixed token is not', async () => {
    let count = 0;
    const bearer = async () => `t${++count}`;
    const { bills, calls } = start({ bearer }, [refusal, ok]);
    await bills.get(1);
    expect(times(calls)).toBe('12');
    const fixed = start({ bearer: 't' }, [refusal]);
    await failureOf(fixed.bills.get(1));
    expect(fixed.calls).toHaveLength(1);
  });

  it('are renewed once when several calls are refused, even if one hears of it late', async () => {
    let late = (_: Promise<Response>) => {};
    const slow: Step = () =>
      new Promise<Response>((resolve) => {
        late = resolve;
      });
    const both = start(client, [refusal, refusal, ok]);
    await Promise.all([both.bills.create('e', {}), both.bills.create('e', {})]);
    expect(times(both.calls)).toBe('1122');
    const { bills, calls } = start(client, [ok, slow, refusal, ok]);
    await bills.get(1);
    const slowly = bills.get(1);
    await bills.get(1);
    late(refusal({} as Sent));
    await slowly;
    expect(times(calls)).toBe('11122');
  });

  it.each<[string, BillsCredentials, object?]>([
    ['an empty token', client, { access_token: '' }],
    ['no token', client, { access_token: undefined }],
    ['a token that is no header', client, { access_token: 'S3CRET\nb', expires_in: 5 }],
    ['a function that throws', { bearer: () => Promise.reject(new Error('S3CRET')) }],
    ['a function that gives no header', { bearer: async () => 'S3CRET\n' }],
    ['a function that gives nothing', { bearer: async () => '' }],
  ])('are invalid, such as %s, leave the call unsent', async (_, auth, token) => {
    const { bills, calls } = start(auth, [ok], token);
    const error = await failureOf(bills.create('e', {}));
    const told = { code: 'api/no-token', operation: 'bills.create', outcome: 'not-sent' };
    expect(error).toMatchObject({ ...told, retryable: false });
    expect(inspect(error)).not.toContain('S3CRET');
    expect(calls).toEqual([]);
  });

  it('that never arrive end the call at the deadline, or with the signal', async () => {
    const { bills } = start({ bearer: () => new Promise(() => {}) });
    const call = failureOf(bills.get(1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await call).toMatchObject({ code: 'api/deadline', outcome: 'not-sent' });
    const control = new AbortController();
    const stopped = failureOf(bills.get(1, { signal: control.signal }));
    control.abort();
    expect((await stopped).code).toBe('api/aborted');
  });
});

describe('a token server', () => {
  const issuer = useServer(() => ({ body: { access_token: 't' } }));
  const server = useServer();
  it('can be another server with another request body, and no connection to it stays open', async () => {
    const tokenRequest = { grant_type: 'client_credentials' };
    const auth = { ...client, tokenUrl: `${issuer.url}/oauth/token`, tokenRequest };
    const bills = createBillsClient({ baseUrl: server.url, auth });
    await bills.get(1);
    const asked = issuer.requests.map(({ method, url, body }) => `${method} ${url} ${body}`);
    expect(asked).toEqual(['POST /oauth/token {"grant_type":"client_credentials"}']);
    await expect.poll(() => issuer.connections()).toBe(0);
    await bills.close();
  });
});

describe('credentials', () => {
  it.each<BillsCredentials>([
    { bearer: async () => 'S3CRET' },
    { clientId: 'id', clientSecret: 'S3CRET' },
    { apiKey: 'Basic S3CRET', header: 'authorization' },
  ])('are in no error, even if the service repeats them (%#)', async (auth) => {
    const said = { isSuccess: false, responseText: 'not S3CRET', responseCode: 'S3CRET' };
    const { bills } = start(auth, [answer(400, said)]);
    const error = await failureOf(bills.get(1));
    expect(error.serviceMessage).toBe('not [credential]');
    expect(`${inspect([bills, error], { depth: 9, showHidden: true })}`).not.toContain('S3CRET');
  });

  it('that were refused earlier are masked as well', async () => {
    const said = answer(401, { isSuccess: false, responseText: 'token-1 and token-2 are bad' });
    const { bills } = start(client, [said, said]);
    const { serviceMessage } = await failureOf(bills.get(1));
    expect(serviceMessage).toBe('[credential] and [credential] are bad');
  });

  const places = ['', 'token', 'https://example.com/token?a=secret', 'http://example.com/token'];
  it.each([
    ...[undefined, null, {}, { apiKey: '' }, { apiKey: 7 }, { apiKey: 'k', header: 'a b' }],
    ...[{ apiKey: 'a\r\nb' }, { bearer: '' }, { clientId: 'a' }, { clientSecret: 'a' }],
    ...[...places, 'https://u:secret@example.com'].map((tokenUrl) => ({ ...client, tokenUrl })),
  ])('are refused when the client is created (%j)', (auth) => {
    const make = () => createBillsClient({ baseUrl, auth: auth as BillsCredentials });
    expect(make).toThrow(/^client: api\/invalid-option/);
    expect(make).not.toThrow(/secret/);
  });
});
