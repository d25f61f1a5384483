/** What a command sees of its process; tests supply their own. */
import { existsSync, readFileSync } from 'node:fs';
import type { CallOptions } from '../adapters/http/request.js';
import type { OpenThreads } from '../batch/run.js';
import type { Terminal } from './output/prompts.js';

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
  /** Calls `stop` once, on the first Ctrl-C. The returned function stops listening. */
  onInterrupt(stop: () => void): () => void;
  /** Overrides how calls to the platform wait and retry. */
  readonly network?: CallOptions;
  /** Where to ask questions. Default: the terminal of the process. */
  readonly terminal?: Terminal;
  /** Relative paths start from this folder. */
  readonly cwd: string;
}

/** Reads package.json at run time, so the version always matches the installed package. */
export function packageVersion(): string {
  // From dist/ it is one folder up, from src/cli/ two.
  const paths = ['../package.json', '../../package.json'];
  const [file] = paths.map((path) => new URL(path, import.meta.url)).filter((it) => existsSync(it));
  return JSON.parse(readFileSync(file!, 'utf8')).version;
}
