/**
 * How far the memory of a process rises while it moves a file, and whether by the file's length. Each
 * transfer has a process of its own, which moves a megabyte first, so that what it needs is loaded.
 *
 *     npm run build && node bench/clients/memory.mjs [--megabytes 200]     (then four times that)
 */
import { execFile } from 'node:child_process';
import {
  createReadStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { createBillsClient } from 'squadc/bills';
import { createDocumentsClient } from 'squadc/documents';
import { request } from 'undici';
import { startServer } from './server.mjs';

const { values, positionals } = parseArgs({
  options: { megabytes: { type: 'string', default: '200' } },
  allowPositionals: true,
});
const [name = '', origin = '', path = '', bytes = ''] = positionals;
const bills = createBillsClient({ baseUrl: origin || 'http://127.0.0.1', auth: { apiKey: 'key' } });
const documents = createDocumentsClient({ baseUrl: origin || 'http://127.0.0.1', apiKey: 'key' });

/** By name, what moves a file, and gives the number of bytes. @type {Record<string, (path: string, bytes: number) => Promise<number>>} */
const transfers = {
  'bills.getAttachment': async (_, bytes) =>
    read((await bills.getAttachment(17, `${bytes}.bin`)).body),
  'the same, over fetch': async (_, bytes) =>
    read((await bills.getAttachment(17, `${bytes}.bin`, {}, { fetch })).body),
  'files.upload of a path': (path) => upload(path),
  'files.upload of a stream': (path) => upload(/** @type {any} */ (createReadStream(path))),
  'undici.request': async (_, bytes) => read((await request(`${origin}/${bytes}.bin`)).body),
};

/** @param {AsyncIterable<Uint8Array>} body */
async function read(body) {
  let moved = 0;
  for await (const piece of body) moved += piece.length;
  return moved;
}

/** @param {string} source */
async function upload(source) {
  return Object(await documents.files.upload(source)).received;
}

/** A file of so many zeros, which takes no room. @param {string} path @param {number} bytes */
function writeZeros(path, bytes) {
  writeFileSync(path, '');
  truncateSync(path, bytes);
  return path;
}

/** In the process of one transfer. */
async function moveOnce() {
  await transfers[name]?.(`${path}.short`, 1e6);
  const before = process.memoryUsage.rss();
  const moved = (await transfers[name]?.(path, Number(bytes))) ?? 0;
  if (moved < Number(bytes)) throw new Error(`${moved} bytes came`);
  const peak = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  console.log(Number(peak) / 1000 - before / 1e6);
  process.exit();
}

async function measureAll() {
  const { origin, stop } = await startServer();
  const folder = mkdtempSync(join(tmpdir(), 'squadc-bench-'));
  const short = Number(values.megabytes);
  const rows = [];
  for (const name of Object.keys(transfers)) {
    /** @type {Record<string, string | number>} */
    const row = { 'MB more at the most': name };
    for (const megabytes of [short, 4 * short]) {
      const path = writeZeros(join(folder, 'file.bin'), megabytes * 1e6);
      writeZeros(`${path}.short`, 1e6);
      const given = [fileURLToPath(import.meta.url), name, origin, path, `${megabytes * 1e6}`];
      const { stdout } = await promisify(execFile)(process.execPath, given);
      row[`${megabytes} MB`] = Math.round(Number(stdout));
    }
    rows.push(row);
  }
  stop();
  rmSync(folder, { recursive: true });
  console.table(rows);
}

await (name === '' ? measureAll() : moveOnce());
