/** Rounds and their middle, for all measurements. */

/**
 * Measures each subject once in each round, in an order that begins with another subject each time,
 * so that a machine whose speed drifts treats all alike. One list of results for each subject.
 *
 * @template Subject, Result
 * @param {readonly Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Result | Promise<Result>} measure
 * @returns {Promise<Result[][]>}
 */
export async function inRounds(subjects, rounds, measure) {
  /** @type {Result[][]} */
  const results = subjects.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < subjects.length; turn += 1) {
      const index = (round + turn) % subjects.length;
      results[index]?.push(await measure(/** @type {Subject} */ (subjects[index])));
    }
  }
  return results;
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}

/**
 * The middle, and the quarters around it: between `low` and `high` lies half of the values.
 *
 * @param {readonly number[]} values
 */
export function spread(values) {
  return { median: median(values), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

/** @param {number} value */
export function round(value, digits = 3) {
  return Number(value.toFixed(digits));
}
