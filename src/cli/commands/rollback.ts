/** `squadc rollback`: undoes what squadc push did, according to its journal. */
import type { Thing } from '../../platform/journal.js';
import { describeUndo, isUndone, rollBack, toUndo, type Undone } from '../../platform/rollback.js';
import { kinds } from '../../platform/service.js';
import { counted } from '../../text/counted.js';
import type { CommandData } from '../command.js';
import { refusal } from '../faults.js';
import { type ExitCode, exitCodes } from '../io.js';
import { printable } from '../output/terminal.js';
import { readJournalFile, withJournal } from '../platform/journal.js';
import {
  baseUrlOf,
  hasKey,
  journalOption,
  keyOf,
  onlyOption,
  onlyThese,
  type PlatformFlags,
  platformOptions,
  type Session,
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
    if (session !== null && flags.yes && left.length > 0)
      return roll(session, flags, target.journal);
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

function roll(session: Session, flags: RollbackFlags, file: string): Promise<ExitCode> {
  const { baseUrl, service, io } = session;
  return withJournal(file, io, async (journal) => {
    // Reads again under the lock: another run may have undone some of them.
    const things = onlyThese(toUndo(journal.things(), baseUrl), flags);
    let done = 0;
    for await (const undone of rollBack(things, journal, service)) {
      report(undone, session);
      if (isUndone(undone)) done += 1;
    }
    io.stderr.write(`${done} of ${things.length} undone\n`);
    return done === things.length ? exitCodes.complete : exitCodes.invalid;
  });
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
