/** Files that are replaced whole: a reader, or a crash, meets the old content or the new one. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

export interface ReplaceOptions {
  /** Where the new content is written before it takes the place of the old; else beside the file. */
  readonly temporary?: string;
  /** Permissions of a new file; one that exists keeps its own. */
  readonly mode?: number;
}

/** Replaces or creates the file in one step, once its content is on the disk. Links stay links. */
export function replaceFile(path: string, text: string, options: ReplaceOptions = {}): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  const file = existing === undefined ? path : realpathSync(path);
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  const { temporary = beside, mode } = options;
  try {
    const descriptor = openSync(temporary, 'w', mode);
    try {
      if (existing !== undefined) fchmodSync(descriptor, existing.mode);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
