/**
 * The files that a search goes through.
 *
 * In: paths as they were given. Out: each regular file below them once, in the order of their
 * names. Version control and installed packages are left out. A symbolic link inside of a folder is
 * not followed: what it leads to inside is met by itself, and what is outside was not asked for.
 */
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git']);

export type Found =
  | { readonly kind: 'file'; readonly path: string; readonly size: number }
  /** It leads out of the folder that was given. */
  | { readonly kind: 'link-out'; readonly path: string }
  | { readonly kind: 'fault'; readonly path: string; readonly error: unknown };

/** Walks through the paths; what cannot be read is a fault among the files. */
export async function* sourceFiles(paths: readonly string[]): AsyncGenerator<Found> {
  const met = new Set<string>();
  for (const path of paths) yield* below(path, met);
}

async function* below(root: string, met: Set<string>): AsyncGenerator<Found> {
  const realRoot = await realpath(root).catch(() => root);
  const open = [root];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    try {
      const stats = await stat(path);
      const real = await realpath(path);
      if (met.has(real)) continue;
      met.add(real);
      if (stats.isFile()) yield { kind: 'file', path, size: stats.size };
      else if (stats.isDirectory()) yield* await entriesOf(path, realRoot, open);
    } catch (error) {
      yield { kind: 'fault', path, error };
    }
  }
}

/** Puts the entries of a folder before what is open; the result is what is not gone into. */
async function entriesOf(folder: string, realRoot: string, open: string[]): Promise<Found[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  const links: Found[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      if (await leadsOut(path, realRoot)) links.push({ kind: 'link-out', path });
    } else if (!leftOut.has(entry.name) && (entry.isFile() || entry.isDirectory())) {
      open.push(path);
    }
  }
  return links.reverse();
}

/** A link that leads nowhere leads to no caller either. */
async function leadsOut(link: string, realRoot: string): Promise<boolean> {
  const target = await realpath(link).catch(() => null);
  if (target === null) return false;
  const way = relative(realRoot, target);
  return way === '..' || way.startsWith(`..${sep}`);
}
