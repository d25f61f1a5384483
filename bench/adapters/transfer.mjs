/**
 * One transfer in a process of its own: `node transfer.mjs <name> <origin> <bytes> <file>`.
 *
 * Prints how far the memory of the process rose over what it took after a short transfer, which loads
 * and compiles what the long one needs. Downloads are read piece by piece and dropped; what is
 * uploaded is the file, which has so many bytes.
 */
import { createReadStream, readFileSync } from 'node:fs';
import { createBillsClient } from 'squadc/bills';
import { createDocumentsClient } from 'squadc/documents';
import { request } from 'undici';

const [, , name = '', origin = '', bytes = '', file = ''] = process.argv;
const short = '1000000';
const bills = createBillsClient({ baseUrl: origin, auth: { apiKey: 'key' } });
const documents = createDocumentsClient({ baseUrl: origin, apiKey: 'key' });

/** @type {Record<string, (bytes: string) => Promise<number>>} */
const transfers = {
  'bills.getAttachment': async (bytes) =>
    read((await bills.getAttachment(17, `${bytes}.bin`)).body),
  'the same, over fetch': async (bytes) =>
    read((await bills.getAttachment(17, `${bytes}.bin`, {}, { fetch })).body),
  'files.upload of a path': async (bytes) =>
    received(await documents.files.upload(bytes === short ? new Uint8Array(1e6) : file)),
  'files.upload of a stream': async (bytes) =>
    received(
      await documents.files.upload(
        bytes === short ? new Uint8Array(1e6) : /** @type {any} */ (createReadStream(file)),
      ),
    ),
  'undici.request': async (bytes) => read((await request(`${origin}/${bytes}.bin`)).body),
};

/** @param {AsyncIterable<Uint8Array>} body */
async function read(body) {
  let moved = 0;
  for await (const piece of body) moved += piece.length;
  return moved;
}

/** @param {unknown} answer */
const received = (answer) => /** @type {{ received: number }} */ (answer).received;

await transfers[name]?.(short);
const before = process.memoryUsage.rss();
const start = performance.now();
const moved = (await transfers[name]?.(bytes)) ?? 0;
const ms = performance.now() - start;
// A form is a little longer than the file in it, and so is a body of pieces.
if (moved < Number(bytes) || moved > 1.01 * Number(bytes)) throw new Error(`${moved} bytes came`);
// Linux says it of this program alone; `maxRSS` begins there with what the parent process took.
const peak =
  process.platform === 'linux'
    ? Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
    : process.resourceUsage().maxRSS;
console.log(JSON.stringify({ risen: peak / 1000 - before / 1e6, ms }));
// Connections are still open.
process.exit();
