/** Numbers that look random and are the same on every machine: mulberry32. */

/**
 * @typedef {object} Random
 * @property {() => number} share from 0 on, below 1
 * @property {(end: number) => number} below a whole number from 0 on
 * @property {<Item>(list: readonly Item[]) => Item} pick
 */

/**
 * Each number has its own row of numbers, so that the thousandth thing can be made without the
 * ones before it.
 *
 * @param {number} seed
 * @param {number} number
 * @returns {Random}
 */
export function randomOf(seed, number = 0) {
  let state = Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
  const share = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ end) => Math.floor(share() * end);
  return {
    share,
    below,
    pick: (list) => /** @type {typeof list[number]} */ (list[below(list.length)]),
  };
}
