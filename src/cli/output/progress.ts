/** Shows the progress of a long command: a bar in a terminal, otherwise a line now and then. */
import type { Io } from '../io.js';

export interface Progress {
  /** `at` is the position if `total` has another unit than `done`, such as bytes. */
  update(done: number, failed: number, at?: number): void;
  /** Ends the display and removes the bar. */
  stop(): void;
}

/** Milliseconds between two lines outside a terminal. */
const schedule = 5000;

/** Shows progress towards `total` on standard error. `unit` is a plural noun. */
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
      // A run that was too short for progress lines gets no last line either.
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
    // Otherwise a killed process would leave the terminal without line wrap.
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
