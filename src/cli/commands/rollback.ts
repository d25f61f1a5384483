/** `squadc rollback`: undoes what squadc push did, according to its journal. */
import type { Thing } from '../../platform/journal.js';
import { describeUndo, toUndo } from '../../platform/rollback.js';
import { kinds } from '../../platform/service.js';
import { counted } from '../../text/counted.js';
import type { CommandData } from '../command.js';
import { refusal } from '../faults.js';
import { exitCodes } from '../io.js';
import { printable } from '../output/terminal.js';
import { readJournalFile, undoAll, withJournal } from '../platform/journal.js';
import {
  baseUrlOf,
  hasKey,
  journalOption,
  keyOf,
  onlyOption,
  onlyThese,
  type PlatformFlags,
  platformOptions,
  sessionFor,
  targetOf,
  tellerFor,
} from '../platform/session.js';

interface RollbackFlags extends PlatformFlags {
  readonly only?: readonly string[];
  readonly yes?: true;
}

export const command: CommandData<[], RollbackFlags> = {
  description:
    'Moves phone numbers and campaigns back to their workflows, and deletes the squads and ' +
    'assistants that squadc push created according to its journal, newest first. Keeps what a ' +
    'number, a campaign or a squad that could not be undone still names. ' +
    'Without --yes, it only shows what it would do.',
  hasConfig: true,
  options: {
    'Requests:': { '--yes': 'send the requests', ...onlyOption, ...journalOption },
    'Platform:': {
      ...platformOptions,
      '--base-url <url>': "address of the platform's API (default: the journal's own)",
    },
  },
  exits: [130],
  examples: ['squadc rollback --key-env API_KEY --yes'],
  async action(_, flags, context) {
    const plainIo = context.io;
    const target = targetOf(flags, context);
    const needsKey = flags.yes || hasKey(target);
    // Reports a missing key before a missing journal.
    if (needsKey) await keyOf(target, plainIo);
    const things = await readJournalFile(target.journal, plainIo);
    const baseUrl = target.baseUrl ?? addressIn(things);
    const session =
      needsKey && baseUrl !== null ? await sessionFor({ ...target, baseUrl }, plainIo) : null;
    const { io, tell } = session ?? tellerFor(plainIo);
    const left = baseUrl === null ? [] : onlyThese(toUndo(things, baseUrl), flags);
    // These may exist, but without their ids the user has to look for them.
    for (const { state, id, file, kind, name, at, baseUrl: address } of things) {
      if (state !== 'unknown' || id !== null || address !== baseUrl) continue;
      tell(file, 'rollback/unknown', `${kind} ${JSON.stringify(name)}`, `requested at ${at}`);
    }
    for (const workflow of new Set(left.flatMap(({ workflowId }) => workflowId ?? []))) {
      tell(`workflow ${workflow}`, 'rollback/retired');
    }
    if (session !== null && flags.yes && left.length > 0) {
      return withJournal(target.journal, io, async (journal) => {
        // Reads again under the lock: another run may have undone some of them.
        const again = onlyThese(toUndo(journal.things(), session.baseUrl), flags);
        const done = await undoAll(again, journal, session);
        io.stderr.write(`${done} of ${again.length} undone\n`);
        return done === again.length ? exitCodes.complete : exitCodes.invalid;
      });
    }
    io.stdout.write(printable(left.map((each) => `${describeUndo(each)}\n`).join('')));
    const counts = Object.keys(kinds).flatMap((kind) => {
      const amount = left.filter((each) => each.kind === kind).length;
      return amount === 0 ? [] : [counted(amount, kind)];
    });
    const hint = left.length === 0 ? '' : ' (use --yes to do it)';
    io.stderr.write(`${counts.join(', ') || 'nothing'} to undo${hint}\n`);
    return exitCodes.complete;
  },
};

/** The only address in the journal; null if there is nothing to undo. Refuses several addresses. */
function addressIn(things: readonly Thing[]): string | null {
  const left = things.filter(({ state }) => state === 'done' || state === 'unknown');
  const [first, ...others] = new Set(left.map(({ baseUrl }) => baseUrl));
  if (first === undefined) return null;
  if (others.length === 0) return baseUrlOf(first);
  throw refusal('rollback/addresses', [], exitCodes.wrongUsage);
}
