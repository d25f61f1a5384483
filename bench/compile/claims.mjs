/** What must hold of the figures, and how far off a figure may be by chance. */
import { median, spread } from '../measure.mjs';

/**
 * A figure, and the margin by which another run on the same machine may well differ.
 *
 * @typedef {{ measured: number, margin: number }} Estimate
 * @typedef {{ claim: string, bound: number, holds: boolean } & Estimate} Claim
 */

/**
 * The middle of the rounds. Its margin is twice the error that a middle of so many rounds has, and
 * the rounds themselves tell it: a quiet machine is held closer to a bound than a noisy one. A
 * single round tells nothing, and gets no margin.
 *
 * @param {readonly number[]} values
 * @returns {Estimate}
 */
export function estimate(values) {
  const { low, high } = spread(values);
  const margin = values.length < 2 ? 0 : (2 * (high - low)) / Math.sqrt(values.length);
  return { measured: median(values), margin };
}

/**
 * One by the other; the parts that both may be off add up.
 *
 * @param {Estimate} one
 * @param {Estimate} other
 * @returns {Estimate}
 */
export function quotient(one, other) {
  const measured = one.measured / other.measured;
  const parts = one.margin / one.measured + other.margin / other.measured;
  return { measured, margin: measured * parts };
}

/** Of what could not be measured, nothing holds. @param {string} claim @param {Estimate} figure @param {number} bound @returns {Claim} */
export function atMost(claim, { measured, margin }, bound) {
  return { claim, measured, margin, bound, holds: measured - margin <= bound };
}
