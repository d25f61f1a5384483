/** How much memory a compilation takes at the highest: one text, one process. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inFolder } from '../migrate/options.mjs';
import { textOf } from '../shapes.mjs';

/** @typedef {{ bytes: number, peak: number }} Peak of both texts together, and of the process */

const script = fileURLToPath(new URL('./memory-once.mjs', import.meta.url));
/** What takes longer, in milliseconds, is measured once. */
const quick = 3000;

/** The process that does nothing. @param {number} runs @returns {Promise<Peak[]>} */
export async function measureEmpty(runs) {
  const peaks = [];
  for (let run = 0; run < runs; run += 1) peaks.push(await peakOf([], 60));
  return peaks.flatMap((peak) => peak ?? []);
}

/**
 * Nothing where it takes longer than there is patience for, in seconds.
 *
 * @param {import('./run-case.mjs').Case} it
 * @param {number} runs
 * @param {number} patience
 * @returns {Promise<Peak[]>}
 */
export function measureMemory({ shape, size }, runs, patience) {
  return inFolder(undefined, async (folder) => {
    const file = join(folder, 'workflow.json');
    writeFileSync(file, textOf(shape, size));
    const peaks = [];
    const begin = performance.now();
    do {
      const peak = await peakOf([file], patience);
      if (peak === null) return [];
      peaks.push(peak);
    } while (peaks.length < runs && performance.now() - begin < quick);
    return peaks;
  });
}

/** @param {string[]} given @param {number} patience @returns {Promise<Peak | null>} */
async function peakOf(given, patience) {
  try {
    const options = { timeout: patience * 1000, killSignal: /** @type {const} */ ('SIGKILL') };
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...given], options);
    return JSON.parse(stdout);
  } catch (error) {
    if (error instanceof Error && 'killed' in error && error.killed) return null;
    throw error;
  }
}
