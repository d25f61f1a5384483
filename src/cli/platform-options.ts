/** The options of the commands that call the platform: where it is, and where the key lies. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { AddressFault } from '../adapters/http/base-address.js';
import type { ApiKey, KeyFault } from '../platform/api-key.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io, TextOutput } from './io.js';

export interface KeyFlags {
  readonly keyEnv?: string;
  readonly keyFile?: string;
  /** Given by mistake: a key is never an argument. */
  readonly key?: unknown;
  readonly apiKey?: unknown;
  readonly token?: unknown;
}

/** The exit codes of these commands; `done` is what the first of them stands for. */
export const platformExitCodes = (done: string) => `
Exit codes:
  0   ${done}
  1   something could not be done, or a file cannot be read or written
  64  wrong usage
  70  a bug of squadc's own`;

/** Where the platform is, and where its key lies by convention. */
const usualBaseUrl = 'https://api.vapi.ai';
const usualKeyVariable = 'VAPI_API_KEY';

/** Adds the option that says where the platform is. */
export function addBaseUrlOption(command: Command): void {
  command.option('--base-url <url>', "address of the platform's API", usualBaseUrl);
}

/** Adds the options that say where the key lies. */
export function addKeyOptions(command: Command): void {
  command
    .addOption(
      new Option(
        '--key-env <name>',
        `environment variable that holds the API key (default: ${usualKeyVariable})`,
      ).conflicts('keyFile'),
    )
    .option('--key-file <file>', 'file that holds the API key and nothing else');
  // Declared to be refused: as unknown options they would be repeated in the message, key and all.
  for (const name of ['key', 'api-key', 'token']) {
    command.addOption(new Option(`--${name} [key]`).hideHelp());
  }
}

/** Refuses a key among the arguments, which others on the machine can read. */
export function refuseKeyArgument({ key, apiKey, token }: KeyFlags): void {
  if ([key, apiKey, token].every((each) => each === undefined)) return;
  throw new Refusal(
    'platform/key-argument: the API key must not be an argument: other programs can read it there' +
      '\n  help: Put it into an environment variable and name that with --key-env, or into a file ' +
      'and name that with --key-file. Consider the key that was given as known to others.',
    exitCodes.wrongUsage,
  );
}

const urlFaults: Readonly<Record<AddressFault, readonly [string, string]>> = {
  'no-url': ['--base-url is no URL', 'Write it with its scheme: https://<host>.'],
  scheme: ['--base-url is neither https nor http', 'Write it as https://<host>.'],
  credentials: [
    '--base-url holds a user name or a password',
    'Leave them out; the key comes from --key-env or --key-file.',
  ],
  query: ['--base-url holds a query or a fragment', 'Leave out what follows ? or #.'],
  plain: [
    '--base-url is plain http, on which others could read the key',
    'Use https. Plain http is for localhost alone.',
  ],
};

/** The address of the platform; never repeated in a message, as it may hold what it should not. */
export async function baseUrlOf(text: string): Promise<string> {
  const { readAddress } = await import('../adapters/http/base-address.js');
  const url = readAddress(text);
  if (!('fault' in url)) return `${url.origin}${url.path}`;
  const [what, help] = urlFaults[url.fault];
  throw new Refusal(`platform/base-url: ${what}\n  help: ${help}`, exitCodes.wrongUsage);
}

const keyFaults: Readonly<Record<KeyFault, readonly [string, string]>> = {
  name: [
    '--key-env takes the name of an environment variable, and this is no name',
    'Write the name of the variable, not the key.',
  ],
  unset: ['the environment variable that --key-env names is not set', 'Set it to the API key.'],
  unreadable: ['the file that --key-file names cannot be read', 'Correct the path or its rights.'],
  empty: ['there is no API key where the option says', 'Put the key there.'],
  form: [
    'what stands where the key should be is none: it has blanks, line breaks or other signs',
    'Put the key there alone, on one line.',
  ],
};

/** The key; refuses the command where there is none. */
export async function keyOf(flags: KeyFlags, io: Io): Promise<ApiKey> {
  const { keyFromEnvironment, keyFromFile } = await import('../platform/api-key.js');
  const { keyEnv, keyFile } = flags;
  if (keyEnv === undefined && keyFile === undefined && io.env[usualKeyVariable] === undefined) {
    throw new Refusal(
      'platform/no-key: this needs an API key\n' +
        `  help: Set ${usualKeyVariable}, or name another variable with --key-env, or a file with --key-file.`,
      exitCodes.wrongUsage,
    );
  }
  const key =
    keyFile === undefined
      ? keyFromEnvironment(keyEnv ?? usualKeyVariable, io.env)
      : await keyFromFile(resolve(io.cwd, keyFile), keyFile);
  if (!('fault' in key)) return key;
  const [what, help] = keyFaults[key.fault];
  throw new Refusal(`platform/key: ${what}\n  help: ${help}`, exitCodes.invalid);
}

const hidden = '••••';

/** The streams with every occurrence of the key hidden, whoever wrote it: a server may repeat it. */
export function hidingKey(io: Io, { value }: Pick<ApiKey, 'value'>): Io {
  const covered = (output: TextOutput): TextOutput => ({
    isTTY: output.isTTY,
    columns: output.columns,
    write: (text) => output.write(text.replaceAll(value, hidden)),
  });
  return { ...io, stdout: covered(io.stdout), stderr: covered(io.stderr) };
}
