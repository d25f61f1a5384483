/** `squadc rollback`: takes back what a journal says squadc push did. */
import { resolve } from 'node:path';
import { Option } from 'commander';
import { reasonOf } from '../../batch/system-error.js';
import type { Thing } from '../../platform/journal.js';
import type { Made, Undone } from '../../platform/rollback.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import { defaultJournal, lookAtJournal } from '../input/squad-files.js';
import type { Io } from '../io.js';
import {
  baseUrlOf,
  type KeyFlags,
  keyOf,
  keyOptions,
  platformExitCodes,
  refuseKeyArgument,
  type Session,
  sessionFor,
} from '../options/platform.js';
import { faultText, journalRefusal, refusal, requestFault } from '../output/platform-faults.js';
import { count, printable } from '../output/terminal.js';

interface RollbackFlags extends KeyFlags {
  readonly journal: string;
  readonly baseUrl?: string;
  readonly yes?: true;
}

export const rollbackCommand: CommandData<[], RollbackFlags> = {
  name: 'rollback',
  summary: 'take back what push did',
  description:
    'Deletes the squads and the assistants that a journal says squadc push created, and lets phone ' +
    'numbers and campaigns name their workflows again; the newest first, and nothing else. ' +
    'Without --yes it only shows what it would do.',
  options: [
    new Option('--journal <file>', 'journal that squadc push wrote').default(defaultJournal),
    new Option('--base-url <url>', "address of the platform's API (default: the journal's own)"),
    new Option('--yes', 'send the requests'),
    ...keyOptions,
  ],
  exitCodes: platformExitCodes('all done (or, without --yes, shown)'),
  examples: ['squadc rollback --key-env API_KEY --yes'],
  action: (_, flags, { io }) => takeBack(flags, io),
};

async function takeBack(flags: RollbackFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const asked = flags.baseUrl === undefined ? null : await baseUrlOf(flags.baseUrl);
  const hasKey = flags.keyEnv !== undefined || flags.keyFile !== undefined;
  const needsKey = flags.yes || hasKey;
  // A missing key is said before a missing journal.
  if (needsKey) await keyOf(flags, plainIo);
  const things = await lookAtJournal(flags.journal, plainIo);
  if (things === null) throw journalRefusal(flags.journal, { fault: 'missing' });
  const baseUrl = asked ?? (await addressIn(things));
  const session = needsKey && baseUrl !== null ? await sessionFor(baseUrl, flags, plainIo) : null;
  const io = session?.io ?? plainIo;
  const { kinds } = await import('../../platform/service.js');
  const { toUndo } = await import('../../platform/rollback.js');
  const left = baseUrl === null ? [] : toUndo(things, baseUrl);
  if (baseUrl !== null) sayUnknown(things, baseUrl, io);
  if (session !== null && flags.yes && left.length > 0) return roll(session, flags);
  for (const { kind, id, file, at, workflowId } of left) {
    const url = `${baseUrl}/${kinds[kind].path}/${id}`;
    const back =
      workflowId === undefined ? `DELETE ${url}` : `PATCH ${url}: workflow ${workflowId}`;
    io.stdout.write(printable(`${back} (${file}, ${at})\n`));
  }
  const counts = Object.keys(kinds).flatMap((kind) => {
    const amount = left.filter((each) => each.kind === kind).length;
    return amount === 0 ? [] : [count(amount, kind)];
  });
  const hint = left.length === 0 ? '' : ' (--yes does it)';
  io.stderr.write(`${counts.join(', ') || 'nothing'} to take back${hint}\n`);
  return exitCodes.complete;
}

/** The address that the journal's things are at; null where it names none. */
async function addressIn(things: readonly Thing[]): Promise<string | null> {
  const left = things.filter(({ state }) => state === 'done' || state === 'unknown');
  const [first, ...others] = new Set(left.map(({ baseUrl }) => baseUrl));
  if (first === undefined) return null;
  if (others.length === 0) return baseUrlOf(first);
  throw refusal('rollback/addresses', exitCodes.wrongUsage);
}

/** What may exist, but whose id nobody knows, can only be looked for. */
function sayUnknown(things: readonly Thing[], baseUrl: string, io: Io): void {
  for (const { state, id, file, kind, name, at, baseUrl: address } of things) {
    if (state !== 'unknown' || id !== null || address !== baseUrl) continue;
    const thing = `${kind} ${JSON.stringify(name)}`;
    const what = `a request of ${at} may have created the ${thing}, whose id is not known`;
    io.stderr.write(faultText(file, 'rollback/unknown', { what }));
  }
}

async function roll({ baseUrl, service, io, key }: Session, flags: RollbackFlags) {
  const { openJournal } = await import('../../platform/journal.js');
  const { rollBack, toUndo } = await import('../../platform/rollback.js');
  const journal = await openJournal(resolve(io.cwd, flags.journal));
  if ('fault' in journal) throw journalRefusal(flags.journal, journal);
  let left = 0;
  let things: readonly Made[] = [];
  try {
    // Read again under the lock: another run may have taken back some.
    things = toUndo(journal.things(), baseUrl);
    for await (const undone of rollBack(things, journal, service)) {
      if (!report(undone, key.source, io)) left += 1;
    }
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new Refusal(`cannot write ${flags.journal}: ${reasonOf(error)}`, exitCodes.invalid);
  } finally {
    await journal.close();
  }
  io.stderr.write(`${things.length - left} of ${things.length} taken back\n`);
  return left === 0 ? exitCodes.complete : exitCodes.invalid;
}

function report({ thing, kind, fault }: Undone, keySource: string, io: Io): boolean {
  const subject = `${thing.kind} ${thing.id}`;
  if (fault !== undefined) io.stderr.write(requestFault(subject, fault, keySource));
  else if (kind === 'not-tried') io.stderr.write(faultText(subject, 'platform/not-tried'));
  else {
    const how = {
      deleted: 'deleted',
      restored: `names workflow ${thing.workflowId} again`,
      gone: thing.workflowId === undefined ? 'was gone already' : 'was changed since; left alone',
    }[kind as 'deleted'];
    io.stdout.write(printable(`${subject} ${how} (${thing.file})\n`));
    return true;
  }
  return false;
}
