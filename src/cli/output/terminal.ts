/**
 * Texts for a terminal: when to colour and with what, how to break them, what to make visible.
 *
 * FORCE_COLOR decides where it is set, then NO_COLOR (any value but the empty one), then whether
 * the output is a terminal that is not a dumb one. JSON is never coloured.
 */
import { styleText } from 'node:util';
import { findNearest } from '../../compiler/ir/names.js';
import { escapeControls, linesWithin, textWidth } from '../../diagnostics/quote.js';
import type { Io, TextOutput } from '../io.js';

const formats = ['bold', 'dim', 'red', 'yellow', 'cyan', 'green'] as const;

/** Paints a text, or leaves it as it is. */
export type Style = Readonly<Record<(typeof formats)[number], (text: string) => string>>;

/** Whether texts on this output are painted. */
export function mayColour(output: TextOutput, env: Io['env']): boolean {
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env.NO_COLOR) return false;
  return output.isTTY && env.TERM !== 'dumb';
}

/** The style for texts on this output. */
export function styleFor(output: TextOutput, env: Io['env']): Style {
  const coloured = mayColour(output, env);
  const paints = formats.map((format) => [
    format,
    (text: string) => (coloured ? styleText(format, text, { validateStream: false }) : text),
  ]);
  return Object.fromEntries(paints);
}

/** Columns that a report may use; what is no terminal gets those of a usual one. */
export function columnsOf({ columns }: TextOutput): number {
  return Math.max(24, columns || 80);
}

/** The text with controls made visible, tabs and line ends aside: shown as they are, they steer. */
export function printable(text: string): string {
  return text.replace(/[^\t\n]+/g, escapeControls);
}

/** The text with spaces behind it, as wide as a column. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/**
 * A text of anybody behind a lead, on as many lines as it needs; each starts below the first. It
 * is made safe here, so that nobody forgets to.
 */
export function hanging(lead: string, text: string, columns: number): string[] {
  const width = textWidth(lead);
  return linesWithin(escapeControls(text), Math.max(10, columns - width)).map((line, index) =>
    `${index === 0 ? lead : ' '.repeat(width)}${line}`.trimEnd(),
  );
}

/** A text of ours: each of its lines broken to be readable in this width, and indented. */
export function indented(text: string, width: number, indent = 2): string {
  const room = Math.max(20, Math.min(width, 100) - indent);
  const lines = text.split('\n').flatMap((line) => linesWithin(line, room));
  return lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n');
}

/** The number and the word, with an s unless it is one. */
export function count(amount: number, word: string): string {
  return `${amount} ${word}${amount === 1 ? '' : 's'}`;
}

/** What a mistyped word was probably meant to be, in the form that the argument parser uses. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = findNearest(word, candidates);
  return suggestion === null ? '' : `\n(Did you mean ${suggestion}?)`;
}
