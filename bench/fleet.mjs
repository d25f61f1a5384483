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
const workflows = Number(values.workflows);

const rows = await inFolder(async (folder) => {
  const [many, few] = [join(folder, 'many.jsonl'), join(folder, 'few.jsonl')];
  const fewer = Math.max(1, Math.round(workflows / 10));
  writeLines(many, workflows);
  writeLines(few, fewer);
  const row = async (
    /** @type {string} */ run,
    /** @type {number} */ count,
    /** @type {string} */ input,
    /** @type {string} */ output,
    /** @type {string} */ jobs,
  ) => {
    const { ended } = migrate(input, join(folder, output), '--no-report', '--jobs', jobs);
    const { seconds, megabytes } = await ended;
    const perSecond = Math.round(count / seconds);
    return {
      run,
      seconds: seconds.toFixed(1),
      'workflows a second': perSecond,
      MB: Math.round(megabytes),
    };
  };
  return [
    await row('one thread', workflows, many, 'one', '1'),
    await row('two threads', workflows, many, 'two', '2'),
    await row('two threads, a tenth', fewer, few, 'few', '2'),
    await row('two threads, unchanged', workflows, many, 'two', '2'),
  ];
});
console.table(rows);
