/**
 * How time and memory grow with the size of a workflow, from text to verified squad.
 *
 *     npm run build && npm run bench [-- --shapes chain,tree --sizes 1000,100000 --check]
 *
 * Each shape and size has a process of its own. The floor is `JSON.parse` of the workflow and
 * `JSON.stringify` of the squad, what any such program takes. `--check` fails where the time for a
 * node at the largest size is more than twice that at 1,000, or where 100,000 nodes take more than
 * 10 s or 2 GB, or where whole / floor is 30 or more from 100 to 10,000 nodes.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { answers, shapes } from './shapes.mjs';

const { values } = parseArgs({
  options: {
    shapes: { type: 'string', default: Object.keys(shapes).join(',') },
    sizes: { type: 'string', default: '100,1000,10000,100000' },
    check: { type: 'boolean', default: false },
    one: { type: 'string' },
  },
});

if (values.one === undefined) measureAll();
else await measureOne(values.one);

function measureAll() {
  const sizes = values.sizes.split(',').map(Number);
  const faults = values.shapes.split(',').flatMap((shape) => {
    const rows = sizes.map((size) => rowOf(shape, size));
    for (const row of rows) print(row);
    return values.check ? findFaults(rows) : [];
  });
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

/** @param {string} shape @param {number} size @returns {Record<string, any>} */
function rowOf(shape, size) {
  const script = fileURLToPath(import.meta.url);
  const child = spawnSync(process.execPath, [script, '--one', `${shape}:${size}`]);
  if (child.status !== 0) throw new Error(`${shape} of ${size}: ${child.stderr}`);
  return JSON.parse(String(child.stdout));
}

/** @param {Record<string, any>} row */
function print({ shape, size, whole, floor, megabytes }) {
  const perNode = (1000 * whole) / size;
  console.log(
    `${shape.padEnd(10)} ${String(size).padStart(7)} nodes ${whole.toFixed(1).padStart(9)} ms` +
      ` ${perNode.toFixed(1).padStart(7)} µs/node ${(whole / floor).toFixed(1).padStart(6)} floors` +
      ` ${String(megabytes).padStart(5)} MB`,
  );
}

/** @param {Record<string, any>[]} rows */
function findFaults(rows) {
  const base = rows.find(({ size }) => size === 1000);
  return rows.flatMap(({ shape, size, whole, floor, megabytes }) => {
    const faults = [];
    const growth = base === undefined ? 1 : whole / size / (base.whole / base.size);
    if (size > 1000 && growth > 2) faults.push(`${growth.toFixed(1)} times the time for a node`);
    if (size === 100_000 && whole > 10_000) faults.push(`${(whole / 1000).toFixed(1)} s`);
    if (size === 100_000 && megabytes > 2000) faults.push(`${megabytes} MB`);
    if (size <= 10_000 && whole / floor >= 30) faults.push(`${(whole / floor).toFixed(1)} floors`);
    return faults.map((fault) => `${shape} of ${size}: ${fault}`);
  });
}

/** Prints one row: the median of as many runs as two seconds allow, after as many to warm up. @param {string} name */
async function measureOne(name) {
  const { compile } = await import('../dist/index.js');
  const [shape = '', size] = name.split(':');
  const text = JSON.stringify(shapes[shape]?.(Number(size)));
  /** @type {unknown} */
  let output = null;
  const whole = medianOf(() => {
    const result = compile(JSON.parse(text), { answers });
    if (result.output === null) throw new Error(JSON.stringify(result.diagnostics.slice(0, 3)));
    output = result.output;
    return JSON.stringify(output);
  });
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const floor = medianOf(() => [JSON.parse(text), JSON.stringify(output)]);
  console.log(JSON.stringify({ shape, size: Number(size), whole, floor, megabytes }));
}

/** Milliseconds. @param {() => unknown} run */
function medianOf(run) {
  const warm = timed(run);
  if (warm < 2000) for (let spent = warm; spent < 2000; ) spent += timed(run);
  const times = [];
  for (let spent = 0; times.length === 0 || spent < 2000; ) {
    const time = timed(run);
    times.push(time);
    spent += time;
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length / 2)] ?? Number.NaN;
}

/** @param {() => unknown} run */
function timed(run) {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}
