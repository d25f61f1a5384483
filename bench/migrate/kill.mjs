/**
 * Kills runs of `squadc migrate` at random moments, lets the next run go on, and compares what has
 * come out with what a run wrote that nobody disturbed: all files, byte for byte.
 *
 *     npm run build && node bench/migrate/kill.mjs [options]
 *
 *     --kills 100        in a first run                --workflows 2000
 *     --seed 1           of the moments                --folder /dev/shm
 *
 * Three in ten wait from their moment on until files are being put in place. A fifth as many kills
 * are done in each of two other kinds of run: one in which nothing has changed, and one with answers
 * that the run before did not have, or without them again. What goes on after a kill is killed again
 * itself with a chance of one in four. Fails if anything differs, or a temporary file stays.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cli } from './command.mjs';
import { killRuns } from './kill-runs.mjs';
import { count, inFolder, stop } from './options.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    workflows: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    folder: { type: 'string' },
  },
});
const kills = count('kills', values.kills);
const workflows = count('workflows', values.workflows);
const seed = count('seed', values.seed);
if (!existsSync(cli)) stop('there is no built package: npm run build');

const counts = await inFolder(values.folder, (folder) =>
  killRuns({ folder, kills, workflows, seed }, (text) => console.log(text)),
);
console.table(counts);
if (counts.some(({ runs, equal, clean }) => equal < runs || clean < runs)) process.exitCode = 1;
