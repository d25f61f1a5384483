/** Both clients over both transports: what is sent again, by kind of operation and kind of failure. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiError, type BillsClient, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';
import {
  type Behaviour,
  closedOrigin,
  type RoughServer,
  startRoughServer,
} from './rough-server.js';

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

const json = { 'content-type': 'application/json' };
const says =
  (status: number, body: object = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, json).end(JSON.stringify(body));
const lost: Behaviour = (request) => request.socket.destroy();
const silent: Behaviour = () => {};
const truncated: Behaviour = (_, response) => {
  response.writeHead(200, { ...json, 'content-length': '100' }).write('{"a":');
  setTimeout(() => response.socket?.destroy(), 10);
};

type Outcome = ApiError['outcome'];
type Row = [name: string, behave: Behaviour, outcomes: readonly Outcome[]];

const unsure: readonly Row[] = [
  ['lost', lost, ['unknown']],
  ['silent', silent, ['unknown']],
  ...[500, 502, 503, 504].map((status): Row => [`${status}`, says(status), ['unknown']]),
  ['a 200 that breaks off', truncated, ['unknown', 'applied']],
];
const final: readonly Row[] = [
  ...[400, 401, 403, 404, 409, 422].map((status): Row => [`${status}`, says(status), ['refused']]),
  ['307', (_, response) => response.writeHead(307, { location: '/' }).end(), ['unknown']],
];

let server: RoughServer;
let behave: Behaviour;

beforeAll(async () => {
  server = await startRoughServer((request, response) => behave(request, response));
});
afterAll(() => server.close());

const transports: Readonly<Record<string, object>> = {
  node: {},
  fetch: { fetch: (...given: Parameters<typeof fetch>) => fetch(...given) },
};

describe.each(Object.keys(transports))('over %s', (name) => {
  const clientsAt = (baseUrl: string) => {
    const retry = { maxAttempts: 2, baseMs: 1, capMs: 2 };
    const options = {
      baseUrl,
      retry,
      attemptTimeoutMs: behave === silent ? 200 : 9000,
      deadlineMs: 9000,
      ...transports[name],
    };
    const bills = createBillsClient({ ...options, auth: { apiKey: 'k' } });
    return [bills, createDocumentsClient({ ...options, apiKey: 'k' })] as const;
  };

  /** All at once, since most of the time is spent waiting. */
  async function failures(acts: Readonly<Record<string, Act>>, at = server.origin) {
    const clients = clientsAt(at);
    const calls = Object.entries(acts).map(async ([act, run]) => {
      const error = await run(...clients).then(
        () => ({ outcome: 'success', attempts: 0 }),
        (thrown: ApiError) => thrown,
      );
      return { act, attempts: error.attempts, outcome: error.outcome };
    });
    const ends = await Promise.all(calls);
    await Promise.all(clients.map((client) => client.close()));
    return ends;
  }

  /** As often as they say, and as often as the server has seen. */
  async function expectAttempts(
    acts: Readonly<Record<string, Act>>,
    attempts: number,
    outcomes: readonly Outcome[],
  ) {
    server.seen.length = 0;
    const ends = await failures(acts);
    for (const end of ends) {
      expect(end).toMatchObject({ act: end.act, attempts });
      expect(outcomes, end.act).toContain(end.outcome);
    }
    expect(server.seen).toHaveLength(attempts * ends.length);
  }

  it('what never reached anybody is sent again, whatever it is', async () => {
    const { port } = new URL(await closedOrigin());
    for (const host of ['127.0.0.1', 'localhost']) {
      const ends = await failures({ ...repeatable, ...acting }, `http://${host}:${port}`);
      for (const { act, ...end } of ends) {
        expect({ act, ...end }).toEqual({ act, attempts: 2, outcome: 'not-sent' });
      }
    }
  });

  it('what was not let in is sent again, whatever it is', async () => {
    behave = says(429);
    await expectAttempts({ ...repeatable, ...acting }, 2, ['refused']);
  });

  it.each(unsure)(
    'after %s only what cannot act twice is sent again',
    async (_, next, outcomes) => {
      behave = next;
      await expectAttempts(repeatable, 2, ['unknown', ...outcomes]);
      await expectAttempts(acting, 1, outcomes);
    },
  );

  it.each(final)('after %s nothing is sent again', async (_, next, outcomes) => {
    behave = next;
    await expectAttempts({ ...repeatable, ...acting }, 1, outcomes);
  });

  it.each([429, 503])('nor after a %d of which the service says so', async (status) => {
    behave = says(status, { code: 'X', message: 'no', retryable: false });
    const ofDocuments = Object.entries({ ...repeatable, ...acting }).filter(([act]) =>
      /^extract|^files|^evaluation/.test(act),
    );
    await expectAttempts(Object.fromEntries(ofDocuments), 1, ['refused', 'unknown']);
  });
});
