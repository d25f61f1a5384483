/** The figures as tables, for a terminal and for a page alike. */
import { readFileSync, writeFileSync } from 'node:fs';
import { median } from '../measure.mjs';
import { ratioOf } from './bounds.mjs';

/** @typedef {Readonly<Record<string, string>>} Line by the title of the column */

/** @param {import('./bounds.mjs').Row} row @returns {Line} */
export function lineOf(row) {
  const { shape, size, measured, peaks } = row;
  const { samples, extent } = measured;
  const { whole = [] } = samples;
  /** @param {string} subject */
  const ms = (subject) => cellOf(measured, subject);
  return {
    shape,
    size: shape === 'corpus' ? '' : `${size}`,
    'floor ms': ms('floor'),
    'phases ms': ms('phases'),
    'verify ms': ms('verify'),
    'whole ms': ms('whole'),
    'whole / floor': number(ratioOf(row).measured),
    rounds: `${whole.length}`,
    'nodes/s': number(((extent?.nodes ?? Number.NaN) / median(whole)) * 1000),
    'peak MB': number(median(peaks.map(({ peak }) => peak / 1e6))),
    'graphology ms': ms('graphology'),
    'liquidjs ms': ms('liquidjs'),
    'ajv ms': ms('ajv'),
  };
}

/** @param {import('./run-case.mjs').Measured} measured @param {string} subject */
function cellOf({ samples, over, failed }, subject) {
  const waited = over[subject];
  if (waited !== undefined) return `> ${Math.floor(10 * waited) / 10} s`;
  if (failed[subject] !== undefined) return 'fails';
  return number(median(samples[subject] ?? []));
}

/** @param {import('./bounds.mjs').Starts} starts @returns {Line[]} */
export function startLines({ node, compile, imports }) {
  /** @param {string} start @param {readonly number[]} values */
  const line = (start, values) => ({ start, ms: number(median(values)) });
  return [
    line('`node -e 0`', node),
    line('`squadc compile small.json`', compile),
    line('import of the library, without the start of Node', imports),
  ];
}

/** @param {import('./claims.mjs').Claim} claim @returns {Line} */
export function claimLine({ claim, measured, margin, bound, holds }) {
  return {
    'what must hold': claim,
    measured: number(measured),
    margin: number(margin),
    'at most': `${bound}`,
    holds: holds ? 'yes' : 'NO',
  };
}

/** Three figures that count; a dash for what there is none of. @param {number} value */
export function number(value) {
  if (!Number.isFinite(value)) return '–';
  return value >= 100 ? `${Math.round(value)}` : `${Number(value.toPrecision(3))}`;
}

/** In Markdown, with columns that are also straight in a terminal. @param {readonly Line[]} lines */
export function tableOf(lines) {
  const titles = Object.keys(lines[0] ?? {});
  const widths = titles.map((title) =>
    Math.max(title.length, ...lines.map((line) => (line[title] ?? '').length)),
  );
  /** @param {readonly string[]} cells */
  const row = (cells) =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(' | ')} |`;
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [
    row(titles),
    row(rule),
    ...lines.map((line) => row(titles.map((it) => line[it] ?? ''))),
  ].join('\n');
}

const [begin, end] = ['<!-- figures -->', '<!-- /figures -->'];

/** Puts the text between the two marks of the file. @param {string} file @param {string} text */
export function writeBetweenMarks(file, text) {
  const page = readFileSync(file, 'utf8');
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file}: no place for figures (${begin} … ${end})`);
  writeFileSync(file, `${page.slice(0, from + begin.length)}\n\n${text}\n\n${page.slice(to)}`);
}
