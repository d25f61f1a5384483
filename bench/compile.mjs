/**
 * How long a compilation takes, against the floor of any such program: reading the JSON and
 * writing the result; and how long the check of the result takes, against the rest of the
 * compilation, which contains it. Rounds are interleaved, so that a machine whose speed drifts
 * treats all alike; the table shows medians.
 *
 *     npm run build && npm run bench [sizes] [shapes]
 */
import { compile, emit, verify } from '../dist/index.js';
import { inRounds, median, round } from './measure.mjs';
import { shapes } from './shapes.mjs';

const rounds = 7;
const [given = '10,100,1000,10000', wanted = Object.keys(shapes).join()] = process.argv.slice(2);
const sizes = given.split(',').map(Number);
/** What the shapes leave open is answered, so that what is timed ends with a squad. */
const options = {
  answers: { policies: { 'cyclic-stages': 'consolidate', 'undefined-variable': 'caller' } },
};

const cases = Object.entries(shapes)
  .filter(([shape]) => wanted.split(',').includes(shape))
  .flatMap(([shape, make]) => sizes.map((size) => prepare(shape, size, make(size))));
// The first round warms up.
await inRounds(cases, 1, measure);
const results = await inRounds(cases, rounds, measure);
console.table(cases.map((it, index) => summarize(it, results[index] ?? [])));

/** @param {string} shape @param {number} size @param {object} workflow */
function prepare(shape, size, workflow) {
  const text = JSON.stringify(workflow);
  const { output, draft, status } = compile(workflow, options);
  return { shape, size, text, workflow, document: output ?? draft, status };
}

/** @param {ReturnType<typeof prepare>} it */
function measure({ text, workflow, document, size }) {
  const times = Math.max(1, Math.floor(1_000 / size));
  const start = performance.now();
  for (let i = 0; i < times; i += 1)
    JSON.stringify(document, null, JSON.parse(text) === null ? 1 : 0);
  const middle = performance.now();
  for (let i = 0; i < times; i += 1) {
    const { output, draft } = compile(JSON.parse(text), options);
    JSON.stringify(output ?? draft);
  }
  const end = performance.now();
  for (let i = 0; i < times; i += 1) verify(workflow, document, options);
  const checked = performance.now();
  // What the phases cost without the check.
  for (let i = 0; i < times; i += 1) emit(workflow, options, 'squad-ir');
  const last = performance.now();
  return {
    floor: (middle - start) / times,
    whole: (end - middle) / times,
    check: (checked - end) / times,
    rest: (last - checked) / times,
  };
}

/** @param {ReturnType<typeof prepare>} it @param {ReturnType<typeof measure>[]} times */
function summarize({ shape, size, status }, times) {
  const floor = median(times.map((it) => it.floor));
  const whole = median(times.map((it) => it.whole));
  const check = median(times.map((it) => it.check));
  const share = median(times.map((it) => it.check / it.rest));
  return {
    shape,
    nodes: size,
    status,
    'floor ms': round(floor),
    'compile ms': round(whole),
    ratio: round(whole / floor),
    'verify ms': round(check),
    'rest ms': round(median(times.map((it) => it.rest))),
    'verify / rest': round(share),
    'nodes/s': Math.round((size / whole) * 1_000),
  };
}
