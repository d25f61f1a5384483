/** Access to the platform for commands: its address and the key. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApiError } from '../../adapters/http/error.js';
import type { Service } from '../../platform/service.js';
import type { ExitCodes, Options } from '../command.js';
import { exitCodes } from '../exit.js';
import type { PlatformCode } from '../faults.js';
import type { Io, TextOutput } from '../io.js';
import { type FaultFacts, faultText, refusal, requestFault } from './faults.js';

export interface KeyFlags {
  readonly keyEnv?: string;
  readonly keyFile?: string;
}

/** The exit codes of commands that call the platform. */
export const platformExitCodes: ExitCodes = {
  0: 'all done',
  1: 'something could not be done, or a file cannot be read or written',
};

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

const urlFaults = {
  'no-url': '--base-url is no URL',
  scheme: '--base-url is neither https nor http',
  credentials: '--base-url holds a user name or a password',
  query: '--base-url holds a query or a fragment',
  plain: '--base-url is plain http, on which others could read the key',
};

/** The address of the platform. Messages never repeat it, because it may hold a secret. */
export async function baseUrlOf(text: string): Promise<string> {
  const { readAddress } = await import('../../adapters/http/request.js');
  const url = readAddress(text);
  if (!('fault' in url)) return `${url.origin}${url.path}`;
  throw refusal('platform/base-url', exitCodes.wrongUsage, { what: urlFaults[url.fault] });
}

/**
 * Reads the key; refuses if there is none. Messages do not repeat the name of the variable or file:
 * a user may have put the key itself there.
 */
export async function keyOf({ keyEnv, keyFile }: KeyFlags, io: Io): Promise<string> {
  const refused = (what: string) => refusal('platform/key', exitCodes.invalid, { what });
  const name = keyEnv ?? usualKeyVariable;
  let text: string | null | undefined;
  if (keyFile === undefined) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw refused('--key-env takes the name of an environment variable, and this is no name');
    }
    text = io.env[name];
    if (text === undefined && keyEnv === undefined) {
      throw refusal('platform/no-key', exitCodes.wrongUsage);
    }
    if (text === undefined) throw refused('the variable that --key-env names is not set');
  } else {
    text = await readFile(resolve(io.cwd, keyFile), 'utf8').catch(() => null);
    if (text === null) throw refused('the file that --key-file names cannot be read');
  }
  const value = text.replace(/^\ufeff/, '').trim();
  // Accepts only what a header can hold unchanged: a network error could show anything else.
  if (/^[\x21-\x7e]{1,4096}$/.test(value)) return value;
  throw refused('what stands where the key should be is empty, or has signs that no key has');
}

export interface Session {
  readonly baseUrl: string;
  readonly key: string;
  readonly service: Service;
  /** Output that hides the key. */
  readonly io: Io;
  /** Reports a fault. */
  tell(subject: string, fault: ApiError | PlatformCode, facts?: FaultFacts): void;
}

/** Everything that a request needs. Refuses the command if there is no key. */
export async function sessionFor(baseUrl: string, flags: KeyFlags, io: Io): Promise<Session> {
  const key = await keyOf(flags, io);
  const { createService } = await import('../../platform/service.js');
  const { keyFile, keyEnv = usualKeyVariable } = flags;
  const source =
    keyFile === undefined ? `the environment variable ${keyEnv}` : `the file ${keyFile}`;
  const hiding = hidingKey(io, key);
  return {
    baseUrl,
    key,
    service: createService({ baseUrl, key, calls: io.network }),
    io: hiding,
    tell: (subject, fault, facts) =>
      hiding.stderr.write(
        typeof fault === 'string'
          ? faultText(subject, fault, facts)
          : requestFault(subject, fault, source),
      ),
  };
}

/** Hides the key in all output, even if a server repeats it. */
function hidingKey(io: Io, key: string): Io {
  const covered = (output: TextOutput): TextOutput => ({
    isTTY: output.isTTY,
    columns: output.columns,
    write: (text) => output.write(text.replaceAll(key, '••••')),
  });
  return { ...io, stdout: covered(io.stdout), stderr: covered(io.stderr) };
}
