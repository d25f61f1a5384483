/**
 * Calls with keys through many faults: nothing is done twice, nothing that the caller was told is
 * done is missing, and nothing that he was told is not done is there.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { FaultText } from '../../../src/adapters/sandbox/fault.js';
import type { Sandbox, SandboxOptions } from '../../../src/adapters/sandbox/sandbox.js';
import { type BillsClient, createBillsClient, type RetryOptions } from '../../../src/bills.js';
import { createBills, createdIn, sendBills, sentIn, tally } from './keyed-calls.js';
import { serve } from './serve.js';

const faults: readonly FaultText[] = [
  ...(['reset', 'reset-after', 'status=500', 'status-after=500'] as const),
  ...(['status=503', 'status-after=503', 'hang', 'hang-after'] as const),
  ...(['key-lost=500', 'key-late=500'] as const),
];
const atOnce = 50;

interface Trial {
  readonly sandbox: Sandbox;
  readonly client: BillsClient;
}

async function prepare(retry: RetryOptions, options: SandboxOptions): Promise<Trial> {
  const { sandbox } = await serve({ clock: { mode: 'real' }, ...options });
  const client = createBillsClient({
    baseUrl: sandbox.billsUrl,
    auth: { apiKey: 'sandbox-key' },
    attemptTimeoutMs: 400,
    deadlineMs: 30_000,
    // No wait decides.
    retry: { baseMs: 2, capMs: 20, ...retry },
  });
  onTestFinished(() => client.close());
  return { sandbox, client };
}

function namesUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${index + 1}`);
}

/** Bills that are there before anything goes wrong; their ids are 1, 2, 3, … */
async function billsToSend({ sandbox }: Trial, count: number): Promise<string[]> {
  // Waits longer than the client of the trial: what is late here must not be repeated.
  const client = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey: 'sandbox-key' } });
  onTestFinished(() => client.close());
  const ends = await createBills(client, namesUpTo(count), atOnce);
  expect(tally(ends, createdIn(sandbox.bills.all())).ends).toEqual({ resolved: count });
  return namesUpTo(count);
}

const agreed = { duplicates: [], lost: [], unexpected: [] };

/** That faults of every kind befell calls, before and after they were carried out. */
function expectFaults({ sandbox }: Trial): void {
  const met = new Set(sandbox.requests.map(({ fault, acted }) => `${fault} ${acted}`));
  for (const kind of ['reset', 'status', 'hang']) {
    expect(met).toContain(`${kind}-after true`);
    expect(met).toContain(`${kind} false`);
  }
}

describe.each(['replay', 'conflict'] as const)(
  'keyed calls, repeats answered with %s',
  (repeatedKey) => {
    const options: SandboxOptions = { seed: 5, bills: { repeatedKey } };

    it('create 300 bills, each once, in eight attempts', async () => {
      const trial = await prepare(
        { maxAttempts: 8 },
        { ...options, faults: { share: 0.2, faults } },
      );
      const { sandbox, client } = trial;
      const ends = await createBills(client, namesUpTo(300), atOnce);
      sandbox.clock.advance(5000);
      const { ends: counts, ...found } = tally(ends, createdIn(sandbox.bills.all()));
      expect(found).toEqual({ calls: 300, ...agreed });
      expect(counts.resolved).toBeGreaterThan(150);
      // That a key was seen does not tell that anything was done.
      expect(counts.applied).toBe(undefined);
      expect(counts.unknown).toBeGreaterThan(0);
      expectFaults(trial);
    });

    it('send 300 bills to approval, each once, in eight attempts', async () => {
      const trial = await prepare({ maxAttempts: 8 }, options);
      const { sandbox, client } = trial;
      const ids = await billsToSend(trial, 300);
      sandbox.faults.byChance({ share: 0.2, faults });
      const ends = await sendBills(client, ids, atOnce);
      sandbox.clock.advance(5000);
      const { ends: counts, ...found } = tally(ends, sentIn(sandbox.bills.all()));
      expect(found).toEqual({ calls: 300, ...agreed });
      expect(counts.resolved).toBeGreaterThan(150);
      expectFaults(trial);
    });

    it('tell what is not known, and what was refused', async () => {
      const chance = { share: 0.5, faults };
      const trial = await prepare({ maxAttempts: 2 }, { ...options, faults: chance });
      const { sandbox, client } = trial;
      // Every third is one that the service does not take.
      const fields = (name: string) => (Number(name) % 3 === 0 ? { mode: 'x' as never } : {});
      const ends = await createBills(client, namesUpTo(150), atOnce, fields);
      sandbox.clock.advance(5000);
      const { ends: counts, ...found } = tally(ends, createdIn(sandbox.bills.all()));
      expect(found).toEqual({ calls: 150, ...agreed });
      for (const end of ['resolved', 'unknown', 'refused'] as const)
        expect(counts[end]).toBeGreaterThan(5);
      const bad = [...ends].filter(([name]) => Number(name) % 3 === 0).map(([, end]) => end);
      expect(new Set(bad)).toEqual(new Set(['refused', 'unknown']));
    });
  },
);
