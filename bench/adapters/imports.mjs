/** How long an import takes: each in a process of its own, so that nothing is there before it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inRounds, round, spread } from '../measure.mjs';
import { atMost, ratios, ratioText } from './claims.mjs';

const script = fileURLToPath(new URL('./import-once.mjs', import.meta.url));
const pairs = [
  { ours: 'squadc/bills', theirs: '@payabli/sdk-node' },
  { ours: 'squadc/documents', theirs: 'extend-ai' },
];

/** @param {{ rounds: number }} sizes @returns {Promise<import('./claims.mjs').Figure[]>} */
export async function measureImports({ rounds }) {
  const names = pairs.flatMap(({ ours, theirs }) => [ours, theirs]);
  // The first round brings the files into the system's cache.
  await inRounds(names, 1, importOnce);
  const results = await inRounds(names, rounds, importOnce);
  /** @param {string} name */
  const of = (name) => results[names.indexOf(name)] ?? [];
  const figures = pairs.map(({ ours, theirs }) => {
    const shares = ratios(of(ours), of(theirs));
    const rows = [rowOf(ours, of(ours), shares), rowOf(theirs, of(theirs))];
    return { rows, claims: [atMost(`import of ${ours}, of the SDK's`, shares, 0.1)] };
  });
  return [
    {
      title: 'Import, in a process of its own',
      rows: figures.flatMap(({ rows }) => rows),
      claims: figures.flatMap(({ claims }) => claims),
    },
  ];
}

/** @param {string} name @param {readonly number[]} times @param {readonly number[]} [shares] */
function rowOf(name, times, shares) {
  const { median, low, high } = spread(times);
  return {
    import: name,
    ms: round(median, 1),
    low: round(low, 1),
    high: round(high, 1),
    'of the SDK’s': shares ? ratioText(shares) : '1',
  };
}

/** @param {string} name */
async function importOnce(name) {
  const { stdout } = await promisify(execFile)(process.execPath, [script, name]);
  return Number(stdout);
}
