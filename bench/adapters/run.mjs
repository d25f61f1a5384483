/**
 * What the two clients cost, beside the official SDKs of the services and what Node and undici
 * offer: time to import, size of a bundle, GETs per second, memory of long transfers. The built
 * package is measured, as a program would import it; one table for each figure, and one of what must
 * hold.
 *
 *     npm run build && npm run bench:adapters -- [options]
 *
 *     --only import,bundle,get,memory   some of the figures
 *     --rounds 15     rounds of import and get        --requests 4000   GETs in a round
 *     --runs 5        runs of each transfer           --megabytes 200   of a transfer; then 4 times
 *     --json          figures as JSON                 --check           fails if one does not hold
 *
 * All of it takes some minutes, and a machine that does nothing else. What must hold is meant for the
 * usual sizes: a transfer of a few megabytes ends before the memory has reached its level.
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { measureBundles } from './bundles.mjs';
import { measureGets } from './gets.mjs';
import { measureImports } from './imports.mjs';
import { measureMemory } from './memory.mjs';

/** @type {Record<string, (sizes: Sizes) => Promise<import('./claims.mjs').Figure[]>>} */
const parts = {
  import: measureImports,
  bundle: measureBundles,
  get: measureGets,
  memory: measureMemory,
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join() },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '4000' },
    runs: { type: 'string', default: '5' },
    megabytes: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});

/** @typedef {{ rounds: number, requests: number, runs: number, megabytes: number }} Sizes */
const sizes = {
  rounds: count('rounds'),
  requests: count('requests'),
  runs: count('runs'),
  megabytes: count('megabytes'),
};
const wanted = values.only.split(',');

const unknown = wanted.find((name) => !Object.hasOwn(parts, name));
if (unknown !== undefined) stop(`no such figure: ${unknown}`);
if (!existsSync(new URL('../../dist/documents.js', import.meta.url))) {
  stop('there is no built package: npm run build');
}

const figures = [];
for (const name of wanted) {
  for (const figure of (await parts[name]?.(sizes)) ?? []) {
    figures.push(figure);
    if (!values.json) show(figure.title, figure.rows);
  }
}
const claims = figures.flatMap((figure) => figure.claims);
if (values.json) {
  const machine = { node: process.version, processor: cpus()[0]?.model, processors: cpus().length };
  console.log(JSON.stringify({ machine, sizes, figures }, null, 2));
} else {
  show('What must hold', claims);
}
if (values.check && !claims.every(({ holds }) => holds)) process.exitCode = 1;

/** @param {string} title @param {object[]} rows */
function show(title, rows) {
  console.log(`\n${title}`);
  console.table(rows);
}

/** @param {'rounds' | 'requests' | 'runs' | 'megabytes'} name */
function count(name) {
  const text = values[name];
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : stop(`--${name}: not a number of times`);
}

/** @param {string} text @returns {never} */
function stop(text) {
  console.error(text);
  process.exit(2);
}
