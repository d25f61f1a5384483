/**
 * One transfer in a process of its own: `node transfer-once.mjs <name> <origin> <bytes> <folder>`.
 *
 * Prints how far the memory of the process rose over what it took after a short transfer, which loads
 * and compiles what the long one needs.
 */
import { closeSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ours, peers } from './transfers.mjs';

const [, , name = '', origin = '', bytes = '', folder = ''] = process.argv;
const open = { ...ours, ...peers }[name];
if (open === undefined) throw new Error(`no such transfer: ${name}`);
const transfer = await open(origin);
await run(1_000_000);
const before = process.memoryUsage.rss();
const start = performance.now();
const { ahead } = await run(Number(bytes));
const ms = performance.now() - start;
console.log(JSON.stringify({ before, risen: peak() - before, ahead, ms }));
// Connections are still open.
process.exit();

/** @param {number} length */
async function run(length) {
  const result = await transfer(length, emptyFile(length));
  if (result.moved !== length) throw new Error(`${name}: ${result.moved} of ${length} bytes came`);
  return result;
}

/**
 * A file with nothing in it but a length takes no room.
 *
 * @param {number} length
 */
function emptyFile(length) {
  const path = join(folder, `${length}.bin`);
  const file = openSync(path, 'w');
  ftruncateSync(file, length);
  closeSync(file);
  return path;
}

/** Linux says it of this program alone; `maxRSS` begins there with what the parent process took. */
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kB] = /^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kB) * 1024;
}
