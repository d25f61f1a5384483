/** How far the memory of a process rises while it moves a file, and whether by the file's length. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inRounds, median, round } from '../measure.mjs';
import { atMost } from './claims.mjs';
import { startServer } from './start-server.mjs';
import { ours, peers } from './transfers.mjs';

/**
 * @typedef {{ before: number, risen: number, ahead?: number, ms: number }} Run
 * @typedef {{ name: string, short: Run[], long: Run[] }} Measured
 */

const script = fileURLToPath(new URL('./transfer-once.mjs', import.meta.url));
/** The long transfer is as many times the short one. */
const times = 4;

/** @param {{ runs: number, megabytes: number }} sizes @returns {Promise<import('./claims.mjs').Figure[]>} */
export async function measureMemory({ runs, megabytes }) {
  const names = [...Object.keys(ours), ...Object.keys(peers)];
  const subjects = names.flatMap((name) =>
    [1, times].map((each) => ({ name, bytes: each * megabytes * 1e6 })),
  );
  const server = await startServer(new URL('./file-server.mjs', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'squadc-bench-'));
  try {
    const results = await inRounds(subjects, runs, ({ name, bytes }) =>
      transferOnce([name, server.origin, `${bytes}`, folder]),
    );
    const measured = names.map((name, at) => ({
      name,
      short: results[2 * at] ?? [],
      long: results[2 * at + 1] ?? [],
    }));
    return [figureOf(measured, megabytes)];
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string[]} given @returns {Promise<Run>} */
async function transferOnce(given) {
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...given]);
  return JSON.parse(stdout);
}

/** @param {Measured[]} measured @param {number} megabytes @returns {import('./claims.mjs').Figure} */
function figureOf(measured, megabytes) {
  const longer = times * megabytes;
  return {
    title: 'Memory over a warmed-up start, MB at the highest',
    rows: measured.map(({ name, short, long }) => ({
      transfer: name,
      'at the start': round(median(short.map(({ before }) => before / 1e6)), 1),
      [`${megabytes} MB`]: round(median(risenIn(short)), 1),
      [`${longer} MB`]: round(median(risenIn(long)), 1),
      seconds: round(median(long.map(({ ms }) => ms / 1000)), 2),
      'sent ahead of the reader': aheadOf(long),
    })),
    claims: measured
      .filter(({ name }) => Object.hasOwn(ours, name))
      .flatMap(({ name, short, long }) => [
        atMost(`${name}: ${megabytes} MB, memory in MB`, risenIn(short), 96),
        atMost(
          `${name}: ${longer} MB, MB more`,
          [median(risenIn(long)) - median(risenIn(short))],
          16,
        ),
      ]),
  };
}

/** @param {Run[]} runs */
function risenIn(runs) {
  return runs.map(({ risen }) => risen / 1e6);
}

/** @param {Run[]} runs */
function aheadOf(runs) {
  const known = runs.flatMap(({ ahead }) => ahead ?? []);
  return known.length > 0 ? round(median(known) / 1e6, 1) : '';
}
