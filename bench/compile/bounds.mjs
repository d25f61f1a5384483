/** The bounds that squadc is held to. */
import { ratios } from '../adapters/claims.mjs';
import { atMost, estimate, quotient } from './claims.mjs';

/**
 * @typedef {import('./claims.mjs').Claim} Claim
 * @typedef {import('./claims.mjs').Estimate} Estimate
 * @typedef {import('./run-case.mjs').Case & { measured: import('./run-case.mjs').Measured, peaks: import('./memory.mjs').Peak[] }} Row
 * @typedef {{ node: number[], compile: number[], imports: number[] }} Starts
 * @typedef {{ rows: readonly Row[], empty: readonly import('./memory.mjs').Peak[], starts: Starts | null }} Figures
 */

const [usual, largest] = [1_000, 100_000];

/** @param {Figures} figures @returns {Claim[]} */
export function claimsOf({ rows, empty, starts }) {
  return [
    ...rows.flatMap(ratioClaims),
    ...rows.filter(({ size }) => size === largest).flatMap((row) => growthClaims(row, rows)),
    ...rows.flatMap((row) => memoryClaims(row, estimate(empty.map(({ peak }) => peak)))),
    ...(starts === null ? [] : startClaims(starts)),
  ];
}

/** @param {Row} row */
function ratioClaims(row) {
  const { shape, size } = row;
  if (shape === 'clique' || shape === 'corpus') return [];
  const bound = size < largest ? 4 : 6;
  return [atMost(`${nameOf(row)}: times the floor`, ratioOf(row), bound)];
}

/** Beside its own row of the usual size; a clique by the edge, the others by the floor. @param {Row} row @param {readonly Row[]} rows */
function growthClaims(row, rows) {
  const { shape } = row;
  const small = rows.find((each) => each.shape === shape && each.size === usual);
  if (small === undefined || shape === 'corpus' || shape === 'batch') return [];
  const [of, by] =
    shape === 'clique' ? [timeByEdge, 'time by the edge'] : [ratioOf, 'times the floor'];
  return [atMost(`${nameOf(row)}: ${by}, over that of ${usual}`, quotient(of(row), of(small)), 2)];
}

/** @param {Row} row @param {Estimate} empty */
function memoryClaims(row, empty) {
  const { size, shape, peaks, measured } = row;
  if (size !== largest || shape === 'batch' || shape === 'corpus') return [];
  const { input = Number.NaN, output = Number.NaN } = measured.extent ?? {};
  const { measured: peak, margin } = estimate(peaks.map((each) => each.peak));
  const more = { measured: peak - empty.measured, margin: margin + empty.margin };
  const texts = { measured: input + output, margin: 0 };
  return [atMost(`${nameOf(row)}: memory, times both texts`, quotient(more, texts), 6)];
}

/** @param {Starts} starts */
function startClaims({ node, compile, imports }) {
  return [
    atMost('squadc compile small.json, times node -e 0', estimate(ratios(compile, node)), 2),
    atMost('import of the library, ms', estimate(imports), 25),
  ];
}

/** From text to text, by the floor of the same round. @param {Row} row @returns {Estimate} */
export function ratioOf({ measured: { samples } }) {
  const { whole = [], floor = [] } = samples;
  const rounds = Math.min(whole.length, floor.length);
  return estimate(ratios(whole.slice(-rounds), floor.slice(-rounds)));
}

/** @param {Row} row @returns {Estimate} */
function timeByEdge({ measured: { samples, extent } }) {
  const edges = { measured: extent?.edges ?? Number.NaN, margin: 0 };
  return quotient(estimate(samples['whole'] ?? []), edges);
}

/** @param {Row} row */
function nameOf({ shape, size }) {
  return shape === 'corpus' ? shape : `${shape} of ${size}`;
}
