/**
 * Which squad replaces which workflow: by pairs of the command line, and by a journal of pushes.
 *
 * A journal names files. Beside a squad of a migration lies its result, and in it the workflow with
 * its id. A pair of the command line counts more.
 */
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { workflowId } from '../batch/workflow/workflow-key.js';
import type { SquadIds } from '../platform/callers.js';
import type { Creation } from '../platform/journal.js';
import type { Io } from './io.js';
import { journalRefusal, lookAtJournal } from './platform-journal.js';
import { printable } from './terminal.js';

/** The pairs; squads of which nobody can tell what they replace are named on standard error. */
export async function squadIds(given: SquadIds, journal: string, io: Io): Promise<SquadIds> {
  const creations = await lookAtJournal(journal, io);
  if (creations === null) throw journalRefusal(journal, { fault: 'missing' });
  const ids = new Map<string, string>();
  for (const { state, id, file } of creations) {
    if (state !== 'created' || id === null) continue;
    const replaced = await replacedBy(file, io);
    if (replaced !== null) ids.set(replaced, id);
    else if (![...given.values()].includes(id)) io.stderr.write(unknownText(id, file));
  }
  return new Map([...ids, ...given]);
}

/** The id of the workflow that the squad in a file was made of. */
async function replacedBy(file: Creation['file'], io: Io): Promise<string | null> {
  try {
    const result = join(dirname(resolve(io.cwd, file)), 'result.json');
    return workflowId(JSON.parse(await readFile(result, 'utf8'))?.workflow) || null;
  } catch {
    // The squad is of no migration, or its result has gone.
    return null;
  }
}

function unknownText(squad: string, file: string): string {
  const what = `${file}: no result.json with the id of a workflow lies beside this squad`;
  return printable(`${what}\n  help: Say with --map <workflowId>=${squad} what it replaces.\n`);
}
