/**
 * What `squadc serve` adds to the service behind it: the time of one read of a bill as a tool call,
 * beside the same read from the sandbox alone.
 *
 *     npm run build && node bench/serve.mjs [options]
 *
 *     --rounds 7       rounds, in each both are measured      --seconds 10   of arrivals in a round
 *     --calls 5000     calls in which capacity is measured    --check        fails if one does not hold
 *     --json           figures as JSON
 *
 * First as much as goes, 32 at a time, through the tools: their capacity. Then calls arrive at half
 * of it, at the tools and at the sandbox by turns. All servers are processes of their own; they and
 * this one want a machine that does nothing else.
 */
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { atMost } from './adapters/claims.mjs';
import { inRounds, median, round } from './measure.mjs';
import { arrivals, flood, percentile } from './serve/load.mjs';
import { cli, startBoth } from './serve/processes.mjs';
import { openSenders } from './serve/senders.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '10' },
    calls: { type: 'string', default: '5000' },
    json: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});
const atOnce = 32;
const rounds = count('rounds');
const seconds = count('seconds');
const calls = count('calls');
if (!existsSync(cli)) stop('there is no built package: npm run build');

const servers = await startBoth();
const senders = openSenders();
const idAlone = await senders.newBill(servers.alone);
const idBehind = await senders.newBill(servers.behind);
const subjects = [
  { name: 'sandbox', send: senders.reading(servers.alone, idAlone) },
  { name: 'serve', send: senders.calling(servers.tools, idBehind) },
];

// The first time warms up: connections, compiled code.
for (const { send } of subjects) await flood(send, { calls, atOnce });
const floods = await inRounds(subjects, 3, ({ send }) => flood(send, { calls, atOnce }));
const capacity = median((floods[1] ?? []).map(({ perSecond }) => perSecond));
const perSecond = capacity / 2;
const results = await inRounds(subjects, rounds, ({ send }) =>
  arrivals(send, { perSecond, seconds }),
);
senders.close();
servers.stop();

const rows = subjects.map(({ name }, at) => {
  const measured = results[at] ?? [];
  const of = (/** @type {number} */ share) =>
    round(median(measured.map(({ times }) => percentile(times, share))), 2);
  const fastest = median((floods[at] ?? []).map((each) => each.perSecond));
  return {
    [`${Math.round(perSecond)} per second`]: name,
    'p50 ms': of(0.5),
    'p90 ms': of(0.9),
    'p99 ms': of(0.99),
    'most per second': Math.round(fastest),
    errors: errorsOf(measured) + errorsOf(floods[at] ?? []),
  };
});
const p99 = results.map((measured) => measured.map(({ times }) => percentile(times, 0.99)));
const added = (p99[1] ?? []).map((time, at) => time - 3 * (p99[0]?.[at] ?? Number.NaN));
const claims = [
  atMost('p99 of serve beyond 3 times that of the sandbox, ms', added, 5),
  atMost(
    `errors, ${atOnce} at a time and at half the capacity`,
    [rows.reduce((sum, { errors }) => sum + errors, 0)],
    0,
  ),
];

if (values.json) console.log(JSON.stringify({ capacity, perSecond, rows, claims }, null, 2));
else {
  console.table(rows);
  console.log('\nWhat must hold');
  console.table(claims);
}
if (values.check && !claims.every(({ holds }) => holds)) process.exitCode = 1;

/** @param {readonly { errors: number }[]} measured */
function errorsOf(measured) {
  return measured.reduce((sum, { errors }) => sum + errors, 0);
}

/** @param {'rounds' | 'seconds' | 'calls'} name */
function count(name) {
  const text = values[name];
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : stop(`--${name}: not a number of times`);
}

/** @param {string} text @returns {never} */
function stop(text) {
  console.error(text);
  process.exit(2);
}
