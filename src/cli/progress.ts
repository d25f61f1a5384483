/** How far a long command is: a bar on a terminal, now and then a line elsewhere. */
import type { Io } from './io.js';

export interface Progress {
  update(done: number, failed: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** Time between two lines where there is no terminal. */
const schedule = 5000;

/** Shows the progress of so many of something on standard error. */
export async function openProgress(
  total: number,
  unit: string,
  { stderr, env }: Io,
): Promise<Progress> {
  const { default: cliProgress } = await import('cli-progress');
  const isTTY = stderr.isTTY && env.TERM !== 'dumb';
  const columns = stderr.columns || 80;
  const start = performance.now();
  const bar = new cliProgress.SingleBar({
    stream: { ...stderr, isTTY, columns, write: (text: string) => stderr.write(text) } as never,
    format: isTTY
      ? `{bar} {value}/{total} ${unit}, {rate}/s, {failed} failed`
      : `{value} of {total} ${unit}, {rate} ${unit}/s, {failed} failed`,
    barsize: Math.max(4, Math.min(40, columns - 45)),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // Whatever ends the process, the terminal is left as it was.
    linewrap: true,
    clearOnComplete: true,
    noTTYOutput: true,
    notTTYSchedule: schedule,
  });
  bar.start(total, 0, { rate: 0, failed: 0 });
  return {
    update: (done, failed) => {
      bar.update(done, { rate: perSecond(done, performance.now() - start), failed });
    },
    stop: () => bar.stop(),
  };
}

/** How many in a second, as a whole number where it is large. */
export function perSecond(done: number, milliseconds: number): string {
  const rate = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  return rate.toFixed(rate < 10 ? 1 : 0);
}
