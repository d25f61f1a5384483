/**
 * Files and runs: a call that ends `unknown` may have acted or not: what became of it is seen in the
 * sandbox's own state, and the model follows. Whatever else a call says is held against the model.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  createDocumentsClient,
  type DocumentsClient,
  isRetryable,
} from '../../../src/documents.js';
import type { Sandbox } from '../../../src/testing.js';
import { playSteps, type Steps } from '../../sandbox/model.js';
import { endingOf, pick } from '../../sandbox/serve.js';

const times = { pendingMs: 100, processingMs: 400, cancellingMs: 200 };
const config = { schema: { type: 'object', properties: {} } };

interface ModelRun {
  readonly startedAt: number;
  /** How it ends if it is not cancelled. */
  readonly outcome: string;
  cancelledAt?: number;
}

interface Model {
  /** Names by id; the oldest first, as in the next. */
  readonly files: Map<string, string>;
  readonly runs: Map<string, ModelRun>;
  readonly gone: string[];
  /** Ends that were ordered for runs to come. */
  readonly orders: string[];
  now: number;
}

/** What a run's status has to be by now. */
function statusOf({ startedAt, outcome, cancelledAt }: ModelRun, now: number): string {
  if (cancelledAt !== undefined) {
    return now - cancelledAt < times.cancellingMs ? 'CANCELLING' : 'CANCELLED';
  }
  const age = now - startedAt;
  if (age < times.pendingMs) return 'PENDING';
  return age < times.pendingMs + times.processingMs ? 'PROCESSING' : (outcome.split('=')[0] ?? '');
}

const isOver = (status: string) => /^(?:PROCESSED|FAILED|CANCELLED)$/.test(status);

/** The files that there are, by what no client and no fault comes between. */
async function filesIn({ documentsUrl }: Sandbox): Promise<Map<string, string>> {
  const headers = {
    authorization: 'Bearer sandbox-key',
    'x-service-api-version': '2026-02-09',
    'x-sandbox-fault': 'none',
  };
  const answer = await fetch(`${documentsUrl}/files?maxPageSize=1000&sortDir=asc`, { headers });
  const { data } = (await answer.json()) as { data: { id: string; name: string }[] };
  return new Map(data.map(({ id, name }) => [id, name]));
}

/** The id of what a call made; null where it made nothing. Nothing is made twice. */
function idOf(end: { readonly id: string } | string, there: Iterable<string>, known: Model) {
  const fresh = [...there].filter((id) => !known.files.has(id) && !known.runs.has(id));
  if (typeof end === 'object') expect(fresh).toEqual([end.id]);
  else expect([end, fresh.length < 2]).toEqual(['unknown', true]);
  return fresh[0] ?? null;
}

/** What is not there any more when it is deleted once more was deleted before. */
function expectGone(id: string, end: { readonly id?: string } | string | undefined): void {
  expect(typeof end === 'object' ? end.id : end).toBe(typeof end === 'object' ? id : 'applied');
}

const contentOf = (name: string) => `${name} has "${name}"\r\n--in it--`;

const chosen = fc.record({
  /** Which of those that there are; a step about none is not taken. */
  index: fc.nat(1000),
  name: fc.constantFrom('a.txt', 'b.txt', 'ä "b".txt'),
  outcome: fc.constantFrom('FAILED=INTERNAL_ERROR' as const, 'FAILED=INVALID_WORKFLOW' as const),
  milliseconds: fc.constantFrom(99, 100, 200, 500),
});
type Chosen = typeof chosen extends fc.Arbitrary<infer Value> ? Value : never;

const steps: Steps<Model, DocumentsClient, Chosen> = {
  async upload(model, { client, sandbox }, { name }) {
    const end = await endingOf(client.files.upload(Buffer.from(contentOf(name)), { name }));
    const id = idOf(end, (await filesIn(sandbox)).keys(), model);
    if (id !== null) model.files.set(id, name);
  },
  async getFile({ files }, { client }, { index }) {
    const [id, name] = pick(files, index) ?? [];
    if (id === undefined || name === undefined) return false;
    const found = await client.files.get(id, { rawText: true });
    const { contents } = found as { contents?: unknown };
    expect([found.id, found.name]).toEqual([id, name]);
    expect(contents).toEqual({ rawText: contentOf(name) });
  },
  async deleteFile(model, { client }, { index }) {
    const [id] = pick(model.files, index) ?? [];
    if (id === undefined) return false;
    expectGone(id, await endingOf(client.files.delete(id)));
    model.files.delete(id);
    model.gone.push(id);
  },
  async order(model, { sandbox }, { outcome }) {
    sandbox.documents.outcomes.next(outcome);
    model.orders.push(outcome);
  },
  async createRun(model, { client, sandbox }, { index }) {
    const [file] = pick(model.files, index) ?? [];
    if (file === undefined) return false;
    const end = await endingOf(client.extractRuns.create({ file: { id: file }, config }));
    if (typeof end === 'object') expect(end.status).toBe('PENDING');
    const id = idOf(end, sandbox.documents.runs().keys(), model);
    if (id === null) return;
    model.runs.set(id, { startedAt: model.now, outcome: model.orders.shift() ?? 'PROCESSED' });
  },
  async getRun({ runs, now }, { client }, { index }) {
    const [id, run] = pick(runs, index) ?? [];
    if (id === undefined || run === undefined) return false;
    const found = await client.extractRuns.get(id);
    expect([found.id, found.status]).toEqual([id, statusOf(run, now)]);
    const isPassing = found.status === 'FAILED' && run.outcome.endsWith('INTERNAL_ERROR');
    expect(isRetryable(found)).toBe(isPassing);
  },
  async cancelRun(model, { client, sandbox }, { index }) {
    const [id, run] = pick(model.runs, index) ?? [];
    // Whether one that is being cancelled can be cancelled once more is not told.
    if (id === undefined || run === undefined) return false;
    if (statusOf(run, model.now) === 'CANCELLING') return false;
    const over = isOver(statusOf(run, model.now));
    const end = await endingOf(client.extractRuns.cancel(id));
    const cancelled = sandbox.documents.runs().get(id) === 'CANCELLING';
    if (typeof end === 'object') expect([end.status, over]).toEqual(['CANCELLING', false]);
    else expect(end).toMatch(over ? /^(?:refused|unknown)$/ : /^unknown$/);
    expect(cancelled).toBe(!over && (typeof end === 'object' || cancelled));
    if (cancelled) run.cancelledAt = model.now;
  },
  async deleteRun(model, { client }, { index }) {
    const [id] = pick(model.runs, index) ?? [];
    if (id === undefined) return false;
    expectGone(id, await endingOf(client.extractRuns.delete(id)));
    model.runs.delete(id);
    model.gone.push(id);
  },
  // What was deleted is found by nothing, and starts nothing.
  async useGone({ gone }, { client }, { index }) {
    const id = gone[index % gone.length];
    if (id === undefined) return false;
    const notFound = { code: 'api/not-found', serviceCode: 'NOT_FOUND' };
    await expect(client.files.get(id)).rejects.toMatchObject(notFound);
    await expect(client.extractRuns.get(id)).rejects.toMatchObject(notFound);
    const end = await endingOf(client.extractRuns.create({ file: { id }, config }));
    expect(end).toMatch(/^(?:refused|unknown)$/);
  },
  async wait(model, { sandbox }, { milliseconds }) {
    sandbox.clock.advance(milliseconds);
    model.now += milliseconds;
  },
};

it('client and sandbox behave like the model, even with faults', () =>
  playSteps<Model, DocumentsClient, Chosen>({
    steps,
    // So that much has happened to them.
    often: ['createRun', 'cancelRun'],
    chosen,
    maxLength: 50,
    numRuns: 15,
    options: { documents: { times } },
    modelOf: () => ({ files: new Map(), runs: new Map(), gone: [], orders: [], now: 0 }),
    clientOf: ({ documentsUrl: baseUrl }, retry) =>
      createDocumentsClient({ baseUrl, apiKey: 'sandbox-key', retry }),
    async compare({ files, runs, now }, sandbox) {
      expect([...(await filesIn(sandbox))]).toEqual([...files]);
      const expected = [...runs].map(([id, run]) => [id, statusOf(run, now)]);
      expect([...sandbox.documents.runs()]).toEqual(expected);
    },
  }));
