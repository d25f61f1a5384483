/**
 * How `squadc migrate` does with many workflows: whether two threads are nearly twice as fast as
 * one, how much memory it takes, and what a second run costs in which nothing has changed.
 *
 *     npm run build && node bench/migrate.mjs [options]
 *
 *     --workflows 100000   of 10 to 30 nodes, from JSONL     --rounds 3    each with all measurements
 *     --folder /dev/shm    where the files are; wants to be  --check       fails if one does not hold
 *                          memory, some 100 kB a workflow    --json        figures as JSON
 *
 * Each run is a process of its own and wants two cores that do nothing else. With `--workflows 2000`
 * it takes about a minute; the claims are about the default.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cli } from './migrate/command.mjs';
import { figuresOf } from './migrate/figures.mjs';
import { measureMigration } from './migrate/measure-migration.mjs';
import { count, inFolder, stop } from './migrate/options.mjs';

const { values } = parseArgs({
  options: {
    workflows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const workflows = count('workflows', values.workflows);
const rounds = count('rounds', values.rounds);
if (!existsSync(cli)) stop('there is no built package: npm run build');

const measured = await inFolder(values.folder, (folder) =>
  measureMigration({ folder, workflows, rounds }),
);
const { rows, claims } = figuresOf(measured);

if (values.json) console.log(JSON.stringify({ workflows, rows, claims }, null, 2));
else {
  console.log(`${workflows} workflows, ${Math.round(measured.bytes / 1e6)} MB of JSONL\n`);
  console.table(rows);
  console.log('\nWhat must hold');
  console.table(claims);
}
if (values.check && !claims.every(({ holds }) => holds)) process.exitCode = 1;
