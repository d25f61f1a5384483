/** How far a long command is: a bar on a terminal, now and then a line elsewhere. */
import type { Io } from '../io.js';

export interface Progress {
  /** `at` is how far it is, where that is not how much was done, such as bytes of a file. */
  update(done: number, failed: number, at?: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** Time between two lines where there is no terminal. */
const schedule = 5000;

/** Shows the progress of so many of something on standard error. */
export async function openProgress(total: number, unit: string, io: Io): Promise<Progress> {
  const { stderr, env } = io;
  const start = performance.now();
  const wordsFor = (done: number, failed: number, at: number) => {
    const elapsed = performance.now() - start;
    const rate = elapsed > 0 ? (done * 1000) / elapsed : 0;
    const left = remaining(elapsed, at, total);
    return `${done} done, ${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${failed} failed, ${left} left`;
  };
  if (!stderr.isTTY || env.TERM === 'dumb') {
    let said = start;
    let [last, next] = ['', ''];
    const say = () => {
      if (next !== last) stderr.write(next);
      last = next;
    };
    return {
      update: (done, failed, at = done) => {
        const percentage = total === 0 ? 100 : Math.floor((at / total) * 100);
        next = `${percentage}% of the ${unit}: ${wordsFor(done, failed, at)}\n`;
        if (performance.now() - said < schedule) return;
        said = performance.now();
        say();
      },
      // What took no time to wonder about is not told at its end either.
      stop: () => last !== '' && say(),
    };
  }
  const { default: cliProgress } = await import('cli-progress');
  const columns = stderr.columns || 80;
  const write = (text: string) => stderr.write(text);
  const bar = new cliProgress.SingleBar({
    stream: { ...stderr, isTTY: true, columns, write } as never,
    format: '{bar} {percentage}%, {words}',
    barsize: Math.max(4, Math.min(40, columns - 45)),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // Whatever ends the process, the terminal is left as it was.
    linewrap: true,
    clearOnComplete: true,
  });
  bar.start(total, 0, { words: wordsFor(0, 0, 0) });
  return {
    update: (done, failed, at = done) => bar.update(at, { words: wordsFor(done, failed, at) }),
    stop: () => bar.stop(),
  };
}

/** `40s`, `3m 20s`, `2h 5m`. */
function remaining(elapsed: number, done: number, total: number): string {
  if (done <= 0) return '?';
  const seconds = Math.ceil((elapsed / done) * Math.max(0, total - done) * 0.001);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m ${seconds % 60}s` : `${hours}h ${minutes % 60}m`;
}
