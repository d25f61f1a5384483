/** The journal of pushes, and what lies beside the squads that it names. */
import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { workflowId } from '../../batch/key.js';
import { reasonOf } from '../../batch/values.js';
import type { Journal, Thing } from '../../platform/journal.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { journalRefusal } from './faults.js';

/** Where `push` writes, and `rollback` reads, unless it is said. */
export const defaultJournal = 'squadc-journal.jsonl';

/** What the journal says; null where there is none. */
export async function lookAtJournal(file: string, io: Io): Promise<readonly Thing[] | null> {
  const { readJournal } = await import('../../platform/journal.js');
  const things = await readJournal(resolve(io.cwd, file));
  if (!('fault' in things)) return things;
  if (things.fault === 'missing') return null;
  throw journalRefusal(file, things);
}

/** Writes into the journal as long as `act` takes; no other run does meanwhile. */
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

/** The path as messages and journals hold it: from the working folder, where the file is below it. */
export function pathFrom(cwd: string, file: string): string {
  const path = relative(cwd, resolve(cwd, file));
  if (path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return file;
  return path.split(sep).join('/');
}

/**
 * The id of the workflow that the squad in a file was made of, from the result that a migration puts
 * beside it; null where there is none.
 */
export async function workflowOf(file: string, io: Io): Promise<string | null> {
  try {
    const result = join(dirname(resolve(io.cwd, file)), 'result.json');
    return workflowId(JSON.parse(await readFile(result, 'utf8'))?.workflow) || null;
  } catch {
    return null;
  }
}

/** The squads that are there, each with the workflow that it replaces, as far as that can be told. */
export async function squadsIn(things: readonly Thing[], io: Io) {
  const squads: { readonly id: string; readonly file: string; workflow: string | null }[] = [];
  for (const { kind, state, id, file } of things) {
    if (kind !== 'squad' || state !== 'done' || id === null) continue;
    squads.push({ id, file, workflow: await workflowOf(file, io) });
  }
  return squads;
}
