/**
 * The sources of a run.
 *
 * In: the arguments (files, folders, patterns, `-` for standard input) and ids that were fetched.
 * Out: each source once, in the order of the arguments and of names, with what is wrong beside them.
 * A folder is a pattern of its own: all `*.json`, `*.jsonl` and `*.ndjson` files below it. Links to
 * folders are not followed, and none that leads out of the folder that was given.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  type PathLike,
  readdirSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { escapePath, type GlobOptions, globSync, isDynamicPattern } from 'tinyglobby';
import { areLines, failureOf, itemsOf, type Source } from './items.js';
import { reasonOf } from './system-error.js';

/** A source that is no workflow of any kind: a path that leads nowhere, a folder without rights. */
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

const kinds = '**/*.{json,jsonl,ndjson}';

/** Version control, installed packages, squadc's own, and the folders behind links of Kubernetes. */
const leftOut = ['**/node_modules/**', '**/.git/**', '**/.squadc/**', '**/..*/**'];

export async function planSources(args: readonly string[], options: SourceOptions): Promise<Plan> {
  const search: Search = {
    ...options,
    out: realPath(options.out),
    sources: [],
    faults: [],
    met: new Set(),
  };
  for (const argument of new Set(args)) {
    if (argument === '-') await addStdin(search);
    else if (argument === '') addFault(search, '', 'batch/missing', 'the path is empty');
    else addPath(argument, search);
  }
  addPulled(search);
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

/** The file in which a fetched workflow is kept until it is migrated. */
export function pulledFile(folder: string, id: string): string {
  return join(folder, pulledName(id));
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
  try {
    const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
    const stats = isThere || !isDynamicPattern(argument) ? statSync(path) : null;
    if (stats === null) addGlob(argument, search);
    else if (stats.isDirectory()) addFolder(path, name, search);
    else if (stats.isFile()) addFile(path, realPath(path), name, stats, search);
    else {
      const message = 'it is not a regular file; `-` reads standard input';
      addFault(search, name, 'batch/unreadable', message);
    }
  } catch (error) {
    addUnreadable(search, name, error);
  }
}

function addFolder(path: string, name: string, search: Search): void {
  if (realPath(path) === search.out) {
    addFault(search, name, 'batch/empty', 'it is the output folder');
    return;
  }
  const found = addMatches(kinds, path, true, search);
  if (found === 0)
    addFault(search, name, 'batch/empty', 'it contains no *.json, *.jsonl or *.ndjson file');
}

function addGlob(argument: string, search: Search): void {
  const parts = (sep === '\\' ? argument.replaceAll('\\', '/') : argument).split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part));
  const rest = parts.slice(first).join('/');
  const base = resolve(
    search.cwd,
    first === 1 && parts[0] === '' ? '/' : parts.slice(0, first).join('/'),
  );
  // An exclamation mark at the start would turn the whole pattern round.
  const found = addMatches(/^!(?!\()/.test(rest) ? `\\${rest}` : rest, base, false, search);
  const folder = sourceName(base, base, search.cwd);
  if (found > 0) return;
  addFault(
    search,
    folder === '.' ? rest : `${folder}/${rest}`,
    'batch/missing',
    'no file matches it',
  );
}

/** The files below the folder that match, by their names; the result is how much was met at all. */
function addMatches(pattern: string, base: string, isFolder: boolean, search: Search): number {
  if (!existsSync(base)) return 0;
  const { cwd, out, sources, faults } = search;
  const [sourcesBefore, faultsBefore] = [sources.length, faults.length];
  const realBase = realPath(base);
  const below = relative(realBase, out);
  const isOutBelow = below !== '' && isBelow(out, realBase);
  const matches = globSync(pattern, {
    cwd: base,
    dot: isFolder,
    caseSensitiveMatch: !isFolder,
    expandDirectories: false,
    followSymbolicLinks: false,
    ignore: [...leftOut, ...(isOutBelow ? [`${escapePath(below.split(sep).join('/'))}/**`] : [])],
    fs: watchedFolders(base, realBase, isFolder, search),
  });
  const links: string[] = [];
  for (const match of matches.sort(byParts)) {
    const path = join(base, match);
    const name = sourceName(path, base, cwd);
    try {
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) links.push(match);
      else addFile(path, join(realBase, match), name, stats, search);
    } catch (error) {
      addUnreadable(search, name, error);
    }
  }
  // A link is the name of what is met in no other way.
  for (const match of links) addLink(join(base, match), base, realBase, search);
  sources.push(...sources.splice(sourcesBefore).sort((a, b) => byParts(a.path, b.path)));
  faults.push(...faults.splice(faultsBefore).sort((a, b) => byParts(a.name, b.name)));
  return matches.length + faults.length - faultsBefore;
}

function addLink(path: string, base: string, realBase: string, search: Search): void {
  const name = sourceName(path, base, search.cwd);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    addFault(search, name, 'batch/missing', 'it is a broken symbolic link');
    return;
  }
  const real = realPath(path);
  if (!isBelow(real, realBase)) {
    const message = 'it is a symbolic link that points outside the folder; name what it leads to';
    addFault(search, name, 'batch/unreadable', message);
  } else if (!isBelow(real, search.out)) addFile(path, real, name, stats, search);
}

function addFile(path: string, real: string, name: string, stats: Stats, search: Search): void {
  if (!stats.isFile() || search.met.has(real)) return;
  search.met.add(real);
  const form = /\.(?:jsonl|ndjson)$/i.test(name) ? 'lines' : 'document';
  search.sources.push({ path, name, form, bytes: stats.size });
}

/** Nobody else may read what is kept. */
async function addStdin(search: Search): Promise<void> {
  const { spool, sources } = search;
  try {
    mkdirSync(dirname(spool), { recursive: true });
    rmSync(spool, { force: true });
    const file = openSync(spool, 'wx', 0o600);
    let bytes = 0;
    try {
      for await (const chunk of search.stdin()) {
        for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
        bytes += chunk.length;
      }
    } finally {
      closeSync(file);
    }
    const form = areLines(spool) ? 'lines' : 'document';
    if (bytes > 0) sources.push({ path: spool, name: 'stdin', form, bytes });
    else addFault(search, 'stdin', 'batch/empty', 'nothing came');
  } catch (error) {
    addFault(search, 'stdin', 'batch/unreadable', `it cannot be stored: ${reasonOf(error)}`);
  }
}

function addPulled({ pulled, ...search }: Search): void {
  for (const id of new Set(pulled?.ids)) {
    const path = pulledFile(pulled?.folder ?? '', id);
    const name = `pull/${pulledName(id)}`;
    try {
      search.sources.push({ path, name, form: 'document', bytes: statSync(path).size });
    } catch (error) {
      addUnreadable(search, name, error);
    }
  }
}

/**
 * The id itself where it is a name that is safe everywhere; any other keeps what is safe of it and
 * gets a part of its hash. Capital letters are no other name on some systems, and Windows keeps some
 * names for devices.
 */
function pulledName(id: string): string {
  const isSafe = /^[a-z0-9_](?:[a-z0-9._-]{0,48}[a-z0-9_-])?$/.test(id);
  if (isSafe && !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(id)) return `${id}.json`;
  const safe = id.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, 50);
  const text = id.isWellFormed() ? id : JSON.stringify(id);
  return `_${safe}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.json`;
}

function addFault(
  search: Pick<Search, 'faults'>,
  name: string,
  code: SourceFault['code'],
  message: string,
): void {
  search.faults.push({ name, code, message });
}

function addUnreadable(search: Pick<Search, 'faults'>, name: string, error: unknown): void {
  const { code, message } = failureOf(error);
  addFault(search, name, code === 'batch/vanished' ? 'batch/missing' : 'batch/unreadable', message);
}

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
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

/** Says which folders cannot be read; a link to a folder is passed over, any other is a file. */
function watchedFolders(
  base: string,
  realBase: string,
  isFolder: boolean,
  search: Search,
): NonNullable<GlobOptions['fs']> {
  const isSource = (folder: string, entry: Dirent): boolean => {
    const path = join(folder, entry.name);
    if (!entry.isSymbolicLink()) return true;
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return true;
    const isNamed = isFolder && !/^(?:node_modules|\.git|\.squadc|\.\..*)$/.test(entry.name);
    if (isNamed && !isBelow(realPath(path), realBase)) addLink(path, base, realBase, search);
    return false;
  };
  const asFile = (entry: Dirent) =>
    entry.isSymbolicLink()
      ? { name: entry.name, isFile: () => true, isDirectory: no, isSymbolicLink: no }
      : entry;
  const readFolder = (path: PathLike, options: { withFileTypes: true }) => {
    try {
      const entries = readdirSync(path, options);
      return entries.filter((entry) => isSource(String(path), entry)).map(asFile);
    } catch (error) {
      addUnreadable(search, sourceName(String(path), base, search.cwd), error);
      throw error;
    }
  };
  return { readdirSync: readFolder as typeof readdirSync };
}

const no = () => false;
