/** Runs that are killed, and what is there when another has gone on. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate, migrateArguments, start } from './command.mjs';
import { contentsOf, differences, leftovers } from './files-in.mjs';
import { randomOf } from './random.mjs';
import { writeLines } from './write-lines.mjs';

/**
 * `runs` were killed and gone on with; `kills` hit a process before it had ended.
 *
 * @typedef {{ run: string, runs: number, kills: number, equal: number, clean: number }} Count
 * @typedef {{ input: string, flags: readonly string[], expected: Map<string, string>, seconds: number }} Undisturbed
 * @typedef {{ folder: string, kills: number, workflows: number, seed: number }} Sizes
 */

/** Of the runs that go on after a kill, those that are killed too. */
const shareKilledAgain = 0.25;

/** Of the kills, those that wait until files are being put in place: a short time, rarely hit. */
const shareWriting = 0.3;

/** Answers to questions that the workflows ask, see `spoil.mjs`. */
const answers = { policies: { 'cyclic-stages': 'keep-split' } };

/** @param {Sizes} sizes @param {(text: string) => void} say what differs @returns {Promise<Count[]>} */
export async function killRuns({ folder, kills, workflows, seed }, say) {
  const [input, file] = [join(folder, 'workflows.jsonl'), join(folder, 'answers.json')];
  writeLines(input, workflows);
  writeFileSync(file, JSON.stringify(answers));
  const random = randomOf(seed);
  const out = join(folder, 'out');
  const plain = await undisturbed(input, out, ['--defaults']);
  const same = { ...plain, seconds: (await migrate(input, out)).seconds };
  const changed = await undisturbed(input, out, ['--answers', file]);
  if (differences(plain.expected, changed.expected).length === 0) {
    throw new Error('the answers change nothing');
  }
  const fewer = Math.ceil(kills / 5);
  const first = await killOften('the first', kills, { out, random, say }, () => {
    rmSync(out, { recursive: true });
    return plain;
  });
  const again = await killOften('unchanged', fewer, { out, random, say }, () => same);
  const other = await killOften('other answers', fewer, { out, random, say }, (number) =>
    number % 2 === 0 ? changed : plain,
  );
  return [first, again, other];
}

/** @param {string} input @param {string} out @param {readonly string[]} flags @returns {Promise<Undisturbed>} */
async function undisturbed(input, out, flags) {
  rmSync(out, { recursive: true, force: true });
  const { seconds } = await migrate(input, out, ...flags);
  return { input, flags, expected: contentsOf(out), seconds };
}

/**
 * @param {string} run
 * @param {number} runs
 * @param {{ out: string, random: import('./random.mjs').Random, say: (text: string) => void }} place
 * @param {(number: number) => Undisturbed} next what is to be run
 * @returns {Promise<Count>}
 */
async function killOften(run, runs, { out, random, say }, next) {
  const count = { run, runs, kills: 0, equal: 0, clean: 0 };
  for (let number = 0; number < runs; number += 1) {
    const { input, flags, expected, seconds } = next(number);
    const argv = migrateArguments(input, out, ...flags);
    do {
      const writing = random.share() < shareWriting ? join(out, '.squadc', 'tmp') : null;
      const moment = { seconds: random.share() * seconds, writing };
      if (await killAt(argv, moment)) count.kills += 1;
    } while (random.share() < shareKilledAgain);
    await start(argv).ended;
    const different = differences(expected, contentsOf(out));
    const left = leftovers(out);
    if (different.length === 0) count.equal += 1;
    if (left.length === 0) count.clean += 1;
    const wrong = [...different, ...left];
    if (wrong.length > 0) say(`${run}, ${number}: ${wrong.slice(0, 10).join(' ')}`);
  }
  return count;
}

/**
 * Whether it was still running then.
 *
 * @param {readonly string[]} argv
 * @param {{ seconds: number, writing: string | null }} moment the first after so many seconds or,
 *   with the folder of its temporary files, the first at which files are being put in place
 */
async function killAt(argv, { seconds, writing }) {
  const { kill, ended } = start(argv);
  let hasEnded = false;
  const end = ended.finally(() => {
    hasEnded = true;
  });
  await Promise.race([sleep(1000 * seconds), end]);
  for (let before = 0; writing !== null && !hasEnded; await sleep(1)) {
    const now = filesOf(writing);
    if (now < before) break;
    before = now;
  }
  kill();
  const { code, signal, said } = await ended;
  if (signal === null && ![0, 1, 2].includes(code ?? -1)) {
    throw new Error(`ended with ${code}: ${said}`);
  }
  return signal === 'SIGKILL';
}

/** How many; none in a folder that is not there. @param {string} folder */
function filesOf(folder) {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}
