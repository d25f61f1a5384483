/** Reads the files given to a command, strictly as UTF-8. */
import { isUtf8 } from 'node:buffer';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { reasonOf } from '../../batch/values.js';
import { exitCodes, Refusal, WrongUsage } from '../exit.js';
import type { Io } from '../io.js';
import { didYouMean } from '../output/terminal.js';

/** The argument that means standard input. */
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
  const fail = (reason: string, more = '') =>
    new Refusal(`cannot read ${inputName(path)}: ${reason}${more}`, exitCodes.invalid);
  const read = path === standardInput ? io.readStdin() : readFile(resolve(io.cwd, path));
  const bytes = await read.catch(async (error) => {
    throw fail(reasonOf(error), path === standardInput ? '' : await whatToDo(error, path, io));
  });
  if (!isUtf8(bytes)) throw fail(encodingFault(bytes));
  try {
    return Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } catch (error) {
    // The text is too long for the engine.
    throw fail(reasonOf(error));
  }
}

/** Advice after a file could not be read, or an empty string. */
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

/** The names of the files in a folder; empty if it cannot be listed. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

function encodingFault([first, second]: Uint8Array): string {
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return `it is not valid UTF-8${utf16 ? ' (it looks like UTF-16)' : ''}; save it as UTF-8`;
}
