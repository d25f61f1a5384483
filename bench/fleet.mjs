/**
 * How `squadc migrate` does with many workflows: one thread, two, a tenth of the workflows, and a
 * second run in which nothing has changed; without pages.
 *
 *     npm run build && npm run bench:migrate [-- --workflows 10000]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inFolder, migrate } from './fleet/migrate.mjs';
import { writeLines } from './fleet/workflows.mjs';

const { values } = parseArgs({ options: { workflows: { type: 'string', default: '10000' } } });
const many = Number(values.workflows);
const few = Math.max(1, Math.round(many / 10));

/** @type {readonly (readonly [run: string, workflows: number, output: string, jobs: string])[]} */
const runs = [
  ['one thread', many, 'one', '1'],
  ['two threads', many, 'two', '2'],
  ['two threads, a tenth', few, 'few', '2'],
  ['two threads, unchanged', many, 'two', '2'],
];

await inFolder(async (folder) => {
  const rows = [];
  for (const count of [many, few]) writeLines(join(folder, `${count}.jsonl`), count);
  for (const [run, count, output, jobs] of runs) {
    const [input, out] = [join(folder, `${count}.jsonl`), join(folder, output)];
    const { seconds, megabytes } = await migrate(input, out, '--no-report', '--jobs', jobs);
    const rate = Math.round(count / seconds);
    const MB = Math.round(megabytes);
    rows.push({ run, seconds: seconds.toFixed(1), 'workflows a second': rate, MB });
  }
  console.table(rows);
});
