/** The sandbox serves every operation that the clients know, by the same names. */
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/adapters/bills/operations.js';
import { currentForms, documentOperations } from '../../../src/adapters/documents/operations.js';
import { type Send, serve } from './serve.js';

interface Place {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** What the sandbox takes each of them for; nothing is carried out. */
async function namesOf(
  send: Send,
  sandbox: Awaited<ReturnType<typeof serve>>['sandbox'],
  places: readonly Place[],
) {
  for (const { method, path } of places) {
    const headers = { 'x-sandbox-fault': 'status=500' };
    await send(method, path.replaceAll(/\{\w+\}/g, '17'), { headers });
  }
  return sandbox.requests.map(({ operation }) => operation);
}

describe('the sandbox serves', () => {
  it('the eleven operations of bills', async () => {
    const { bills, sandbox } = await serve();
    const places: Place[] = Object.values(billsOperations);
    expect(places).toHaveLength(11);
    expect(await namesOf(bills, sandbox, places)).toEqual(places.map(({ id }) => id));
  });

  it('the 69 operations of documents in the form of the specification', async () => {
    const { documents, sandbox } = await serve({ documents: { wire: 'spec' } });
    expect(documentOperations).toHaveLength(69);
    const ids = documentOperations.map(({ id }) => id);
    expect(await namesOf(documents, sandbox, documentOperations)).toEqual(ids);
  });

  it('those of today, in their form and in no other', async () => {
    const { documents, sandbox } = await serve({ documents: { wire: 'current' } });
    const today = documentOperations.flatMap((each) => {
      const form = currentForms[each.id];
      return form === null ? [] : [{ ...each, ...form }];
    });
    expect(today.length).toBeLessThan(69);
    const ids = today.map(({ id }) => id);
    expect(await namesOf(documents, sandbox, today)).toEqual(ids);
    expect((await documents('PATCH', '/evaluation_sets/1/items/2')).json.code).toBe('NOT_FOUND');
    expect(sandbox.requests.at(-1)?.operation).toBeNull();
  });

  it('both forms, unless it is told otherwise', async () => {
    const { documents, sandbox } = await serve();
    const moved = Object.entries(currentForms).flatMap(([id, form]) => {
      const old = documentOperations.find((each) => each.id === id);
      return form === null || old === undefined ? [] : [old, { ...old, ...form }];
    });
    expect(moved.length).toBeGreaterThan(0);
    expect(await namesOf(documents, sandbox, moved)).toEqual(moved.map(({ id }) => id));
  });
});

describe('what is served nowhere', () => {
  it.each([
    'GET /x',
    'POST /documents/nothing',
    'PUT /documents/extract',
    'GET /api/Bill',
    'GET /apix/Bill/1',
  ])('is not found: %s', async (request) => {
    const { sandbox } = await serve();
    const [method = '', path = ''] = request.split(' ');
    const headers = {
      authorization: 'Bearer sandbox-key',
      'x-service-api-version': '2026-02-09',
    };
    const bare = path.startsWith('/documents') ? headers : { requestToken: 'sandbox-key' };
    const answer = await fetch(`${sandbox.url}${path}`, { method, headers: bare });
    expect(answer.status).toBe(404);
    expect(sandbox.requests.at(-1)).toMatchObject({ operation: null, acted: false, status: 404 });
  });
});
