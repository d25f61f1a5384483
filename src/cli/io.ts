/** What a command sees of the process that it runs in; tests put their own in its place. */

import type { CallOptions } from '../adapters/http/request.js';
import type { OpenThreads } from '../batch/run.js';
import type { Terminal } from './output/prompts.js';

export interface TextOutput {
  readonly isTTY: boolean;
  /** Width of the terminal, where it is one. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

export interface Io {
  /** Opens the threads of a migration; those of the built package where there are none. */
  readonly threads?: OpenThreads;
  /** Standard input, read to its end. */
  readStdin(): Promise<Uint8Array>;
  /** The same piece by piece, where it can be had so. */
  stdinPieces?(): AsyncIterable<Uint8Array>;
  readonly stdout: TextOutput;
  readonly stderr: TextOutput;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Calls `stop` where the user wants to stop (Ctrl-C), once; the result ends the listening. */
  onInterrupt(stop: () => void): () => void;
  /** How calls to the platform wait and repeat, where it is not as usual. */
  readonly network?: CallOptions;
  /** Where questions are asked; the process's own where there is none. */
  readonly terminal?: Terminal;
  /** Folder that relative paths start from. */
  readonly cwd: string;
}
