/** How long it takes until there is a squad, from the start of the process; and an import. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inRounds } from '../measure.mjs';
import { inFolder } from '../migrate/options.mjs';

/** @typedef {{ name: string, argv: string[], ms: number[] }} Start */

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const importScript = fileURLToPath(new URL('../adapters/import-once.mjs', import.meta.url));
const library = new URL('../../dist/index.js', import.meta.url).href;
const small = {
  name: 'small',
  nodes: [
    { id: 'greet', type: 'conversation', systemPrompt: 'Greet the caller and ask for the name.' },
    { id: 'end', type: 'endCall' },
  ],
  edges: [{ from: 'greet', to: 'end' }],
};

/** Milliseconds of each, in the order of the rounds. @param {number} rounds */
export function measureStarts(rounds) {
  return inFolder(undefined, async (folder) => {
    const file = join(folder, 'small.json');
    writeFileSync(file, JSON.stringify(small));
    const starts = [
      ['-e', '0'],
      [cli, 'compile', file],
    ];
    const walls = await warmed(starts, rounds, wall);
    const [imports = []] = await warmed([library], rounds, importOnce);
    return { node: walls[0] ?? [], compile: walls[1] ?? [], imports };
  });
}

/**
 * The first round brings the files into the system's cache.
 *
 * @template Subject
 * @param {readonly Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Promise<number>} measure
 */
async function warmed(subjects, rounds, measure) {
  await inRounds(subjects, 1, measure);
  return inRounds(subjects, rounds, measure);
}

/** @param {string[]} argv */
async function wall(argv) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, argv);
  return performance.now() - start;
}

/** Without the start of Node. @param {string} module */
async function importOnce(module) {
  const { stdout } = await promisify(execFile)(process.execPath, [importScript, module]);
  return Number(stdout);
}
