/**
 * The sources of a pattern that was given: the files that it matches.
 *
 * What a search through folders leaves out, a pattern leaves out too, unless the pattern names it.
 * A symbolic link to a file is followed where it leads to a place below the pattern's fixed part,
 * one to a folder is not.
 */
import { existsSync, type PathLike, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { escapePath, type GlobOptions, globSync, isDynamicPattern } from 'tinyglobby';
import { faultMet, type Ground, type Met, realPath, sourceMet } from './ground.js';
import { linkOut, unreadable } from './path-sources.js';
import { fileAt } from './source-files.js';
import { inOrderOfNames, isBelow, sourceName } from './source-name.js';

export function isPattern(argument: string): boolean {
  return isDynamicPattern(argument);
}

/** What is wrong, then the sources in the order of their names. */
export function sourcesOfGlob(argument: string, ground: Ground): Met[] {
  const { fixed, rest } = partsOf(argument);
  const base = resolve(ground.cwd, fixed);
  const faults: Met[] = [];
  const matches = filesMatching(rest, base, ground, (path, error) =>
    faults.push(unreadable(sourceName(path, base, ground.cwd), error)),
  );
  const files = inOrderOfNames(matches.map((match) => ({ path: join(base, match) })));
  const realBase = realPath(base);
  const met = files.flatMap(({ path }) => matched(path, { base, realBase }, ground));
  if (matches.length + faults.length > 0) return [...faults, ...met];
  return [faultMet(patternName(base, rest, ground), 'batch/missing', 'no file matches it')];
}

type OnFault = (path: string, error: unknown) => void;

function filesMatching(rest: string, base: string, ground: Ground, onFault: OnFault): string[] {
  if (!existsSync(base)) return [];
  return globSync(rest, {
    cwd: base,
    expandDirectories: false,
    ignore: ['**/node_modules/**', '**/.git/**', '**/.squadc/**', ...outputBelow(base, ground)],
    fs: watchedFileSystem(onFault),
  });
}

/** The folders before the first that has a character of patterns, and what follows them. */
function partsOf(argument: string): { fixed: string; rest: string } {
  const parts = (sep === '\\' ? argument.replaceAll('\\', '/') : argument).split('/');
  const first = parts.findIndex((part) => /[*?[\]{}()!+@|\\]/.test(part));
  const at = first === -1 ? parts.length - 1 : first;
  const rest = parts.slice(at).join('/');
  const fixed = at === 1 && parts[0] === '' ? '/' : parts.slice(0, at).join('/');
  // At the start it would turn the whole pattern round.
  return { fixed, rest: /^!(?!\()/.test(rest) ? `\\${rest}` : rest };
}

function patternName(base: string, rest: string, ground: Ground): string {
  const folder = sourceName(base, base, ground.cwd);
  return folder === '.' ? rest : `${folder}/${rest}`;
}

/** As a pattern, so that an output folder of many files is not walked through. */
function outputBelow(base: string, { out }: Ground): string[] {
  const way = relative(realPath(base), out);
  if (way === '' || !isBelow(out, realPath(base))) return [];
  return [`${escapePath(way.split(sep).join('/'))}/**`];
}

interface Base {
  readonly base: string;
  readonly realBase: string;
}

function matched(path: string, { base, realBase }: Base, ground: Ground): Met[] {
  const { met } = ground.search;
  try {
    const real = realpathSync.native(path);
    if (!isBelow(real, realBase)) return [linkOut(sourceName(path, base, ground.cwd))];
    const isOutput = isBelow(real, ground.out) && !isBelow(realBase, ground.out);
    if (isOutput || met.has(real)) return [];
    met.add(real);
    return [sourceMet(fileAt(path), base, ground)];
  } catch (error) {
    return [unreadable(sourceName(path, base, ground.cwd), error)];
  }
}

/** Says which folders cannot be read, and goes into none by way of a link. */
function watchedFileSystem(onFault: OnFault): NonNullable<GlobOptions['fs']> {
  const readFolder = (path: PathLike, options: { withFileTypes: true }) => {
    try {
      return readdirSync(path, options);
    } catch (error) {
      onFault(String(path), error);
      throw error;
    }
  };
  const realFile = (path: PathLike) => {
    const real = realpathSync.native(path);
    if (statSync(real).isDirectory()) throw new Error('a link to a folder is passed over');
    return real;
  };
  return {
    readdirSync: readFolder as typeof readdirSync,
    realpathSync: realFile as typeof realpathSync,
  };
}
