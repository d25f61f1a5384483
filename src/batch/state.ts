/**
 * `.squadc` in an output folder, which belongs to the run that holds its lock.
 *
 *     lock.<part>.<n>   the process that works on this part: `all`, or a shard `2-of-8`
 *     tmp/<part>/       what is not yet in place
 *     summaries.json    digests of the summaries that squadc has written
 *
 * Shards of one count may be at work at once; any other two runs exclude each other.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findHolder, type Holder, takeLock, thisMachine } from '../platform/lock.js';
import type { Shard } from '../report/model.js';
import { discard, foreignFile, type Output, recover, writeFault } from './folder.js';

export const stateName = '.squadc';

/** The folder cannot be worked on. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

export interface OpenOutput extends Output {
  /** Ends the use of it. */
  close(): void;
}

/** Makes what is missing, and finishes or throws away what a killed run has left half done. */
export function openOutput(
  out: string,
  { shard, ...rules }: Pick<Output, 'durable' | 'force'> & { readonly shard: Shard | null },
): OpenOutput {
  const state = join(out, stateName);
  const part = shard === null ? 'all' : `${shard.index}-of-${shard.count}`;
  const tmp = join(state, 'tmp', part);
  mkdirSync(tmp, { recursive: true });
  if (!lstatSync(state).isDirectory()) throw new FolderInUse(`has a ${stateName} that is a link`);
  const unlock = takeLock(join(state, `lock.${part}`));
  if (typeof unlock !== 'function') throw inUse(unlock);
  const output: Output = { ...rules, out, tmp };
  const close = () => {
    try {
      // What was begun and could not be finished stays, and with it the folder.
      for (const name of readdirSync(tmp)) {
        if (name.includes('.')) rmSync(join(tmp, name), { recursive: true, force: true });
      }
      rmdirSync(tmp);
    } catch {
      // The next run clears it.
    }
    unlock();
  };
  try {
    const locks = readdirSync(state).flatMap(
      (name) => /^lock\.(\w[\w-]*)\.\d+$/.exec(name)?.[1] ?? [],
    );
    const isBeside = (other: string) => shard !== null && other.endsWith(`-of-${shard.count}`);
    for (const other of new Set(locks)) {
      const holder =
        other === part || isBeside(other) ? null : findHolder(join(state, `lock.${other}`));
      if (holder !== null) throw inUse(holder);
    }
    recover(output);
    return { ...output, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Nothing is written but what comes from standard input, and that elsewhere. */
export function dryOutput(out: string): OpenOutput {
  const tmp = mkdtempSync(join(tmpdir(), 'squadc-'));
  const close = () => rmSync(tmp, { recursive: true, force: true });
  return { out, tmp, durable: false, force: false, close };
}

function inUse({ pid, machine }: Holder): FolderInUse {
  const isHere = machine === thisMachine();
  const who = isHere ? `process ${pid} is` : 'another machine is, or recently was,';
  return new FolderInUse(`is in use: ${who} working on it`);
}

/**
 * The summaries: files in the output folder itself. Before one is put in place, its digest is noted
 * beside that of the one before, so that after a kill both are known.
 */
export class Summaries {
  private readonly notes: string;
  private readonly known: Record<string, string[]>;

  constructor(private readonly output: Output) {
    this.notes = join(output.out, stateName, 'summaries.json');
    this.known = readNotes(this.notes);
  }

  /** Whether somebody else's file stands there. */
  isForeign(name: string): boolean {
    const path = join(this.output.out, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || this.output.force) return false;
    return !stats.isFile() || !(this.known[name] ?? []).includes(digestOfFile(path));
  }

  /** Takes the pieces to their end even where they cannot be written: others may count on them. */
  write(name: string, pieces: Iterable<string>): 'written' | 'unchanged' {
    const rest = pieces[Symbol.iterator]();
    const path = join(this.output.out, name);
    const temporary = join(this.output.tmp, `${name}.new`);
    try {
      if (this.isForeign(name)) throw foreignFile(name);
      const digest = writePieces(temporary, rest, this.output.durable);
      const before = existsSync(path) ? digestOfFile(path) : null;
      if (before === digest) {
        rmSync(temporary);
        return 'unchanged';
      }
      this.note(name, [digest, ...(before === null ? [] : [before])]);
      renameSync(temporary, path);
      return 'written';
    } catch (error) {
      while (!rest.next().done);
      discard(temporary);
      throw writeFault(name, error);
    }
  }

  /** Removes those that are ours; whether all are. */
  remove(names: readonly string[]): boolean {
    const own = names.filter((name) => !this.isForeign(name));
    for (const name of own) rmSync(join(this.output.out, name), { force: true });
    return own.length === names.length;
  }

  private note(name: string, digests: readonly string[]): void {
    this.known[name] = [...digests];
    const temporary = join(this.output.tmp, 'summaries.new');
    writeFileSync(temporary, JSON.stringify(this.known));
    renameSync(temporary, this.notes);
  }
}

function readNotes(path: string): Record<string, string[]> {
  try {
    const notes: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Object.fromEntries(
      Object.entries(notes ?? {}).filter(([, digests]) => Array.isArray(digests)),
    );
  } catch {
    return {};
  }
}

function writePieces(path: string, pieces: Iterator<string>, durable: boolean): string {
  const file = openSync(path, 'w');
  const sum = createHash('sha256');
  try {
    for (let next = pieces.next(); !next.done; next = pieces.next()) {
      const bytes = Buffer.from(next.value);
      sum.update(bytes);
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    }
    if (durable) fsyncSync(file);
    return sum.digest('hex').slice(0, 16);
  } finally {
    closeSync(file);
  }
}

function digestOfFile(path: string): string {
  const file = openSync(path, 'r');
  try {
    const sum = createHash('sha256');
    const piece = Buffer.allocUnsafe(Math.min(1024 * 1024, fstatSync(file).size + 1));
    for (let count = readSync(file, piece); count > 0; count = readSync(file, piece)) {
      sum.update(piece.subarray(0, count));
    }
    return sum.digest('hex').slice(0, 16);
  } finally {
    closeSync(file);
  }
}
