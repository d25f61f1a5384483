/** The files of an output folder: all but `.squadc`, which is nobody's business. */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Their paths below it, sorted. @param {string} folder @returns {string[]} */
export function filesIn(folder) {
  return walk(folder, '').sort();
}

/** @param {string} folder @param {string} below @returns {string[]} */
function walk(folder, below) {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (path === '.squadc') return [];
    // A folder in which nothing is has a name of its own here: it may not be there.
    return entry.isDirectory() ? [`${path}/`, ...walk(folder, path)] : [path];
  });
}

/** What stands in each: equal for equal outputs. @param {string} folder @returns {Map<string, string>} */
export function contentsOf(folder) {
  const paths = filesIn(folder);
  return new Map(
    paths.map((path) => [
      path,
      path.endsWith('/') ? '' : hash('sha256', readFileSync(join(folder, path))),
    ]),
  );
}

/**
 * The paths at which two outputs differ.
 *
 * @param {ReadonlyMap<string, string>} one
 * @param {ReadonlyMap<string, string>} other
 */
export function differences(one, other) {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

/**
 * What a run has left behind in `.squadc` that only a run needs.
 *
 * @param {string} folder
 */
export function leftovers(folder) {
  const state = join(folder, '.squadc');
  const inside = readdirSync(state, { recursive: true, encoding: 'utf8' });
  return inside.filter((path) => !['options.json', 'summaries.json', 'tmp'].includes(path)).sort();
}
