/** Writes a document to standard output, or atomically to a file. */
import { mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { reasonOf } from '../../batch/values.js';
import { exitCodes, Refusal } from '../exit.js';
import { standardInput } from '../input/read.js';
import type { Io } from '../io.js';
import { printable } from './terminal.js';

/** The document as JSON, indented by two spaces, with a final newline. */
export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Writes to the file, or to standard output; for a terminal, escapes control characters. */
export async function deliver(text: string, output: string | undefined, io: Io): Promise<void> {
  if (output !== undefined && output !== standardInput) await writeOutput(output, text, io);
  else io.stdout.write(io.stdout.isTTY ? printable(text) : text);
}

/**
 * Writes the file completely or not at all: replaces an existing file only once the new one is
 * complete. Creates missing folders.
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
  // Writes directly to devices and pipes, because replacing would remove them.
  if (existing !== null && !existing.isFile()) return writeFile(file, text);
  if (existing === null) await mkdir(dirname(file), { recursive: true });
  const { default: writeFileAtomic } = await import('write-file-atomic');
  // The package itself takes a short write, for example on a full disk, for a complete one. Node's
  // writeFile writes everything or fails, before the temporary file replaces the old one.
  await writeFileAtomic(file, '', { tmpfileCreated: (temporary) => writeFile(temporary, text) });
}

/** Refuses an output file that is also an input, because that would be lost. */
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
