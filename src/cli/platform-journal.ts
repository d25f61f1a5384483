/** Journals of pushes as the commands read them, and what is said where that fails. */
import { resolve } from 'node:path';
import { reasonOf } from '../batch/system-error.js';
import type { Creation } from '../platform/journal.js';
import type { JournalFault } from '../platform/journal-file.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';

/** Where `push` writes, and `rollback` and `callers` read, unless it is said. */
export const defaultJournal = 'squadc-journal.jsonl';

/** What the journal says; null where there is none. */
export async function lookAtJournal(file: string, io: Io): Promise<readonly Creation[] | null> {
  const { readJournalFile } = await import('../platform/journal-file.js');
  const creations = await readJournalFile(resolve(io.cwd, file));
  if (!('fault' in creations)) return creations;
  if (creations.fault === 'missing') return null;
  throw journalRefusal(file, creations);
}

/** The refusal for a journal that cannot be used. */
export function journalRefusal(file: string, fault: JournalFault): Refusal {
  const [code, what, help] = sentencesFor(file, fault);
  return new Refusal(`${code}: ${what}\n  help: ${help}`, exitCodes.invalid);
}

function sentencesFor(file: string, fault: JournalFault): readonly [string, string, string] {
  switch (fault.fault) {
    case 'line':
      return [
        'journal/line',
        `${file}:${fault.line}: this line is no entry of a journal of squadc push`,
        'Name the journal that squadc push wrote, or restore the line; nothing was sent.',
      ];
    case 'locked':
      return [
        'journal/locked',
        `another run uses the journal ${file}`,
        `Wait until it has ended. If there is none, remove ${fault.lock}.`,
      ];
    case 'missing':
      return ['journal/missing', `there is no journal ${file}`, 'Name the one that push wrote.'];
    case 'system':
      return [
        'journal/file',
        `cannot use the journal ${file}: ${reasonOf(fault.error)}`,
        'Correct the path or its rights.',
      ];
  }
}
