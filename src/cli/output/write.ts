/** Writes a document where it was asked for: standard output, or a file in one step. */
import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../batch/values.js';
import { exitCodes, Refusal } from '../exit.js';
import { standardInput } from '../input/read.js';
import type { Io } from '../io.js';
import { printable } from './terminal.js';

/** The document as it is printed: two spaces, a line end at the end. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Writes the text to the file that was named, or to standard output; a terminal is not steered. */
export async function deliver(text: string, output: string | undefined, io: Io): Promise<void> {
  if (output !== undefined && output !== standardInput) await writeOutput(output, text, io);
  else io.stdout.write(io.stdout.isTTY ? printable(text) : text);
}

/**
 * Writes the text to the file, all of it or nothing: a file that stands there already is replaced
 * only when the new one is complete. Its folder is made where there is none.
 */
export async function writeOutput(path: string, text: string, io: Io): Promise<void> {
  const file = resolve(io.cwd, path);
  try {
    await replace(file, text);
  } catch (error) {
    throw new Refusal(`cannot write ${path}: ${reasonOf(error)}`, exitCodes.invalid);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const existing = await stat(file).catch(() => null);
  if (existing?.isDirectory()) throw new Error('it is a directory');
  // Devices and pipes are written to as they are: replacing them would remove them.
  if (existing !== null && !existing.isFile()) return writeFile(file, text);
  if (existing === null) await mkdir(dirname(file), { recursive: true });
  const { default: writeFileAtomic } = await import('write-file-atomic');
  // The package's own write takes a short one, as on a full disk, for a complete one; that of
  // Node writes all of it or fails, before the temporary file takes the place of the old.
  await writeFileAtomic(file, '', { tmpfileCreated: (temporary) => writeFile(temporary, text) });
}

/** Refuses an output file that is one of the inputs: compiling again would no longer be possible. */
export async function refuseOverwriting(
  output: string | undefined,
  inputs: readonly (string | undefined)[],
  io: Io,
): Promise<void> {
  if (output === undefined || output === standardInput) return;
  const realPath = (path: string) => realpath(resolve(io.cwd, path)).catch(() => path);
  const target = await realPath(output);
  for (const input of inputs) {
    if (input === undefined || input === standardInput) continue;
    if ((await realPath(input)) !== target) continue;
    throw new Refusal(`the output file ${output} is also an input`, exitCodes.wrongUsage);
  }
}
