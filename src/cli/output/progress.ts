/** How far a long command is: a bar on a terminal, now and then a line elsewhere. */
import type { Io } from '../io.js';

export interface Progress {
  update(done: number, failed: number): void;
  /** Removes the bar. */
  stop(): void;
}

/** Time between two lines where there is no terminal. */
const schedule = 5000;

/** Shows the progress of so many of something on standard error. */
export async function openProgress(total: number, unit: string, io: Io): Promise<Progress> {
  const start = performance.now();
  const bar = await openBar(
    total,
    { rate: 0, failed: 0 },
    {
      terminal: `{bar} {value}/{total} ${unit}, {rate}/s, {failed} failed`,
      lines: `{value} of {total} ${unit}, {rate} ${unit}/s, {failed} failed`,
    },
    io,
  );
  return {
    update: (done, failed) => {
      bar.update(done, { rate: perSecond(done, performance.now() - start), failed });
    },
    stop: () => bar.stop(),
  };
}

/** Progress in things whose number is not known, by that of the bytes that they stand in. */
export interface ByteProgress {
  update(done: number, bytes: number, failed: number): void;
  stop(): void;
}

export async function openByteProgress(bytes: number, unit: string, io: Io): Promise<ByteProgress> {
  const start = performance.now();
  const bar = await openBar(
    bytes,
    { done: 0, rate: 0, failed: 0, left: '?' },
    {
      terminal: '{bar} {percentage}%, {done} done, {rate}/s, {failed} bad, {left} left',
      lines: `{percentage}% of the ${unit}: {done} done, {rate}/s, {failed} invalid or failed, {left} left`,
    },
    io,
  );
  return {
    update: (done, read, failed) => {
      const elapsed = performance.now() - start;
      const rate = perSecond(done, elapsed);
      bar.update(read, { done, rate, failed, left: remaining(elapsed, read, bytes) });
    },
    stop: () => bar.stop(),
  };
}

/** `40s`, `3m 20s`, `2h 5m`. */
export function remaining(elapsed: number, done: number, total: number): string {
  if (done <= 0) return '?';
  const seconds = Math.ceil((elapsed / done) * Math.max(0, total - done) * 0.001);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds}s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes}m ${seconds % 60}s` : `${hours}h ${minutes % 60}m`;
}

interface Bar {
  update(value: number, payload: object): void;
  stop(): void;
}

interface Format {
  readonly terminal: string;
  readonly lines: string;
}

async function openBar(total: number, payload: object, format: Format, io: Io): Promise<Bar> {
  const { stderr, env } = io;
  if (!stderr.isTTY || env.TERM === 'dumb') return openLines(total, payload, format.lines, io);
  const { default: cliProgress } = await import('cli-progress');
  const columns = stderr.columns || 80;
  const bar = new cliProgress.SingleBar({
    stream: {
      ...stderr,
      isTTY: true,
      columns,
      write: (text: string) => stderr.write(text),
    } as never,
    format: format.terminal,
    barsize: Math.max(4, Math.min(40, columns - 45)),
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // Whatever ends the process, the terminal is left as it was.
    linewrap: true,
    clearOnComplete: true,
  });
  bar.start(total, 0, payload);
  return bar;
}

/** A line now and then, of what takes long enough to wonder; then one that says how it ended. */
function openLines(total: number, payload: object, format: string, { stderr }: Io): Bar {
  let said = performance.now();
  let lines = 0;
  let last: (() => string) | null = null;
  const say = () => {
    if (last !== null) stderr.write(`${last()}\n`);
    last = null;
    lines += 1;
  };
  return {
    update(value, more) {
      last = () => filled(format, { ...payload, ...more, value, total });
      if (performance.now() - said < schedule) return;
      said = performance.now();
      say();
    },
    stop: () => {
      if (lines > 0) say();
    },
  };
}

type Parts = Readonly<Record<string, unknown>> & Readonly<Record<'value' | 'total', number>>;

function filled(format: string, { value, total, ...others }: Parts): string {
  const percentage = total === 0 ? 100 : Math.floor((value / total) * 100);
  const parts: Readonly<Record<string, unknown>> = { ...others, value, total, percentage };
  return format.replace(/\{(\w+)\}/g, (_, name: string) => String(parts[name]));
}

/** How many in a second, as a whole number where it is large. */
function perSecond(done: number, milliseconds: number): string {
  const rate = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  return rate.toFixed(rate < 10 ? 1 : 0);
}
