/** `squadc rollback`: deletes the squads that a journal says squadc created. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { reasonOf } from '../batch/system-error.js';
import type { ApiKey } from '../platform/api-key.js';
import type { Creation } from '../platform/journal.js';
import { realNetwork } from '../platform/network.js';
import type { Created, RolledBack } from '../platform/rollback.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { faultText, lines } from './platform-faults.js';
import { defaultJournal, journalRefusal, lookAtJournal } from './platform-journal.js';
import {
  addKeyOptions,
  baseUrlOf,
  hidingKey,
  type KeyFlags,
  keyOf,
  platformExitCodes,
  refuseKeyArgument,
} from './platform-options.js';
import { count } from './summary.js';
import { printable } from './terminal.js';

interface RollbackFlags extends KeyFlags {
  readonly journal: string;
  readonly baseUrl?: string;
  readonly yes?: true;
}

const help = `${platformExitCodes('all done (or, without --yes, shown)')}

Example:
  squadc rollback --key-env API_KEY --yes`;

/** Adds the command to the program. */
export function addRollbackCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('rollback')
    .summary('delete the squads that push created')
    .description(
      'Deletes (DELETE {base-url}/squad/{id}) the squads that a journal says squadc push created, ' +
        'newest first, and nothing else. Without --yes it only shows what it would delete.',
    )
    .option('--journal <file>', 'journal that squadc push wrote', defaultJournal)
    .option('--base-url <url>', "address of the platform's API (default: the journal's own)")
    .option('--yes', 'send the requests')
    .addHelpText('after', help)
    .action(async (flags: RollbackFlags) => {
      invocation.exitCode = await rollbackCommand(flags, invocation.io);
    });
  addKeyOptions(command);
}

async function rollbackCommand(flags: RollbackFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const asked = flags.baseUrl === undefined ? null : await baseUrlOf(flags.baseUrl);
  const hasKey = flags.keyEnv !== undefined || flags.keyFile !== undefined;
  const key = flags.yes || hasKey ? await keyOf(flags, plainIo) : null;
  const io = key === null ? plainIo : hidingKey(plainIo, key);
  const creations = await lookAtJournal(flags.journal, io);
  if (creations === null) throw journalRefusal(flags.journal, { fault: 'missing' });
  const baseUrl = asked ?? (await addressIn(creations));
  if (baseUrl !== null) sayUnknown(creations, baseUrl, io);
  if (key !== null && flags.yes && baseUrl !== null) return roll(baseUrl, key, flags, io);
  const { existing } = await import('../platform/rollback.js');
  const squads = baseUrl === null ? [] : existing(creations, baseUrl);
  for (const { id, file, at } of squads) {
    io.stdout.write(printable(`DELETE ${baseUrl}/squad/${id} (${file}, created ${at})\n`));
  }
  const hint = squads.length === 0 ? '' : ' (--yes does it)';
  io.stderr.write(`${count(squads.length, 'squad')} to delete${hint}\n`);
  return exitCodes.complete;
}

/** The address that the journal's squads were created at; null where it names none. */
async function addressIn(creations: readonly Creation[]): Promise<string | null> {
  const left = creations.filter(({ state }) => state === 'created' || state === 'unknown');
  const [first, ...others] = new Set(left.map(({ baseUrl }) => baseUrl));
  if (first === undefined) return null;
  if (others.length === 0) return baseUrlOf(first);
  throw new Refusal(
    'rollback/addresses: the journal names squads at more than one address\n' +
      '  help: Say with --base-url at which of them they are to be deleted.',
    exitCodes.wrongUsage,
  );
}

/** Squads that may exist, but whose ids nobody knows, can only be looked for. */
function sayUnknown(creations: readonly Creation[], baseUrl: string, io: Io): void {
  for (const { state, file, at, baseUrl: address } of creations) {
    if (state !== 'unknown' || address !== baseUrl) continue;
    io.stderr.write(
      lines(
        file,
        'rollback/unknown',
        `warning: a request of ${at} may have created a squad whose id is not known`,
        'Look for it on the platform, and delete it there.',
      ),
    );
  }
}

async function roll(baseUrl: string, key: ApiKey, flags: RollbackFlags, io: Io): Promise<ExitCode> {
  const { openJournal } = await import('../platform/journal-file.js');
  const { existing, rollBack } = await import('../platform/rollback.js');
  const journal = await openJournal(resolve(io.cwd, flags.journal));
  if ('fault' in journal) throw journalRefusal(flags.journal, journal);
  let left = 0;
  let squads: Created[] = [];
  try {
    // Read again under the lock: another run may have deleted some.
    squads = existing(journal.creations(), baseUrl);
    for await (const each of rollBack(squads, key.value, journal, io.network ?? realNetwork)) {
      if (!report(each, key, io)) left += 1;
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new Refusal(`cannot write ${flags.journal}: ${reasonOf(error)}`, exitCodes.invalid);
  } finally {
    await journal.close();
  }
  io.stderr.write(`${squads.length - left} of ${squads.length} squads are gone\n`);
  return left === 0 ? exitCodes.complete : exitCodes.invalid;
}

function report(outcome: RolledBack, key: ApiKey, io: Io): boolean {
  const { id, file } = outcome.squad;
  if (outcome.kind === 'fault') {
    io.stderr.write(faultText(`squad ${id}`, outcome.fault, key.source));
  } else if (outcome.kind === 'not-tried') {
    io.stderr.write(
      lines(
        `squad ${id}`,
        'platform/not-tried',
        'it was not deleted',
        'Mend the fault above first.',
      ),
    );
  } else {
    const how = outcome.kind === 'gone' ? 'was gone already' : 'deleted';
    io.stdout.write(printable(`squad ${id} ${how} (${file})\n`));
    return true;
  }
  return false;
}
