/** Has a case measured in a process of its own, for as long as there is patience. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {{ shape: string, size: number }} Case
 * @typedef {{ nodes: number, edges: number, input: number, output: number }} Extent texts in characters
 * @typedef {{ rounds: number, cap: number, patience: number }} Limits `cap` for a subject and `patience` for the case, in seconds
 *
 * What was measured: milliseconds by subject, in the order of the rounds. `over` tells for how many
 * seconds it was waited for what did not end, `failed` why a peer could not do it.
 *
 * @typedef {{
 *   extent: Extent | null,
 *   samples: Record<string, number[]>,
 *   over: Record<string, number>,
 *   failed: Record<string, string>,
 * }} Measured
 */

const script = fileURLToPath(new URL('./case-once.mjs', import.meta.url));

/** @param {Case} it @param {Limits} limits @returns {Promise<Measured>} */
export async function runCase({ shape, size }, { rounds, cap, patience }) {
  const given = [shape, size, rounds, cap * 1000].map(String);
  const child = spawn(process.execPath, [script, ...given], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000);
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), patience * 1000);
  const heard = await hear(createInterface({ input: child.stdout }));
  clearTimeout(timer);
  const code = await ended;
  if (code !== 0 && !child.killed) throw new Error(`${shape} ${size}: ${said || code}`);
  return child.killed ? impatient(heard) : heard.measured;
}

/** `warm` are the times before the rounds. @typedef {{ measured: Measured, warm: Record<string, number>, begun: string, since: number }} Heard */

/** @param {AsyncIterable<string>} lines @returns {Promise<Heard>} */
async function hear(lines) {
  /** @type {Measured} */
  const measured = { extent: null, samples: {}, over: {}, failed: {} };
  /** @type {Heard} */
  const heard = { measured, warm: {}, begun: '', since: performance.now() };
  for await (const line of lines) {
    const { begun, subject, warm, ms, failed, why, extent } = JSON.parse(line);
    if (begun !== undefined) Object.assign(heard, { begun, since: performance.now() });
    if (warm !== undefined) heard.warm[warm] = ms;
    if (subject !== undefined) {
      measured.samples[subject] ??= [];
      measured.samples[subject].push(ms);
    }
    if (failed !== undefined) measured.failed[failed] = why;
    if (extent !== undefined) measured.extent = extent;
  }
  return heard;
}

/**
 * What was begun and has no figure took longer than there was time; what came to no round has the
 * time before the rounds.
 *
 * @param {Heard} heard
 */
function impatient({ measured, warm, begun, since }) {
  for (const [subject, ms] of Object.entries(warm)) measured.samples[subject] ??= [ms];
  if (measured.samples[begun] === undefined) {
    measured.over[begun] = (performance.now() - since) / 1000;
  }
  return measured;
}
