/**
 * How long a compilation takes, from text to text, against the floor of any such program: reading
 * the JSON and writing the result; what the phases and the check take of it; and what other packages
 * take for a part of the work. Each case is measured in a process of its own, in rounds in which all
 * subjects take turns, so that a machine whose speed drifts treats all alike; the tables show
 * medians. The built package is measured.
 *
 *     npm run build && npm run bench -- [options]
 *
 *     --shapes chain,tree    some of the shapes; batch, corpus and start are among them
 *     --sizes 10,1000        nodes of the shapes, edges of a clique
 *     --rounds 7             at most; a subject has --cap 3 seconds of them, its first run aside
 *     --patience 24          seconds for a case; what it does not come to has no figure
 *     --check                fails where something does not hold (npm run bench:check)
 *     --json                 everything that was measured
 *     --markdown bench/README.md     puts the tables there, too
 *
 * SQUADC_CORPUS may name a folder of real workflows. It all takes about ten minutes, on a
 * machine that does nothing else.
 */
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { count, stop } from './migrate/options.mjs';
import { shapes } from './shapes.mjs';

if (!existsSync(new URL('../dist/index.js', import.meta.url))) {
  stop('there is no built package: npm run build');
}
const { measureAll } = await import('./compile/measure-all.mjs');
const { claimsOf } = await import('./compile/bounds.mjs');
const { claimLine, lineOf, startLines, tableOf, writeBetweenMarks } = await import(
  './compile/tables.mjs'
);

const { values } = parseArgs({
  options: {
    shapes: {
      type: 'string',
      default: [...Object.keys(shapes), 'batch', 'corpus', 'start'].join(),
    },
    sizes: { type: 'string', default: '10,100,1000,10000,100000' },
    rounds: { type: 'string', default: '7' },
    cap: { type: 'string', default: '3' },
    patience: { type: 'string', default: '24' },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    markdown: { type: 'string' },
  },
});
const wanted = values.shapes.split(',');
const unknown = wanted.find(
  (name) => !Object.hasOwn(shapes, name) && !['batch', 'corpus', 'start'].includes(name),
);
if (unknown !== undefined) stop(`no such shape: ${unknown}`);

const figures = await measureAll(
  wanted,
  values.sizes.split(',').map((size) => count('sizes', size)),
  {
    rounds: count('rounds', values.rounds),
    cap: count('cap', values.cap),
    patience: count('patience', values.patience),
  },
  (shape, size) => process.stderr.write(`${shape} ${size}\n`),
);
const claims = claimsOf(figures);
const { rows, starts } = figures;
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} processors, Node ${process.version}`;
const tables = [
  machine,
  ...(rows.length > 0 ? [tableOf(rows.map(lineOf))] : []),
  ...(starts === null ? [] : [tableOf(startLines(starts))]),
  ...(claims.length > 0 ? [tableOf(claims.map(claimLine))] : []),
].join('\n\n');

console.log(values.json ? JSON.stringify({ machine, ...figures, claims }, null, 2) : tables);
if (values.markdown !== undefined) writeBetweenMarks(values.markdown, tables);
if (values.check && !claims.every(({ holds }) => holds)) process.exitCode = 1;
