/** What a command sees of its process, and how it ends. Tests supply their own process. */
import type { Readable, Writable } from 'node:stream';
import type { OpenThreads } from '../batch/run.js';
import type { CallOptions } from '../clients/http/request.js';
import type { Diagnostic, JsonPointer } from '../index.js';
import { readPackageFile, reasonOf } from '../io/files.js';
import type { BoundOptions } from '../serve/compile-bound.js';

export interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean; readonly columns?: number };
}

export interface TextOutput {
  readonly isTTY: boolean;
  /** Width of the terminal, if the output is one. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

export interface Io {
  /** Opens the threads of a migration. Default: the threads of the built package. */
  readonly threads?: OpenThreads;
  /** Standard input, in pieces. */
  stdin(): AsyncIterable<Uint8Array>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls `stop` once, on the first Ctrl-C or SIGTERM. The returned function stops listening. */
  onInterrupt(stop: () => void): () => void;
  /** Overrides how calls to the platform wait and retry. */
  readonly network?: CallOptions;
  /** Where to ask questions. Default: the terminal of the process. */
  readonly terminal?: Terminal;
  /** Relative paths start from this folder. */
  readonly cwd: string;
}

/** A text that was read, its name in messages, and the part of the input that it holds. */
export interface Text {
  readonly name: string;
  readonly text: string;
  /** As in diagnostics; absent for the workflow. */
  readonly part?: Diagnostic['in'];
  /** The pointer to its value in that part. */
  readonly base: JsonPointer;
}

/** By what a squad says, what it is in another organization. */
export type Mappings = Partial<Readonly<Record<MappedKind, Readonly<Record<string, string>>>>>;

export type MappedKind = 'credentials' | 'tools' | 'assistants' | 'numbers';

export interface Environment extends Mappings {
  /** Names of environment variables. */
  readonly keyEnv?: string;
  readonly baseUrlEnv?: string;
  readonly journal?: string;
}

/** What `squadc.config.json` says. */
export interface Config {
  readonly options: BoundOptions;
  /** What the options were read from. */
  readonly texts: readonly Text[];
  readonly answers?: string;
  readonly journal: string;
  readonly environments: Readonly<Record<string, Environment>>;
}

/** Reads package.json at run time, so the version always matches the installed package. */
export function packageVersion(): string {
  return JSON.parse(readPackageFile('package.json')).version;
}

export const exitCodes = {
  complete: 0,
  /** Invalid input, a failed check, or a file that cannot be read or written. */
  invalid: 1,
  /** Questions are open, or a check is undecided. */
  questionsOpen: 2,
  wrongUsage: 64,
  /** A bug in squadc. */
  internalError: 70,
  /** A run could not read or write something. */
  failed: 74,
  /** Stopped by the user: 128 plus the number of SIGINT, as in shells. */
  stopped: 130,
  /** The same for SIGTERM. */
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const stopped = 'stopped; finished work is kept, and the same command continues';

/** Ends a command with a message. The fault is in the input, not in squadc. */
export class Refusal extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.invalid,
  ) {
    super(message);
  }
}

export const usageHint = '(squadc --help lists commands, squadc <command> --help their options)';

/** Arguments that cannot be combined. The message points to the help. */
export class WrongUsage extends Refusal {
  constructor(message: string) {
    super(`${message}\n${usageHint}`, exitCodes.wrongUsage);
  }
}

const listenFaults: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'permission denied'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'there is no such address'],
]);

/** The refusal if the address cannot be used. Throws any other error unchanged. */
export function cannotListen(error: unknown, where: string): Refusal {
  if (!(error instanceof Error && 'code' in error)) throw error;
  const reason = listenFaults.get(error.code) ?? reasonOf(error);
  return new Refusal(`cannot listen on ${where}: ${reason}`);
}

/** Waits for Ctrl-C or SIGTERM. */
export async function untilEnded(io: Io): Promise<void> {
  let ignore = () => {};
  await new Promise<void>((resolve) => {
    ignore = io.onInterrupt(resolve);
  });
  ignore();
}
