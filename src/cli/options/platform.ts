/** The options of the commands that call the platform: where it is, and where the key lies. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Option } from 'commander';
import type { AddressFault } from '../../adapters/http/request.js';
import type { Service } from '../../platform/service.js';
import type { ExitCodeHelp } from '../command.js';
import { exitCodes } from '../exit.js';
import type { Io, TextOutput } from '../io.js';
import { refusal } from '../output/platform-faults.js';

export interface KeyFlags {
  readonly keyEnv?: string;
  readonly keyFile?: string;
  /** Given by mistake: a key is never an argument. */
  readonly key?: unknown;
  readonly apiKey?: unknown;
  readonly token?: unknown;
}

/** The exit codes of these commands; `done` is what the first of them stands for. */
export const platformExitCodes = (done: string): ExitCodeHelp => [
  [0, done],
  [1, 'something could not be done, or a file cannot be read or written'],
  [64, 'wrong usage'],
  [70, "a bug of squadc's own"],
];

/** Where the platform is, and where its key lies by convention. */
const usualBaseUrl = 'https://api.vapi.ai';
const usualKeyVariable = 'VAPI_API_KEY';

/** Where the platform is. */
export const baseUrlOption = new Option(
  '--base-url <url>',
  "address of the platform's API",
).default(usualBaseUrl);

/** Where the key lies; a key itself is taken to be refused: as unknown it would be repeated. */
export const keyOptions: readonly Option[] = [
  new Option(
    '--key-env <name>',
    `environment variable that holds the API key (default: ${usualKeyVariable})`,
  ).conflicts('keyFile'),
  new Option('--key-file <file>', 'file that holds the API key and nothing else'),
  ...['key', 'api-key', 'token'].map((name) => new Option(`--${name} [key]`).hideHelp()),
];

/** Refuses a key among the arguments, which others on the machine can read. */
export function refuseKeyArgument({ key, apiKey, token }: KeyFlags): void {
  if ([key, apiKey, token].every((each) => each === undefined)) return;
  throw refusal('platform/key-argument', exitCodes.wrongUsage);
}

const urlFaults: Readonly<Record<AddressFault, string>> = {
  'no-url': '--base-url is no URL',
  scheme: '--base-url is neither https nor http',
  credentials: '--base-url holds a user name or a password',
  query: '--base-url holds a query or a fragment',
  plain: '--base-url is plain http, on which others could read the key',
};

/** The address of the platform; never repeated in a message, as it may hold what it should not. */
export async function baseUrlOf(text: string): Promise<string> {
  const { readAddress } = await import('../../adapters/http/request.js');
  const url = readAddress(text);
  if (!('fault' in url)) return `${url.origin}${url.path}`;
  throw refusal('platform/base-url', exitCodes.wrongUsage, { what: urlFaults[url.fault] });
}

export interface ApiKey {
  readonly value: string;
  /** Where it came from, for messages. */
  readonly source: string;
}

/**
 * The key; refuses the command where there is none. A fault names neither the variable nor the file:
 * whoever mistook the option for the key itself would find the key in the message.
 */
export async function keyOf({ keyEnv, keyFile }: KeyFlags, io: Io): Promise<ApiKey> {
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
  // What a header can hold without a change; an error of the network could show the rest.
  if (!/^[\x21-\x7e]{1,4096}$/.test(value)) {
    throw refused('what stands where the key should be is empty, or has signs that no key has');
  }
  return {
    value,
    source: keyFile === undefined ? `the environment variable ${name}` : `the file ${keyFile}`,
  };
}

/** The platform as a command reaches it. */
export interface Session {
  readonly baseUrl: string;
  readonly key: ApiKey;
  readonly service: Service;
  /** Hides the key. */
  readonly io: Io;
}

/** Everything that a request needs; refuses the command where the key is missing. */
export async function sessionFor(baseUrl: string, flags: KeyFlags, io: Io): Promise<Session> {
  const key = await keyOf(flags, io);
  const { createService } = await import('../../platform/service.js');
  const service = createService({ baseUrl, key: key.value, calls: io.network });
  return { baseUrl, key, service, io: hidingKey(io, key) };
}

const hidden = '••••';

/** The streams with every occurrence of the key hidden, whoever wrote it: a server may repeat it. */
function hidingKey(io: Io, { value }: ApiKey): Io {
  const covered = (output: TextOutput): TextOutput => ({
    isTTY: output.isTTY,
    columns: output.columns,
    write: (text) => output.write(text.replaceAll(value, hidden)),
  });
  return { ...io, stdout: covered(io.stdout), stderr: covered(io.stderr) };
}
