/** `squadc sandbox`: imitates both services on this machine until it is interrupted. */
import type { FaultText } from '../../sandbox/fault.js';
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.js';
import type { CommandData } from '../command.js';
import { cannotListen, exitCodes, type Io, Refusal, untilEnded } from '../io.js';
import { parser, portOption, wholeNumber } from '../options.js';
import { entry, printable } from '../output/terminal.js';

interface Flags {
  readonly port: number;
  readonly seed: number;
  readonly faultShare: number;
  readonly faults: readonly string[];
}

const share = parser('a number from 0 to 1', (text) =>
  /^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(text) ? Number(text) : undefined,
);

const usualFaults = ['reset', 'reset-after', 'status=500', 'status-after=500', 'status=503'];

export const command: CommandData<[], Flags> = {
  description:
    'Serves the bills and documents APIs on a loopback address, from memory, with faults on ' +
    'demand, until interrupted. No data is real, and nothing is kept.',
  options: {
    'Server:': {
      ...portOption(0),
      '--seed <n>': [
        'seed of the random faults',
        (it) => it.argParser(wholeNumber(0, 2 ** 31)).default(1),
      ],
      '--fault-share <x>': [
        'share of requests that fail, from 0 to 1',
        (it) => it.argParser(share).default(0),
      ],
      '--faults <a,b>': [
        'faults to choose from',
        (it) =>
          it
            .argParser((text) => text.split(/\s*,\s*/))
            .default(usualFaults, 'the usual ones, see below'),
      ],
    },
  },
  notes: {
    'Faults:': {
      'latency=<ms>': 'the response is delayed',
      'rate-limit=<s>': '429, with a Retry-After of so many seconds',
      'status=<n>': 'that status; nothing is done',
      'status-after=<n>': 'that status, although the work is done',
      'reset, reset-after': 'the connection is lost before or after the work',
      'hang, hang-after': 'no response is sent, before or after the work',
      'key-lost=<n>': 'that status; the key is used up, and nothing is done',
      'key-late=<n>': 'the same, but the work is done two seconds later',
      truncate: 'the connection is lost in the middle of the body',
      'wrong-type': 'a web page instead of the response',
      declined: '200 with isSuccess: false (bills)',
      none: 'no fault, not even a random one',
      'by default': usualFaults.join(', '),
    },
    'In any request:': {
      'x-sandbox-fault': 'a header that asks for a fault',
      'x-sandbox-outcome': 'how a run ends, in the request that starts it (NEEDS_REVIEW, …)',
    },
  },
  examples: ['squadc sandbox --port 4010 --fault-share 0.2'],
  async action(_, flags, { io }) {
    const sandbox = await start(flags);
    const ended = untilEnded(io);
    io.stdout.write(greeting(sandbox, flags, io));
    await ended;
    await sandbox.close();
    return exitCodes.complete;
  },
};

async function start({ port, seed, faultShare, faults }: Flags): Promise<Sandbox> {
  const failing = { share: faultShare, faults: faults as readonly FaultText[] };
  try {
    return await createSandbox({ port, seed, faults: failing });
  } catch (error) {
    if (!(error instanceof RangeError)) throw cannotListen(error, `port ${port}`);
    throw new Refusal(`${error.message} (see squadc sandbox --help)`, exitCodes.wrongUsage);
  }
}

function greeting(sandbox: Sandbox, { faultShare, faults }: Flags, { stdout }: Io): string {
  const line = (name: string, ...lines: readonly string[]) =>
    entry(name, lines.join('\n'), 11, stdout.columns);
  const percent = Number((faultShare * 100).toFixed(4));
  const parts = [
    line(
      'bills',
      sandbox.billsUrl,
      'requestToken: sandbox-key',
      'or Authorization: Bearer <token>, issued at /v2/Token/serverside',
      'to clientId sandbox-client, clientSecret sandbox-secret',
    ),
    line(
      'documents',
      sandbox.documentsUrl,
      'Authorization: Bearer sandbox-key',
      'x-service-api-version: 2026-02-09',
    ),
    percent > 0 ? line('faults', `${percent} % of requests: ${faults.join(', ')}`) : '',
  ];
  return printable(`${parts.join('')}Press Ctrl-C to stop.\n`);
}
