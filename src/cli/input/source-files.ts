/**
 * The files that a search goes through.
 *
 * In: paths as they were given. Out: each regular file below them once, in the order of their
 * names. Version control and installed packages are left out. A symbolic link inside of a folder is
 * not followed: what it leads to inside is met by itself, and what is outside was not asked for.
 *
 * It waits for nothing else: asking for a file's size takes less time than taking turns would.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isBelow } from '../../batch/sources.js';

const leftOut: ReadonlySet<string> = new Set(['node_modules', '.git']);

export interface FoundFile {
  readonly kind: 'file';
  readonly path: string;
  readonly size: number;
}

export type Found =
  | FoundFile
  /** What was met before. */
  | { readonly kind: 'again'; readonly path: string }
  /** It leads to a file in the folder that was given, which may be left out there. */
  | { readonly kind: 'link-in'; readonly path: string; readonly real: string }
  /** It leads out of the folder that was given. */
  | { readonly kind: 'link-out'; readonly path: string }
  | { readonly kind: 'link-nowhere'; readonly path: string }
  /** A pipe or a device that was given. */
  | { readonly kind: 'special'; readonly path: string }
  | { readonly kind: 'fault'; readonly path: string; readonly error: unknown };

/** What a search looks at beside the paths. */
export interface Search {
  /** Real paths that were met; what is met again is passed over. */
  readonly met: Set<string>;
  /** Whether to look at a file or a link in a folder, by its name. */
  takes(name: string): boolean;
  /** Whether to go into a folder, by its real path. */
  enters(realFolder: string): boolean;
}

/** A search that looks at everything. */
export function searchOfAll(): Search {
  return { met: new Set(), takes: () => true, enters: () => true };
}

interface Place {
  readonly path: string;
  readonly real: string;
  readonly kind: 'file' | 'folder' | 'special';
}

/** Walks through what is below the path; what cannot be read is a fault among the files. */
export function* sourceFiles(root: string, search: Search): Generator<Found> {
  let start: Place;
  try {
    const stats = statSync(root);
    const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'special';
    start = { path: root, real: realpathSync.native(root), kind };
  } catch (error) {
    yield { kind: 'fault', path: root, error };
    return;
  }
  const open = [start];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (search.met.has(place.real)) {
      yield { kind: 'again', path: place.path };
      continue;
    }
    search.met.add(place.real);
    try {
      if (place.kind === 'special') yield { kind: 'special', path: place.path };
      else if (place.kind === 'file') yield fileAt(place.path);
      else if (search.enters(place.real)) yield* openFolder(place, start.real, open, search);
    } catch (error) {
      yield { kind: 'fault', path: place.path, error };
    }
  }
}

/** A file as it is found. */
function fileAt(path: string): FoundFile {
  return { kind: 'file', path, size: statSync(path).size };
}

/** Puts the entries of a folder before what is open; the result is what is not gone into. */
function openFolder(folder: Place, realRoot: string, open: Place[], search: Search): Found[] {
  const entries = readdirSync(folder.path, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? 1 : -1));
  const links: Found[] = [];
  for (const entry of entries) {
    const path = join(folder.path, entry.name);
    if (entry.isSymbolicLink()) {
      const link = leftOut.has(entry.name) ? null : linkAt(path, realRoot);
      if (link !== null) links.push(link);
    } else if (isWanted(entry, search)) {
      const kind = entry.isFile() ? 'file' : 'folder';
      open.push({ path, real: join(folder.real, entry.name), kind });
    }
  }
  return links.reverse();
}

function isWanted(entry: Dirent, search: Search): boolean {
  if (leftOut.has(entry.name)) return false;
  return entry.isDirectory() || (entry.isFile() && search.takes(entry.name));
}

/** Null where the link leads to a folder that is met by itself. */
function linkAt(path: string, realRoot: string): Found | null {
  try {
    const real = realpathSync.native(path);
    if (!isBelow(real, realRoot)) return { kind: 'link-out', path };
    return statSync(real).isFile() ? { kind: 'link-in', path, real } : null;
  } catch {
    return { kind: 'link-nowhere', path };
  }
}
