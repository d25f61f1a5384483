/**
 * GETs a second, 16 at a time, with the two clients beside the official SDKs of the services and
 * undici, in turns; all read the answer and parse it. Of two that are compared, the medians of the
 * ratios, round by round.
 *
 *     npm run build && node bench/clients/gets.mjs [--rounds 15] [--requests 4000]
 */
import { parseArgs } from 'node:util';
import { PayabliClient } from '@payabli/sdk-node';
import { ExtendClient } from 'extend-ai';
import { createBillsClient } from 'squadc/bills';
import { createDocumentsClient } from 'squadc/documents';
import { Pool } from 'undici';
import { median } from '../measure.mjs';
import { startServer } from './server.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '4000' },
  },
});
const requests = Number(values.requests);

const { origin, stop } = await startServer();
const pool = new Pool(origin, { connections: 128 });
const baseUrl = `${origin}/api`;
const bills = createBillsClient({ baseUrl, auth: { apiKey: 'key' } });
const documents = createDocumentsClient({ baseUrl: origin, apiKey: 'key' });
const payabli = new PayabliClient({ baseUrl, apiKey: 'key' });
const extend = new ExtendClient({ baseUrl: origin, token: 'key' });
const headers = { accept: 'application/json', authorization: 'Bearer key' };
const plain = async (/** @type {string} */ path) =>
  (await pool.request({ method: 'GET', path, headers })).body.json();

/** By name, what gets something once. @type {Readonly<Record<string, () => PromiseLike<any>>>} */
const subjects = {
  'bills: undici.request': () => plain('/api/Bill/17'),
  'bills: client': () => bills.get(17),
  'bills: SDK': () => payabli.bill.getBill(17),
  'documents: undici.request': () => plain('/extract_runs/exr_1'),
  'documents: client': () => documents.extractRuns.get('exr_1'),
  'documents: SDK': () => extend.extractRuns.retrieve('exr_1'),
};

/** @param {string} name */
async function measure(name) {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const answer = await subjects[name]?.();
      const { field39 } = answer.responseData ?? answer;
      if (field39 !== 'value of field 39') throw new Error(`${name} got another answer`);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: 16 }, worker));
  return (1000 * requests) / (performance.now() - start);
}

const names = Object.keys(subjects);
// The first round warms up: connections, compiled code.
for (const name of names) await measure(name);
/** @type {number[][]} */
const rates = names.map(() => []);
for (let round = 0; round < Number(values.rounds); round += 1)
  for (const [at, name] of names.entries()) rates[at]?.push(await measure(name));
await Promise.all([pool.close(), bills.close(), documents.close()]);
stop();

const rows = names.map((name, at) => {
  const [service] = name.split(':');
  const beside = (/** @type {string} */ other) => {
    const others = rates[names.indexOf(`${service}: ${other}`)] ?? [];
    const ratios = (rates[at] ?? []).map((rate, round) => rate / (others[round] ?? Number.NaN));
    return Number(median(ratios).toFixed(2));
  };
  const rate = Math.round(median(rates[at] ?? []));
  return {
    GETs: name,
    'a second': rate,
    'of undici': beside('undici.request'),
    'of the SDK': beside('SDK'),
  };
});
console.table(rows);
