/** Runs are waited for on a schedule; the clock of these tests is moved by them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentsClient } from '../../../src/adapters/documents/documents-client.js';
import { createMethods } from '../../../src/adapters/documents/methods.js';
import { ApiError, type ApiErrorCode } from '../../../src/documents.js';
import { type FakeSender, fakeSender, type Sent } from './fake-sender.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const clientOn = (sender: FakeSender) => createMethods(sender, 'spec') as DocumentsClient;
const file = { id: 'f' };

/** A service whose run is over after a while. */
function service(overAfterMs: number, status = 'PROCESSED', before = 'PROCESSING') {
  const start = performance.now();
  const looks: number[] = [];
  const sender = fakeSender(({ operation }: Sent) => {
    if (operation.method === 'POST') return { id: 'run', status: 'PENDING' };
    looks.push(performance.now() - start);
    return { id: 'run', status: performance.now() - start >= overAfterMs ? status : before };
  });
  return { sender, looks, client: clientOn(sender) };
}

/** What a promise comes to while time passes. */
async function settled<Value>(promise: Promise<Value>): Promise<Value> {
  const caught = promise.then(
    (value) => () => value,
    (error) => () => {
      throw error;
    },
  );
  await vi.runAllTimersAsync();
  return (await caught)();
}

it.each([
  [0.5, 1000, 30_000],
  [0, 750, 22_500],
  [1, 1250, 30_000],
])(
  'looks at once, every second for half a minute, then less often, spread by chance (%f)',
  async (...row) => {
    const [chance, first, last] = row;
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    const { looks, client } = service(900_000);
    await settled(client.extractRuns.poll('run'));
    const pauses = looks.slice(1).map((look, index) => look - (looks[index] as number));
    const steady = 30_000 / first;
    expect([looks[0], pauses[0]]).toEqual([0, first]);
    expect(new Set(pauses.slice(0, steady))).toEqual(new Set([first]));
    for (const [index, pause] of pauses.slice(steady, steady + 20).entries()) {
      const growing = Math.min(30_000, first * 1.15 ** (index + 1));
      expect(Math.abs(pause - growing)).toBeLessThan(30);
    }
    expect(pauses.at(-1)).toBe(last);
  },
);

const statuses = {
  over: ['PROCESSED', 'FAILED', 'CANCELLED'],
  reviewed: ['NEEDS_REVIEW', 'REJECTED'],
  underWay: ['PENDING', 'PROCESSING', 'CANCELLING', 'SOMETHING_NEW', ''],
};

it.each([
  'extractRuns',
  'classifyRuns',
  'splitRuns',
  'parseRuns',
  'editRuns',
  'workflowRuns',
] as const)('%s are over with some statuses, and not with others', async (group) => {
  const isWorkflow = group === 'workflowRuns';
  const { over, reviewed, underWay } = statuses;
  const poll = (client: DocumentsClient): Promise<unknown> => client[group].poll('run');
  for (const status of isWorkflow ? [...over, ...reviewed] : over) {
    const { client, looks } = service(5000, status);
    expect(await settled(poll(client))).toMatchObject({ status });
    expect(looks.length).toBeGreaterThan(2);
  }
  for (const status of isWorkflow ? underWay : [...underWay, ...reviewed]) {
    const { client } = service(5000, 'PROCESSED', status);
    expect(await settled(poll(client))).toMatchObject({ status: 'PROCESSED' });
  }
});

describe('poll', () => {
  it('takes a run for its id, passes options on, and tells each state', async () => {
    const { sender, client } = service(3000);
    const states: string[] = [];
    const run = { id: 'x', status: 'PROCESSED' };
    const signal = new AbortController().signal;
    const onProgress = ({ status }: { status: string }) => states.push(status);
    const options = { responseType: 'url', maxBytes: 9, signal, onProgress } as const;
    await settled(client.parseRuns.poll(run, options));
    expect(sender.sent[0]).toMatchObject({
      operation: { id: 'parseRuns.get' },
      given: { path: ['x'], query: { responseType: 'url' } },
      options: { maxBytes: 9, signal },
    });
    expect(sender.sent[0]?.options).not.toHaveProperty('deadlineMs');
    expect(states).toEqual([...Array(sender.sent.length - 1).fill('PROCESSING'), 'PROCESSED']);
    const refused = { code: 'api/invalid-argument', operation: 'editRuns.get', reason: 'id' };
    await expect(client.editRuns.poll({} as never)).rejects.toMatchObject(refused);
  });

  it('ends at its deadline, with a last look before it', async () => {
    const { client, looks, sender } = service(Number.POSITIVE_INFINITY);
    const polling = settled(client.workflowRuns.poll('run', { deadlineMs: 90_000 }));
    await expect(polling).rejects.toMatchObject({
      code: 'api/still-running',
      operation: 'workflowRuns.get',
      reason: 'PROCESSING',
      runId: 'run',
      outcome: 'applied',
    });
    expect(looks.at(-1)).toBe(89_000);
    const deadlines = sender.sent.map(({ options }) => options?.deadlineMs);
    expect([deadlines[0], deadlines.at(-1)]).toEqual([undefined, 1000]);
  });

  it('ends when the signal does, in the middle of a pause, without a timer or listeners left', async () => {
    const { client } = service(Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    setTimeout(() => controller.abort(), 60_500);
    const polling = client.extractRuns.poll('run', { signal });
    await expect(settled(polling)).rejects.toMatchObject({ code: 'api/aborted', runId: 'run' });
    expect(vi.getTimerCount()).toBe(0);
    expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(2);
  });

  it('ends at once when it is told to by whoever is told of the progress', async () => {
    const { client, looks } = service(Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const polling = client.extractRuns.poll('run', { signal: controller.signal, onProgress });
    await expect(polling).rejects.toMatchObject({ code: 'api/aborted', runId: 'run' });
    expect(looks).toEqual([0]);
  });

  it.each([[undefined], [{ id: 'run' }], [{ status: 'PROCESSED' }], ['PROCESSED']])(
    'refuses %j for a run',
    async (run) => {
      const polling = clientOn(fakeSender(() => run)).splitRuns.poll('run');
      await expect(settled(polling)).rejects.toMatchObject({ code: 'api/malformed', runId: 'run' });
    },
  );
});

describe('createAndPoll', () => {
  it('starts one run and waits for it, with one deadline for both', async () => {
    const { client, sender } = service(3000, 'FAILED');
    const body = { file, extractor: { id: 'ex' } };
    const run = await settled(client.extractRuns.createAndPoll(body, { deadlineMs: 9000 }));
    expect(run).toMatchObject({ status: 'FAILED' });
    const [created, looked, ...more] = sender.sent;
    expect(created).toMatchObject({
      operation: { id: 'extractRuns.create' },
      given: { body },
      options: { deadlineMs: 9000 },
    });
    expect(looked).toMatchObject({
      operation: { id: 'extractRuns.get' },
      given: { path: ['run'] },
    });
    expect(more.every(({ operation }) => operation.method === 'GET')).toBe(true);
    // What is no number is refused by the core.
    await settled(client.editRuns.createAndPoll({ file }, { deadlineMs: Number.NaN }));
    expect(sender.sent.at(-1)?.options?.deadlineMs).toBe(Number.NaN);
  });

  const failed = (operation: string, code: ApiErrorCode, retryable = false) =>
    new ApiError({ code, operation, outcome: 'unknown', retryable });

  it('still names the run when the start has used up the deadline', async () => {
    const sender = fakeSender(async ({ operation, options }) => {
      if (operation.method === 'GET') {
        expect(options?.deadlineMs).toBe(0);
        throw failed(operation.id, 'api/deadline');
      }
      await new Promise((resolve) => setTimeout(resolve, 4001));
      return { id: 'run', status: 'PENDING' };
    });
    const polling = clientOn(sender).editRuns.createAndPoll({ file }, { deadlineMs: 4000 });
    await expect(settled(polling)).rejects.toMatchObject({ code: 'api/deadline', runId: 'run' });
  });

  it('says which run goes on after an error, and that the call must not be made again', async () => {
    const { parseRuns } = clientOn(
      fakeSender(({ operation: { id, method } }) => {
        if (method === 'POST') return { id: 'run', status: 'PENDING' };
        throw failed(id, 'api/timeout', true);
      }),
    );
    const error = await parseRuns.createAndPoll({ file }).catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    const told = { operation: 'parseRuns.get', runId: 'run', retryable: false };
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'api/timeout', ...told });
    await expect(parseRuns.poll('run')).rejects.toMatchObject({ runId: 'run', retryable: true });
  });

  it('names no run when none was started', async () => {
    const sender = fakeSender(({ operation }) => {
      throw failed(operation.id, 'api/timeout');
    });
    const error = await clientOn(sender)
      .editRuns.createAndPoll({ file })
      .catch((reason) => reason);
    expect(error.operation).toBe('editRuns.create');
    expect(error).not.toHaveProperty('runId');
  });
});
