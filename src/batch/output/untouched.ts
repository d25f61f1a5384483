/** Whether files are as they were written: one look at each. */
import { type Stats, statSync } from 'node:fs';
import type { KnownFile, KnownFiles } from '../journal/records.js';

/** All of them; `folder` is absolute. */
export function areUntouched(folder: string, files: KnownFiles): boolean {
  for (const [name, known] of Object.entries(files)) {
    const stats = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
    if (!isUntouched(stats, known)) return false;
  }
  return true;
}

export function isUntouched(stats: Stats | undefined, [size, , modified]: KnownFile): boolean {
  return stats !== undefined && stats.size === size && stats.mtimeMs === modified;
}
