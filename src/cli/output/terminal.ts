/**
 * Text for a terminal: colours, line breaks, and visible control characters.
 *
 * FORCE_COLOR decides if it is set, then NO_COLOR unless it is empty. Otherwise there is colour if
 * the output is a terminal, but not a dumb one. JSON has no colour.
 */
import { stripVTControlCharacters, styleText } from 'node:util';
import { findNearest } from '../../compiler/ir/names.js';
import { linesWithin } from '../../diagnostics/quote.js';
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

/** Wraps and indents text of squadc's own. Lines are at most 100 columns, for easy reading. */
export function indented(text: string, width: number, indent = 2): string {
  const room = Math.max(20, Math.min(width, 100) - indent);
  const lines = text.split('\n').flatMap((line) => linesWithin(line, room));
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
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

/** A name and its description, in two columns. */
export function entry(name: string, text: string, column: number, columns = 80): string {
  return `${name}${indented(text, columns, column).slice(name.length)}\n`;
}
