/**
 * `.squadc`, where a run keeps what it needs to be stopped and taken up again.
 *
 *     lock.<n>        the process that runs
 *     journal.jsonl   what was known when the last run ended
 *     journal/        what the threads of a run have written since; empty when it has ended
 *     tmp/            files that are not yet in place; worthless without their run
 */
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Holder, takeLock, thisMachine } from '../../platform/lock.js';

export interface StateFolder {
  readonly path: string;
  /** The journals that are there, the oldest first. */
  readonly journals: readonly string[];
  /** Journals of this run are numbered from here on. */
  readonly firstJournal: number;
  /** Ends the use of it. */
  close(): void;
}

/** The folder cannot be worked on. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

function inUse({ pid, machine }: Holder): FolderInUse {
  const isHere = machine === thisMachine();
  const who = isHere ? `process ${pid} is` : 'another machine is, or was a minute ago,';
  return new FolderInUse(`is in use: ${who} working on it`);
}

export const stateName = '.squadc';

/** Makes what is missing, and throws away what a killed run has left half done. */
export function openState(out: string): StateFolder {
  const path = join(out, stateName);
  mkdirSync(join(path, 'journal'), { recursive: true });
  if (!lstatSync(path).isDirectory()) throw new FolderInUse(`has a ${stateName} that is a link`);
  const unlock = takeLock(join(path, 'lock'));
  if (typeof unlock !== 'function') throw inUse(unlock);
  emptyTemporary(path);
  const close = () => {
    emptyTemporary(path);
    unlock();
  };
  return { path, ...journalsIn(path), close };
}

/** For a dry run: reads the journals of the folder, and writes somewhere else. */
export function openDryState(out: string): StateFolder {
  const path = mkdtempSync(join(tmpdir(), 'squadc-'));
  mkdirSync(join(path, 'journal'));
  const close = () => rmSync(path, { recursive: true, force: true });
  return { path, ...journalsIn(join(out, stateName)), close };
}

/** The journal of the last run that has ended. */
export function journalIn(state: string): string {
  return join(state, 'journal.jsonl');
}

function emptyTemporary(state: string): void {
  rmSync(join(state, 'tmp'), { recursive: true, force: true });
  mkdirSync(join(state, 'tmp'));
}

/** The journal of the last run that ended, then those of runs since, by their numbers. */
export function journalsIn(state: string): Pick<StateFolder, 'journals' | 'firstJournal'> {
  const folder = join(state, 'journal');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const numbers = names.flatMap((name) => /^(\d+)\.jsonl$/.exec(name)?.[1] ?? []).map(Number);
  numbers.sort((a, b) => a - b);
  const ended = journalIn(state);
  return {
    journals: [
      ...(existsSync(ended) ? [ended] : []),
      ...numbers.map((number) => join(folder, `${number}.jsonl`)),
    ],
    firstJournal: (numbers.at(-1) ?? 0) + 1,
  };
}
