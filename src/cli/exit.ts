/** Exit codes of the binary, and the refusal that carries one to where it ends. */

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

/** The table of exit codes as every help text shows it. */
export const exitCodesHelp = `
Exit codes:
  0   complete
  1   invalid input, or a file that cannot be read or written
  2   questions are open
  64  wrong usage
  70  a bug of squadc's own`;
