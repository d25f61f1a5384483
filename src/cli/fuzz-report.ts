/** What `squadc fuzz` prints at its end. */
import { escapeControls, linesWithin, shorten } from '../diagnostics/quote.js';
import type { Campaign, Tally } from './fuzz-campaign.js';
import type { Failure, LawName } from './fuzz-runs.js';
import type { Io } from './io.js';
import { columnsOf, hanging } from './layout.js';
import { perSecond } from './progress.js';
import { count } from './summary.js';
import { styleFor } from './terminal.js';

/** `files` are those that reproduce a law's failure, where there was time to make one. */
export function reportFuzz(
  campaign: Campaign,
  tally: Tally,
  files: ReadonlyMap<LawName, string>,
  elapsed: number,
  { stdout, env }: Io,
): void {
  const columns = columnsOf(stdout);
  const style = styleFor(stdout, env);
  const sound = isWhole(campaign, tally) ? style.green : style.yellow;
  const paint = tally.failures.length > 0 ? style.red : sound;
  const lines = [
    ...timeLines(campaign, tally),
    '',
    ...tally.failures.flatMap((each) => failureLines(each, files.get(each.law), columns)),
    ...hanging('', summaryOf(campaign, tally, elapsed), columns).map(paint),
  ];
  stdout.write(`${lines.join('\n')}\n`);
}

/** Whether all runs were made that were asked for. */
export function isWhole({ runs }: Campaign, tally: Tally): boolean {
  return tally.runs === runs;
}

/** The laws, those that take most of the time first. */
function timeLines({ trial }: Campaign, { runs, milliseconds }: Tally): string[] {
  const timed = trial.laws.map((law) => ({ law, time: milliseconds.get(law) ?? 0 }));
  const all = timed.reduce((sum, { time }) => sum + time, 0);
  const width = Math.max(...trial.laws.map(({ length }) => length));
  return timed
    .sort((a, b) => b.time - a.time)
    .map(({ law, time }) => {
      const each = (runs === 0 ? 0 : time / runs).toFixed(2).padStart(7);
      const share = (all === 0 ? 0 : (100 * time) / all).toFixed(0).padStart(3);
      return `${law.padEnd(width)} ${each} ms/run ${share}%`;
    });
}

function failureLines(
  { law, run, times, message }: Failure,
  file: string | undefined,
  columns: number,
): string[] {
  const replay = file === undefined ? 'not made small' : `squadc fuzz --replay ${file}`;
  const words = shortened(message).flatMap((line) => linesWithin(line, columns - 4));
  return [
    ...hanging('', `${law} failed ${count(times, 'time')}, first in run ${run}:`, columns),
    ...words.map((line) => `    ${line}`),
    ...hanging('  ', replay, columns),
    '',
  ];
}

/** A few lines of what a law says; the file has all of it. */
function shortened(message: string): string[] {
  const lines = message.split('\n');
  const shown = lines.slice(0, 6).map((line) => escapeControls(shorten(line, 400)));
  return lines.length > shown.length ? [...shown, '…'] : shown;
}

/** `1000 runs of 13 laws, seed 7, 2 threads, 85 runs/s: all hold`. */
function summaryOf(campaign: Campaign, tally: Tally, elapsed: number): string {
  const { trial, runs, jobs } = campaign;
  const made = isWhole(campaign, tally)
    ? count(runs, 'run')
    : `stopped after ${tally.runs} of ${count(runs, 'run')}`;
  const how = `seed ${trial.seed}, ${count(jobs, 'thread')}, ${perSecond(tally.runs, elapsed)} runs/s`;
  const { length } = tally.failures;
  const outcome = length === 0 ? 'no law failed' : `${count(length, 'law')} failed`;
  return `${made} of ${count(trial.laws.length, 'law')}, ${how}: ${outcome}`;
}
