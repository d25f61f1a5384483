/** What the commands get that are not data yet. */
import type { LoadApi } from './command.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';

export type { Api, LoadApi } from './command.js';

/** Loads the library at the first call; `--help` and wrong usage never pay for it. */
export const loadApi: LoadApi = () => import('../index.js');

export interface Invocation {
  readonly io: Io;
  readonly loadApi: LoadApi;
  /** How the command ended, where it ended without a refusal. */
  exitCode: ExitCode;
}
