/** Access to the platform for commands: its address and the key. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { ApiError } from '../../clients/http/error.js';
import { readAddress } from '../../clients/http/request.js';
import { shorten } from '../../diagnostics/quote.js';
import { createService, mostListed, type Service } from '../../platform/service.js';
import type { Context, Options } from '../command.js';
import { noConfig } from '../config.js';
import { type CommandCode, faultText, refusal } from '../faults.js';
import {
  type Environment,
  exitCodes,
  type Io,
  type MappedKind,
  type Mappings,
  Refusal,
  stopped,
  type TextOutput,
  WrongUsage,
} from '../io.js';
import { repeated } from '../options.js';
import { unknownName } from '../output/terminal.js';

export interface PlatformFlags {
  readonly env?: string;
  readonly baseUrl?: string;
  readonly keyEnv?: string;
  readonly keyFile?: string;
  readonly journal?: string;
}

/** An organization on the platform, and what is known of it. */
export interface Target {
  /** Undefined if nobody says another than the usual one. */
  readonly baseUrl: string | undefined;
  readonly journal: string;
  /** What names the key, if something does. */
  readonly key: Pick<PlatformFlags, 'keyEnv' | 'keyFile'>;
  readonly environment: Environment;
}

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
  const checkpoint = () => {
    if (isStopped) throw new Refusal(stopped, exitCodes.stopped);
  };
  const value = await act(checkpoint).finally(ignore);
  checkpoint();
  return value;
}

const usualKeyVariable = 'VAPI_API_KEY';
export const usualAddress = 'https://api.vapi.ai';

/** What names the organization. No option takes the key itself: other users could read it. */
export const platformOptions: Options = {
  '--env <name>': 'one of the environments of squadc.config.json',
  '--base-url <url>': `address of the API (default: ${usualAddress})`,
  '--key-env <name>': [
    `variable with the API key (default: ${usualKeyVariable})`,
    (it) => it.conflicts('keyFile'),
  ],
  '--key-file <file>': 'file that holds the API key and nothing else',
};

/** The journal that `push` writes and others read. */
export const journalOption: Options = {
  '--journal <file>': `what was created (default: ${noConfig.journal})`,
};

export const onlyOption: Options = {
  '--only <number>': ['only this number or campaign (repeatable)', (it) => it.argParser(repeated)],
};

/** Those that --only names, or all without it; refuses a name of none of them. */
export function onlyThese<
  T extends { readonly kind: string; readonly id: string; readonly name: string },
>(all: readonly T[], { only }: { readonly only?: readonly string[] }): readonly T[] {
  if (only === undefined) return all;
  const routes = all.filter(({ kind }) => kind === 'number' || kind === 'campaign');
  const names = routes.flatMap(({ id, name }) => [name, id]);
  const wrong = only.find((one) => !names.includes(one));
  const isNamed = ({ id, name }: T) => only.includes(id) || only.includes(name);
  if (wrong === undefined) return routes.filter(isNamed);
  throw unknownName('number', wrong, names, 'without --only, all are listed');
}

/** The organization that the flags and the configuration name. */
export function targetOf(flags: PlatformFlags, { io, config }: Context): Target {
  const { env, keyEnv, keyFile } = flags;
  const names = Object.keys(config.environments);
  const isNamed = [flags.baseUrl, keyEnv, keyFile].some((it) => it !== undefined);
  if (env === undefined && names.length > 0 && !isNamed) {
    throw new WrongUsage(`choose an environment with --env: ${names.join(', ')}`);
  }
  if (env !== undefined && !names.includes(env)) {
    throw unknownName('environment', env, names, 'squadc.config.json names them');
  }
  const environment: Environment = env === undefined ? {} : config.environments[env]!;
  const { baseUrlEnv } = environment;
  const address = flags.baseUrl ?? (baseUrlEnv && (io.env[baseUrlEnv] ?? ''));
  // Two organizations may have one address, and each has a journal of its own.
  const part = env === undefined ? '' : `.${env}`;
  const own = config.journal.replace(/(\.\w+)?$/, (end) => part + end);
  const variable = keyEnv ?? environment.keyEnv;
  return {
    baseUrl: address === undefined ? undefined : baseUrlOf(address),
    journal: flags.journal ?? environment.journal ?? own,
    key: keyFile ? { keyFile } : variable ? { keyEnv: variable } : {},
    environment,
  };
}

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
export async function keyOf({ key: { keyEnv, keyFile } }: Target, io: Io): Promise<string> {
  const text =
    keyFile === undefined
      ? io.env[keyEnv ?? usualKeyVariable]
      : await readFile(resolve(io.cwd, keyFile), 'utf8').catch(() => undefined);
  if (typeof text !== 'string') {
    if (keyFile !== undefined) throw refusal('api/key', ['the file of --key-file cannot be read']);
    if (keyEnv === undefined) throw refusal('api/no-key', [], exitCodes.wrongUsage);
    throw refusal('api/key', ['its environment variable is not set']);
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

/** Whether something names a key, which then has to be one even where it is not needed. */
export function hasKey({ key }: Target): boolean {
  return Object.keys(key).length > 0;
}

/** Everything that a request needs; its output hides the key. Refuses if there is no key. */
export async function sessionFor(target: Target, io: Io): Promise<Session> {
  const key = await keyOf(target, io);
  const { keyFile, keyEnv = usualKeyVariable } = target.key;
  const { baseUrl = usualAddress } = target;
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

/** Whether the platform has no workflows any more, rather than not this one. */
export const isRetired = ({ status }: ApiError) => status === 404 || status === 410;

const subjects = { workflow: 'all workflows', number: 'phone numbers', campaign: 'campaigns' };

/** What the platform lists of a kind; null, after a message, if it lists nothing. */
export async function listAll(
  { service, tell }: Session,
  kind: keyof typeof subjects,
): Promise<readonly unknown[] | null> {
  const subject = subjects[kind];
  const listed = await service.list(kind);
  if (listed === null) tell(subject, 'api/not-json', 'a list was expected');
  else if (!('code' in listed)) {
    if (listed.length >= mostListed) tell(subject, 'api/more', `at most ${mostListed}`);
    return listed;
    // Some accounts have no campaigns.
  } else if (kind === 'campaign' && listed.code === 'api/not-found') return [];
  else if (kind === 'workflow' && isRetired(listed)) tell(subject, 'pull/retired');
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

/** Fields of a squad that belong to an organization; a number may be the same everywhere, an id cannot. */
const fields: Readonly<Record<MappedKind, RegExp>> = {
  credentials: /^credentialIds?$/,
  tools: /^toolIds?$/,
  assistants: /^assistantId$/,
  numbers: /^(?:number|callerId|phoneNumberId)$/,
};

/** The document in the words of the mappings, and ids that the mapping of their kind does not know. */
export function translate<T>(document: T, mappings: Mappings): { document: T; unmapped: string[] } {
  const unmapped = new Set<string>();
  const text = JSON.stringify(document, (key, value) => {
    const kind = (Object.keys(fields) as MappedKind[]).find((each) => fields[each].test(key));
    const mapping = kind && mappings[kind];
    if (mapping === undefined) return value;
    const translated = (id: unknown) => {
      if (typeof id !== 'string') return id;
      if (Object.hasOwn(mapping, id)) return mapping[id];
      const isOwn = kind === 'numbers' || Object.values(mapping).includes(id);
      if (!isOwn) unmapped.add(`${key} ${id}`);
      return id;
    };
    return Array.isArray(value) ? value.map(translated) : translated(value);
  });
  return { document: JSON.parse(text), unmapped: [...unmapped] };
}
