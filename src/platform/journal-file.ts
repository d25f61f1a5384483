/**
 * A journal on disk: read, then appended to, each line forced to the disk before anything else.
 *
 * It is the one file that is not replaced in one step: what stands in it must outlast a crash at
 * any moment. A lock beside it keeps two runs from writing, and creating, the same.
 */
import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Creation, creationsOf, type JournalEntry, lineOf, readJournal } from './journal.js';
import { takeLock, type Unlock } from './lock.js';

export interface Journal {
  /** What became of each intent so far. */
  creations(): readonly Creation[];
  append(entry: JournalEntry): Promise<void>;
  close(): Promise<void>;
}

export type JournalFault =
  | { readonly fault: 'line'; readonly line: number }
  | { readonly fault: 'locked'; readonly lock: string }
  | { readonly fault: 'missing' }
  | { readonly fault: 'system'; readonly error: unknown };

/** What the journal says, for a look at it; nothing where there is no file yet. */
export async function readJournalFile(file: string): Promise<Creation[] | JournalFault> {
  const text = await textOf(file);
  if (text === null) return { fault: 'missing' };
  if (typeof text !== 'string') return text;
  const reading = readJournal(text);
  if ('faultyLine' in reading) return { fault: 'line', line: reading.faultyLine };
  return creationsOf(reading.entries);
}

/** Opens the journal to write to it; it is made where there is none. */
export async function openJournal(file: string): Promise<Journal | JournalFault> {
  let taken: ReturnType<typeof takeLock>;
  try {
    taken = takeLock(`${file}.lock`);
  } catch (error) {
    return { fault: 'system', error };
  }
  if (typeof taken !== 'function') return { fault: 'locked', lock: taken.file };
  const unlock = taken;
  const journal = await openLocked(file, unlock).catch((error: unknown) => {
    return { fault: 'system', error } as const;
  });
  if ('fault' in journal) unlock();
  return journal;
}

async function openLocked(file: string, unlock: Unlock): Promise<Journal | JournalFault> {
  const text = (await textOf(file)) ?? '';
  if (typeof text !== 'string') return text;
  const reading = readJournal(text);
  if ('faultyLine' in reading) return { fault: 'line', line: reading.faultyLine };
  // A line that was cut off was never acted on.
  const end = Buffer.byteLength(text.slice(0, reading.end));
  if (reading.end < text.length) await truncate(file, end);
  const handle = await open(file, 'a', 0o600);
  await syncFolder(file);
  return journalOn(handle, unlock, [...reading.entries]);
}

function journalOn(handle: FileHandle, unlock: Unlock, entries: JournalEntry[]): Journal {
  return {
    creations: () => creationsOf(entries),
    append: async (entry) => {
      await handle.writeFile(lineOf(entry));
      await handle.sync();
      entries.push(entry);
    },
    close: async () => {
      await handle.close();
      unlock();
    },
  };
}

async function textOf(file: string): Promise<string | null | JournalFault> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : { fault: 'system', error };
  }
}

/** A new file outlasts a crash only when its folder was forced to the disk as well. */
async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}
