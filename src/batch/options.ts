/**
 * The options that an output folder remembers; a run without them uses them.
 *
 * Files are remembered by their paths relative to the folder, never by their contents, which may be
 * secret.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Json } from '../index.js';
import { replaceFile } from '../io/files.js';
import { isObject } from '../text/json.js';
import { stateName } from './output.js';

/** Options by their names on the command line. */
export type Said = Readonly<Record<string, unknown>>;

/** The flags of a run that matter here. */
interface Flags {
  readonly output: string;
  readonly answers?: readonly string[];
  /** Ignores the last run. */
  readonly defaults?: true;
}

export interface Recalled<F extends Flags> {
  /** Includes remembered options that were not given now, and the answers in the folder. */
  readonly flags: F;
  /** What is used, and what has changed, as sentences. */
  readonly lines: readonly string[];
  /** Saves the options in the folder, by way of a folder that the next run empties. */
  begun(tmp: string): void;
}

/** Options whose values are paths or lists of paths. */
const paths: ReadonlySet<string> = new Set(['answers', 'overrides', 'bindings', 'toolNames']);

/** `said`: the given flags that will be remembered. */
export function recall<F extends Flags>(given: F, said: Said, cwd: string): Recalled<F> {
  const out = resolve(cwd, given.output);
  const last = given.defaults === true ? {} : read(join(out, stateName, 'options.json'));
  const before = mapPaths(last, (path) => relative(cwd, join(out, path)));
  const used = Object.entries(before).filter(([name]) => !Object.hasOwn(said, name));
  const lines = used.length === 0 ? [] : [`as in the last run: ${used.map(spell).join(', ')}`];
  for (const [name, value] of Object.entries(said)) {
    const then = Object.hasOwn(before, name) ? textOf(before[name]) : 'not set';
    const isOther = Object.keys(before).length > 0 && textOf(value) !== then;
    if (isOther) lines.push(`changed: ${spell([name, value])} (before: ${then})`);
  }
  const flags: F = { ...given, ...Object.fromEntries(used) };
  const own = join(out, 'answers.json');
  const isRead = given.answers === undefined && existsSync(own);
  const answers = new Set([...(flags.answers ?? []), ...(isRead ? [relative(cwd, own)] : [])]);
  const all = { ...Object.fromEntries(used), ...said };
  return {
    flags: { ...flags, answers: [...answers] },
    lines,
    begun: (tmp) => remember(out, all, cwd, tmp),
  };
}

/** Standard input is not remembered: it will be different next time. */
function remember(out: string, said: Said, cwd: string, tmp: string): void {
  const kept = mapPaths(said, (path) =>
    path === '-' ? undefined : relative(out, resolve(cwd, path)),
  );
  const path = join(out, stateName, 'options.json');
  const temporary = join(tmp, 'options.new');
  replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600, temporary });
}

function read(path: string): Said {
  try {
    const said: Json = JSON.parse(readFileSync(path, 'utf8'));
    return isObject(said) ? said : {};
  } catch {
    return {};
  }
}

function mapPaths(said: Said, map: (path: string) => string | undefined): Said {
  const entries = Object.entries(said).map(([name, value]) => {
    if (!paths.has(name)) return [name, value];
    if (typeof value === 'string') return [name, map(value)];
    const mapped = Array.isArray(value) ? value.map((each) => map(String(each))) : [];
    const there = mapped.filter((each) => each !== undefined);
    return [name, there.length === 0 ? undefined : there];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** An option as written on the command line. */
function spell([name, value]: readonly [string, unknown]): string {
  const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${flag} ${textOf(value)}`.trim();
}

/** Pairs such as those of `--policy` as `kind=choice`. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map((each) => (Array.isArray(each) ? each.join('=') : String(each))).join(' ');
  }
  if (typeof value === 'object') return JSON.stringify(value);
  return value === true ? '' : String(value);
}
