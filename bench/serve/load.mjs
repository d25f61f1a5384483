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
 * up no other call.
 *
 * @param {() => Promise<void>} send
 * @param {{ perSecond: number, seconds: number }} sizes
 */
export async function arrivals(send, { perSecond, seconds }) {
  const calls = Math.max(1, Math.round(perSecond * seconds));
  /** @type {number[]} */
  const times = [];
  let errors = 0;
  const failed = () => {
    errors += 1;
  };
  const timed = async () => {
    const start = performance.now();
    await send();
    times.push(performance.now() - start);
  };
  /** @type {Promise<void>[]} */
  const going = [];
  const start = performance.now();
  while (going.length < calls) {
    const due = start + (going.length / perSecond) * 1000;
    // A timer takes no processor from the servers; what is due by its end is sent together.
    if (due > performance.now()) await setTimeout(1);
    else going.push(timed().catch(failed));
  }
  await Promise.all(going);
  return { times, errors };
}

/** @param {readonly number[]} times @param {number} share */
export function percentile(times, share) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
