/**
 * How time and memory grow with the size of a workflow, from text to verified squad.
 *
 *     npm run build && npm run bench [-- --shapes chain,tree --sizes 300,1200 --seconds 2 --check]
 *
 * Each shape and size has a process of its own. The floor is `JSON.parse` of the workflow and
 * `JSON.stringify` of the squad, what any such program takes. `--check` fails where a node takes more
 * than twice the time that it takes at the smallest size.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { answers, shapes } from './shapes.mjs';

const { values } = parseArgs({
  options: {
    shapes: { type: 'string', default: Object.keys(shapes).join() },
    sizes: { type: 'string', default: '300,600,1200' },
    check: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '2' },
    one: { type: 'string' },
  },
});

if (values.one !== undefined) console.log(JSON.stringify(await measure(values.one)));
else for (const shape of values.shapes.split(',')) compareSizes(shape);

/** @param {string} shape */
function compareSizes(shape) {
  const rows = values.sizes.split(',').map((size) => {
    const one = ['--one', `${shape}:${size}`, '--seconds', values.seconds];
    const script = [fileURLToPath(import.meta.url), ...one];
    return JSON.parse(execFileSync(process.execPath, script, { encoding: 'utf8' }));
  });
  console.table(rows);
  const growth = rows.map((row) => row['µs a node'] / rows[0]['µs a node']);
  if (values.check && Math.max(...growth) > 2) {
    console.error(`${shape}: a node takes ${Math.max(...growth).toFixed(1)} times the time`);
    process.exitCode = 1;
  }
}

/** One row. @param {string} name */
async function measure(name) {
  const { compile } = await import('../dist/index.js');
  const [shape = '', size = ''] = name.split(':');
  const text = JSON.stringify({ name: shape, ...shapes[shape]?.(Number(size)) });
  /** @type {unknown} */
  let output = null;
  const whole = timeOf(() => {
    const result = compile(JSON.parse(text), { answers });
    if (result.output === null) throw new Error(JSON.stringify(result.diagnostics.slice(0, 3)));
    output = result.output;
    JSON.stringify(output);
  });
  const MB = Math.round(process.resourceUsage().maxRSS / 1024);
  const floor = timeOf(() => [JSON.parse(text), JSON.stringify(output)]);
  return {
    shape,
    nodes: Number(size),
    ms: Math.round(whole),
    'µs a node': Math.round((1000 * whole) / Number(size)),
    floors: Math.round(whole / floor),
    MB,
  };
}

/** Milliseconds: the median of as many runs as these seconds allow, after as many to warm up. @param {() => unknown} run */
function timeOf(run) {
  const [, times = []] = ['to warm up', 'to measure'].map(() => {
    /** @type {number[]} */
    const times = [];
    const start = performance.now();
    do {
      const begin = performance.now();
      run();
      times.push(performance.now() - begin);
    } while (performance.now() - start < 1000 * Number(values.seconds));
    return times;
  });
  return median(times);
}
