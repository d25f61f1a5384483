/**
 * The sources of a run: files, folders, patterns, and `-` for standard input.
 *
 * Each source comes once, in the order of the arguments and then by name; faults are listed beside
 * them. A folder stands for all `*.json`, `*.jsonl` and `*.ndjson` files below it. Links to folders
 * and links that lead outside are not followed.
 */
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
import { reasonOf } from '../io/files.js';
import { areLines, failureOf, itemsOf, type Source } from './items.js';

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
}

export async function planSources(args: readonly string[], options: SourceOptions): Promise<Plan> {
  const search = new Search(options);
  for (const argument of new Set(args)) {
    if (argument === '-') await search.addStdin();
    else if (argument === '') search.addFault('', 'batch/missing', 'the path is empty');
    else search.addPath(argument);
  }
  return search;
}

/** How many workflows the sources hold. */
export function countItems(sources: readonly Source[]): number {
  return sources.reduce((sum, source) => sum + [...itemsOf(source)].length, 0);
}

/** The name of a file given by path: relative to the working folder if it is below it. */
export function sourceName(path: string, base: string, cwd: string): string {
  const name = isBelow(path, cwd)
    ? relative(cwd, path)
    : join(basename(base), relative(base, path));
  // File systems compose characters differently; names must not.
  return (name === '' ? '.' : name).split(sep).join('/').normalize('NFC');
}

/** Version control, packages, squadc's own files, and the folders behind Kubernetes links. */
const leftOut = ['**/node_modules/**', '**/.git/**', '**/.squadc/**', '**/..*/**'];

const inOutput = 'it is in the output folder; choose another one with --output';

/** The search and its results. */
class Search implements Plan {
  readonly sources: Source[] = [];
  readonly faults: SourceFault[] = [];
  /** Real paths; a file that is found again is skipped. */
  private readonly met = new Set<string>();
  private readonly out: string;

  constructor(private readonly options: SourceOptions) {
    this.out = realPath(options.out);
  }

  /** An existing path is not a pattern, whatever characters it has. */
  addPath(argument: string): void {
    const { cwd } = this.options;
    const path = resolve(cwd, argument);
    const name = sourceName(path, path, cwd);
    if (!existsSync(path) && isDynamicPattern(argument)) this.addGlob(argument);
    else if (!isFolder(path)) this.addFile(path, name);
    else if (isBelow(realPath(path), this.out)) this.addFault(name, 'batch/empty', inOutput);
    else if (!this.addMatches('**/*.{json,jsonl,ndjson}', path, true)) {
      this.addFault(name, 'batch/empty', 'it contains no *.json, *.jsonl or *.ndjson file');
    }
  }

  addFile(path: string, name: string): void {
    try {
      const stats = statSync(path);
      const real = realPath(path);
      if (this.met.has(real)) return;
      this.met.add(real);
      if (stats.isFile()) {
        const form = /\.(?:jsonl|ndjson)$/i.test(name) ? 'lines' : 'document';
        this.sources.push({ path, name, form, bytes: stats.size });
      } else {
        const message = 'it is not a regular file; `-` reads standard input';
        this.addFault(name, 'batch/unreadable', message);
      }
    } catch (error) {
      this.addUnreadable(name, error);
    }
  }

  /** Only the user may read the saved file. */
  async addStdin(): Promise<void> {
    const { spool, stdin } = this.options;
    try {
      mkdirSync(dirname(spool), { recursive: true });
      rmSync(spool, { force: true });
      await pipeline(stdin(), createWriteStream(spool, { flags: 'wx', mode: 0o600 }));
      const bytes = statSync(spool).size;
      const form = areLines(spool) ? 'lines' : 'document';
      if (bytes > 0) this.sources.push({ path: spool, name: 'stdin', form, bytes });
      else this.addFault('stdin', 'batch/empty', 'standard input is empty');
    } catch (error) {
      this.addFault('stdin', 'batch/unreadable', `it cannot be stored: ${reasonOf(error)}`);
    }
  }

  addFault(name: string, code: SourceFault['code'], message: string): void {
    this.faults.push({ name, code, message });
  }

  private addUnreadable(name: string, error: unknown): void {
    const { code, message } = failureOf(error);
    this.addFault(name, code === 'batch/vanished' ? 'batch/missing' : 'batch/unreadable', message);
  }

  private addGlob(argument: string): void {
    const { cwd } = this.options;
    const parts = argument.replaceAll(sep, '/').split('/');
    const first = parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part));
    const rest = parts.slice(first).join('/');
    const base = resolve(cwd, `${parts.slice(0, first).join('/')}${first > 0 ? '/' : ''}`);
    // A leading exclamation mark would negate the whole pattern.
    const pattern = /^!(?!\()/.test(rest) ? `\\${rest}` : rest;
    if (existsSync(base) && this.addMatches(pattern, base, false)) return;
    const message = isBelow(realPath(base), this.out) ? inOutput : 'no file matches it';
    this.addFault(sourceName(join(base, rest), base, cwd), 'batch/missing', message);
  }

  /** Adds the matching files below the folder by name; returns whether anything was found. */
  private addMatches(pattern: string, base: string, isWhole: boolean): boolean {
    const before = this.faults.length;
    const matches = globSync(pattern, {
      cwd: base,
      dot: isWhole,
      caseSensitiveMatch: !isWhole,
      expandDirectories: false,
      followSymbolicLinks: false,
      ignore: leftOut,
      fs: { readdirSync: this.readFolder(base) as typeof readdirSync },
    });
    const paths = matches.sort(byParts).map((match) => join(base, match));
    const outside = paths.filter((path) => !isBelow(realPath(path), this.out));
    for (const path of outside) {
      const name = sourceName(path, base, this.options.cwd);
      if (isBelow(realPath(path), realPath(base))) this.addFile(path, name);
      else this.addFault(name, 'batch/unreadable', 'it is a link that leads out of the folder');
    }
    return outside.length + this.faults.length > before;
  }

  /** Leaves out the output folder, and reports unreadable folders. A link to a file is a file. */
  private readFolder(base: string) {
    return (folder: string, options: { withFileTypes: true }): unknown[] => {
      try {
        if (realPath(folder) === this.out) return [];
        return readdirSync(folder, options).map((entry): unknown => {
          const isLink = entry.isSymbolicLink() && !isFolder(join(folder, entry.name));
          return isLink ? { name: entry.name, isFile: () => true } : entry;
        });
      } catch (error) {
        this.addUnreadable(sourceName(folder, base, this.options.cwd), error);
        throw error;
      }
    };
  }
}

export function isBelow(path: string, folder: string): boolean {
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
