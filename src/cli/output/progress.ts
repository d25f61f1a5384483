/** Shows the progress of a long command: one line that a terminal repaints, else a line now and then. */
import { grouped } from '../../text/counted.js';
import type { Io } from '../io.js';

export interface Progress {
  update(done: number, failed: number): void;
  /** Ends the display, and removes the line from a terminal. */
  stop(): void;
}

/** Milliseconds between two lines: in a terminal, and elsewhere. */
const pauses = { terminal: 100, others: 5000 };

/** What has to be done before the rest can be estimated. */
const enough = 0.05;

/** Shows progress towards `total` on standard error. `unit` is a plural noun. */
export function openProgress(total: number, unit: string, { stderr, env }: Io): Progress {
  const repaints = stderr.isTTY && env.TERM !== 'dumb';
  const pause = repaints ? pauses.terminal : pauses.others;
  const start = performance.now();
  let [said, last, next] = [start, '', ''];
  const say = () => {
    if (next !== last) stderr.write(repaints ? `\r\u001b[K${next}` : `${next}\n`);
    last = next;
  };
  return {
    update: (done, failed) => {
      const now = performance.now();
      const parts = [
        `${grouped(done)}/${grouped(total)} ${unit}`,
        ...(failed > 0 ? [`${grouped(failed)} failed`] : []),
        ...(done / total < enough ? [] : [`${remaining(now - start, done, total)} left`]),
      ];
      next = parts.join(', ');
      // A line that wraps could not be repainted.
      if (repaints) next = next.slice(0, (stderr.columns || 80) - 1);
      if (now - said < pause) return;
      said = now;
      say();
    },
    stop: () => {
      // A run that was too short for progress lines gets no last line either.
      if (last === '') return;
      if (repaints) stderr.write('\r\u001b[K');
      else say();
    },
  };
}

/** `40s`, `3m 20s`, `2h 5m`. */
function remaining(elapsed: number, done: number, total: number): string {
  const seconds = Math.ceil((elapsed / done) * Math.max(0, total - done) * 0.001);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m ${seconds % 60}s` : `${hours}h ${minutes % 60}m`;
}
