/** Faults of the machine around a run, in words without paths of this machine. */
import type { Verdict } from './setup.js';
import { reasonOf } from './system-error.js';

/** Failures that are bugs of squadc's own. */
export const bugCodes: ReadonlySet<string> = new Set(['batch/internal-error', 'batch/refuted']);

/** Something could not be written; the row says what and why. */
export class WriteFault extends Error {
  override readonly name = 'WriteFault';

  constructor(
    readonly code: 'batch/write-failed' | 'batch/foreign-file',
    message: string,
  ) {
    super(message);
  }
}

export function foreignFile(path: string): WriteFault {
  const message = `${path} is there already, and squadc did not write it as it is`;
  return new WriteFault('batch/foreign-file', message);
}

/** The fault of writing something below the output folder, POSIX. */
export function writeFault(path: string, error: unknown): WriteFault {
  if (error instanceof WriteFault) return error;
  return new WriteFault('batch/write-failed', `cannot write ${path}: ${reasonOf(error)}`);
}

/** Anything else is a bug. */
export function verdictOf(error: unknown): Verdict {
  if (error instanceof WriteFault) return { code: error.code, message: error.message };
  return { code: 'batch/internal-error', message: messageOf(error) };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
