/**
 * Compiles a text once, to text, in a process of its own; without a file it does nothing at all.
 * Prints the bytes of both texts and how much memory the process had at the highest, in bytes.
 *
 *     node memory-once.mjs [file]
 */
import { readFileSync } from 'node:fs';

const [, , file] = process.argv;
const text = file === undefined ? '' : await compileText(readFileSync(file, 'utf8'));
console.log(JSON.stringify({ bytes: text.length, peak: process.resourceUsage().maxRSS * 1024 }));

/** @param {string} input */
async function compileText(input) {
  const { compile } = await import('../../dist/index.js');
  const { answers } = await import('../shapes.mjs');
  const output = JSON.stringify(compile(JSON.parse(input), { answers }).output);
  return input + output;
}
