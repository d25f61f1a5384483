/**
 * GETs, 16 at a time: the request core on its own transport and on `fetch`, against
 * `undici.request` and plain `fetch` with the same headers, the answer read and parsed by all.
 *
 *     node bench/adapters-get.mjs [--rounds 15] [--requests 4000]
 *
 * The server is a process of its own. Rounds are interleaved, each begins with another candidate;
 * the table shows medians, and the processor time of this process per request.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { Pool } from 'undici';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '4000' },
  },
});
const rounds = Number(values.rounds);
const requests = Number(values.requests);
const atOnce = 16;

async function loadCore() {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/adapters/http/send.ts', import.meta.url))],
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

/** One JSON answer, whatever is asked. */
function serve() {
  const record = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`Field${index}`, `value of field ${index}`]),
  );
  const body = Buffer.from(JSON.stringify({ isSuccess: true, responseData: record }));
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(server.address().port));
  process.on('disconnect', () => process.exit());
}

async function startServer() {
  const server = fork(fileURLToPath(import.meta.url));
  const port = await new Promise((resolve) => server.once('message', resolve));
  return { server, origin: `http://127.0.0.1:${port}` };
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

async function run(candidate) {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) {
      const { isSuccess } = await candidate();
      if (isSuccess !== true) throw new Error('an answer is not what was sent');
    }
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (requests / ms) * 1000, cpu: (user + system) / requests };
}

async function measure() {
  const { createSender } = await loadCore();
  const { server, origin } = await startServer();
  const pool = new Pool(origin, { connections: 128, pipelining: 1 });
  const headers = { accept: 'application/json', requestToken: 'key' };
  const get = {
    id: 'bills.get',
    method: 'GET',
    path: '/Bill/{idBill}',
    integers: ['idBill'],
    repeat: 'always',
  };
  const options = {
    baseUrl: `${origin}/api`,
    auth: { header: 'requestToken', value: 'key' },
    dialect: { readError: () => ({}), isFailure: (body) => body.isSuccess === false },
  };
  const ownTransport = createSender(options);
  const overFetch = createSender({ ...options, fetch });

  const candidates = {
    'undici.request': async () => {
      const { body } = await pool.request({ method: 'GET', path: '/api/Bill/17', headers });
      return body.json();
    },
    fetch: async () => (await fetch(`${origin}/api/Bill/17`, { headers })).json(),
    'core on undici': () => ownTransport.send(get, { path: [17] }),
    'core on fetch': () => overFetch.send(get, { path: [17] }),
  };

  const names = Object.keys(candidates);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await run(candidates[name]);
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      results[name].push(await run(candidates[name]));
    }
  }

  const table = names.map((name) => {
    const perSecond = median(results[name].map((result) => result.perSecond));
    const ratios = results[name].map(
      (result, round) => result.perSecond / results['undici.request'][round].perSecond,
    );
    return {
      candidate: name,
      'GETs per second': Math.round(perSecond),
      'relative to undici.request': median(ratios).toFixed(2),
      'processor µs per GET': Math.round(median(results[name].map(({ cpu }) => cpu))),
    };
  });
  console.table(table);
  await Promise.all([pool.close(), ownTransport.close()]);
  server.disconnect();
}

// Forked, the file is the server.
if (process.send === undefined) await measure();
else serve();
