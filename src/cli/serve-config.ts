/**
 * The configuration of `squadc serve`: its form, and how it is read from a file.
 *
 * In: a file that anybody may have written. Out: a configuration of the right form. Secrets do not
 * stand in it: it names the environment variables that hold them.
 */
import type { Limits, ToolHandlerOptions } from '../adapters/tools/options.js';
import type { ServerLimits } from '../adapters/tools/server.js';
import { exitCodes, Refusal } from './exit.js';
import { inputName, readInput } from './input/read.js';
import type { Invocation } from './invocation.js';
import {
  anything,
  type Fault,
  listOf,
  oneOf,
  type Rule,
  recordOf,
  shape,
  text,
  textOr,
  where,
  whole,
} from './serve-rules.js';

/** Members that end in `Env` are names of environment variables. */
export interface ServeConfig
  extends Pick<ToolHandlerOptions, 'allow' | 'tools' | 'fileHosts' | 'say'> {
  readonly secret?: { readonly env: string | readonly string[]; readonly header?: string };
  readonly bills?: BillsPlace;
  readonly documents?: DocumentsPlace;
  readonly bind?: Readonly<Record<string, unknown>>;
  /** Of calls. */
  readonly limits?: Partial<Limits>;
  /** Of connections and requests. */
  readonly server?: Partial<ServerLimits>;
}

/** A key, a token, or the id and the secret of a client. */
export interface BillsPlace {
  readonly baseUrl: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyHeader?: string;
  readonly bearerEnv?: string;
  readonly clientIdEnv?: string;
  readonly clientSecretEnv?: string;
  readonly tokenUrl?: string;
}

export interface DocumentsPlace {
  readonly baseUrl: string;
  readonly apiKeyEnv: string;
  readonly apiVersion?: string;
  readonly vendorPrefix?: string;
  readonly wire?: string;
}

const variable = where(
  (value) => typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value),
  'is no name of an environment variable',
);

const positive = whole(1, 2 ** 31 - 1);

/** The compiler sees to it that none is forgotten. */
const limits: Readonly<Record<keyof Limits, Rule>> = {
  requestBytes: positive,
  argumentChars: positive,
  calls: positive,
  resultChars: positive,
  // The platform waits no longer.
  deadlineMs: whole(1, 20_000),
};

const server: Readonly<Record<keyof ServerLimits, Rule>> = {
  headerBytes: whole(1024, 2 ** 20),
  headersTimeoutMs: positive,
  bodyTimeoutMs: positive,
  idleTimeoutMs: positive,
  connections: positive,
  requests: positive,
  drainMs: positive,
};

const configuration = shape(
  {},
  {
    secret: shape({ env: textOr(variable, listOf(variable)) }, { header: text }),
    bills: shape(
      { baseUrl: text },
      {
        apiKeyEnv: variable,
        apiKeyHeader: text,
        bearerEnv: variable,
        clientIdEnv: variable,
        clientSecretEnv: variable,
        tokenUrl: text,
      },
    ),
    documents: shape(
      { baseUrl: text, apiKeyEnv: variable },
      { apiVersion: text, vendorPrefix: text, wire: oneOf('spec', 'current') },
    ),
    allow: listOf(text),
    bind: recordOf(anything),
    tools: recordOf(textOr(text, shape({ operation: text }, { bind: recordOf(anything) }))),
    fileHosts: listOf(text),
    say: recordOf(listOf(recordOf(anything))),
    limits: shape({}, limits),
    server: shape({}, server),
  },
);

/** The configuration in a file; refuses one of another form, with all of its faults. */
export async function readConfig(file: string, invocation: Invocation): Promise<ServeConfig> {
  const text = await readInput(file, invocation.io);
  const api = await invocation.loadApi();
  // The reader of workflows looks at nothing but the text, so that it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(text);
  // They know their lines; a place in a value that was not read says less.
  const faults: Fault[] = diagnostics.map(({ message, ...place }) => ({
    at: '',
    what: 'line' in place ? `line ${place.line}, column ${place.column}: ${message}` : message,
  }));
  if (faults.length === 0) configuration(value, '', faults);
  refuseFaulty(file, faults);
  return value as ServeConfig;
}

/** Ends the command where there are faults. */
export function refuseFaulty(file: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
  const lines = faults.map(({ at, what }) => `\n  ${at === '' ? what : `${at} ${what}`}`);
  throw new Refusal(`${inputName(file)} has ${count}:${lines.join('')}`, exitCodes.invalid);
}
