/**
 * What blocks that ran side by side could not settle: workflows with the same key.
 *
 * The first of the input has the key; each further one is failed. Who was written last may have been
 * any of them, so the first is done once more, alone, with everything that was written so far known.
 */
import { buildKnown } from './journal/known.js';
import type { Again, Outcomes } from './outcomes/outcomes.js';
import type { RunHooks } from './run.js';
import type { RunSetup, Verdict } from './setup.js';
import { journalsIn } from './state/state-folder.js';

/** Whether there was anything to do. */
export async function runAgain(
  before: RunSetup,
  outcomes: Outcomes,
  { open, note }: Pick<RunHooks, 'open' | 'note'>,
): Promise<boolean> {
  const failed = verdicts(outcomes.taken);
  if (failed.size === 0 && outcomes.redo.size === 0) return false;
  const setup = { ...withJournals(before), stop: new SharedArrayBuffer(4) };
  const workers = await open(setup, 1);
  try {
    for (const again of [failed, outcomes.redo]) {
      for (const [block, only] of again) {
        const parts = await workers.run({ blocks: [outcomes.blockOf(block)], only });
        for (const part of parts) {
          outcomes.replace(part, setup.known.paths);
          for (const each of part.notes) note(each);
        }
      }
    }
    return true;
  } finally {
    await workers.close();
  }
}

/** The setup for threads that know what others have written so far. */
export function withJournals(setup: RunSetup): RunSetup {
  const { journals, firstJournal } = journalsIn(setup.state);
  const known = buildKnown([...new Set([...setup.known.paths, ...journals])]);
  return { ...setup, known, firstJournal };
}

function verdicts(taken: Again<string>): Again<Verdict> {
  return new Map(
    [...taken].map(([block, items]) => [
      block,
      new Map([...items].map(([item, first]) => [item, sameKey(first)])),
    ]),
  );
}

function sameKey(first: string): Verdict {
  return {
    code: 'batch/same-key',
    message: `${first} has a workflow with the same id or name before it`,
  };
}
