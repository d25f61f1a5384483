/** Runs are waited for on a schedule; the clock of these tests is moved by them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentsClient } from '../../../src/adapters/documents/documents-client.js';
import { createMethods } from '../../../src/adapters/documents/methods.js';
import { nextBase, spreadOut } from '../../../src/adapters/documents/poll.js';
import { ApiError } from '../../../src/adapters/http/error.js';
import { type FakeSender, fakeSender, type Sent } from './fake-sender.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const clientOn = (sender: FakeSender) => createMethods(sender, 'spec', () => {}) as DocumentsClient;

const groups = [
  'extractRuns',
  'classifyRuns',
  'splitRuns',
  'parseRuns',
  'editRuns',
  'workflowRuns',
];
type GroupName = 'extractRuns' | 'parseRuns' | 'workflowRuns';

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

describe('the schedule', () => {
  it('looks at once', async () => {
    const { looks, client } = service(0);
    expect(await settled(client.extractRuns.poll('run'))).toEqual({
      id: 'run',
      status: 'PROCESSED',
    });
    expect(looks).toEqual([0]);
  });

  it('is a second for half a minute, then 1.15 times longer each time, half a minute at most', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { looks, client } = service(600_000);
    await settled(client.extractRuns.poll('run'));
    const pauses = looks.slice(1).map((look, index) => look - (looks[index] as number));
    expect(pauses.slice(0, 30)).toEqual(Array(30).fill(1000));
    const growing = pauses.slice(30, 54);
    for (const [index, pause] of growing.entries()) {
      expect(Math.abs(pause - Math.min(30_000, 1000 * 1.15 ** (index + 1)))).toBeLessThan(30);
    }
    expect(pauses.slice(55).every((pause) => pause === 30_000)).toBe(true);
    expect(pauses.length).toBeGreaterThan(60);
  });

  it('is spread by a quarter, and never beyond half a minute', () => {
    expect([spreadOut(1000, 0), spreadOut(1000, 0.5), spreadOut(1000, 1)]).toEqual([
      750, 1000, 1250,
    ]);
    expect([spreadOut(30_000, 0), spreadOut(30_000, 1)]).toEqual([22_500, 30_000]);
    expect([nextBase(1000, 29_999), nextBase(1000, 30_000), nextBase(29_000, 60_000)]).toEqual([
      1000, 1150, 30_000,
    ]);
  });
});

describe('a run is over', () => {
  for (const name of groups) {
    const ofWorkflow = name === 'workflowRuns';
    const poll = (client: DocumentsClient): Promise<unknown> =>
      client[name as GroupName].poll('run');
    it.each([
      'PROCESSED',
      'FAILED',
      'CANCELLED',
      ...(ofWorkflow ? ['NEEDS_REVIEW', 'REJECTED'] : []),
    ])(`${name}: %s`, async (status) => {
      const { client, looks } = service(5000, status);
      expect(await settled(poll(client))).toMatchObject({ status });
      expect(looks.length).toBeGreaterThan(2);
    });
    it.each([
      ...['PENDING', 'PROCESSING', 'CANCELLING', 'SOMETHING_NEW', ''],
      ...(ofWorkflow ? [] : ['NEEDS_REVIEW', 'REJECTED']),
    ])(`${name}: not with %j`, async (status) => {
      const { client, looks } = service(5000, 'PROCESSED', status);
      expect(await settled(poll(client))).toMatchObject({ status: 'PROCESSED' });
      expect(looks.length).toBeGreaterThan(2);
    });
  }
});

describe('poll', () => {
  it('takes a run for its id, and looks even if that run was over', async () => {
    const { sender, client } = service(0);
    await settled(client.editRuns.poll({ id: 'x', status: 'PROCESSED' } as { id: string }));
    expect(sender.sent.map(({ operation, given }) => [operation.id, given.path])).toEqual([
      ['editRuns.get', ['x']],
    ]);
  });

  it('refuses what has no id', async () => {
    const { sender, client } = service(0);
    await expect(client.editRuns.poll({} as { id: string })).rejects.toMatchObject({
      code: 'api/invalid-argument',
      operation: 'editRuns.get',
      reason: 'id',
    });
    expect(sender.sent).toEqual([]);
  });

  it('tells each state', async () => {
    const { client, looks } = service(3000);
    const states: string[] = [];
    await settled(
      client.extractRuns.poll('run', { onProgress: ({ status }) => states.push(status) }),
    );
    expect(states).toEqual([...Array(looks.length - 1).fill('PROCESSING'), 'PROCESSED']);
  });

  it('passes options on to each request, and query parameters as such', async () => {
    const { sender, client } = service(0);
    const signal = new AbortController().signal;
    await settled(client.parseRuns.poll('run', { responseType: 'url', maxBytes: 9, signal }));
    expect(sender.sent[0]?.given.query).toEqual({ responseType: 'url' });
    expect(sender.sent[0]?.options).toMatchObject({ maxBytes: 9, signal });
    expect(sender.sent[0]?.options).not.toHaveProperty('deadlineMs');
  });

  it('ends at its deadline, with a last look before it', async () => {
    const { client, looks, sender } = service(Number.POSITIVE_INFINITY);
    const started = performance.now();
    await expect(
      settled(client.workflowRuns.poll('run', { deadlineMs: 90_000 })),
    ).rejects.toMatchObject({
      code: 'api/still-running',
      operation: 'workflowRuns.get',
      reason: 'PROCESSING',
      runId: 'run',
      outcome: 'applied',
    });
    expect(performance.now() - started).toBeLessThanOrEqual(90_000);
    expect(looks.at(-1)).toBe(89_000);
    const deadlines = sender.sent.map(({ options }) => options?.deadlineMs);
    expect(deadlines[0]).toBeUndefined();
    expect(deadlines.at(-1)).toBe(1000);
  });

  it('ends when the signal does, in the middle of a pause, without a timer left', async () => {
    const { client } = service(Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 60_500);
    const polling = client.extractRuns.poll('run', { signal: controller.signal });
    await expect(settled(polling)).rejects.toMatchObject({ code: 'api/aborted', runId: 'run' });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at once when it is told to by whoever is told of the progress', async () => {
    const { client, looks } = service(Number.POSITIVE_INFINITY);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    const polling = client.extractRuns.poll('run', { signal: controller.signal, onProgress });
    await expect(polling).rejects.toMatchObject({ code: 'api/aborted', runId: 'run' });
    expect(looks).toEqual([0]);
  });

  it('leaves no more than one listener on the signal behind', async () => {
    const { client } = service(120_000);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await settled(client.extractRuns.poll('run', { signal }));
    expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(2);
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
  it('starts a run and waits for it', async () => {
    const { client, sender } = service(10_000, 'FAILED');
    const body = { file: { id: 'f' }, extractor: { id: 'ex' } };
    expect(await settled(client.extractRuns.createAndPoll(body))).toMatchObject({
      status: 'FAILED',
    });
    const [created, looked] = sender.sent;
    expect([created?.operation.id, created?.given.body]).toEqual(['extractRuns.create', body]);
    expect([looked?.operation.id, looked?.given.path]).toEqual(['extractRuns.get', ['run']]);
    expect(sender.sent.filter(({ operation }) => operation.method === 'POST')).toHaveLength(1);
  });

  it('has one deadline for both, and keeps a short one from the start on', async () => {
    const { client, sender } = service(Number.POSITIVE_INFINITY);
    const polling = client.editRuns.createAndPoll({ file: { id: 'f' } }, { deadlineMs: 4000 });
    await expect(settled(polling)).rejects.toMatchObject({ code: 'api/still-running' });
    expect(sender.sent[0]?.options?.deadlineMs).toBe(4000);
  });

  it('still names the run when the start has used up the deadline', async () => {
    const sender = fakeSender(async ({ operation, options }) => {
      if (operation.method === 'GET') {
        expect(options?.deadlineMs).toBe(0);
        throw new ApiError({ code: 'api/deadline', operation: operation.id, outcome: 'not-sent' });
      }
      await new Promise((resolve) => setTimeout(resolve, 4001));
      return { id: 'run', status: 'PENDING' };
    });
    const { editRuns } = clientOn(sender);
    const polling = editRuns.createAndPoll({ file: { id: 'f' } }, { deadlineMs: 4000 });
    await expect(settled(polling)).rejects.toMatchObject({ code: 'api/deadline', runId: 'run' });
  });

  it('hands a deadline that is no number to the core, which refuses it', async () => {
    const { client, sender } = service(0);
    const options = { deadlineMs: Number.NaN };
    await settled(client.editRuns.createAndPoll({ file: { id: 'f' } }, options));
    expect(sender.sent.map((each) => each.options?.deadlineMs)).toEqual([Number.NaN, Number.NaN]);
  });

  it('says which run goes on after an error, and that the call must not be made again', async () => {
    const sender = fakeSender(({ operation: { id, method } }) => {
      if (method === 'POST') return { id: 'run', status: 'PENDING' };
      throw new ApiError({
        code: 'api/timeout',
        operation: id,
        outcome: 'unknown',
        retryable: true,
      });
    });
    const error = await clientOn(sender)
      .parseRuns.createAndPoll({ file: { id: 'f' } })
      .catch((reason) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: 'api/timeout',
      operation: 'parseRuns.get',
      runId: 'run',
      retryable: false,
    });
    const polling = clientOn(sender).parseRuns.poll('run');
    await expect(polling).rejects.toMatchObject({ runId: 'run', retryable: true });
  });

  it('names no run when none was started', async () => {
    const sender = fakeSender(({ operation }) => {
      throw new ApiError({ code: 'api/timeout', operation: operation.id, outcome: 'unknown' });
    });
    const error = await clientOn(sender)
      .editRuns.createAndPoll({ file: { id: 'f' } })
      .catch((reason) => reason);
    expect(error.operation).toBe('editRuns.create');
    expect(error).not.toHaveProperty('runId');
  });
});
