/** What the runs show, and what must hold of it. */
import { atLeast, atMost, ratios } from '../adapters/claims.mjs';
import { median, round } from '../measure.mjs';

/**
 * @typedef {import('./command.mjs').Run} Run
 * @typedef {import('./measure-migration.mjs').Measured} Measured
 * @typedef {{ rows: object[], claims: import('../adapters/claims.mjs').Claim[] }} Figures
 */

/** @param {Measured} measured @returns {Figures} */
export function figuresOf({ workflows, few, runs }) {
  const { one, two, fewer, again, floor } = runs;
  const more = two.map(({ peak }) => peak);
  return {
    rows: [
      row('one thread', one, workflows),
      row('two threads', two, workflows),
      row('two threads, a tenth', fewer, few),
      row('once more, unchanged', again, workflows),
      row('read, hash, look, write', floor, workflows),
    ],
    claims: [
      atLeast('two threads, times as fast as one', ratios(times(one), times(two)), 1.7),
      atMost(
        `memory at ${workflows} over that at ${few}, MB`,
        [median(more) - median(fewer.map(({ peak }) => peak))],
        64,
      ),
      atMost('unchanged, times as long as the floor', ratios(times(again), times(floor)), 1.5),
      atLeast('unchanged, times as fast as the first', ratios(times(two), times(again)), 5),
    ],
  };
}

/** @param {string} name @param {readonly Run[]} runs @param {number} workflows */
function row(name, runs, workflows) {
  const seconds = median(times(runs));
  return {
    run: name,
    seconds: round(seconds, 2),
    'workflows per second': Math.round(workflows / seconds),
    'MB at the highest': round(median(runs.map(({ peak }) => peak)), 1),
  };
}

/** @param {readonly Run[]} runs */
function times(runs) {
  return runs.map(({ seconds }) => seconds);
}
