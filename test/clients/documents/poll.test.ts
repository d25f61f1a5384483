/** Polling of runs, with a fake clock. */
import { describe, expect, it, vi } from 'vitest';
import {
  createDocumentsClient,
  type DocumentsClient,
  type DocumentsClientOptions,
} from '../../../src/documents.js';
import { answer, endOf, failureOf, type Step, scripted, silence, useFakeTime } from '../harness.js';

useFakeTime();

const file = { id: 'f' };

function clientOn(...steps: Step[]) {
  const { sent, fetch } = scripted(...steps);
  const options: DocumentsClientOptions = { baseUrl: 'https://x.example', apiKey: 'k', fetch };
  return { sent, client: createDocumentsClient({ ...options, retry: { maxAttempts: 1 } }) };
}

/** A service whose run is over after a while. */
const service = (overAfterMs: number, status = 'PROCESSED', before = 'PROCESSING') => {
  const step: Step = (request) => {
    const now = request.at >= overAfterMs ? status : before;
    return answer(200, { id: 'run', status: request.method === 'POST' ? 'PENDING' : now })(request);
  };
  const { sent, client } = clientOn(step);
  return { sent, client, looks: () => sent.map(({ at }) => at) };
};

it.each([
  [0.5, 1000, 30_000],
  [0, 750, 22_500],
  [1, 1250, 30_000],
])(
  'polling starts at once, then every second for half a minute, then less often, with jitter (%f)',
  async (chance, first, last) => {
    vi.mocked(Math.random).mockReturnValue(chance);
    const { looks, client } = service(900_000);
    await endOf(client.extractRuns.poll('run'));
    const pauses = looks()
      .slice(1)
      .map((look, index) => look - (looks()[index] as number));
    const steady = 30_000 / first;
    expect(looks()[0]).toBe(0);
    expect(new Set(pauses.slice(0, steady))).toEqual(new Set([first]));
    for (const [index, pause] of pauses.slice(steady, steady + 20).entries()) {
      const growing = Math.min(30_000, first * 1.15 ** (index + 1));
      expect(Math.abs(pause - growing)).toBeLessThan(30);
    }
    expect(pauses.at(-1)).toBe(last);
  },
);

const over = ['PROCESSED', 'FAILED', 'CANCELLED'];
const reviewed = ['NEEDS_REVIEW', 'REJECTED'];
const underWay = ['PENDING', 'PROCESSING', 'CANCELLING', 'SOMETHING_NEW', ''];

it.each([
  ...(['extractRuns', 'classifyRuns', 'splitRuns'] as const),
  ...(['parseRuns', 'editRuns', 'workflowRuns'] as const),
])('%s end with the terminal statuses only', async (group) => {
  const isWorkflow = group === 'workflowRuns';
  const poll = (client: DocumentsClient): Promise<unknown> => client[group].poll('run');
  for (const status of isWorkflow ? [...over, ...reviewed] : over) {
    const { client, looks } = service(5000, status);
    expect((await endOf(poll(client))).value).toMatchObject({ status });
    expect(looks().length).toBeGreaterThan(2);
  }
  for (const status of isWorkflow ? underWay : [...underWay, ...reviewed]) {
    const { client } = service(5000, 'PROCESSED', status);
    expect((await endOf(poll(client))).value).toMatchObject({ status: 'PROCESSED' });
  }
});

describe('poll', () => {
  it('accepts a run in place of its id, passes the query on, and reports each state', async () => {
    const { sent, client } = service(3000);
    const states: string[] = [];
    const onProgress = ({ status }: { status: string }) => states.push(status);
    const options = { responseType: 'url', onProgress } as const;
    await endOf(client.parseRuns.poll({ id: 'x' }, options));
    expect(sent[0]?.url).toBe('https://x.example/parse_runs/x?responseType=url');
    expect(states).toEqual([...Array(sent.length - 1).fill('PROCESSING'), 'PROCESSED']);
    const refused = { code: 'api/invalid-argument', operation: 'editRuns.get', reason: 'id' };
    expect(await failureOf(client.editRuns.poll({} as never))).toMatchObject(refused);
  });

  it('ends at the deadline, with a last look just before', async () => {
    const { client, looks } = service(Infinity);
    const { error, ms } = await endOf(client.workflowRuns.poll('run', { deadlineMs: 90_000 }));
    const told = { code: 'api/still-running', operation: 'workflowRuns.get', runId: 'run' };
    expect(error).toMatchObject({ ...told, reason: 'PROCESSING', outcome: 'applied' });
    expect([looks().at(-1), ms]).toEqual([89_000, 89_000]);
    const silent = clientOn(answer(200, { id: 'run', status: 'PENDING' }), silence);
    const end = await endOf(silent.client.workflowRuns.poll('run', { deadlineMs: 3000 }));
    expect([end.error?.code, end.ms]).toEqual(['api/deadline', 3000]);
  });

  it.each(['EXPIRED', 'NEEDS_REVIEW', 'a sentence, whatever it says'])(
    'ends if a status that nobody knows stays for five minutes: %s',
    async (status) => {
      const { client, looks } = service(Infinity, '', status);
      const { error, ms } = await endOf(client.extractRuns.poll('run'));
      const reason = /^\w+$/.test(status) ? status : 'no valid status';
      const told = { code: 'api/unknown-status', runId: 'run', outcome: 'applied', reason };
      expect(error).toMatchObject(told);
      expect(ms).toBeGreaterThanOrEqual(300_000);
      expect(ms).toBeLessThan(340_000);
      expect(looks().length).toBeGreaterThan(40);
      // Whatever it had before: the time counts from then.
      const late = service(400_000, status);
      expect((await endOf(late.client.extractRuns.poll('run'))).ms).toBeGreaterThan(660_000);
    },
  );

  it('ends with the signal, even during a pause, and leaves no timer or listener', async () => {
    const { client } = service(Infinity);
    const controller = new AbortController();
    const { signal } = controller;
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    setTimeout(() => controller.abort(), 60_500);
    const { error } = await endOf(client.extractRuns.poll('run', { signal }));
    expect(error).toMatchObject({ code: 'api/aborted', runId: 'run', outcome: 'applied' });
    expect(vi.getTimerCount()).toBe(0);
    expect(added.mock.calls.length - removed.mock.calls.length).toBeLessThan(2);
  });

  it.each(['null', { id: 'run' }, { status: 'PROCESSED' }, ['PROCESSED']])(
    'refuses %j as a run',
    async (run) => {
      const { error } = await endOf(clientOn(answer(200, run)).client.splitRuns.poll('run'));
      expect(error).toMatchObject({ code: 'api/malformed', runId: 'run' });
    },
  );
});

describe('createAndPoll', () => {
  const pending = answer(200, { id: 'run', status: 'PENDING' });

  it('starts one run and waits for it, within one deadline', async () => {
    const { client, sent } = service(3000, 'FAILED');
    const body = { file, extractor: { id: 'ex' } };
    const { value } = await endOf(client.extractRuns.createAndPoll(body, { deadlineMs: 9000 }));
    expect(value).toMatchObject({ status: 'FAILED' });
    const [created, ...looks] = sent.map(({ method, url }) => `${method} ${url.slice(17)}`);
    expect([created, sent[0]?.body]).toEqual(['POST /extract_runs', JSON.stringify(body)]);
    expect(new Set(looks)).toEqual(new Set(['GET /extract_runs/run']));
    const slow: Step = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 3999));
      return pending(request);
    };
    const late = clientOn(slow, silence).client.editRuns;
    const { error } = await endOf(late.createAndPoll({ file }, { deadlineMs: 4000 }));
    expect(error).toMatchObject({ code: 'api/deadline', runId: 'run' });
  });

  it('names the run that continues after an error, and says that the call must not be repeated', async () => {
    const { client } = clientOn(pending, answer(503));
    const error = await failureOf(client.parseRuns.createAndPoll({ file }));
    const told = { operation: 'parseRuns.get', runId: 'run', retryable: false };
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ code: 'api/server-error', ...told });
    const later = { runId: 'run', retryable: true };
    expect(await failureOf(client.parseRuns.poll('run'))).toMatchObject(later);
  });

  it('names no run if none was started', async () => {
    const error = await failureOf(clientOn(answer(503)).client.editRuns.createAndPoll({ file }));
    expect(error.operation).toBe('editRuns.create');
    expect(error).not.toHaveProperty('runId');
  });
});
