/** The files of a command: read strictly as UTF-8 or UTF-16, and written completely or not at all. */
import { createReadStream } from 'node:fs';
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { decoderFor } from '../batch/items.js';
import { reasonOf, replaceFile } from '../io/files.js';
import { exitCodes, type Io, Refusal, WrongUsage } from './io.js';
import { didYouMean, printable } from './output/terminal.js';

export const standardInput = '-';

/** The name of the input in messages. */
export function inputName(path: string): string {
  return path === standardInput ? 'standard input' : path;
}

/** Throws if more than one input is standard input. */
export function refuseTwoStandardInputs(inputs: readonly (string | undefined)[]): void {
  if (inputs.filter((input) => input === standardInput).length < 2) return;
  throw new WrongUsage('only one input can be read from standard input');
}

/** The text of a file, or of standard input for `-`, without a byte order mark. */
export async function readInput(path: string, io: Io): Promise<string> {
  let text = '';
  for await (const piece of readPieces(path, io)) text += piece;
  return text;
}

/** The same in pieces, for files of any size. */
export async function* readPieces(path: string, io: Io): AsyncGenerator<string> {
  let decoder: ReturnType<typeof decoderFor> | undefined;
  try {
    const bytes = path === standardInput ? io.stdin() : createReadStream(resolve(io.cwd, path));
    let held: Uint8Array = new Uint8Array();
    for await (const piece of bytes) {
      held = Buffer.concat([held, piece]);
      // The first two bytes say how the rest is encoded.
      if (held.length < 2) continue;
      decoder ??= decoderFor(held);
      yield decoder.decode(held, { stream: true });
      held = new Uint8Array();
    }
    yield (decoder ?? decoderFor(held)).decode(held);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') {
      throw cannotRead(path, 'it is not valid UTF-8; save it as UTF-8');
    }
    const advice = path === standardInput ? '' : await whatToDo(code, path, io);
    throw cannotRead(path, reasonOf(error) + advice);
  }
}

export function cannotRead(path: string, reason: string): Refusal {
  return new Refusal(`cannot read ${inputName(path)}: ${reason}`);
}

/** Advice after a file could not be read, or an empty string. */
async function whatToDo(code: unknown, path: string, { cwd }: Io): Promise<string> {
  const full = resolve(cwd, path);
  if (code === 'ENOENT') return didYouMean(basename(full), await filesIn(dirname(full)));
  if (code === 'EACCES') return '\n  help: Make the file readable for the user who runs squadc.';
  if (code !== 'EISDIR') return '';
  const isRun = (await filesIn(full)).includes('summary.json');
  return isRun
    ? '\n  help: It is the folder of a migration. Pass a file in it, such as the squad.json of a workflow.'
    : '\n  help: Pass a file in it. Only squadc migrate and squadc assess take whole folders.';
}

/** The names of the files in a folder; empty if it cannot be listed. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

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
    throw new Refusal(`cannot write ${path}: ${reasonOf(error)}`);
  }
}

async function replace(file: string, text: string): Promise<void> {
  const existing = await stat(file).catch(() => null);
  if (existing?.isDirectory()) throw new Error('it is a directory');
  // Writes directly to devices and pipes, because replacing would remove them.
  if (existing !== null && !existing.isFile()) return writeFile(file, text);
  if (existing === null) await mkdir(dirname(file), { recursive: true });
  replaceFile(file, text, { sync: true });
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
