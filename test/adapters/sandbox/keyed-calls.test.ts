/**
 * Calls with keys through many faults: nothing is done twice, nothing reported as done is missing, and
 * nothing reported as refused was done. Calls are also repeated by their callers, for minutes, on moved
 * clocks. `npm run keyed-calls` makes 24,000 of the first kind, and twice as many of the second.
 */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FaultText } from '../../../src/sandbox/fault.js';
import { type BillsClient, type CallOutcome, createBillsClient } from '../../../src/bills.js';
import { runs } from '../../seed.js';
import { endingOf, type Served, serve } from './serve.js';

/** None that ends with a timeout, so that the machine may be slow. */
const faults: readonly FaultText[] = [
  ...(['reset', 'reset-after', 'status=500', 'status-after=500'] as const),
  ...(['status=503', 'status-after=503', 'truncate'] as const),
  ...(['key-lost=500', 'key-late=500'] as const),
];

/** What a caller is told: an answer, or the outcome of an error. */
type End = 'resolved' | CallOutcome;

/** How often a call that ended so may have been done. */
const bounds: Readonly<Record<End, readonly [least: number, most: number]>> = {
  resolved: [1, 1],
  applied: [1, 1],
  unknown: [0, 1],
  refused: [0, 0],
  'not-sent': [0, 0],
};

type Act = (client: BillsClient, id: number) => Promise<object | undefined>;

const create: Act = (client, id) =>
  client.create('shop', { billNumber: `${id}` }, { idempotencyKey: `create ${id}` });
const send: Act = (client, id) =>
  client.sendToApproval(id, ['ann@example.com'], { idempotencyKey: `send ${id}` });
/** Every third is one that the service does not take. */
const createMostly: Act = (client, id) =>
  id % 3 > 0 ? create(client, id) : client.create('shop', { terms: 5 as never });

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Acts for each id, a hundred at a time. */
async function endsOf(client: BillsClient, ids: number[], act: Act): Promise<Map<number, End>> {
  const ends = new Map<number, End>();
  const left = ids.values();
  const worker = async () => {
    for (const id of left) {
      const end = await endingOf(act(client, id));
      ends.set(id, typeof end === 'string' ? end : 'resolved');
    }
  };
  await Promise.all(Array.from({ length: 100 }, worker));
  return ends;
}

/** How often something was done, by id. */
function timesOf({ bills }: Served['sandbox'], act: Act): Map<number, number> {
  const times = new Map<number, number>();
  for (const { IdBill, BillNumber, billEvents } of bills.all()) {
    const sent = billEvents.filter(({ description }) => description === 'Sent to Approval');
    if (act === send) times.set(IdBill, sent.length);
    else times.set(Number(BillNumber), (times.get(Number(BillNumber)) ?? 0) + 1);
  }
  return times;
}

describe.each(['replay', 'conflict'] as const)('repeats answered with %s', (repeatedKey) => {
  it.each([
    ['creations in eight attempts', runs(200), 8, 0.2, create],
    ['sendings in eight attempts', runs(200), 8, 0.2, send],
    ['creations in two attempts', runs(150), 2, 0.5, createMostly],
  ] as const)('%s', { timeout: 600_000 }, async (_, count, maxAttempts, share, act) => {
    const options = { seed: 5, clock: { mode: 'real' }, bills: { repeatedKey } } as const;
    const { sandbox } = await serve(options);
    const patient = { baseUrl: sandbox.billsUrl, auth: { apiKey: 'sandbox-key' } };
    const client = createBillsClient({
      ...patient,
      deadlineMs: 600_000,
      // No wait decides.
      retry: { baseMs: 2, capMs: 20, maxAttempts },
    });
    const other = createBillsClient(patient);
    onTestFinished(async () => void (await Promise.all([client.close(), other.close()])));
    // What is late here must not be repeated.
    if (act === send) await endsOf(other, upTo(count), create);
    sandbox.faults.byChance({ share, faults });
    const ends = await endsOf(client, upTo(count), act);
    sandbox.clock.advance(5000);

    const times = timesOf(sandbox, act);
    const told = [...ends].map(([id, end]) => ({ id, end, done: times.get(id) ?? 0 }));
    const wrong = told.filter(({ end, done }) => done < bounds[end][0] || done > bounds[end][1]);
    expect([wrong, [...times.keys()].filter((id) => !ends.has(id))]).toEqual([[], []]);

    const countOf = (wanted: End) => told.filter(({ end }) => end === wanted).length;
    // That a key was seen does not tell that anything was done.
    if (act === create) expect(countOf('applied')).toBe(0);
    expect(countOf('unknown')).toBeGreaterThan(0);
    expect(countOf('resolved')).toBeGreaterThan(act === createMostly ? 5 : 100);
    if (act === createMostly) expect(countOf('refused')).toBeGreaterThan(5);
    const met = new Set(sandbox.requests.map(({ fault, acted }) => `${fault} ${acted}`));
    for (const kind of ['reset', 'status']) {
      expect(met).toContain(`${kind}-after true`);
      expect(met).toContain(`${kind} false`);
    }
  });

  /** Whoever does not know whether it was done calls again, for minutes, with the same key. */
  it.each([
    ['creations', create],
    ['sendings', send],
  ] as const)(
    '%s with keys that are used again across calls',
    { timeout: 600_000 },
    async (...row) => {
      const [, act] = row;
      vi.useFakeTimers({ toFake: ['performance', 'Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const { sandbox } = await serve({ seed: 7, bills: { repeatedKey } });
      const client = createBillsClient({
        baseUrl: sandbox.billsUrl,
        auth: { apiKey: 'sandbox-key' },
        retry: { baseMs: 1, capMs: 2, maxAttempts: 2 },
      });
      onTestFinished(() => client.close());
      let open = upTo(runs(100));
      const count = open.length;
      if (act === send) await endsOf(client, open, create);
      // None that waits for a timeout: only the moved clocks count.
      const share = { share: 0.6, faults: faults.filter((fault) => !/hang/.test(fault)) };
      sandbox.faults.byChance(share);
      const done = new Set<number>();
      let calls = 0;
      for (const seconds of [29, 60, 15, 20, 2, 40, 100, 5, 70, 0]) {
        calls += open.length;
        const ends = await endsOf(client, open, act);
        for (const [id, end] of ends) if (end === 'resolved') done.add(id);
        open = open.filter((id) => !done.has(id));
        vi.advanceTimersByTime(seconds * 1000);
        sandbox.clock.advance(seconds * 1000);
      }
      const times = timesOf(sandbox, act);
      expect([...times].filter(([, number]) => number > 1)).toEqual([]);
      expect([...done].filter((id) => times.get(id) !== 1)).toEqual([]);
      // Some calls were repeated too late to be sent, and some succeeded in a later call.
      const unsent = await endsOf(client, open, act);
      expect([open.length > 0, [...unsent.values()].includes('unknown')]).toEqual([true, true]);
      expect(done.size).toBeGreaterThan(count / 4);
      expect(calls).toBeGreaterThan(count * 2);
    },
  );
});
