/** Reads the files that a command was given: bytes, decoded as UTF-8 and nothing else. */
import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { reasonOf } from '../batch/system-error.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import { didYouMean } from './nearest.js';

/** The argument that stands for standard input. */
export const standardInput = '-';

/** Name of the input as messages show it. */
export function inputName(path: string): string {
  return path === standardInput ? 'standard input' : path;
}

/** The text of a file, or of standard input for `-`; a byte order mark is left out. */
export async function readInput(path: string, io: Io): Promise<string> {
  return decode(await readBytes(path, io), inputName(path));
}

async function readBytes(path: string, io: Io): Promise<Uint8Array> {
  try {
    return path === standardInput ? await io.readStdin() : await readFile(resolve(io.cwd, path));
  } catch (error) {
    const more = path === standardInput ? '' : await whatToDo(error, path, io);
    throw new Refusal(
      `cannot read ${inputName(path)}: ${reasonOf(error)}${more}`,
      exitCodes.invalid,
    );
  }
}

/** The next step after a file could not be read, where there is one to name. */
async function whatToDo(error: unknown, path: string, { cwd }: Io): Promise<string> {
  const full = resolve(cwd, path);
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return didYouMean(basename(full), await filesIn(dirname(full)));
  if (code === 'EACCES') return '\n  help: Make the file readable for the user who runs squadc.';
  if (code !== 'EISDIR') return '';
  const isRun = (await filesIn(full)).includes('summary.json');
  return isRun
    ? '\n  help: It holds a migration; name a file in it, such as the squad.json of a workflow.'
    : '\n  help: Name a file in it; whole folders are for squadc migrate and squadc assess.';
}

/** Names of the files in a folder; none where it cannot be listed. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** A check and a plain reading: a `TextDecoder` that does both takes a while to be made. */
function decode(bytes: Uint8Array, name: string): string {
  if (!isUtf8(bytes)) {
    throw new Refusal(`cannot read ${name}: ${encodingFault(bytes)}`, exitCodes.invalid);
  }
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  } catch (error) {
    // There are texts that are too long for the engine.
    throw new Refusal(`cannot read ${name}: ${reasonOf(error)}`, exitCodes.invalid);
  }
}

function encodingFault(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return `it is not valid UTF-8${utf16 ? ' (it looks like UTF-16)' : ''}; save it as UTF-8`;
}
