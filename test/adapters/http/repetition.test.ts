/** Operations of both clients: which are sent again after an attempt that may have acted. */
import { describe, expect, it } from 'vitest';
import { type ApiError, type BillsClient, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';

type Act = (bills: BillsClient, documents: DocumentsClient) => Promise<unknown>;

const key = { idempotencyKey: 'k' };
const file = { id: 'file_1' };

/** May be sent again whatever became of the first. */
const repeatable: Readonly<Record<string, Act>> = {
  get: (bills) => bills.get(1),
  update: (bills) => bills.update(2, {}),
  delete: (bills) => bills.delete(3),
  deleteAttachment: (bills) => bills.deleteAttachment(3, 'a'),
  getAttachment: (bills) => bills.getAttachment(3, 'b'),
  setApprovers: (bills) => bills.setApprovers(4, []),
  approve: (bills) => bills.setApproved(5, true),
  disapprove: (bills) => bills.setApproved(5, false),
  list: (bills) => bills.list('e'),
  export: (bills) => bills.export('f', { format: 'csv' }),
  'create with a key': (bills) => bills.create('keyed', {}, key),
  'sendToApproval with a key': (bills) => bills.sendToApproval(6, [], key),
  'files.get': (_, documents) => documents.files.get('a'),
  'files.delete': (_, documents) => documents.files.delete('b'),
};

/** Would act again with each request. */
const acting: Readonly<Record<string, Act>> = {
  create: (bills) => bills.create('bare', {}),
  sendToApproval: (bills) => bills.sendToApproval(7, []),
  extract: (_, documents) => documents.extract({ file, config: {} }),
  'extractRuns.create': (_, documents) => documents.extractRuns.create({ file, config: {} }),
  'extractRuns.cancel': (_, documents) => documents.extractRuns.cancel('c'),
  'extractors.update': (_, documents) => documents.extractors.update('d', {}),
  'evaluationSets.items.update': (_, documents) =>
    documents.evaluationSets.items.update('e', 'f', {}),
  'files.upload': (_, documents) => documents.files.upload(Buffer.from('x')),
};

const lost = async (code: string) => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code } });
};
const says =
  (status: number, body: object = {}) =>
  async () =>
    Response.json(body, { status });

/** Attempts and outcome of each of them, two attempts at most. */
async function ends(acts: Readonly<Record<string, Act>>, answer: () => Promise<Response>) {
  let sent = 0;
  const fetch = () => {
    sent += 1;
    return answer();
  };
  const retry = { maxAttempts: 2, baseMs: 1 };
  const options = { baseUrl: 'https://api.example.com', retry, fetch };
  const clients = [
    createBillsClient({ ...options, auth: { apiKey: 'k' } }),
    createDocumentsClient({ ...options, apiKey: 'k' }),
  ] as const;
  const found: Record<string, string> = {};
  for (const [name, act] of Object.entries(acts)) {
    sent = 0;
    const error = (await act(...clients).catch((thrown: unknown) => thrown)) as ApiError;
    expect(error.attempts).toBe(sent);
    found[name] = `${sent} ${error.outcome}`;
  }
  return found;
}

const every = (acts: object, end: string) =>
  Object.fromEntries(Object.keys(acts).map((name) => [name, end]));
const all = { ...repeatable, ...acting };

describe('sent again', () => {
  it('is what never reached anybody, and what was not let in, whatever it is', async () => {
    expect(await ends(all, () => lost('ECONNREFUSED'))).toEqual(every(all, '2 not-sent'));
    expect(await ends(all, says(429))).toEqual(every(all, '2 refused'));
  });

  it.each<[string, () => Promise<Response>]>([
    ['a loss', () => lost('ECONNRESET')],
    ['a 503', says(503)],
  ])('after %s is only what cannot act twice', async (_, answer) => {
    expect(await ends(repeatable, answer)).toEqual(every(repeatable, '2 unknown'));
    expect(await ends(acting, answer)).toEqual(every(acting, '1 unknown'));
  });

  it('is nothing that was refused', async () => {
    expect(await ends(all, says(409))).toEqual(every(all, '1 refused'));
    const documents = Object.fromEntries(Object.entries(all).filter(([name]) => /\./.test(name)));
    const final = says(503, { code: 'X', message: 'no', retryable: false });
    expect(await ends(documents, final)).toEqual(every(documents, '1 unknown'));
  });
});
