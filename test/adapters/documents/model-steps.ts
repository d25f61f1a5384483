/**
 * Steps that do the same to the model and, by the client, to a sandbox.
 *
 * A call that ends `unknown` may have acted or not: what became of it is seen in the sandbox's own
 * state, and the model follows. Whatever else a call says is held against the model.
 */
import type fc from 'fast-check';
import { expect } from 'vitest';
import { ApiError, isRetryable } from '../../../src/documents.js';
import { filesIn, isOver, type Model, type Real, statusOf } from './model.js';

export type Step = fc.AsyncCommand<Model, Real>;

type Outcome = ApiError['outcome'];

/** What became of a call: its answer, or the outcome of its error. */
async function ending<Value>(call: Promise<Value>): Promise<Value | Outcome> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ApiError) return error.outcome;
    throw error;
  }
}

function step(name: string, act: Step['run'], check: Step['check'] = () => true): Step {
  const run: Step['run'] = (model, real) => {
    real.taken.add(name.replace(/[(:].*/, ''));
    return act(model, real);
  };
  return { check, run, toString: () => name };
}

/** One of them, by a number of any size. */
function pick<Value>(all: ReadonlyMap<string, Value>, index: number): [string, Value] {
  const found = [...all][index % all.size];
  if (found === undefined) throw new Error('there is none');
  return found;
}

const hasFiles = ({ files }: Readonly<Model>) => files.size > 0;
const hasRuns = ({ runs }: Readonly<Model>) => runs.size > 0;

/** The id of what a call made; null where it made nothing. Nothing is made twice. */
function idOf(end: { readonly id: string } | Outcome, there: Iterable<string>, known: Model) {
  const fresh = [...there].filter((id) => !known.files.has(id) && !known.runs.has(id));
  if (typeof end === 'object') expect(fresh).toEqual([end.id]);
  else expect([end, fresh.length < 2]).toEqual(['unknown', true]);
  return fresh[0] ?? null;
}

const contentOf = (name: string) => `${name} has "${name}"\r\n--in it--`;

export const upload = (name: string): Step =>
  step(`files.upload(${name})`, async (model, { client, sandbox }) => {
    const end = await ending(client.files.upload(Buffer.from(contentOf(name)), { name }));
    const id = idOf(end, (await filesIn(sandbox)).keys(), model);
    if (id !== null) model.files.set(id, name);
  });

export const getFile = (index: number): Step =>
  step(
    `files.get(${index})`,
    async ({ files }, { client }) => {
      const [id, name] = pick(files, index);
      const found = await client.files.get(id, { rawText: true });
      expect([found.id, found.name]).toEqual([id, name]);
      expect(found.contents).toEqual({ rawText: contentOf(name) });
    },
    hasFiles,
  );

export const deleteFile = (index: number): Step =>
  step(
    `files.delete(${index})`,
    async (model, { client }) => {
      const [id] = pick(model.files, index);
      expectGone(id, await ending(client.files.delete(id)));
      model.files.delete(id);
      model.gone.push(id);
    },
    hasFiles,
  );

/** What is not there any more when it is deleted once more was deleted before. */
function expectGone(id: string, end: { readonly id?: string } | Outcome | undefined): void {
  expect(typeof end === 'object' ? end.id : end).toBe(typeof end === 'object' ? id : 'applied');
}

export const order = (outcome: 'FAILED=INTERNAL_ERROR' | 'FAILED=INVALID_WORKFLOW'): Step =>
  step(`next run: ${outcome}`, async (model, { sandbox }) => {
    sandbox.documents.outcomes.next(outcome);
    model.orders.push(outcome);
  });

const config = { schema: { type: 'object', properties: {} } };

export const createRun = (index: number): Step =>
  step(
    `extractRuns.create(${index})`,
    async (model, { client, sandbox }) => {
      const [file] = pick(model.files, index);
      const end = await ending(client.extractRuns.create({ file: { id: file }, config }));
      if (typeof end === 'object') expect(end.status).toBe('PENDING');
      const id = idOf(end, sandbox.documents.runs().keys(), model);
      if (id === null) return;
      model.runs.set(id, { startedAt: model.now, outcome: model.orders.shift() ?? 'PROCESSED' });
    },
    hasFiles,
  );

export const getRun = (index: number): Step =>
  step(
    `extractRuns.get(${index})`,
    async ({ runs, now }, { client }) => {
      const [id, run] = pick(runs, index);
      const found = await client.extractRuns.get(id);
      expect([found.id, found.status]).toEqual([id, statusOf(run, now)]);
      const passing = found.status === 'FAILED' && run.outcome.endsWith('INTERNAL_ERROR');
      expect(isRetryable(found)).toBe(passing);
    },
    hasRuns,
  );

/** Those that are being cancelled are left out: whether they can be once more is not told. */
const cancellable = ({ runs, now }: Readonly<Model>) =>
  new Map([...runs].filter(([, run]) => statusOf(run, now) !== 'CANCELLING'));

export const cancelRun = (index: number): Step =>
  step(
    `extractRuns.cancel(${index})`,
    async (model, { client, sandbox }) => {
      const [id, run] = pick(cancellable(model), index);
      const over = isOver(statusOf(run, model.now));
      const end = await ending(client.extractRuns.cancel(id));
      const cancelled = sandbox.documents.runs().get(id) === 'CANCELLING';
      if (typeof end === 'object') expect([end.status, over]).toEqual(['CANCELLING', false]);
      else expect(end).toMatch(over ? /^(?:refused|unknown)$/ : /^unknown$/);
      expect(cancelled).toBe(!over && (typeof end === 'object' || cancelled));
      if (cancelled) run.cancelledAt = model.now;
    },
    (model) => cancellable(model).size > 0,
  );

export const deleteRun = (index: number): Step =>
  step(
    `extractRuns.delete(${index})`,
    async (model, { client }) => {
      const [id] = pick(model.runs, index);
      expectGone(id, await ending(client.extractRuns.delete(id)));
      model.runs.delete(id);
      model.gone.push(id);
    },
    hasRuns,
  );

/** What was deleted is found by nothing, and starts nothing. */
export const useGone = (index: number): Step =>
  step(
    `use what is gone(${index})`,
    async ({ gone }, { client }) => {
      const id = gone[index % gone.length] as string;
      const notFound = { code: 'api/not-found', serviceCode: 'NOT_FOUND' };
      await expect(client.files.get(id)).rejects.toMatchObject(notFound);
      await expect(client.extractRuns.get(id)).rejects.toMatchObject(notFound);
      const end = await ending(client.extractRuns.create({ file: { id }, config }));
      expect(end).toMatch(/^(?:refused|unknown)$/);
    },
    ({ gone }) => gone.length > 0,
  );

/** A look at a run that is over is enough; one that goes on is given up in time. */
export const pollRun = (index: number): Step =>
  step(
    `extractRuns.poll(${index})`,
    async ({ runs, now }, { client }) => {
      const [id, run] = pick(runs, index);
      const status = statusOf(run, now);
      const seen: string[] = [];
      const onProgress = (state: { readonly status: string }) => seen.push(state.status);
      const polling = client.extractRuns.poll(id, { deadlineMs: 1000, onProgress });
      if (isOver(status)) expect(await polling).toMatchObject({ id, status });
      else {
        const expected = { code: 'api/still-running', runId: id, reason: status };
        await expect(polling).rejects.toMatchObject(expected);
      }
      expect(seen).toEqual([status]);
    },
    hasRuns,
  );

type Direction = 'asc' | 'desc';

async function idsOf(entries: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of entries) ids.push(id);
  return ids;
}

const inOrder = (ids: readonly string[], sortDir: Direction) =>
  sortDir === 'asc' ? ids : ids.toReversed();

export const listFiles = (maxPageSize: number, sortDir: Direction, nameContains: string): Step =>
  step(`files.iterate(${maxPageSize}, ${sortDir}, ${nameContains})`, async (model, { client }) => {
    const found = await idsOf(client.files.iterate({ maxPageSize, sortDir, nameContains }));
    const named = [...model.files].filter(([, name]) => name.includes(nameContains));
    expect(found).toEqual(
      inOrder(
        named.map(([id]) => id),
        sortDir,
      ),
    );
  });

export const listRuns = (maxPageSize: number, sortDir: Direction, status: string): Step =>
  step(`extractRuns.iterate(${maxPageSize}, ${sortDir}, ${status})`, async (model, { client }) => {
    const found = await idsOf(client.extractRuns.iterate({ maxPageSize, sortDir, status }));
    const standing = [...model.runs].filter(([, run]) => statusOf(run, model.now) === status);
    expect(found).toEqual(
      inOrder(
        standing.map(([id]) => id),
        sortDir,
      ),
    );
  });

export const wait = (milliseconds: number): Step =>
  step(`wait(${milliseconds})`, async (model, { sandbox }) => {
    sandbox.clock.advance(milliseconds);
    model.now += milliseconds;
  });
