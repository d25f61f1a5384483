/**
 * Creates with a key each, while a fifth of all attempts meets a fault: what the callers were told
 * against what the service has done. Once for each way to answer a repeated key.
 *
 *     npm run build && node bench/adapters/faults.mjs [--calls 10000] [--at-once 100] [--seed 1]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBillsClient } from 'squadc/bills';
import { createSandbox } from 'squadc/testing';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const names = Array.from({ length: Number(values.calls) }, (_, index) => `B-${index + 1}`);

/** @type {any} */
const faults = {
  share: 0.2,
  faults: [
    ...['reset', 'reset-after', 'status=500', 'status-after=500'],
    ...['status=503', 'status-after=503', 'hang', 'hang-after'],
    // The key is used up and nothing is done, or later: the repeat gets a 409 that proves nothing.
    ...['key-lost=500', 'key-late=500'],
  ],
};

/** All attempts of a call take at most 8 × (400 + 20) ms, so that no key grows old. */
const patience = {
  attemptTimeoutMs: 400,
  deadlineMs: 60_000,
  retry: { maxAttempts: 8, baseMs: 5, capMs: 20 },
};

/** @param {'replay' | 'conflict'} repeatedKey */
async function trial(repeatedKey) {
  const seed = Number(values.seed);
  const sandbox = await createSandbox({ seed, bills: { repeatedKey }, faults });
  const auth = { apiKey: 'sandbox-key' };
  const client = createBillsClient({ baseUrl: sandbox.billsUrl, auth, ...patience });
  /** @type {Map<string, string>} */
  const told = new Map();
  const left = names.values();
  const worker = async () => {
    for (const name of left) {
      const bill = { billNumber: name, netAmount: 10 };
      const call = client.create('shop', bill, { idempotencyKey: `key ${name}` });
      told.set(
        name,
        await call.then(
          () => 'resolved',
          ({ outcome }) => outcome,
        ),
      );
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: Number(values['at-once']) }, worker));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  // What is done late is done by then.
  await sleep(2500);
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const { BillNumber } of /** @type {any[]} */ (sandbox.bills.all())) {
    times.set(BillNumber, (times.get(BillNumber) ?? 0) + 1);
  }
  await Promise.all([client.close(), sandbox.close()]);
  const count = (/** @type {(end: string, times: number) => boolean} */ fits) =>
    names.filter((name) => fits(told.get(name) ?? '', times.get(name) ?? 0)).length;
  const ended = (/** @type {string} */ end) => count((each) => each === end);
  return {
    'repeated key': repeatedKey,
    calls: told.size,
    ...{ resolved: ended('resolved'), applied: ended('applied') },
    ...{ refused: ended('refused'), unknown: ended('unknown') },
    duplicates: count((_, done) => done > 1),
    lost: count((end, done) => /resolved|applied/.test(end) && done === 0),
    'told wrong': count((end, done) => /refused|not-sent/.test(end) && done > 0),
    seconds,
  };
}

const rows = [await trial('replay'), await trial('conflict')];
console.table(rows);
const wrong = rows.some((row) => row.duplicates + row.lost + row['told wrong'] > 0);
if (wrong || rows.some(({ calls }) => calls !== names.length)) process.exitCode = 1;
