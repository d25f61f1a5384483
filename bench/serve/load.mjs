/** Load: as much as goes, and so much in a second as is asked for. */
import { setTimeout } from 'node:timers/promises';

/**
 * Several at a time, each as soon as the one before is answered.
 *
 * @param {() => Promise<void>} send
 * @param {{ calls: number, atOnce: number }} sizes
 */
export async function flood(send, { calls, atOnce }) {
  let left = calls;
  let errors = 0;
  const failed = () => {
    errors += 1;
  };
  const lane = async () => {
    while (left-- > 0) await send().catch(failed);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, lane));
  return { perSecond: (calls / (performance.now() - start)) * 1000, errors };
}

/**
 * Calls that arrive at a fixed rate, whether or not those before are answered: a slow answer holds
 * up no other call. Nothing is kept of a call but its time, so that no collection of what was kept
 * is measured as a slow answer.
 *
 * @param {() => Promise<void>} send
 * @param {{ perSecond: number, seconds: number }} sizes
 */
export async function arrivals(send, { perSecond, seconds }) {
  const calls = Math.max(1, Math.round(perSecond * seconds));
  const times = new Float64Array(calls);
  let sent = 0;
  let answered = 0;
  let errors = 0;
  /** @type {(value?: unknown) => void} */
  let finish = () => {};
  const finished = new Promise((resolve) => {
    finish = resolve;
  });
  const timed = async () => {
    const start = performance.now();
    try {
      await send();
      times[answered] = performance.now() - start;
      answered += 1;
    } catch {
      errors += 1;
    }
    if (answered + errors === calls) finish();
  };
  const start = performance.now();
  while (sent < calls) {
    const due = start + (sent / perSecond) * 1000;
    // A timer takes no processor from the servers; what is due by its end is sent together.
    if (due > performance.now()) await setTimeout(1);
    else {
      sent += 1;
      timed();
    }
  }
  await finished;
  return { times: times.subarray(0, answered), errors };
}

/** @param {ArrayLike<number>} times @param {number} share */
export function percentile(times, share) {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
