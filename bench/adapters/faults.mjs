/**
 * Creates and sendings to approval, each with a key, while a fifth of all attempts meets a fault:
 * what the callers were told against what the service has done.
 *
 *     node bench/adapters/faults.mjs [--calls 10000] [--at-once 100] [--seed 1]
 *         [--repeated-key replay|conflict]
 *
 * The server is a process of its own, one for each way to answer a repeated key (both, unless one is
 * named). The state of the
 * sandbox is held against the plain model that the tests use; any disagreement ends with code 1.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '10000' },
    'at-once': { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    'repeated-key': { type: 'string' },
  },
});
const calls = Number(values.calls);
const atOnce = Number(values['at-once']);

const chance = {
  share: 0.2,
  faults: [
    ...['reset', 'reset-after', 'status=500', 'status-after=500'],
    ...['status=503', 'status-after=503', 'hang', 'hang-after'],
    // The key is used up and nothing is done, or later: the repeat gets a 409 that proves nothing.
    ...['key-lost=500', 'key-late=500'],
  ],
};

/** All attempts of a call take at most 8 × (400 + 20) ms, so that no key grows old. */
const patience = {
  attemptTimeoutMs: 400,
  deadlineMs: 60_000,
  retry: { maxAttempts: 8, baseMs: 5, capMs: 20 },
};

/** Builds the sources and loads what they export. */
async function load(...paths) {
  const { outputFiles } = await build({
    stdin: {
      contents: paths.map((path) => `export * from '../../${path}';`).join('\n'),
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['undici'],
    write: false,
  });
  // A module from a text finds no packages, so undici is handed to it by its address.
  const address = JSON.stringify(import.meta.resolve('undici'));
  const text = outputFiles[0].text.replaceAll('import("undici")', `import(${address})`);
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

/** The sandbox in its process: turns faults on and off, and tells what it knows. */
async function serve() {
  const { createSandbox } = await load('src/adapters/sandbox/sandbox.ts');
  const repeatedKey = values['repeated-key'];
  const sandbox = await createSandbox({
    seed: Number(values.seed),
    bills: { repeatedKey },
    keepRequests: Number.POSITIVE_INFINITY,
  });
  let told = 0;
  process.on('message', (order) => {
    if (order === 'report') {
      process.send({ bills: sandbox.bills.all().map(outline), ...attemptsSince(sandbox, told) });
    } else {
      sandbox.faults.byChance(order === 'faults' ? chance : null);
      told = sandbox.requests.length;
      process.send('done');
    }
  });
  process.on('disconnect', () => process.exit());
  process.send(sandbox.billsUrl);
}

/** What the model asks of a bill. */
function outline({ IdBill, BillNumber, billEvents }) {
  return { IdBill, BillNumber, billEvents };
}

function attemptsSince({ requests }, start) {
  const attempts = requests.slice(start);
  const faults = {};
  for (const { fault, status, acted } of attempts) {
    if (fault === 'none') continue;
    const name = fault === 'status' ? status : fault === 'hang' ? 'timeout' : fault;
    const kind = `${name} ${acted ? 'after acting' : 'without acting'}`;
    faults[kind] = (faults[kind] ?? 0) + 1;
  }
  return { attempts: attempts.length, faults };
}

function startServer(repeatedKey) {
  const options = ['--seed', values.seed, '--repeated-key', repeatedKey];
  const server = fork(fileURLToPath(import.meta.url), options);
  return { server, ask: (order) => ask(server, order) };
}

/** The next message of the server, after an order if there is one. */
function ask(server, order) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`the server ended with code ${code}`));
    server.once('exit', ended);
    server.once('message', (message) => {
      server.off('exit', ended);
      resolve(message);
    });
    if (order !== undefined) server.send(order);
  });
}

/** One kind of calls while there are faults, and what became of them. */
async function measure(operation, repeatedKey, ask, makeCalls, doneIn) {
  await ask('faults');
  const started = performance.now();
  const ends = await makeCalls();
  const seconds = (performance.now() - started) / 1000;
  // What is done late is done by then.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const { bills, attempts, faults } = await ask('report');
  await ask('calm');
  const { tally } = await model;
  return { operation, repeatedKey, attempts, faults, seconds, ...tally(ends, doneIn(bills)) };
}

async function trial(repeatedKey) {
  const { createBillsClient, createBills, sendBills, createdIn, sentIn } = await model;
  const { server, ask } = startServer(repeatedKey);
  const baseUrl = await ask();
  const client = createBillsClient({ baseUrl, auth: { apiKey: 'sandbox-key' }, ...patience });
  const names = (prefix) => Array.from({ length: calls }, (_, index) => `${prefix}${index + 1}`);

  const create = () => createBills(client, names('B-'), atOnce);
  const creates = await measure('create', repeatedKey, ask, create, createdIn);

  // What is sent to approval was created while nothing went wrong, by a client that waits longer.
  const patient = createBillsClient({ baseUrl, auth: { apiKey: 'sandbox-key' } });
  const prepared = await createBills(patient, names('S-'), atOnce);
  const { bills } = await ask('report');
  const ids = bills
    .filter(({ BillNumber }) => prepared.has(BillNumber))
    .map(({ IdBill }) => IdBill);
  if (ids.length !== calls) throw new Error('the bills to send to approval are not all there');
  const send = () => sendBills(client, ids.map(String), atOnce);
  const sends = await measure('sendToApproval', repeatedKey, ask, send, sentIn);

  await Promise.all([client.close(), patient.close()]);
  server.disconnect();
  return [creates, sends];
}

function show(results) {
  console.table(
    results.map(({ operation, repeatedKey, ends, seconds, attempts, ...result }) => ({
      operation,
      'repeated key': repeatedKey,
      calls: result.calls,
      attempts,
      faults: sum(Object.values(result.faults)),
      ...Object.fromEntries(
        ['resolved', 'applied', 'refused', 'unknown'].map((end) => [end, ends[end] ?? 0]),
      ),
      duplicates: result.duplicates.length,
      lost: result.lost.length,
      unexpected: result.unexpected.length,
      seconds: seconds.toFixed(1),
    })),
  );
  const kinds = [...new Set(results.flatMap(({ faults }) => Object.keys(faults)))].sort();
  const column =
    (kind) =>
    ({ operation, repeatedKey, faults }) => [`${operation}, ${repeatedKey}`, faults[kind] ?? 0];
  console.table(
    Object.fromEntries(kinds.map((kind) => [kind, Object.fromEntries(results.map(column(kind)))])),
  );
  const { retry, attemptTimeoutMs } = patience;
  console.log(
    `${chance.share * 100} % of attempts meet a fault, each kind as often as the others; ` +
      'other repeats follow real timeouts.\n' +
      `maxAttempts ${retry.maxAttempts}, an attempt ${attemptTimeoutMs} ms, waits up to ` +
      `${retry.capMs} ms: no call comes near the age of a key (110 s).\n` +
      'resolved: answered; applied: told by an error that it is done.',
  );
}

function sum(numbers) {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Every call has one of the ends that there are, and the state is what they say. */
function agrees({ calls: made, ends, duplicates, lost, unexpected }) {
  const ended = ['resolved', 'applied', 'refused', 'unknown'].map((end) => ends[end] ?? 0);
  return made === calls && sum(ended) === calls && [duplicates, lost, unexpected].every(isEmpty);
}

function isEmpty({ length }) {
  return length === 0;
}

/** The client, and the plain model. */
const model =
  process.send === undefined
    ? load('src/bills.ts', 'test/adapters/sandbox/keyed-calls.ts')
    : undefined;

// Forked, the file is the server.
if (process.send === undefined) {
  const chosen = values['repeated-key'];
  const results = [];
  for (const each of chosen ? [chosen] : ['replay', 'conflict'])
    results.push(...(await trial(each)));
  show(results);
  if (!results.every(agrees)) {
    const wrong = results.flatMap((each) => [each.duplicates, each.lost, each.unexpected].flat());
    const some = wrong.slice(0, 10).join(', ');
    console.error(`The service has not done what the callers were told: ${some}`);
    process.exitCode = 1;
  }
} else await serve();
