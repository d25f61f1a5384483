/**
 * Text for a terminal: colours, line breaks, visible control characters, and the progress of a long
 * command.
 *
 * FORCE_COLOR decides if it is set, then NO_COLOR unless it is empty. Otherwise there is colour if
 * the output is a terminal, but not a dumb one. JSON has no colour.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { findNearest } from '../../compiler/ir/names.js';
import { linesWithin } from '../../diagnostics/quote.js';
import { hanging } from '../../report/check-text.js';
import { grouped } from '../../text/counted.js';
import { escapeControls } from '../../text/escape.js';
import { exitCodes, type Io, Refusal, type TextOutput } from '../io.js';

const formats = ['bold', 'dim', 'red', 'yellow', 'cyan', 'green'] as const;

/** Functions that add a colour or a format, or return the text unchanged. */
export type Style = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

/** Whether text on this output gets colours. */
export function mayColour(output: TextOutput, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return output.isTTY && env.TERM !== 'dumb';
}

/** The style for text on this output. */
export function styleFor(output: TextOutput, env: Io['env']): Style {
  const coloured = mayColour(output, env);
  const paints = formats.map((format) => [
    format,
    (text: string) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  ]);
  return Object.fromEntries(paints);
}

/** The columns for a report: those of the terminal, at least 24, or 80 without a terminal. */
export function columnsOf({ columns }: TextOutput): number {
  return Math.max(24, columns || 80);
}

/** Makes control characters visible, except tab and newline: they could control the terminal. */
export function printable(text: string): string {
  return text.replace(/[^\t\n]+/g, escapeControls);
}

/** Breaks lines that are too long, except excerpts, places and JSON to copy; their rest is indented. */
export function wrapped(text: string, columns = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n').flatMap((line) => {
    const isExact = /^\s*\d* ?\||^\s*-->|proposed\S*: \{/.test(line);
    if (isExact || stripVTControlCharacters(line).length <= columns) return [line];
    const indent = ' '.repeat(/^[ *-]*/.exec(line)![0].length);
    const [first = '', ...rest] = linesWithin(line, columns);
    const room = Math.max(20, columns - indent.length - 2);
    return [first, ...linesWithin(rest.join(' '), room).map((each) => `${indent}  ${each}`)];
  });
  return lines.join('\n');
}

/** The refusal of a name that is not known, with the most similar one, or where to find all. */
export function unknownName(
  kind: string,
  name: string,
  known: readonly string[],
  listed: string,
): Refusal {
  const hint = didYouMean(name, known) || `\n(${listed})`;
  return new Refusal(`unknown ${kind} '${name}'${hint}`, exitCodes.wrongUsage);
}

/** A hint at the most similar word, as the argument parser words it; empty if there is none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = findNearest(word, candidates);
  return suggestion === null ? '' : `\n(Did you mean ${suggestion}?)`;
}

/** A name and its description, in two columns. Lines are at most 100 columns, for easy reading. */
export function entry(name: string, text: string, column: number, columns = 80): string {
  const lines = text.split('\n').flatMap((line, at) => {
    return hanging((at === 0 ? name : '').padEnd(column), line, Math.min(columns, 100));
  });
  return lines.map((line) => `${line}\n`).join('');
}

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
