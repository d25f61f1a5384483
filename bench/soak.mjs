/**
 * Everything that takes too long for every commit, before a release.
 *
 *     npm run soak [-- --only fuzz,kill --share 0.01]
 *
 * `--share` does that part of what can be divided. A line for each step, with its time; exit code 1 where one fails.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { only: { type: 'string' }, share: { type: 'string', default: '1' } },
});
const part = (/** @type {number} */ whole) => Math.ceil(whole * Number(values.share));

/** @type {Readonly<Record<string, string>>} */
const steps = {
  build: 'npm run build',
  fuzz: `node bench/fuzz.mjs --runs ${part(1_000_000)} --laws squadVerified,valuesHold`,
  mutants: 'npm run mutants',
  changes: `node bench/mutate.mjs --count ${part(300)}`,
  kill: 'npm run kills',
  fleet: `node bench/fleet.mjs --workflows ${part(100_000)}`,
  growth: 'node bench/growth.mjs --check',
  calls: 'npm run keyed-calls',
  gets: 'node bench/clients/gets.mjs',
  memory: 'node bench/clients/memory.mjs',
};
const results = (values.only?.split(',') ?? Object.keys(steps)).map((step) => {
  console.log(`\n== ${step}: ${steps[step]}`);
  const begin = performance.now();
  const [command = '', ...given] = (steps[step] ?? 'false').split(' ');
  const { status } = spawnSync(command, given, { stdio: 'inherit' });
  const minutes = ((performance.now() - begin) / 60_000).toFixed(1);
  return { step, minutes, result: status === 0 ? 'passed' : `failed (${status})` };
});
console.table(results);
if (results.some(({ result }) => result !== 'passed')) process.exitCode = 1;
