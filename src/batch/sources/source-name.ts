/** The names of sources: the same on every machine that runs in a copy of the same folders. */
import { basename, isAbsolute, join, relative, sep } from 'node:path';

/** Whether the path is the folder or leads into it. */
export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * The name of a file that was found by way of `base`: from the working folder on, or else from the
 * last part of the base on. File systems differ in how they compose characters; names do not.
 */
export function sourceName(path: string, base: string, cwd: string): string {
  const way = isBelow(path, cwd) ? relative(cwd, path) : join(basename(base), relative(base, path));
  return (way === '' ? '.' : way).split(sep).join('/').normalize('NFC');
}

/** In the order in which folders are walked through: by the names of one folder at a time. */
export function inOrderOfNames<Named extends { readonly path: string }>(
  files: readonly Named[],
): Named[] {
  const parts = new Map(files.map((file) => [file, file.path.split(sep)]));
  return [...files].sort((a, b) => compareParts(parts.get(a) ?? [], parts.get(b) ?? []));
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a[at] ?? '', b[at] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
