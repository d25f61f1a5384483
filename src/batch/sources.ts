/**
 * The sources of a run: files, folders, patterns, `-` for standard input, and pulled ids.
 *
 * Each source comes once, in the order of the arguments and then by name; faults are listed beside
 * them. A folder stands for all `*.json`, `*.jsonl` and `*.ndjson` files below it. Links to folders
 * and links that lead outside are not followed.
 */
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { areLines, failureOf, itemsOf, type Source } from './items.js';
import { reasonOf } from './values.js';

/** A source without workflows: a missing path, or a folder that cannot be read. */
export interface SourceFault {
  readonly name: string;
  readonly code: 'batch/missing' | 'batch/unreadable' | 'batch/empty';
  readonly message: string;
}

export interface Plan {
  readonly sources: readonly Source[];
  readonly faults: readonly SourceFault[];
}

export interface SourceOptions {
  readonly cwd: string;
  /** The output folder, as an absolute path; it is never a source. */
  readonly out: string;
  /** The file to which standard input is saved. */
  readonly spool: string;
  stdin(): AsyncIterable<Uint8Array>;
  /** Fetched workflows, and the folder with their files. */
  readonly pulled?: { readonly folder: string; readonly ids: readonly string[] };
}

/** The search and its results. */
interface Search extends SourceOptions {
  readonly sources: Source[];
  readonly faults: SourceFault[];
  /** Real paths; a file that is found again is skipped. */
  readonly met: Set<string>;
}

/** Version control, packages, squadc's own files, and the folders behind Kubernetes links. */
const leftOut = ['**/node_modules/**', '**/.git/**', '**/.squadc/**', '**/..*/**'];

export async function planSources(args: readonly string[], options: SourceOptions): Promise<Plan> {
  const out = realPath(options.out);
  const search: Search = { ...options, out, sources: [], faults: [], met: new Set() };
  for (const argument of new Set(args)) {
    if (argument === '-') await addStdin(search);
    else if (argument === '') addFault(search, '', 'batch/missing', 'the path is empty');
    else addPath(argument, search);
  }
  const { pulled } = options;
  for (const id of new Set(pulled?.ids)) {
    const path = pulledFile(pulled?.folder ?? '', id);
    addFile(path, `pull/${basename(path)}`, search);
  }
  return { sources: search.sources, faults: search.faults };
}

/** Whether the sources hold more workflows than that. */
export function holdMore(sources: readonly Source[], most: number): boolean {
  let count = 0;
  for (const source of sources) {
    for (const _ of itemsOf(source)) if (++count > most) return true;
  }
  return false;
}

/**
 * The file for a fetched workflow until it is migrated. An id that is a safe name on every system is
 * its name; any other gets a part of its hash, because some systems ignore case and Windows reserves
 * names for devices.
 */
export function pulledFile(folder: string, id: string): string {
  const isSafe = /^[a-z0-9_](?:[a-z0-9._-]{0,48}[a-z0-9_-])?$/.test(id);
  if (isSafe && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(id)) {
    return join(folder, `${id}.json`);
  }
  const safe = id.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 50);
  const text = id.isWellFormed() ? id : JSON.stringify(id);
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return join(folder, `_${safe}-${digest}.json`);
}

/** The name of a file given by path: relative to the working folder if it is below it. */
export function sourceName(path: string, base: string, cwd: string): string {
  const name = isBelow(path, cwd)
    ? relative(cwd, path)
    : join(basename(base), relative(base, path));
  // File systems compose characters differently; names must not.
  return (name === '' ? '.' : name).split(sep).join('/').normalize('NFC');
}

/** An existing path is not a pattern, whatever characters it has. */
function addPath(argument: string, search: Search): void {
  const path = resolve(search.cwd, argument);
  const name = sourceName(path, path, search.cwd);
  if (!existsSync(path) && isDynamicPattern(argument)) addGlob(argument, search);
  else if (!isFolder(path)) addFile(path, name, search);
  else if (realPath(path) === search.out) {
    addFault(search, name, 'batch/empty', 'it is the output folder');
  } else if (!addMatches('**/*.{json,jsonl,ndjson}', path, true, search)) {
    addFault(search, name, 'batch/empty', 'it contains no *.json, *.jsonl or *.ndjson file');
  }
}

function addGlob(argument: string, search: Search): void {
  const parts = argument.replaceAll(sep, '/').split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part));
  const rest = parts.slice(first).join('/');
  const base = resolve(search.cwd, `${parts.slice(0, first).join('/')}${first > 0 ? '/' : ''}`);
  // A leading exclamation mark would negate the whole pattern.
  const pattern = /^!(?!\()/.test(rest) ? `\\${rest}` : rest;
  if (addMatches(pattern, base, false, search)) return;
  const folder = sourceName(base, base, search.cwd);
  const name = folder === '.' ? rest : `${folder}/${rest}`;
  addFault(search, name, 'batch/missing', 'no file matches it');
}

/** Adds the matching files below the folder by name; returns whether anything was found. */
function addMatches(pattern: string, base: string, isFolder: boolean, search: Search): boolean {
  if (!existsSync(base)) return false;
  const before = search.faults.length;
  const matches = globSync(pattern, {
    cwd: base,
    dot: isFolder,
    caseSensitiveMatch: !isFolder,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: leftOut,
    fs: { readdirSync: readFolder(base, search) as typeof readdirSync },
  });
  for (const match of matches.sort(byParts)) {
    const path = join(base, match);
    const name = sourceName(path, base, search.cwd);
    const real = realPath(path);
    if (isBelow(real, search.out)) continue;
    if (isBelow(real, realPath(base))) addFile(path, name, search);
    else addFault(search, name, 'batch/unreadable', 'it is a link that leads out of the folder');
  }
  return matches.length + search.faults.length > before;
}

/** Leaves out the output folder, and reports unreadable folders. A link to a file is a file. */
function readFolder(base: string, search: Search) {
  return (folder: string, options: { withFileTypes: true }): unknown[] => {
    try {
      if (realPath(folder) === search.out) return [];
      return readdirSync(folder, options).map((entry): unknown => {
        const isLink = entry.isSymbolicLink() && !isFolder(join(folder, entry.name));
        return isLink ? { name: entry.name, isFile: () => true } : entry;
      });
    } catch (error) {
      addUnreadable(search, sourceName(folder, base, search.cwd), error);
      throw error;
    }
  };
}

function addFile(path: string, name: string, search: Search): void {
  try {
    const stats = statSync(path);
    const real = realPath(path);
    if (search.met.has(real)) return;
    search.met.add(real);
    if (stats.isFile()) {
      const form = /\.(?:jsonl|ndjson)$/i.test(name) ? 'lines' : 'document';
      search.sources.push({ path, name, form, bytes: stats.size });
    } else {
      const message = 'it is not a regular file; `-` reads standard input';
      addFault(search, name, 'batch/unreadable', message);
    }
  } catch (error) {
    addUnreadable(search, name, error);
  }
}

/** Only the user may read the saved file. */
async function addStdin(search: Search): Promise<void> {
  const { spool, sources } = search;
  try {
    mkdirSync(dirname(spool), { recursive: true });
    rmSync(spool, { force: true });
    await pipeline(search.stdin(), createWriteStream(spool, { flags: 'wx', mode: 0o600 }));
    const bytes = statSync(spool).size;
    const form = areLines(spool) ? 'lines' : 'document';
    if (bytes > 0) sources.push({ path: spool, name: 'stdin', form, bytes });
    else addFault(search, 'stdin', 'batch/empty', 'nothing came');
  } catch (error) {
    addFault(search, 'stdin', 'batch/unreadable', `it cannot be stored: ${reasonOf(error)}`);
  }
}

function addFault(
  { faults }: Search,
  name: string,
  code: SourceFault['code'],
  message: string,
): void {
  faults.push({ name, code, message });
}

function addUnreadable(search: Search, name: string, error: unknown): void {
  const { code, message } = failureOf(error);
  addFault(search, name, code === 'batch/vanished' ? 'batch/missing' : 'batch/unreadable', message);
}

function isBelow(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** The path itself if it does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** The order of a walk through folders: by the names within each folder. */
export function byParts(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const at = one.findIndex((part, index) => part !== other[index]);
  if (at === -1) return one.length - other.length;
  return other[at] === undefined || (one[at] as string) > other[at] ? 1 : -1;
}
