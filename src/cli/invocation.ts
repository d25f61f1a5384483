/** What every command gets: the process around it, and the library it is a customer of. */
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';

/** The part of the library that the commands use. */
export type Api = Pick<
  typeof import('../index.js'),
  | 'codes'
  | 'compile'
  | 'emit'
  | 'explain'
  | 'locateAll'
  | 'readWorkflow'
  | 'renderDiagnostic'
  | 'renderQuestion'
  | 'verify'
>;

export type LoadApi = () => Promise<Api>;

/** Loads the library at the first call; `--help` and wrong usage never pay for it. */
export const loadApi: LoadApi = () => import('../index.js');

export interface Invocation {
  readonly io: Io;
  readonly loadApi: LoadApi;
  /** How the command ended, where it ended without a refusal. */
  exitCode: ExitCode;
}
