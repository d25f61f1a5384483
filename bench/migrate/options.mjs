/** Flags of these programs, and the folder that they work in. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where memory is the disk. */
const memory = '/dev/shm';

/** Gives `use` a folder, and removes it. @template Result @param {string | undefined} parent @param {(folder: string) => Promise<Result>} use */
export async function inFolder(parent = existsSync(memory) ? memory : tmpdir(), use) {
  const folder = mkdtempSync(join(parent, 'squadc-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} name @param {string} text a whole number from 1 on */
export function count(name, text) {
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : stop(`--${name}: not a number of times`);
}

/** @param {string} text @returns {never} */
export function stop(text) {
  console.error(text);
  process.exit(2);
}
