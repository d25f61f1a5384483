/** Files: replaced whole, found in the package, and the reasons why a call of the system failed. */
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readFileSync,
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
  /** Waits until the content is on the disk, for files that cannot be made again. */
  readonly sync?: boolean;
}

/** Replaces or creates the file in one step: a reader meets the old content or the new one. Links stay links. */
export function replaceFile(path: string, text: string, options: ReplaceOptions = {}): void {
  const existing = statSync(path, { throwIfNoEntry: false });
  const file = existing === undefined ? path : realpathSync(path);
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  const { temporary = beside, mode, sync = false } = options;
  try {
    const descriptor = openSync(temporary, 'w', mode);
    try {
      if (existing !== undefined) fchmodSync(descriptor, existing.mode);
      writeFileSync(descriptor, text);
      if (sync) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * The address of a file of the package, by its path from the package's root. The nearest
 * `package.json` above this module marks the root, in `dist/` as in `src/`.
 */
export function packageFile(path: string): URL {
  for (let folder = new URL('./', import.meta.url); ; folder = new URL('../', folder)) {
    if (existsSync(new URL('package.json', folder))) return new URL(path, folder);
    if (folder.href === new URL('../', folder).href) throw new Error('package.json is missing');
  }
}

export function readPackageFile(path: string): string {
  return readFileSync(packageFile(path), 'utf8');
}

/** The reason of a failed system call, without the path and the call that Node adds. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EISDIR') return 'it is a directory';
  const match = /^[A-Z][A-Z0-9_]*: ([^,]+)/.exec(error.message);
  return match?.[1] ?? error.message;
}
