/** Access to the platform for commands: its address and the key. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApiError } from '../../clients/http/error.js';
import { readAddress } from '../../clients/http/request.js';
import { shorten } from '../../diagnostics/quote.js';
import { createService, mostListed, type Service } from '../../platform/service.js';
import type { ExitCodes, Options } from '../command.js';
import { type CommandCode, faultText, refusal } from '../faults.js';
import { exitCodes, type Io, Refusal, type TextOutput } from '../io.js';

export interface KeyFlags {
  readonly keyEnv?: string;
  readonly keyFile?: string;
}

export const platformExitCodes: ExitCodes = {
  0: 'all done',
  1: 'something could not be done, or a file cannot be read or written',
  130: 'stopped by Ctrl-C (by SIGTERM: 143); the same command continues',
};

/** Does work that Ctrl-C or SIGTERM ends at its next `checkpoint`, before another request. */
export async function stoppable<Value>(
  io: Io,
  act: (checkpoint: () => void) => Promise<Value>,
): Promise<Value> {
  let isStopped = false;
  const ignore = io.onInterrupt(() => {
    isStopped = true;
    io.stderr.write('stopping after the current request; press Ctrl-C again to stop now\n');
  });
  const text = 'stopped; finished work is kept, and the same command continues';
  const checkpoint = () => {
    if (isStopped) throw new Refusal(text, exitCodes.stopped);
  };
  const value = await act(checkpoint).finally(ignore);
  checkpoint();
  return value;
}

const usualKeyVariable = 'VAPI_API_KEY';

/**
 * The address of the platform, and what names the key. No option takes the key itself: other users
 * could read it.
 */
export const platformOptions: Options = {
  '--base-url <url>': ["address of the platform's API", (it) => it.default('https://api.vapi.ai')],
  '--key-env <name>': [
    `environment variable that holds the API key (default: ${usualKeyVariable})`,
    (it) => it.conflicts('keyFile'),
  ],
  '--key-file <file>': 'file that holds the API key and nothing else',
};

/** The address of the platform. Messages never repeat it, because it may hold a secret. */
export function baseUrlOf(text: string): string {
  const url = readAddress(text);
  if (!url) throw refusal('api/base-url', [], exitCodes.wrongUsage);
  return `${url.origin}${url.path}`;
}

/**
 * Reads the key; refuses if there is none. Messages do not repeat the name of the variable or file:
 * a user may have put the key itself there.
 */
export async function keyOf({ keyEnv, keyFile }: KeyFlags, io: Io): Promise<string> {
  const text =
    keyFile === undefined
      ? io.env[keyEnv ?? usualKeyVariable]
      : await readFile(resolve(io.cwd, keyFile), 'utf8').catch(() => undefined);
  if (typeof text !== 'string') {
    const [flag, fact] =
      keyFile === undefined
        ? [keyEnv, 'the variable that --key-env names is not set']
        : [keyFile, 'the file that --key-file names cannot be read'];
    if (flag === undefined) throw refusal('api/no-key', [], exitCodes.wrongUsage);
    throw refusal('api/key', [fact]);
  }
  const value = text.replace(/^\ufeff/, '').trim();
  // Accepts only what a header can hold unchanged: a network error could show anything else.
  if (/^[\x21-\x7e]{1,4096}$/.test(value)) return value;
  throw refusal('api/key', ['it is empty or contains invalid characters']);
}

export interface Teller {
  readonly io: Io;
  tell(subject: string, fault: ApiError | CommandCode, ...facts: readonly string[]): void;
}

export interface Session extends Teller {
  readonly baseUrl: string;
  readonly service: Service;
}

/** Whether the flags name a key, which then has to be one even where it is not needed. */
export function hasKey({ keyEnv, keyFile }: KeyFlags): boolean {
  return keyEnv !== undefined || keyFile !== undefined;
}

/** Everything that a request needs; its output hides the key. Refuses if there is no key. */
export async function sessionFor(baseUrl: string, flags: KeyFlags, io: Io): Promise<Session> {
  const key = await keyOf(flags, io);
  const { keyFile, keyEnv = usualKeyVariable } = flags;
  const source =
    keyFile === undefined ? `the environment variable ${keyEnv}` : `the file ${keyFile}`;
  // A server may repeat the key.
  const hiding = (output: TextOutput): TextOutput => ({
    ...output,
    write: (text) => output.write(text.replaceAll(key, '••••')),
  });
  return {
    ...tellerFor({ ...io, stdout: hiding(io.stdout), stderr: hiding(io.stderr) }, source),
    baseUrl,
    service: createService({ baseUrl, key, calls: io.network }),
  };
}

/** What the platform lists of a kind; null, after a message, if it lists nothing. */
export async function listAll(
  { service, tell }: Session,
  kind: 'workflow' | 'number' | 'campaign',
): Promise<readonly unknown[] | null> {
  const subject = { workflow: 'all workflows', number: 'phone numbers', campaign: 'campaigns' }[
    kind
  ];
  const listed = await service.list(kind);
  if (listed === null) tell(subject, 'api/not-json', 'a list was expected');
  else if (!('code' in listed)) {
    if (listed.length >= mostListed) tell(subject, 'api/more', `at most ${mostListed}`);
    return listed;
    // Some accounts have no campaigns.
  } else if (kind === 'campaign' && listed.code === 'api/not-found') return [];
  else tell(subject, listed);
  return null;
}

export function tellerFor(io: Io, keySource = ''): Teller {
  return {
    io,
    tell: (subject, fault, ...facts) => {
      const text =
        typeof fault === 'string'
          ? faultText(subject, fault, facts)
          : requestFault(subject, fault, keySource);
      io.stderr.write(text);
    },
  };
}

function requestFault(subject: string, error: ApiError, keySource: string): string {
  const { status, attempts = 1, serviceMessage = '' } = error;
  const facts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(/^api\/(?:unauthorized|forbidden)$/.test(error.code)
      ? [`the key comes from ${keySource}`]
      : []),
  ];
  const said = shorten(serviceMessage.replaceAll(/\s+/g, ' ').trim(), 300);
  return faultText(subject, error.code, facts, said);
}
