/** `squadc sandbox`: serves both services on this machine until it is interrupted. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { FaultText } from '../adapters/sandbox/fault.js';
import type { Sandbox, SandboxOptions } from '../adapters/sandbox/sandbox.js';
import { reasonOf } from '../batch/system-error.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { parseNames, wholeNumber } from './options/values.js';
import { greeting } from './sandbox-greeting.js';

interface SandboxFlags {
  readonly port: number;
  readonly seed: number;
  readonly faultShare: number;
  readonly faults: readonly string[];
  readonly repeatedKey: 'replay' | 'conflict';
  readonly wire: 'spec' | 'current' | 'both';
  readonly vendorPrefix: string;
  readonly webhookUrl?: string;
  readonly webhookSecretEnv?: string;
}

const usualFaults = ['reset', 'reset-after', 'status=500', 'status-after=500', 'status=503'];

const help = `
Any request can ask for a fault with the header x-sandbox-fault, and one that
starts a run for its end with x-sandbox-outcome (FAILED=INTERNAL_ERROR,
NEEDS_REVIEW, …).

Faults:
  latency=<ms>        the answer comes so much later
  slow-body=<ms>      its body comes in eight parts, so long before each
  rate-limit=<s>      429, with a Retry-After of so many seconds
  status=<n>          that status; nothing was done
  status-after=<n>    that status, although it was done
  reset, reset-after  the connection breaks, before or after it was done
  hang, hang-after    no answer comes; before or after it was done
  key-lost=<n>        that status; the key is used up, and nothing is done
  key-late=<n>        the same, and it is done two seconds later
  truncate            the connection breaks in the middle of the body
  wrong-type          a page of markup in the place of the answer
  declined            200 with isSuccess: false (bills)
  none                nothing, not even by chance
The usual ones:
  ${usualFaults.join()}

Exit codes:
  0   interrupted (Ctrl-C)
  1   the port cannot be listened on
  64  wrong usage
  70  a bug of squadc's own

Example:
  squadc sandbox --port 4010 --fault-share 0.2`;

/** Adds the command to the program. */
export function addSandboxCommand(program: Command, invocation: Invocation): void {
  program
    .command('sandbox')
    .summary('serve the bills and documents APIs for trials')
    .description(
      'Serves the bills and the documents API on a loopback address, in memory, with faults ' +
        'where they are asked for, until it is interrupted. Nothing it knows is real or kept.',
    )
    .option('--port <n>', 'port to listen on (0: a free one)', wholeNumber(0, 65_535), 0)
    .option('--seed <n>', 'where ids and faults by chance come from', wholeNumber(0, 2 ** 31), 1)
    .option('--fault-share <x>', 'share of requests that meet a fault, from 0 to 1', share, 0)
    .addOption(
      new Option('--faults <a,b>', 'faults to meet by chance')
        .argParser(parseNames)
        .default(usualFaults, 'the usual ones, below'),
    )
    .addOption(
      new Option('--repeated-key <what>', 'what a repeated idempotency key gets')
        .choices(['replay', 'conflict'])
        .default('replay'),
    )
    .addOption(
      new Option('--wire <form>', 'forms of document requests that are understood')
        .choices(['spec', 'current', 'both'])
        .default('both'),
    )
    .option('--vendor-prefix <name>', 'what vendor headers begin with after x-', 'service')
    .option('--webhook-url <url>', 'loopback address that webhooks are sent to')
    .option('--webhook-secret-env <name>', 'environment variable with the signing secret')
    .addHelpText('after', help)
    .action(async (flags: SandboxFlags) => {
      invocation.exitCode = await sandboxCommand(flags, invocation.io);
    });
}

function share(text: string): number {
  const number = /^[01](?:\.\d{1,6})?$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 0 && number <= 1) return number;
  throw new InvalidArgumentError('Expected a number from 0 to 1.');
}

async function sandboxCommand(flags: SandboxFlags, io: Io): Promise<ExitCode> {
  const options = await optionsOf(flags, io);
  const sandbox = await start(options);
  let off = () => {};
  const interrupted = new Promise<void>((resolve) => {
    off = io.onInterrupt(resolve);
  });
  io.stdout.write(greeting(sandbox, options, io.stdout.columns ?? 80));
  await interrupted;
  off();
  await sandbox.close();
  return exitCodes.complete;
}

async function optionsOf(flags: SandboxFlags, io: Io): Promise<SandboxOptions> {
  const { readFault } = await import('../adapters/sandbox/fault.js');
  const unknown = flags.faults.find((each) => readFault(each) === null);
  if (unknown !== undefined) {
    throw new Refusal(`'${unknown}' is no fault (squadc sandbox --help)`, exitCodes.wrongUsage);
  }
  return {
    port: flags.port,
    seed: flags.seed,
    faults: { share: flags.faultShare, faults: flags.faults as readonly FaultText[] },
    bills: { repeatedKey: flags.repeatedKey },
    documents: { wire: flags.wire, vendorPrefix: flags.vendorPrefix, ...webhooksOf(flags, io) },
    // Nobody looks at them here.
    keepRequests: 0,
  };
}

function webhooksOf({ webhookUrl, webhookSecretEnv }: SandboxFlags, io: Io) {
  if (webhookUrl === undefined && webhookSecretEnv === undefined) return {};
  const secret = webhookSecretEnv === undefined ? undefined : io.env[webhookSecretEnv];
  if (webhookUrl === undefined || !secret) {
    throw new Refusal(
      'webhooks need --webhook-url, and --webhook-secret-env with a variable that is set',
      exitCodes.wrongUsage,
    );
  }
  return { webhooks: { url: webhookUrl, secret } };
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  const { createSandbox } = await import('../adapters/sandbox/sandbox.js');
  try {
    return await createSandbox(options);
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal(error.message, exitCodes.wrongUsage);
    if (!(error instanceof Error && 'code' in error)) throw error;
    const reason = listenFaults.get(error.code) ?? reasonOf(error);
    throw new Refusal(`cannot listen on port ${options.port}: ${reason}`, exitCodes.invalid);
  }
}

const listenFaults: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'it needs more rights'],
]);
