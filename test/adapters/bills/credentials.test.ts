/** What each request shows of the credentials, where tokens come from, and where nothing leaks. */
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type BillsClientOptions,
  type BillsCredentials,
  createBillsClient,
} from '../../../src/bills.js';
import {
  type Recorded,
  type RecordingServer,
  type Reply,
  startRecording,
  success,
} from './recording-server.js';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  auth: BillsCredentials | ((server: RecordingServer) => BillsCredentials),
  reply: (request: Recorded) => Reply = issuing(3600),
  options: Partial<BillsClientOptions> = {},
) {
  const server = await startRecording(reply);
  const client = createBillsClient({
    baseUrl: server.url,
    auth: typeof auth === 'function' ? auth(server) : auth,
    retry: { baseMs: 1 },
    ...options,
  });
  open.push(server, client);
  return { server, client };
}

/** Issues `token-1`, `token-2`, …; takes every other request. */
function issuing(seconds: unknown, refuse: (request: Recorded) => boolean = () => false) {
  let issued = 0;
  return (request: Recorded): Reply => {
    if (/token/i.test(request.url)) {
      issued += 1;
      return { body: { access_token: `token-${issued}`, expires_in: seconds } };
    }
    return refuse(request) ? { status: 401, body: { isSuccess: false } } : { body: success };
  };
}

const client = { clientId: 'id-1', clientSecret: 'secret-1' };

const shown = ({ headers }: Recorded) => [headers.authorization, headers['requesttoken']];

describe('a request carries', () => {
  it.each<[string, BillsCredentials, Recorded['headers']]>([
    ['a key', { apiKey: 'k' }, { requesttoken: 'k' }],
    ['a key in another header', { apiKey: 'k', header: 'x-key' }, { 'x-key': 'k' }],
    ['a token', { bearer: 't' }, { authorization: 'Bearer t' }],
    ['what a function fetches', { bearer: async () => 't' }, { authorization: 'Bearer t' }],
    ['a token that it was exchanged for', client, { authorization: 'Bearer token-1' }],
  ])('%s', async (_name, auth, headers) => {
    const { server, client } = await start(auth);
    await client.get(1);
    expect(server.requests.at(-1)?.headers).toMatchObject(headers);
  });

  it.each<[string, BillsCredentials, string]>([
    ['a token before a key', { apiKey: 'k', bearer: 't' }, 'Bearer t'],
    ['an exchanged token before a key', { apiKey: 'k', ...client }, 'Bearer token-1'],
    ['a given token before an exchanged one', { bearer: 't', ...client }, 'Bearer t'],
  ])('%s, and that alone', async (_name, auth, expected) => {
    const { server, client } = await start(auth);
    await client.get(1);
    expect(server.requests.map(shown).at(-1)).toEqual([expected, undefined]);
  });
});

describe('tokens', () => {
  it('are fetched once for all calls that wait', async () => {
    const { server, client: bills } = await start(client);
    await Promise.all(Array.from({ length: 8 }, () => bills.get(1)));
    await bills.get(2);
    expect(server.requests.length).toBe(10);
    const [exchange, ...calls] = server.requests;
    expect(exchange).toMatchObject({ method: 'POST', url: '/api/v2/Token/serverside' });
    expect(JSON.parse(exchange?.body ?? '')).toEqual(client);
    expect(exchange && shown(exchange)).toEqual([undefined, undefined]);
    expect(new Set(calls.map((each) => each.headers.authorization))).toEqual(
      new Set(['Bearer token-1']),
    );
    expect(calls.some(({ body }) => body.includes('secret'))).toBe(false);
  });

  it('are renewed before they end', async () => {
    const { server, client: bills } = await start(client, issuing(0.4));
    await bills.get(1);
    await new Promise((resolve) => setTimeout(resolve, 375));
    await bills.get(1);
    expect(server.requests.map(shown).filter(([token]) => token)).toEqual([
      ['Bearer token-1', undefined],
      ['Bearer token-2', undefined],
    ]);
  });

  it('without an end live until they are refused', async () => {
    let old = '';
    const { server, client: bills } = await start(
      client,
      issuing(undefined, ({ headers }) => headers.authorization === old),
    );
    await bills.get(1);
    old = 'Bearer token-1';
    await bills.create('e', {});
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v2/Token/serverside',
      '/api/Bill/1',
      '/api/Bill/single/e',
      '/api/v2/Token/serverside',
      '/api/Bill/single/e',
    ]);
  });

  it('come from a function again when they are refused', async () => {
    let count = 0;
    const bearer = async () => `t${++count}`;
    const { client: bills } = await start(
      { bearer },
      issuing(0, ({ headers }) => headers.authorization === 'Bearer t1'),
    );
    expect(await bills.get(1)).toEqual(success);
    expect(count).toBe(2);
  });

  it('come from another place, asked for in another way', async () => {
    const { server, client: bills } = await start(({ url }) => ({
      ...client,
      tokenUrl: `${new URL(url).origin}/oauth/token`,
      tokenRequest: { grant_type: 'client_credentials' },
    }));
    await bills.get(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/oauth/token',
      body: '{"grant_type":"client_credentials"}',
    });
  });

  it('leave no connection open to where they come from', async () => {
    const issuer = await startRecording(issuing(3600));
    open.push(issuer);
    const tokenUrl = `${new URL(issuer.url).origin}/token`;
    const { client: bills } = await start({ ...client, tokenUrl });
    await bills.get(1);
    expect(issuer.requests.length).toBe(1);
    await expect.poll(() => issuer.connections()).toBe(0);
  });

  it.each<[string, Reply]>([
    ['is refused', { status: 401, body: { responseText: 'no secret-1 here' } }],
    ['brings no token', { body: { access_token: '' } }],
    ['brings something else', { body: [] }],
    ['brings a token that is none', { body: { access_token: 'a\nb', expires_in: 5 } }],
  ])('are missed when the exchange %s: the call is not sent', async (_name, body) => {
    const { server, client: bills } = await start(client, () => body);
    const error: unknown = await bills.create('e', {}).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'api/no-token',
      operation: 'bills.create',
      outcome: 'not-sent',
    });
    expect(server.requests.every(({ url }) => url.endsWith('serverside'))).toBe(true);
  });
});

describe('credentials', () => {
  const secrets: BillsCredentials[] = [
    { apiKey: 'S3CRET' },
    { bearer: 'S3CRET' },
    { bearer: async () => 'S3CRET' },
    { clientId: 'id', clientSecret: 'S3CRET' },
  ];
  it.each(secrets)('stand in no client and no error (%#)', async (auth) => {
    const echo = { isSuccess: false, responseText: 'not S3CRET', responseCode: 'S3CRET' };
    const { client: bills } = await start(auth, () => ({ status: 400, body: echo }));
    const error: unknown = await bills.get(1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    for (const each of [bills, error]) {
      const texts = [
        inspect(each, { depth: 9, showHidden: true }),
        JSON.stringify(each),
        `${each}`,
      ];
      expect(texts.join('\n')).not.toContain('S3CRET');
    }
  });

  it('that were exchanged for a token are taken out of later answers, too', async () => {
    const issue = issuing(60);
    const { client: bills } = await start(client, (request) =>
      request.url.endsWith('serverside')
        ? issue(request)
        : { status: 400, body: { isSuccess: false, responseText: 'secret-1 is no key' } },
    );
    const error = await bills.get(1).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ serviceMessage: '[credential] is no key' });
  });

  it.each([
    undefined,
    null,
    {},
    { apiKey: '' },
    { apiKey: 7 },
    { apiKey: 'k', header: '' },
    { apiKey: 'k', header: 'a b' },
    { apiKey: 'a\r\nb' },
    { bearer: '' },
    { clientId: 'a' },
    { clientSecret: 'a' },
    { ...client, tokenUrl: '' },
    { ...client, tokenUrl: 'token' },
    { ...client, tokenUrl: 'https://example.com/token?a=secret' },
    { ...client, tokenUrl: 'http://example.com/token' },
    { ...client, tokenUrl: 'https://user:secret@example.com/token' },
  ])('are refused when the client is made (%j)', (auth) => {
    const make = () =>
      createBillsClient({ baseUrl: 'https://example.com/api', auth: auth as BillsCredentials });
    expect(make).toThrow(/^client: api\/invalid-option/);
    expect(make).not.toThrow(/secret/);
  });
});
