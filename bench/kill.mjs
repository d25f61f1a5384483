/**
 * Kills runs of `squadc migrate` at random moments, lets the next run continue, and compares the
 * output with that of an undisturbed run, byte for byte.
 *
 *     npm run build && node bench/kill.mjs [--kills 100] [--workflows 2000]
 *
 * A run that continues is itself killed with a chance of one in four. Two in ten of the runs find an
 * output with which nothing has changed, and two in ten one that was made with other answers.
 * Exit code 1 where an output differs or a temporary file stays.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { contentsOf, differences, inFolder, leftovers, migrate } from './fleet/migrate.mjs';
import { writeLines } from './fleet/workflows.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    workflows: { type: 'string', default: '2000' },
  },
});
const count = { runs: 0, kills: 0, equal: 0, clean: 0 };

await inFolder(async (folder) => {
  const [input, file, out] = ['workflows.jsonl', 'answers.json', 'out'].map((it) =>
    join(folder, it),
  );
  writeLines(input, Number(values.workflows));
  writeFileSync(file, JSON.stringify({ policies: { 'cyclic-stages': 'keep-split' } }));
  const plain = await undisturbed(input, out, ['--defaults']);
  const answered = await undisturbed(input, out, ['--answers', file]);
  if (differences(plain.expected, answered.expected).length === 0) throw new Error('one output');
  while (count.kills < Number(values.kills)) {
    const kind = count.runs % 10;
    if (kind < 6) rmSync(out, { recursive: true, force: true });
    await killed(input, out, kind < 8 ? plain : answered);
  }
});
console.table([count]);
if (count.equal < count.runs || count.clean < count.runs) process.exitCode = 1;

/** @typedef {{ flags: readonly string[], expected: Map<string, string>, seconds: number }} Undisturbed */

/** @param {string} input @param {string} out @param {readonly string[]} flags @returns {Promise<Undisturbed>} */
async function undisturbed(input, out, flags) {
  rmSync(out, { recursive: true, force: true });
  const { seconds } = await migrate(input, out, ...flags).ended;
  return { flags, expected: contentsOf(out), seconds };
}

/** @param {string} input @param {string} out @param {Undisturbed} undisturbed */
async function killed(input, out, { flags, expected, seconds }) {
  do {
    const { ended, kill } = migrate(input, out, ...flags);
    await Promise.race([sleep(1000 * Math.random() * seconds), ended]);
    kill();
    if ((await ended).signal === 'SIGKILL') count.kills += 1;
  } while (Math.random() < 0.25);
  await migrate(input, out, ...flags).ended;
  const wrong = [differences(expected, contentsOf(out)), leftovers(out)];
  count.runs += 1;
  if (wrong[0]?.length === 0) count.equal += 1;
  if (wrong[1]?.length === 0) count.clean += 1;
  if (wrong.flat().length > 0) console.log(wrong.flat().slice(0, 10).join(' '));
}
