/** Makes folders below the output folder. */
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { foreignFile, writeFault } from '../faults.js';

/** Paths are POSIX, below the output folder. */
export class Folders {
  /** Those that have folders in them and are known to be there. */
  private readonly parents = new Set<string>(['.']);

  constructor(private readonly out: string) {}

  /** Whether the folder was not there before. Throws where it cannot be. */
  make(folder: string): boolean {
    if (folder === '.') return false;
    const parent = dirname(folder);
    if (!this.parents.has(parent)) {
      this.make(parent);
      this.parents.add(parent);
    }
    const path = join(this.out, folder);
    try {
      mkdirSync(path);
      return true;
    } catch (error) {
      const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST';
      if (!isThere) throw writeFault(folder, error);
      if (!lstatSync(path).isDirectory()) throw foreignFile(folder);
      return false;
    }
  }

  /** Removes it where nothing is in it. */
  removeEmpty(folder: string): void {
    try {
      rmdirSync(join(this.out, folder));
    } catch {
      // Something is in it.
    }
  }
}
