/** Rounds, and the middle of what they give. */

/**
 * Measures each subject once in each round, in an order that begins with another subject each time,
 * so that a machine whose speed drifts treats all alike. One list of results for each subject.
 *
 * @template Subject, Result
 * @param {readonly Subject[]} subjects
 * @param {number} rounds
 * @param {(subject: Subject) => Promise<Result>} measure
 * @returns {Promise<Result[][]>}
 */
export async function inRounds(subjects, rounds, measure) {
  /** @type {Result[][]} */
  const results = subjects.map(() => []);
  for (let turn = 0; turn < rounds * subjects.length; turn += 1) {
    const index = (turn + Math.floor(turn / subjects.length)) % subjects.length;
    results[index]?.push(await measure(/** @type {Subject} */ (subjects[index])));
  }
  return results;
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
