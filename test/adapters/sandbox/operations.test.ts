/** The sandbox serves every operation that the clients know, by the same names. */
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/adapters/bills/operations.js';
import { currentForms, documentOperations } from '../../../src/adapters/documents/operations.js';
import { type Send, type Served, serve } from './serve.js';

interface Place {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** That each of them is carried out, or refused by its own operation and no other. */
async function expectServed(send: Send, { sandbox }: Served, places: readonly Place[]) {
  for (const { id, method, path } of places) {
    const sent = /GET|DELETE/.test(method) ? {} : { json: {} };
    const answer = await send(method, path.replaceAll(/\{\w+\}/g, '17'), sent);
    expect(answer.bytes.toString(), id).not.toMatch(/No operation|A bug/);
  }
  expect(sandbox.requests.map(({ operation }) => operation)).toEqual(places.map(({ id }) => id));
}

const today = documentOperations.flatMap((each) => {
  const form = currentForms[each.id];
  return form === null ? [] : [{ ...each, ...form }];
});

describe('the sandbox serves', () => {
  it('the operations of bills', async () => {
    const served = await serve();
    await expectServed(served.bills, served, Object.values(billsOperations));
  });

  it.each([
    ['spec', documentOperations],
    ['current', today],
    ['both', [...documentOperations, ...today]],
  ] as const)('those of documents (wire %s)', async (wire, places) => {
    const served = await serve({ documents: { wire } });
    await expectServed(served.documents, served, places);
  });

  it.each([
    ['current', 'PATCH /documents/evaluation_sets/1/items/2'],
    ['spec', 'GET /documents/evaluation_set_runs/1'],
    ['both', 'GET /x'],
    ['both', 'POST /documents/nothing'],
    ['both', 'PUT /documents/extract'],
    ['both', 'GET /api/Bill'],
    ['both', 'GET /apix/Bill/1'],
  ] as const)('nothing else (wire %s): %s', async (wire, request) => {
    const { sandbox } = await serve({ documents: { wire } });
    const [method = '', path = ''] = request.split(' ');
    const version = { 'x-service-api-version': '2026-02-09' };
    const headers = path.startsWith('/documents')
      ? { authorization: 'Bearer sandbox-key', ...version }
      : { requestToken: 'sandbox-key' };
    expect((await fetch(`${sandbox.url}${path}`, { method, headers })).status).toBe(404);
    expect(sandbox.requests.at(-1)).toMatchObject({ operation: null, acted: false, status: 404 });
  });
});
