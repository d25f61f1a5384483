/**
 * What the two clients cost, beside the official SDKs of the services and undici: GETs per second,
 * memory of long transfers, time to import, size of a bundle. The built package is measured, and all
 * that is compared is measured in turns, in one run.
 *
 *     npm run build && npm run bench:adapters -- [options]
 *
 *     --only get,memory,import,bundle   some of the figures
 *     --rounds 15     rounds of get and import        --requests 4000   GETs in a round
 *     --runs 3        runs of each transfer           --megabytes 200   of a transfer; then 4 times
 *     --check         fails where something does not hold
 */
import { execFile, fork } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { PayabliClient } from '@payabli/sdk-node';
import { build } from 'esbuild';
import { ExtendClient } from 'extend-ai';
import { createBillsClient } from 'squadc/bills';
import { createDocumentsClient } from 'squadc/documents';
import { Pool } from 'undici';
import { inRounds, median, round, spread } from '../measure.mjs';

const parts = { get: measureGets, memory: measureMemory, import: measureImports, bundle };
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join() },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '4000' },
    runs: { type: 'string', default: '3' },
    megabytes: { type: 'string', default: '200' },
    check: { type: 'boolean', default: false },
  },
});
const [rounds, requests, runs, megabytes] = [
  values.rounds,
  values.requests,
  values.runs,
  values.megabytes,
].map(Number);

/** @type {{ claim: string, measured: number, low: number, high: number, bound: string, holds: boolean }[]} */
const claims = [];

/** @param {string} claim @param {number[]} given @param {'<=' | '>='} sign @param {number} bound */
function claim(claim, given, sign, bound) {
  const { median: measured, low, high } = spread(given);
  const holds = sign === '<=' ? measured <= bound : measured >= bound;
  const shown = [measured, low, high].map((value) => round(value));
  const [middle = 0, least = 0, most = 0] = shown;
  claims.push({
    claim,
    measured: middle,
    low: least,
    high: most,
    bound: `${sign} ${round(bound)}`,
    holds,
  });
}

/** Values of one subject by those of another, round by round: a drift of the machine goes out. */
const ratios = (/** @type {number[]} */ values, /** @type {number[]} */ others) =>
  values.map((value, at) => value / (others[at] ?? Number.NaN));

async function startServer() {
  const server = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)));
  const port = await new Promise((resolve) => server.once('message', resolve));
  return { origin: `http://127.0.0.1:${port}`, stop: () => server.disconnect() };
}

/** GETs, 16 at a time; all read the answer and parse it. */
async function measureGets() {
  const { origin, stop } = await startServer();
  const pool = new Pool(origin, { connections: 128 });
  const baseUrl = `${origin}/api`;
  const bills = createBillsClient({ baseUrl, auth: { apiKey: 'key' } });
  const documents = createDocumentsClient({ baseUrl: origin, apiKey: 'key' });
  const payabli = new PayabliClient({ baseUrl, apiKey: 'key' });
  const extend = new ExtendClient({ baseUrl: origin, token: 'key' });
  const plain = (/** @type {string} */ path) => async () => {
    const headers = { accept: 'application/json', authorization: 'Bearer key' };
    return (await pool.request({ method: 'GET', path, headers })).body.json();
  };
  /** @type {[name: string, get: () => PromiseLike<any>][]} */
  const subjects = [
    ['bills: undici.request', plain('/api/Bill/17')],
    ['bills: client', () => bills.get(17)],
    ['bills: client over fetch', () => bills.get(17, { fetch })],
    ['bills: SDK', () => payabli.bill.getBill(17)],
    ['documents: undici.request', plain('/extract_runs/exr_1')],
    ['documents: client', () => documents.extractRuns.get('exr_1')],
    ['documents: client over fetch', () => documents.extractRuns.get('exr_1', {}, { fetch })],
    ['documents: SDK', () => extend.extractRuns.retrieve('exr_1')],
  ];
  const measure = async (/** @type {typeof subjects[number]} */ [name, get]) => {
    let left = requests ?? 0;
    const worker = async () => {
      while (left-- > 0) {
        const answer = await get();
        const { field39 } = answer.responseData ?? answer.metadata ?? {};
        if (field39 !== 'value of field 39') throw new Error(`${name} got another answer`);
      }
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: 16 }, worker));
    return ((requests ?? 0) / (performance.now() - start)) * 1000;
  };
  // The first round warms up: connections, compiled code.
  await inRounds(subjects, 1, measure);
  const results = await inRounds(subjects, rounds ?? 0, measure);
  await Promise.all([pool.close(), bills.close(), documents.close()]);
  stop();
  const of = (/** @type {string} */ name) =>
    results[subjects.findIndex(([it]) => it === name)] ?? [];
  for (const api of ['bills', 'documents']) {
    const [plainly, client, sdk] = ['undici.request', 'client', 'SDK'].map((it) =>
      of(`${api}: ${it}`),
    );
    claim(`${api}: client, of undici.request`, ratios(client ?? [], plainly ?? []), '>=', 0.8);
    claim(`${api}: client, of the SDK`, ratios(client ?? [], sdk ?? []), '>=', 3);
  }
  return subjects.map(([name], at) => ({
    GETs: name,
    'per second': round(median(results[at] ?? []), 0),
  }));
}

/** How far the memory of a process rises while it moves a file, and whether by the file's length. */
async function measureMemory() {
  const names = [
    ...['bills.getAttachment', 'the same, over fetch', 'files.upload of a path'],
    ...['files.upload of a stream', 'undici.request'],
  ];
  const { origin, stop } = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'squadc-bench-'));
  const sizes = [1, 4].map((times) => {
    const path = join(folder, `${times}.bin`);
    const file = openSync(path, 'w');
    // A file with nothing in it but a length takes no room.
    ftruncateSync(file, times * (megabytes ?? 0) * 1e6);
    closeSync(file);
    return { path, bytes: times * (megabytes ?? 0) * 1e6 };
  });
  const subjects = names.flatMap((name) => sizes.map((size) => ({ name, ...size })));
  const results = await inRounds(subjects, runs ?? 0, ({ name, bytes, path }) =>
    inProcess('./transfer.mjs', [name, origin, `${bytes}`, path]),
  );
  stop();
  rmSync(folder, { recursive: true });
  return names.map((name, at) => {
    const [short = [], long = []] = results.slice(2 * at);
    const risen = [short, long].map((each) => each.map((it) => it.risen));
    const [few = [], many = []] = risen;
    if (name !== 'undici.request') {
      claim(`${name}: ${megabytes} MB, memory in MB`, few, '<=', 96);
      claim(`${name}: 4 times that, MB more`, [median(many) - median(few)], '<=', 32);
    }
    return {
      'MB at the highest, over a warmed-up start': name,
      [`${megabytes} MB`]: round(median(few), 1),
      [`${4 * (megabytes ?? 0)} MB`]: round(median(many), 1),
      seconds: round(median(long.map(({ ms }) => ms / 1000)), 2),
    };
  });
}

/** @param {string} script @param {string[]} given */
async function inProcess(script, given) {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...given]);
  return JSON.parse(stdout);
}

const packages = ['squadc/bills', '@payabli/sdk-node', 'squadc/documents', 'extend-ai'];

/** How long an import takes, in a process of its own. */
async function measureImports() {
  const results = await inRounds(packages, rounds ?? 0, async (name) => {
    const text = `const start = performance.now(); await import(${JSON.stringify(name)});
      console.log(performance.now() - start);`;
    const given = ['--input-type=module', '-e', text];
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    return Number((await promisify(execFile)(process.execPath, given, { cwd })).stdout);
  });
  const [bills = [], payabli = [], documents = [], extend = []] = results;
  claim('import of squadc/bills, of the SDK’s', ratios(bills, payabli), '<=', 0.1);
  claim('import of squadc/documents, of the SDK’s', ratios(documents, extend), '<=', 0.1);
  return packages.map((name, at) => ({ import: name, ms: round(median(results[at] ?? []), 1) }));
}

/** What a program carries along that imports all of a package, without undici. */
async function bundle() {
  const rows = [];
  for (const name of packages) {
    const { outputFiles } = await build({
      stdin: {
        contents: `import * as all from '${name}'; console.log(all);`,
        resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      },
      bundle: true,
      minify: true,
      format: 'esm',
      platform: 'node',
      external: ['undici'],
      write: false,
      logLevel: 'error',
    });
    const kB = (outputFiles[0]?.contents.length ?? 0) / 1000;
    if (name.endsWith('bills')) claim('bundle of squadc/bills, kB', [kB], '<=', 12);
    if (name.endsWith('documents')) claim('bundle of squadc/documents, kB', [kB], '<=', 18);
    rows.push({ bundle: name, kB: round(kB, 1) });
  }
  return rows;
}

for (const part of values.only.split(',')) {
  if (!Object.hasOwn(parts, part)) throw new Error(`no such figure: ${part}`);
  console.table(await parts[/** @type {keyof typeof parts} */ (part)]());
}
console.table(claims);
if (values.check && !claims.every(({ holds }) => holds)) process.exitCode = 1;
