/** Reads the files that a command was given: bytes, decoded as UTF-8 and nothing else. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../batch/system-error.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';

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
    throw new Refusal(`cannot read ${inputName(path)}: ${reasonOf(error)}`, exitCodes.invalid);
  }
}

function decode(bytes: Uint8Array, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const reason = error instanceof TypeError ? encodingFault(bytes) : reasonOf(error);
    throw new Refusal(`cannot read ${name}: ${reason}`, exitCodes.invalid);
  }
}

function encodingFault(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return `it is not valid UTF-8${utf16 ? ' (it looks like UTF-16)' : ''}; save it as UTF-8`;
}
