/**
 * The client and the sandbox together against a plain model of runs: whatever is started, cancelled
 * and deleted while the clock moves on, every run is where the model says.
 *
 * Reads and deletions meet faults by chance. What starts or cancels a run is not repeated once it may
 * have acted, so that those meet faults to order: one that certainly did not act, or a lost answer.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { ApiError, createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';
import { runs, seed } from '../../seed.js';

const times = { pendingMs: 1000, processingMs: 5000, cancellingMs: 500 };

interface ModelRun {
  readonly startedAt: number;
  readonly end: 'PROCESSED' | 'FAILED';
  cancelledAt: number | null;
}

interface Model {
  /** In the order in which they were started. */
  readonly runs: Map<string, ModelRun>;
  now: number;
}

interface Real {
  readonly sandbox: Sandbox;
  readonly client: DocumentsClient;
}

type Step = fc.AsyncCommand<Model, Real>;

/** Where a run is, by the clock alone. */
function statusOf({ startedAt, end, cancelledAt }: ModelRun, now: number): string {
  if (cancelledAt !== null) {
    return now - cancelledAt < times.cancellingMs ? 'CANCELLING' : 'CANCELLED';
  }
  const age = now - startedAt;
  if (age < times.pendingMs) return 'PENDING';
  return age < times.pendingMs + times.processingMs ? 'PROCESSING' : end;
}

const unfinished: ReadonlySet<string> = new Set(['PENDING', 'PROCESSING', 'CANCELLING']);

/** One of the runs that there are, by a number of any size. */
function pick({ runs: all }: Model, index: number): [string, ModelRun] {
  const found = [...all][index % all.size];
  if (found === undefined) throw new Error('there is no run');
  return found;
}

function step(name: string, run: Step['run'], check: Step['check'] = () => true): Step {
  return { check, run, toString: () => name };
}

const hasRuns = ({ runs: all }: Readonly<Model>) => all.size > 0;

const request = { file: { text: 'x' }, config: { schema: {} } };

/** What befalls a call that is not repeatable: nothing, a refusal that is waited out, a lost answer. */
type Luck = 'good' | 'throttled' | 'unanswered';

function order({ sandbox }: Real, operation: string, luck: Luck): void {
  if (luck === 'throttled') sandbox.faults.next('rate-limit=0', { operation });
  if (luck === 'unanswered') sandbox.faults.next('reset-after', { operation });
}

/** What a call resolves to, or its error. */
function settled<T>(call: Promise<T>): Promise<T | ApiError> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
}

const start = (end: ModelRun['end'], luck: Luck): Step =>
  step(`start(${end}, ${luck})`, async (model, real) => {
    const { sandbox, client } = real;
    sandbox.documents.outcomes.next(end);
    order(real, 'extractRuns.create', luck);
    const answer = await settled(client.extractRuns.create(request));
    const fresh = [...sandbox.documents.runs().keys()].filter((id) => !model.runs.has(id));
    expect(fresh).toHaveLength(1);
    expect(answer).toMatchObject(
      luck === 'unanswered' ? { outcome: 'unknown' } : { id: fresh[0], status: 'PENDING' },
    );
    model.runs.set(fresh[0] ?? '', { startedAt: model.now, end, cancelledAt: null });
  });

const cancel = (index: number, luck: Luck): Step =>
  step(
    `cancel(${index}, ${luck})`,
    async (model, real) => {
      const [id, run] = pick(model, index);
      const possible = unfinished.has(statusOf(run, model.now));
      order(real, 'extractRuns.cancel', luck);
      const answer = await settled(real.client.extractRuns.cancel(id));
      if (possible) run.cancelledAt ??= model.now;
      const lost = luck === 'unanswered';
      const refused = { status: 400, serviceCode: 'INVALID_REQUEST', outcome: 'refused' };
      const told = possible ? { id, status: 'CANCELLING' } : refused;
      expect(answer).toMatchObject(lost ? { outcome: 'unknown' } : told);
    },
    hasRuns,
  );

const get = (index: number): Step =>
  step(
    `get(${index})`,
    async (model, { client }) => {
      const [id, run] = pick(model, index);
      const status = statusOf(run, model.now);
      const { output, failureReason, ...rest } = await client.extractRuns.get(id);
      expect(rest).toMatchObject({ id, status });
      expect(output !== null).toBe(status === 'PROCESSED');
      expect(failureReason).toBe(status === 'FAILED' ? 'INTERNAL_ERROR' : null);
    },
    hasRuns,
  );

const remove = (index: number): Step =>
  step(
    `delete(${index})`,
    async (model, { client }) => {
      const [id] = pick(model, index);
      const answer = await settled(client.extractRuns.delete(id));
      // Gone at the second look is gone, too.
      expect(answer).toMatchObject(answer instanceof ApiError ? { outcome: 'applied' } : { id });
      model.runs.delete(id);
      await expect(client.extractRuns.get(id)).rejects.toMatchObject({ status: 404 });
    },
    hasRuns,
  );

const list = (status: string, maxPageSize: number): Step =>
  step(`list(${status}, ${maxPageSize})`, async (model, { client }) => {
    const found: string[] = [];
    for await (const { id } of client.extractRuns.iterate({ status, maxPageSize })) found.push(id);
    const wanted = [...model.runs].filter(([, run]) => statusOf(run, model.now) === status);
    expect(found).toEqual(wanted.map(([id]) => id).reverse());
  });

const wait = (milliseconds: number): Step =>
  step(`wait(${milliseconds})`, async (model, { sandbox }) => {
    sandbox.clock.advance(milliseconds);
    model.now += milliseconds;
  });

const index = fc.nat(1000);
const luck = fc.constantFrom<Luck>('good', 'good', 'throttled', 'unanswered');
const end = fc.constantFrom('PROCESSED' as const, 'FAILED' as const);
const status = fc.constantFrom('PENDING', 'PROCESSING', 'PROCESSED', 'FAILED', 'CANCELLED');
const steps = fc.commands(
  [
    fc.tuple(end, luck).map((each) => start(...each)),
    fc.tuple(index, luck).map((each) => cancel(...each)),
    index.map(get),
    index.map(remove),
    fc.tuple(status, fc.integer({ min: 1, max: 3 })).map((each) => list(...each)),
    fc.constantFrom(1, 499, 500, 1000).map(wait),
    fc.constantFrom(4999, 5000, 6000).map(wait),
  ],
  // Long ones, so that much has happened to what a step is about.
  { maxCommands: 50, size: 'max' },
);

it('runs are where the model says, through faults', async () => {
  const property = fc.asyncProperty(steps, fc.nat(1_000_000), async (commands, chance) => {
    const sandbox = await createSandbox({
      clock: { mode: 'manual' },
      seed: chance,
      documents: { times },
      faults: {
        share: 0.2,
        faults: ['reset', 'reset-after', 'status=503', 'status-after=500', 'truncate'],
        operations: ['extractRuns.get', 'extractRuns.list', 'extractRuns.delete'],
      },
    });
    const client = createDocumentsClient({
      baseUrl: sandbox.documentsUrl,
      apiKey: 'sandbox-key',
      retry: { maxAttempts: 12, baseMs: 1, capMs: 2 },
    });
    const model: Model = { runs: new Map(), now: 0 };
    try {
      await fc.asyncModelRun(() => ({ model, real: { sandbox, client } }), commands);
      const expected = [...model.runs].map(([id, run]) => [id, statusOf(run, model.now)]);
      expect([...sandbox.documents.runs()]).toEqual(expected);
    } finally {
      await client.close();
      await sandbox.close();
    }
  });
  await fc.assert(property, { seed, numRuns: runs(60) });
});
