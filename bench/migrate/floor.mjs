/**
 * The least that a run does which finds nothing changed: reads the lines and hashes each of them,
 * looks once at each file of the output, and writes summaries of as many bytes.
 *
 *     node bench/migrate/floor.mjs <input> <output> <names> <folder> <bytes>…
 *
 * `names` is a file with the paths of all outputs below the output folder, one on each line.
 */
import { hash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const [input = '', output = '', names = '', folder = '', ...sizes] = process.argv.slice(2);
const chunkSize = 1024 * 1024;
const lineEnd = 0x0a;

hashLines(input);
for (const name of readFileSync(names, 'utf8').split('\n')) statSync(`${output}/${name}`);
for (const [number, size] of sizes.entries()) writeBytes(join(folder, `${number}`), Number(size));

/** @param {string} path */
function hashLines(path) {
  const file = openSync(path, 'r');
  let chunk = Buffer.allocUnsafe(chunkSize);
  let held = 0;
  for (;;) {
    if (held === chunk.length) chunk = Buffer.concat([chunk], 2 * held);
    const count = readSync(file, chunk, held, chunk.length - held, null);
    if (count === 0) break;
    const filled = chunk.subarray(0, held + count);
    let start = 0;
    for (let end = filled.indexOf(lineEnd); end !== -1; end = filled.indexOf(lineEnd, start)) {
      hash('sha256', filled.subarray(start, end));
      start = end + 1;
    }
    chunk.copyWithin(0, start, filled.length);
    held = filled.length - start;
  }
  closeSync(file);
}

/** @param {string} path @param {number} size */
function writeBytes(path, size) {
  const file = openSync(path, 'w');
  const chunk = Buffer.alloc(chunkSize, ' ');
  for (let left = size; left > 0; ) left -= writeSync(file, chunk, 0, Math.min(left, chunkSize));
  closeSync(file);
}
