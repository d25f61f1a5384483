/**
 * Everything that can GET a bill, or a run of the documents service: the clients on both of their
 * transports, the official SDKs as they come, `undici.request` and `fetch` with the headers that the
 * clients send. All read the answer and parse it.
 */
import { PayabliClient } from '@payabli/sdk-node';
import { ExtendClient } from 'extend-ai';
import { createBillsClient } from 'squadc/bills';
import { createDocumentsClient } from 'squadc/documents';
import { Pool } from 'undici';

/**
 * @typedef {{ api: string, name: string, get: () => PromiseLike<unknown> }} Candidate
 * @param {string} origin
 */
export function openCandidates(origin) {
  const pool = new Pool(origin, { connections: 128, headersTimeout: 0, bodyTimeout: 0 });
  const bills = billsCandidates(origin, pool);
  const documents = documentsCandidates(origin, pool);
  return {
    candidates: [...bills.candidates, ...documents.candidates],
    close: () => Promise.all([pool.close(), bills.close(), documents.close()]),
  };
}

/** @param {string} origin @param {Pool} pool */
function billsCandidates(origin, pool) {
  const options = { baseUrl: `${origin}/api`, auth: { apiKey: 'key' } };
  const client = createBillsClient(options);
  const overFetch = createBillsClient({ ...options, fetch });
  const { bill } = new PayabliClient({ baseUrl: `${origin}/api`, apiKey: 'key' });
  const headers = { accept: 'application/json', requestToken: 'key' };
  return {
    candidates: named('bills', {
      ...plain(pool, origin, '/api/Bill/17', headers),
      client: () => client.get(17),
      'client on fetch': () => overFetch.get(17),
      SDK: () => bill.getBill(17),
    }),
    close: () => client.close(),
  };
}

/** @param {string} origin @param {Pool} pool */
function documentsCandidates(origin, pool) {
  const options = { baseUrl: origin, apiKey: 'key' };
  const client = createDocumentsClient(options);
  const overFetch = createDocumentsClient({ ...options, fetch });
  const { extractRuns } = new ExtendClient({ baseUrl: origin, token: 'key' });
  const headers = {
    accept: 'application/json',
    authorization: 'Bearer key',
    'x-service-api-version': '2026-02-09',
  };
  return {
    candidates: named('documents', {
      ...plain(pool, origin, '/extract_runs/exr_1', headers),
      client: () => client.extractRuns.get('exr_1'),
      'client on fetch': () => overFetch.extractRuns.get('exr_1'),
      SDK: () => extractRuns.retrieve('exr_1'),
    }),
    close: () => client.close(),
  };
}

/** @param {Pool} pool @param {string} origin @param {string} path @param {Record<string, string>} headers */
function plain(pool, origin, path, headers) {
  return {
    'undici.request': async () => {
      const { body } = await pool.request({ method: 'GET', path, headers });
      return body.json();
    },
    fetch: async () => (await fetch(origin + path, { headers })).json(),
  };
}

/** @param {string} api @param {Record<string, Candidate['get']>} gets @returns {Candidate[]} */
function named(api, gets) {
  return Object.entries(gets).map(([name, get]) => ({ api, name, get }));
}
