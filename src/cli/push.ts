/** `squadc push`: creates squads on the platform, each once. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { reasonOf } from '../batch/system-error.js';
import type { ApiKey } from '../platform/api-key.js';
import { realNetwork } from '../platform/network.js';
import type { Push, PushTarget } from '../platform/push.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { defaultJournal, journalRefusal, lookAtJournal } from './platform-journal.js';
import {
  addBaseUrlOption,
  addKeyOptions,
  baseUrlOf,
  hidingKey,
  type KeyFlags,
  keyOf,
  platformExitCodes,
  refuseKeyArgument,
} from './platform-options.js';
import { readPushes } from './push-bodies.js';
import { alreadyText, doubtText, reportPushed, requestText } from './push-report.js';
import { refuseTwoStandardInputs } from './squad-options.js';

interface PushFlags extends KeyFlags {
  readonly baseUrl: string;
  readonly journal: string;
  readonly yes?: true;
  readonly retryUnknown?: true;
}

const help = `${platformExitCodes('all done (or, without --yes, shown)')}

Example:
  squadc push squad.json --base-url https://api.example.com \\
    --key-env API_KEY --yes`;

/** Adds the command to the program. */
export function addPushCommand(program: Command, invocation: Invocation): void {
  const command = program
    .command('push')
    .summary('create squads on the platform')
    .description(
      'Creates squads (POST {base-url}/squad) from documents of target vapi. Without --yes it only ' +
        'shows what it would send. A journal keeps what was created, so that the same squad is ' +
        'not created twice; squadc rollback deletes what it names.',
    )
    .argument('<files...>', 'squads as squadc compile --target vapi writes them')
    .option('--yes', 'send the requests')
    .option('--journal <file>', 'journal of what was created', defaultJournal)
    .option('--retry-unknown', 'create again what an earlier request may have created')
    .addHelpText('after', help)
    .action(async (files: string[], flags: PushFlags) => {
      refuseTwoStandardInputs(files, command);
      invocation.exitCode = await pushCommand(files, flags, invocation.io);
    });
  addBaseUrlOption(command);
  addKeyOptions(command);
}

async function pushCommand(files: string[], flags: PushFlags, plainIo: Io): Promise<ExitCode> {
  refuseKeyArgument(flags);
  const baseUrl = await baseUrlOf(flags.baseUrl);
  const hasKey = flags.keyEnv !== undefined || flags.keyFile !== undefined;
  const key = flags.yes || hasKey ? await keyOf(flags, plainIo) : null;
  const io = key === null ? plainIo : hidingKey(plainIo, key);
  const pushes = await readPushes(files, io);
  const target = { baseUrl, retryUnknown: flags.retryUnknown === true };
  if (key === null || !flags.yes) return showPushes(pushes, target, flags, io);
  return makePushes(pushes, { ...target, key }, flags, io);
}

async function showPushes(
  pushes: readonly Push[],
  target: Omit<PushTarget, 'key'>,
  flags: PushFlags,
  io: Io,
): Promise<ExitCode> {
  const { before } = await import('../platform/push.js');
  const creations = (await lookAtJournal(flags.journal, io)) ?? [];
  let doubtful = 0;
  for (const push of pushes) {
    const known = before(push, target, creations);
    if (known.kind === 'created') io.stdout.write(alreadyText(push, known.id));
    else if (known.kind === 'unknown' && !target.retryUnknown) {
      doubtful += 1;
      io.stderr.write(doubtText(push, known.at));
    } else {
      io.stdout.write(requestText(push, target.baseUrl));
    }
  }
  io.stderr.write('nothing was sent (--yes sends it)\n');
  return doubtful > 0 ? exitCodes.invalid : exitCodes.complete;
}

async function makePushes(
  pushes: readonly Push[],
  target: Omit<PushTarget, 'key'> & { readonly key: ApiKey },
  flags: PushFlags,
  io: Io,
): Promise<ExitCode> {
  const { openJournal } = await import('../platform/journal-file.js');
  const { push } = await import('../platform/push.js');
  const journal = await openJournal(resolve(io.cwd, flags.journal));
  if ('fault' in journal) throw journalRefusal(flags.journal, journal);
  let undone = 0;
  try {
    const to = { ...target, key: target.key.value };
    for await (const pushed of push(pushes, to, journal, io.network ?? realNetwork)) {
      if (!reportPushed(pushed, target.key, io)) undone += 1;
    }
  } catch (error) {
    throw await unrecorded(error, flags.journal);
  } finally {
    await journal.close();
  }
  io.stderr.write(
    `${pushes.length - undone} of ${pushes.length} squads are there; journal: ${flags.journal}\n`,
  );
  return undone === 0 ? exitCodes.complete : exitCodes.invalid;
}

async function unrecorded(error: unknown, file: string): Promise<unknown> {
  const { UnrecordedResult } = await import('../platform/push.js');
  if (!(error instanceof UnrecordedResult)) {
    const reason = error instanceof Error && 'code' in error ? reasonOf(error) : null;
    return reason === null
      ? error
      : new Refusal(`cannot write ${file}: ${reason}`, exitCodes.invalid);
  }
  const made = error.id === null ? 'a request was sent' : `squad ${error.id} was created`;
  return new Refusal(
    `push/unrecorded: ${made}, and the journal ${file} could not be written: ` +
      `${reasonOf(error.cause)}\n  help: Keep the id, and make room for the journal before the next push.`,
    exitCodes.invalid,
  );
}
