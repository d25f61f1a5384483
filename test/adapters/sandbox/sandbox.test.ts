/** The sandbox as a whole: where it listens, whom it serves with what, how it ends. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { billsOperations } from '../../../src/clients/bills/operations.js';
import { currentForms, documentOperations } from '../../../src/clients/documents/operations.js';
import { createSandbox } from '../../../src/testing.js';
import { serve } from './serve.js';

/** Whether somebody listens there. */
function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => end(true));
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.on('error', () => end(false)).on('timeout', () => end(false));
  });
}

it('listens on one loopback address only', async () => {
  const { sandbox } = await serve();
  const port = Number(new URL(sandbox.url).port);
  const others = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
    .map(({ address }) => address);
  expect(await reaches('127.0.0.1', port)).toBe(true);
  // The second is a loopback address, too: whoever listens everywhere listens there.
  for (const host of ['127.0.0.2', ...others]) expect(await reaches(host, port)).toBe(false);
  await expect(createSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('closes while connections are open, and waiting requests get no answer', async () => {
  const { sandbox, bills } = await serve();
  const waiting = bills('GET', '/Bill/1', { headers: { 'x-sandbox-fault': 'hang' } });
  const ended = expect(waiting).rejects.toThrow();
  await expect.poll(() => sandbox.requests.length).toBe(1);
  await sandbox.close();
  await ended;
  expect(await reaches('127.0.0.1', Number(new URL(sandbox.url).port))).toBe(false);
});

const today = documentOperations.filter(({ id }) => currentForms[id]);

it.each([
  ['bills', Object.values(billsOperations)],
  ['documents', documentOperations],
  ['documents', today.map((each) => ({ ...each, ...currentForms[each.id] }))],
] as const)('serves the operations of the client for %s', async (service, operations) => {
  const { sandbox, [service]: send } = await serve();
  for (const { id, method, path } of operations) {
    const sent = /GET|DELETE/.test(method) ? {} : { json: {} };
    const answer = await send(method, path.replaceAll(/\{\w+\}/g, '17'), sent);
    // Carried out, or refused by its own operation.
    expect(answer.bytes.toString(), id).not.toMatch(/No operation|A bug/);
    expect(sandbox.requests.at(-1)?.operation).toBe(id);
  }
});

const key = { requestToken: 'sandbox-key' };
const bearer = { authorization: 'Bearer sandbox-key' };
const version = { 'x-service-api-version': '2024-12-23' };

it.each([
  ['GET /x', {}, 404],
  ['GET /api/Bill', key, 404],
  ['GET /apix/Bill/1', key, 404],
  ['POST /documents/nothing', { ...bearer, ...version }, 404],
  ['PUT /documents/extract', { ...bearer, ...version }, 404],
  ['GET /api/Query/bills/shop', key, 200],
  ['GET /api/Query/bills/shop', {}, 401],
  ['GET /api/Query/bills/shop', { requestToken: 'wrong' }, 401],
  ['GET /api/Query/bills/shop', { ...key, authorization: 'Bearer wrong' }, 401],
  ['GET /documents/files', { ...bearer, ...version }, 200],
  ['GET /documents/files', { authorization: 'Bearer other', ...version }, 401],
  ['GET /documents/files', version, 401],
  ['GET /documents/files', bearer, 400],
  ['GET /documents/files', { ...bearer, 'x-service-api-version': '2026-01-01' }, 400],
] as const)('%s with %j: %i', async (request, headers, status) => {
  const { sandbox } = await serve();
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(`${sandbox.url}${path}`, { method, headers: { ...headers } });
  expect(answer.status).toBe(status);
  expect(sandbox.requests).toMatchObject([{ acted: status === 200, status }]);
  if (status === 404) expect(sandbox.requests).toMatchObject([{ operation: null }]);
  if (status !== 401) return;
  const isBills = path.startsWith('/api');
  const expected = isBills ? { isSuccess: false } : { code: 'UNAUTHORIZED', retryable: false };
  expect(await answer.json()).toMatchObject(expected);
});

it('has headers with the vendor’s prefix, which must be part of a header name', async () => {
  const { sandbox } = await serve({ documents: { vendorPrefix: 'acme' } });
  const headers = { ...bearer, 'x-acme-api-version': '2026-02-09' };
  expect((await fetch(`${sandbox.documentsUrl}/files`, { headers })).status).toBe(200);
  for (const vendorPrefix of ['', 'a b', 'a\r\nb', 'ä', 'a:']) {
    await expect(serve({ documents: { vendorPrefix } })).rejects.toThrow(RangeError);
  }
});
