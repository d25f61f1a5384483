/** Keeps standard input in a file, so that it can be read in ranges like any other. */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../system-error.js';
import { faultMet, type Met } from './ground.js';
import { formByLooking } from './input-form.js';

/** The name of standard input among sources. */
const stdinName = 'stdin';

/** The source that was read, kept at the path. */
export async function sourceOfStdin(
  chunks: AsyncIterable<Uint8Array>,
  path: string,
  maxBytes: number,
): Promise<Met> {
  try {
    const bytes = await keep(chunks, path);
    if (bytes === 0) return faultMet(stdinName, 'batch/empty', 'nothing came');
    const source = { path, name: stdinName, form: 'lines', bytes } as const;
    return { kind: 'source', source: { ...source, form: formByLooking(source, maxBytes) } };
  } catch (error) {
    return faultMet(stdinName, 'batch/unreadable', `it cannot be kept: ${reasonOf(error)}`);
  }
}

/** Nobody else may read it, and no link that is there is followed. */
async function keep(chunks: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    let bytes = 0;
    for await (const chunk of chunks) bytes += writeWhole(file, chunk);
    return bytes;
  } finally {
    closeSync(file);
  }
}

function writeWhole(file: number, chunk: Uint8Array): number {
  let written = 0;
  while (written < chunk.length) written += writeSync(file, chunk, written);
  return written;
}
