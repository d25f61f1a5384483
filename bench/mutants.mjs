/**
 * How `verify` fares against the mutants: damaged squads of generated workflows, each of which it
 * must refute. Prints what each operator made and what caught it, then every survivor with the
 * place that was damaged; fails where one survives or an operator found nothing to damage.
 *
 *     npm run build && npm run mutants [workflows] [mutants per operator and workflow]
 */
import { verify } from '../dist/index.js';
import { drawTrials, tryMutants } from '../dist/testing.js';

const seed = 20260819;
const [count = 500, limit = 1] = process.argv.slice(2).map(Number);

const { rows, survivors, refutedUnharmed, idle } = tryMutants(
  drawTrials(count, seed),
  verify,
  limit,
);
console.table(rows.map(summarize));
for (const label of refutedUnharmed) console.log(`refuted as it is: ${label}`);
for (const name of idle) console.log(`nothing to damage: ${name}`);
for (const { name, label, at, text, fault } of survivors) {
  console.log(`${name} survives in ${label}, ${at || '/'}: ${text}${fault ? ` (${fault})` : ''}`);
}
console.log(`${total('refuted')} of ${total('made')} mutants of ${rows.length} kinds are refuted`);
if (survivors.length + refutedUnharmed.length + idle.length > 0) process.exitCode = 1;

/** @param {(typeof rows)[number]} row */
function summarize({ name, item, made, refuted, caughtBy }) {
  const by = Object.entries(caughtBy).map(([what, times]) => `${what}: ${times}`);
  return { mutant: name, 'expected by': item, made, refuted, 'caught by': by.join(', ') };
}

/** @param {'made' | 'refuted'} what */
function total(what) {
  return rows.reduce((sum, row) => sum + row[what], 0);
}
