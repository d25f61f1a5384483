/** What a figure shows, and what must hold of it. */
import { round, spread } from '../measure.mjs';

/**
 * `rows` for a reader; `claims` for a check, with the middle of what was measured.
 *
 * @typedef {{ title: string, rows: object[], claims: Claim[] }} Figure
 * @typedef {{ low: number, high: number, bound: string, holds: boolean }} Judged
 * @typedef {{ claim: string, measured: number } & Judged} Claim
 */

/** @param {string} claim @param {readonly number[]} values @param {number} bound @returns {Claim} */
export function atMost(claim, values, bound) {
  return judged(claim, values, `<= ${round(bound)}`, (measured) => measured <= bound);
}

/** @param {string} claim @param {readonly number[]} values @param {number} bound @returns {Claim} */
export function atLeast(claim, values, bound) {
  return judged(claim, values, `>= ${round(bound)}`, (measured) => measured >= bound);
}

/**
 * The bound is held against what was measured, not against what is shown of it.
 *
 * @param {string} claim
 * @param {readonly number[]} values
 * @param {string} bound
 * @param {(measured: number) => boolean} holds
 * @returns {Claim}
 */
function judged(claim, values, bound, holds) {
  const { median, low, high } = spread(values);
  return {
    claim,
    measured: round(median),
    low: round(low),
    high: round(high),
    bound,
    holds: holds(median),
  };
}

/**
 * Values of one subject by those of another, round by round: a drift of the machine goes out.
 *
 * @param {readonly number[]} values
 * @param {readonly number[]} others
 */
export function ratios(values, others) {
  return values.map((value, at) => value / (others[at] ?? Number.NaN));
}

/** @param {readonly number[]} values */
export function ratioText(values) {
  const { median, low, high } = spread(values);
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}
