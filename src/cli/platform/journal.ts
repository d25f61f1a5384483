/** The journal of pushes, and the results next to the squads that it names. */
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { workflowId } from '../../batch/key.js';
import { reasonOf } from '../../batch/values.js';
import type { Journal, Thing } from '../../platform/journal.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { journalRefusal } from './faults.js';

/** The journal that `push` writes and `rollback` reads by default. */
export const defaultJournal = 'squadc-journal.jsonl';

/** The entries of the journal; null if it does not exist. Refuses an unusable journal. */
export async function lookAtJournal(file: string, io: Io): Promise<readonly Thing[] | null> {
  const { readJournal } = await import('../../platform/journal.js');
  const things = await readJournal(resolve(io.cwd, file));
  if (!('fault' in things)) return things;
  if (things.fault === 'missing') return null;
  throw journalRefusal(file, things);
}

/** Opens the journal for `act` and locks it against other runs. */
export async function withJournal<Value>(
  file: string,
  io: Io,
  act: (journal: Journal) => Promise<Value>,
): Promise<Value> {
  const { openJournal } = await import('../../platform/journal.js');
  const journal = await openJournal(resolve(io.cwd, file));
  if ('fault' in journal) throw journalRefusal(file, journal);
  try {
    return await act(journal);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Refusal(`cannot write ${file}: ${reasonOf(error)}`, exitCodes.invalid);
  } finally {
    await journal.close();
  }
}

/** The path in messages and journals: relative to the working folder if the file is in it. */
export function pathFrom(cwd: string, file: string): string {
  const path = relative(cwd, resolve(cwd, file));
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return file;
  return path.split(sep).join('/');
}

/**
 * The id of the workflow that the squad in this file replaces, from the result.json next to it.
 * Null if that does not exist or has no id.
 */
export async function workflowOf(file: string, io: Io): Promise<string | null> {
  try {
    const result = join(dirname(resolve(io.cwd, file)), 'result.json');
    return workflowId(JSON.parse(await readFile(result, 'utf8'))?.workflow) || null;
  } catch {
    return null;
  }
}

/** The squads that exist, each with the id of the workflow that it replaces; null if unknown. */
export async function squadsIn(things: readonly Thing[], io: Io) {
  const squads: { readonly id: string; readonly file: string; workflow: string | null }[] = [];
  for (const { kind, state, id, file } of things) {
    if (kind !== 'squad' || state !== 'done' || id === null) continue;
    squads.push({ id, file, workflow: await workflowOf(file, io) });
  }
  return squads;
}
