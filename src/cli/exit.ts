/** Exit codes of the binary, and what carries one to where it ends. */

export const exitCodes = {
  complete: 0,
  /** Invalid input, a failed check, or a file that cannot be read or written. */
  invalid: 1,
  questionsOpen: 2,
  wrongUsage: 64,
  /** A bug of squadc's own. */
  internalError: 70,
  /** Something of a run could not be read or written. */
  failed: 74,
  /** Stopped by the user, as shells count it. */
  stopped: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a message for the user: a fault of the input, not of squadc. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** Arguments that do not go together; the message ends with where the help is. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
