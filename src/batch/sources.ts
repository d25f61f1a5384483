/**
 * The sources of a run: files, folders, patterns, `-` for standard input, and ids that were pulled.
 *
 * Each source comes once, in the order of the arguments and then of names, and what is wrong with
 * the others stands beside them. A folder is a pattern of its own: all `*.json`, `*.jsonl` and
 * `*.ndjson` files below it. Links to folders are not followed, and none that leads outside.
 */
import { createHash } from 'node:crypto';
import {
  createWriteStream,
  type Dirent,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { areLines, failureOf, itemsOf, type Source } from './items.js';
import { reasonOf } from './values.js';

/** A source without a workflow of any kind: a path that leads nowhere, a folder without rights. */
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
  /** The output folder, which is never a source; absolute. */
  readonly out: string;
  /** Where standard input is kept, so that it can be read like any other file. */
  readonly spool: string;
  stdin(): AsyncIterable<Uint8Array>;
  /** Workflows that were fetched, and the folder with their files. */
  readonly pulled?: { readonly folder: string; readonly ids: readonly string[] };
}

/** What the search stands on, and what it has found. */
interface Search extends SourceOptions {
  readonly sources: Source[];
  readonly faults: SourceFault[];
  /** Real paths; what is met again is passed over. */
  readonly met: Set<string>;
}

/** Version control, installed packages, squadc's own, and the folders behind links of Kubernetes. */
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
 * The file in which a fetched workflow is kept until it is migrated. An id that is a safe name
 * everywhere is its name; any other gets a part of its hash, as capital letters are no other name on
 * some systems, and Windows keeps some names for devices.
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

/** The name of a file that is given by its path: from the working folder on, if it is below it. */
export function sourceName(path: string, base: string, cwd: string): string {
  const name = isBelow(path, cwd)
    ? relative(cwd, path)
    : join(basename(base), relative(base, path));
  // File systems differ in how they compose characters; names do not.
  return (name === '' ? '.' : name).split(sep).join('/').normalize('NFC');
}

/** A path that is there is that path, whatever characters it has. */
function addPath(argument: string, search: Search): void {
  const path = resolve(search.cwd, argument);
  const name = sourceName(path, path, search.cwd);
  const isFolder = statsOf(path)?.isDirectory() === true;
  if (isFolder && realPath(path) === search.out) {
    addFault(search, name, 'batch/empty', 'it is the output folder');
  } else if (isFolder) {
    if (addMatches('**/*.{json,jsonl,ndjson}', path, true, search)) return;
    addFault(search, name, 'batch/empty', 'it contains no *.json, *.jsonl or *.ndjson file');
  } else if (statsOf(path) === undefined && isDynamicPattern(argument)) addGlob(argument, search);
  else addFile(path, name, search);
}

function addGlob(argument: string, search: Search): void {
  const parts = (sep === '\\' ? argument.replaceAll('\\', '/') : argument).split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part));
  const rest = parts.slice(first).join('/');
  const base = resolve(search.cwd, `${parts.slice(0, first).join('/')}${first > 0 ? '/' : ''}`);
  // An exclamation mark at the start would turn the whole pattern round.
  const pattern = /^!(?!\()/.test(rest) ? `\\${rest}` : rest;
  if (addMatches(pattern, base, false, search)) return;
  const folder = sourceName(base, base, search.cwd);
  const name = folder === '.' ? rest : `${folder}/${rest}`;
  addFault(search, name, 'batch/missing', 'no file matches it');
}

/** The files below the folder that match, by their names; whether anything was met at all. */
function addMatches(pattern: string, base: string, isFolder: boolean, search: Search): boolean {
  if (statsOf(base) === undefined) return false;
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
    const real = realPath(path);
    if (isBelow(real, search.out)) continue;
    if (isBelow(real, realPath(base))) addFile(path, sourceName(path, base, search.cwd), search);
    else addOutside(path, base, search);
  }
  const faults = search.faults.splice(before).sort((a, b) => byParts(a.name, b.name));
  search.faults.push(...faults);
  return matches.length + faults.length > 0;
}

/** Says which folders cannot be read. A link to a file is a file, and one to a folder is nothing. */
function readFolder(base: string, search: Search) {
  return (folder: string, options: { withFileTypes: true }): unknown[] => {
    const isTaken = (entry: Dirent): boolean => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return realPath(path) !== search.out;
      if (!entry.isSymbolicLink()) return entry.isFile();
      if (!statsOf(path)?.isDirectory()) return true;
      const isOurs = !/^(?:node_modules|\.git|\.squadc|\.\..*)$/.test(entry.name);
      if (isOurs && !isBelow(realPath(path), realPath(base))) addOutside(path, base, search);
      return false;
    };
    try {
      const entries = readdirSync(folder, options).sort((a, b) => (a.name < b.name ? -1 : 1));
      return entries
        .filter(isTaken)
        .map((entry) => (entry.isSymbolicLink() ? asFile(entry) : entry));
    } catch (error) {
      addUnreadable(search, sourceName(folder, base, search.cwd), error);
      throw error;
    }
  };
}

function addOutside(path: string, base: string, search: Search): void {
  const message = 'it is a symbolic link that points outside the folder; name what it leads to';
  addFault(search, sourceName(path, base, search.cwd), 'batch/unreadable', message);
}

function asFile({ name }: Dirent): unknown {
  const no = () => false;
  return { name, isFile: () => true, isDirectory: no, isSymbolicLink: no };
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

/** Nobody else may read what is kept. */
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
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Undefined where there is nothing, or nothing that can be looked at. */
function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The path itself where it leads nowhere. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** As folders are gone through: by the names in one folder at a time. */
export function byParts(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const at = one.findIndex((part, index) => part !== other[index]);
  if (at === -1) return one.length - other.length;
  return other[at] === undefined || (one[at] as string) > other[at] ? 1 : -1;
}
