/**
 * How long a compilation takes, against the floor of any such program: reading the JSON and
 * writing the result. Rounds are interleaved, so that a machine whose speed drifts treats all
 * alike; the table shows medians.
 *
 *     npm run build && npm run bench
 */
import { compile } from '../dist/index.js';
import { shapes } from './shapes.mjs';

const rounds = 7;
const sizes = [10, 100, 1_000, 10_000];

const cases = Object.entries(shapes).flatMap(([shape, make]) =>
  sizes.map((size) => prepare(shape, size, make(size))),
);
for (let round = 0; round < rounds + 1; round += 1) {
  for (const it of cases) {
    const times = measure(it);
    // The first round warms up.
    if (round > 0) it.times.push(times);
  }
}
console.table(cases.map(summarize));

/** @param {string} shape @param {number} size @param {object} workflow */
function prepare(shape, size, workflow) {
  const text = JSON.stringify(workflow);
  const { output, draft, status } = compile(workflow);
  /** @type {{ floor: number, whole: number }[]} */
  const times = [];
  return { shape, size, text, document: output ?? draft, status, times };
}

/** @param {ReturnType<typeof prepare>} it */
function measure({ text, document, size }) {
  const times = Math.max(1, Math.floor(1_000 / size));
  const start = performance.now();
  for (let i = 0; i < times; i += 1)
    JSON.stringify(document, null, JSON.parse(text) === null ? 1 : 0);
  const middle = performance.now();
  for (let i = 0; i < times; i += 1) {
    const { output, draft } = compile(JSON.parse(text));
    JSON.stringify(output ?? draft);
  }
  const end = performance.now();
  return { floor: (middle - start) / times, whole: (end - middle) / times };
}

/** @param {ReturnType<typeof prepare>} it */
function summarize({ shape, size, status, times }) {
  const floor = median(times.map((it) => it.floor));
  const whole = median(times.map((it) => it.whole));
  return {
    shape,
    nodes: size,
    status,
    'floor ms': round(floor),
    'compile ms': round(whole),
    ratio: round(whole / floor),
    'nodes/s': Math.round((size / whole) * 1_000),
  };
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
