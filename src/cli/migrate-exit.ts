/** The exit code of a run: that of the worst that happened. */
import type { Bad, FinishedRun, StoppedRun } from '../batch/run.js';
import { type ExitCode, exitCodes } from './exit.js';
import type { EndedRun } from './run-sources.js';

/** `lacksSources`: some could not be fetched, beside those that the plan could not find. */
export function exitCodeOf({ plan, finished, stopped }: EndedRun, lacksSources = false): ExitCode {
  if (finished !== null) return worstOf(finished, lacksSources || plan.faults.length > 0);
  return stopped === null ? exitCodes.failed : exitCodeOfStop(stopped);
}

function worstOf({ totals, bad, faults }: FinishedRun, lacksSources: boolean): ExitCode {
  const worst = exitCodeOfBad(bad);
  if (worst === exitCodes.internalError) return worst;
  if (lacksSources || faults.length > 0) return exitCodes.failed;
  if (worst !== null) return worst;
  return totals.byStatus['needs-answers'] > 0 ? exitCodes.questionsOpen : exitCodes.complete;
}

function exitCodeOfStop({ bad, byUser }: StoppedRun): ExitCode {
  return (byUser ? null : exitCodeOfBad(bad)) ?? exitCodes.stopped;
}

function exitCodeOfBad({ invalid, failed, bugs }: Bad): ExitCode | null {
  if (bugs > 0) return exitCodes.internalError;
  if (failed > 0) return exitCodes.failed;
  return invalid > 0 ? exitCodes.invalid : null;
}
