/**
 * The runs of the measurement, all kinds of them in every round:
 *
 *     one      all workflows, one thread          two     all workflows, two threads
 *     fewer    a tenth of them, two threads       again   `two` once more: nothing has changed
 *                                                 floor   the least that `again` could do
 */
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRounds, median } from '../measure.mjs';
import { migrate, runFloor } from './command.mjs';
import { filesIn } from './files-in.mjs';
import { writeLines } from './write-lines.mjs';

/**
 * @typedef {import('./command.mjs').Run} Run
 * @typedef {{ one: Run[], fewer: Run[], two: Run[], again: Run[], floor: Run[] }} Runs a round has one of each
 * @typedef {{ workflows: number, few: number, bytes: number, runs: Runs }} Measured
 */

/** Times that the short runs are done in a round; their middle counts. */
const times = 3;

/** @param {{ folder: string, workflows: number, rounds: number }} sizes @returns {Promise<Measured>} */
export async function measureMigration({ folder, workflows, rounds }) {
  const few = Math.max(1, Math.round(workflows / 10));
  const [many, some] = [join(folder, 'workflows.jsonl'), join(folder, 'fewer.jsonl')];
  const bytes = writeLines(many, workflows);
  writeLines(some, few);
  /** @type {Runs} */
  const runs = { one: [], fewer: [], two: [], again: [], floor: [] };
  const subjects = [
    async () => void runs.one.push(await fresh(folder, many, '1')),
    async () => void runs.fewer.push(await fresh(folder, some, '2')),
    async () => {
      const out = join(folder, 'out');
      runs.two.push(await migrate(many, out, '--jobs', '2'));
      const { again, floor } = await measureAgain(folder, many, out, workflows);
      runs.again.push(again);
      runs.floor.push(floor);
      rmSync(out, { recursive: true });
    },
  ];
  await inRounds(subjects, rounds, (subject) => subject());
  return { workflows, few, bytes, runs };
}

/** A run into a folder of its own. @param {string} folder @param {string} input @param {string} jobs */
async function fresh(folder, input, jobs) {
  const out = join(folder, `out-${jobs}`);
  const run = await migrate(input, out, '--jobs', jobs);
  rmSync(out, { recursive: true });
  return run;
}

/** @param {string} folder @param {string} input @param {string} out @param {number} workflows */
async function measureAgain(folder, input, out, workflows) {
  const files = filesIn(out).filter((path) => !path.endsWith('/'));
  const results = files.filter((path) => path.endsWith('/result.json')).length;
  if (results !== workflows) throw new Error(`${results} results of ${workflows} workflows`);
  const summaries = files.filter((path) => !path.includes('/'));
  const sizes = summaries.map((path) => `${statSync(join(out, path)).size}`);
  const [names, written] = [join(folder, 'names'), join(folder, 'floor')];
  writeFileSync(names, files.join('\n'));
  mkdirSync(written, { recursive: true });
  const subjects = [
    () => migrate(input, out, '--jobs', '2'),
    () => runFloor(input, out, names, written, ...sizes),
  ];
  const [again = [], bare = []] = await inRounds(subjects, times, (subject) => subject());
  return { again: middle(again), floor: middle(bare) };
}

/** @param {readonly Run[]} runs @returns {Run} */
function middle(runs) {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    peak: median(runs.map(({ peak }) => peak)),
  };
}
