/** A file of workflows, one on each line, as large as it is wanted. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { workflowLine } from './workflows.mjs';

/** Lines of a write. */
const batch = 500;

/** @param {string} path @param {number} count @param {number} [seed] the result is the size in bytes */
export function writeLines(path, count, seed = 1) {
  const file = openSync(path, 'w');
  let size = 0;
  try {
    for (let from = 0; from < count; from += batch) {
      const length = Math.min(batch, count - from);
      const lines = Array.from({ length }, (_, at) => workflowLine(seed, from + at));
      size += writeSync(file, `${lines.join('\n')}\n`);
    }
  } finally {
    closeSync(file);
  }
  return size;
}
