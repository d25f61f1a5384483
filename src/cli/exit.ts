/** The exit codes, and the errors that end a command with one. */

export const exitCodes = {
  complete: 0,
  /** Invalid input, a failed check, or a file that cannot be read or written. */
  invalid: 1,
  questionsOpen: 2,
  wrongUsage: 64,
  /** A bug in squadc. */
  internalError: 70,
  /** A run could not read or write something. */
  failed: 74,
  /** Stopped by the user: 128 plus the number of SIGINT, as in shells. */
  stopped: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message. The fault is in the input, not in squadc. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    readonly exitCode: ExitCode = exitCodes.invalid,
  ) {
    super(message);
  }
}

/** Arguments that cannot be combined. The message points to the help. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
