/** The journal of pushes, and the results next to the squads that it names. */
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { workflowId } from '../../batch/key.js';
import { reasonOf } from '../../io/files.js';
import {
  type Journal,
  type JournalFault,
  JournalLost,
  type Made,
  openJournal,
  readJournal,
  type Thing,
} from '../../platform/journal.js';
import { UnrecordedResult } from '../../platform/push.js';
import { isUndone, rollBack, type Undone } from '../../platform/rollback.js';
import { refusal } from '../faults.js';
import { type Io, Refusal } from '../io.js';
import { printable } from '../output/terminal.js';
import { type Session, stoppable } from './session.js';

function journalRefusal(file: string, fault: JournalFault): Refusal {
  const where = 'line' in fault ? `${file}:${fault.line}` : file;
  const lock = 'holder' in fault ? [`lock file: ${fault.holder.file}`] : [];
  const reason = 'error' in fault ? [reasonOf(fault.error)] : [];
  return refusal(`journal/${fault.fault}`, [where, ...lock, ...reason]);
}

/** The entries of the journal. Refuses one that is missing, unless it may be. */
export async function readJournalFile(
  file: string,
  io: Io,
  mayBeMissing = false,
): Promise<readonly Thing[]> {
  const things = await readJournal(resolve(io.cwd, file));
  if (!('fault' in things)) return things;
  if (things.fault === 'missing' && mayBeMissing) return [];
  throw journalRefusal(file, things);
}

/** Opens the journal for `act` and locks it against other runs. Ctrl-C ends `act` at a checkpoint. */
export async function withJournal<Value>(
  file: string,
  io: Io,
  act: (journal: Journal) => Promise<Value>,
): Promise<Value> {
  return stoppable(io, async (checkpoint) => {
    const journal = await openJournal(resolve(io.cwd, file), checkpoint);
    if ('fault' in journal) throw journalRefusal(file, journal);
    try {
      const value = await act(journal);
      journal.checkpoint();
      return value;
    } catch (error) {
      if (error instanceof UnrecordedResult) {
        const made = error.what === null ? 'a request was sent' : `${error.what} exists`;
        throw refusal('push/unrecorded', [made, `${file}: ${reasonOf(error.cause)}`]);
      }
      if (error instanceof JournalLost) throw refusal('journal/lost', [error.file]);
      if (!(error instanceof Error && 'syscall' in error)) throw error;
      throw new Refusal(`cannot write ${file}: ${reasonOf(error)}`);
    } finally {
      await journal.close();
    }
  });
}

/** The path in messages and journals: relative to the working folder, unless it is on another drive. */
export function pathFrom(cwd: string, file: string): string {
  return (relative(cwd, resolve(cwd, file)) || file).split(sep).join('/');
}

/**
 * The id of the workflow that the squad in this file replaces, from the result.json next to it.
 * Null if that does not exist or has no id.
 */
export function workflowOf(file: string, cwd: string): string | null {
  try {
    const result = join(dirname(resolve(cwd, file)), 'result.json');
    return workflowId(JSON.parse(readFileSync(result, 'utf8'))?.workflow) || null;
  } catch {
    return null;
  }
}

/** Undoes these things in order, and reports each. Returns how many are undone. */
export async function undoAll(things: readonly Made[], journal: Journal, session: Session) {
  let done = 0;
  for await (const undone of rollBack(things, journal, session.service)) {
    report(undone, session);
    if (isUndone(undone)) done += 1;
  }
  return done;
}

function report({ thing, kind, fault, user }: Undone, { io, tell }: Session): void {
  const { id, workflowId, file } = thing;
  const subject = `${thing.kind} ${id}`;
  const done = (how: string) => io.stdout.write(printable(`${subject} ${how} (${file})\n`));
  if (fault !== undefined) tell(subject, fault);
  else if (kind === 'not-tried') tell(subject, 'api/not-tried');
  else if (kind === 'in-use')
    tell(subject, 'rollback/in-use', `${user?.kind} ${user?.id} names it`);
  else if (kind === 'deleted') done('deleted');
  else if (kind === 'restored') done(`names workflow ${workflowId} again`);
  else done(workflowId === undefined ? 'was already gone' : 'has been changed since; left alone');
}
