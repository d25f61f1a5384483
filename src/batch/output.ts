/**
 * `.squadc` in an output folder; it belongs to the run that has the lock.
 *
 *     lock.<part>.<n>   the process that works on this part: `all`, or a shard `2-of-8`
 *     tmp/<part>/       files that are not in place yet
 *     summaries.json    digests of the summaries that squadc has written
 *
 * Shards of the same count may run at once; any other two runs exclude each other.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../io/digest.js';
import { replaceFile } from '../io/files.js';
import { findHolder, type Holder, takeLock, thisMachine } from '../io/lock.js';
import { discard, foreignFile, type Output, recover, writeFault } from './folder.js';
import type { Shard } from './key.js';

export const stateName = '.squadc';

/** The folder cannot be used. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface OpenOutput extends Output {
  /** Releases the folder. */
  close(): void;
}

/** Creates what is missing, and finishes or deletes what a killed run left behind. */
export function openOutput(out: string, force: boolean, shard: Shard | null): OpenOutput {
  const state = join(out, stateName);
  const part = shard === null ? 'all' : `${shard.index}-of-${shard.count}`;
  const tmp = join(state, 'tmp', part);
  mkdirSync(tmp, { recursive: true });
  if (!lstatSync(state).isDirectory()) throw new FolderInUse(`has a ${stateName} that is a link`);
  const unlock = takeLock(join(state, `lock.${part}`));
  if (typeof unlock !== 'function') throw inUse(unlock);
  const close = () => {
    try {
      // A move that could not be finished stays, and so does the folder.
      for (const name of readdirSync(tmp)) if (name.includes('.')) discard(join(tmp, name));
      rmdirSync(tmp);
    } catch {
      // The next run deletes it.
    }
    unlock();
  };
  const output = { out, tmp, force, close };
  try {
    for (const name of readdirSync(state)) {
      const other = /^lock\.(\w[\w-]*)\.\d+$/.exec(name)?.[1] ?? part;
      if (other === part || (shard !== null && other.endsWith(`-of-${shard.count}`))) continue;
      const holder = findHolder(join(state, `lock.${other}`));
      if (holder !== null) throw inUse(holder);
    }
    recover(output);
    return output;
  } catch (error) {
    close();
    throw error;
  }
}

/** Writes only what comes from standard input, and that elsewhere. */
export function dryOutput(out: string): OpenOutput {
  const tmp = mkdtempSync(join(tmpdir(), 'squadc-'));
  return { out, tmp, force: false, close: () => discard(tmp) };
}

function inUse({ pid, machine }: Holder): FolderInUse {
  const isHere = machine === thisMachine();
  const who = isHere ? `process ${pid} is` : 'another machine is, or recently was,';
  return new FolderInUse(`is in use: ${who} working on it`);
}

/**
 * The summaries: files in the output folder itself. Before one is put in place, its digest is
 * recorded next to the previous one, so that both are known after a kill.
 */
export class Summaries {
  private readonly notes: string;
  private readonly known: Map<string, unknown>;

  constructor(private readonly output: Output) {
    this.notes = join(output.out, stateName, 'summaries.json');
    this.known = new Map(Object.entries(readNotes(this.notes)));
  }

  /** Throws a `WriteFault` if it cannot be written, or if a foreign file is in the way. */
  write(name: string, text: string): 'written' | 'unchanged' {
    const path = join(this.output.out, name);
    try {
      if (this.isForeign(name)) throw foreignFile(name);
      const [digest, before] = [
        digestOf(text),
        existsSync(path) ? digestOf(readFileSync(path)) : null,
      ];
      if (before === digest) return 'unchanged';
      this.known.set(name, before === null ? [digest] : [digest, before]);
      this.replace(this.notes, JSON.stringify(Object.fromEntries(this.known)));
      this.replace(path, text);
      return 'written';
    } catch (error) {
      throw writeFault(name, error);
    }
  }

  /** Removes the summaries that squadc wrote, and returns their names. */
  remove(names: readonly string[]): string[] {
    const { out } = this.output;
    const own = names.filter((name) => existsSync(join(out, name)) && !this.isForeign(name));
    for (const name of own) rmSync(join(out, name));
    return own;
  }

  private replace(path: string, text: string): void {
    replaceFile(path, text, { temporary: join(this.output.tmp, 'summary.new') });
  }

  /** Whether a foreign file is in the way. */
  private isForeign(name: string): boolean {
    const path = join(this.output.out, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || this.output.force) return false;
    const known = this.known.get(name);
    return (
      !stats.isFile() || !Array.isArray(known) || !known.includes(digestOf(readFileSync(path)))
    );
  }
}

function readNotes(path: string): object {
  try {
    const notes: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Object(notes);
  } catch {
    return {};
  }
}
