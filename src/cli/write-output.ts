/** Writes a document where it was asked for: standard output, or a file in one step. */
import { realpath, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../batch/system-error.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import { standardInput } from './read-input.js';

/** The document as it is printed: two spaces, a line end at the end. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Writes the text to the file, all of it or nothing: a file that stands there already is replaced
 * only when the new one is complete.
 */
export async function writeOutput(path: string, text: string, io: Io): Promise<void> {
  const file = resolve(io.cwd, path);
  try {
    await (await writerFor(file))(file, text);
  } catch (error) {
    throw new Refusal(`cannot write ${path}: ${reasonOf(error)}`, exitCodes.invalid);
  }
}

type Writer = (file: string, text: string) => Promise<void>;

/** Devices and pipes are written to as they are: replacing them in one step would remove them. */
async function writerFor(file: string): Promise<Writer> {
  const existing = await stat(file).catch(() => null);
  if (existing?.isDirectory()) throw new Error('it is a directory');
  if (existing !== null && !existing.isFile()) return writeFile;
  const { default: writeFileAtomic } = await import('write-file-atomic');
  return (target, text) =>
    // The package's own write takes a short one, as on a full disk, for a complete one; that of
    // Node writes all of it or fails, before the temporary file takes the place of the old.
    writeFileAtomic(target, '', { tmpfileCreated: (temporary) => writeFile(temporary, text) });
}

/** Refuses an output file that is one of the inputs: compiling again would no longer be possible. */
export async function refuseOverwriting(
  output: string | undefined,
  inputs: readonly (string | undefined)[],
  io: Io,
): Promise<void> {
  if (output === undefined || output === standardInput) return;
  const target = await realPath(resolve(io.cwd, output));
  for (const input of inputs) {
    if (input === undefined || input === standardInput) continue;
    if ((await realPath(resolve(io.cwd, input))) !== target) continue;
    throw new Refusal(`the output file ${output} is also an input`, exitCodes.wrongUsage);
  }
}

function realPath(file: string): Promise<string> {
  return realpath(file).catch(() => file);
}
