/**
 * Texts of anybody inside of Markdown: they stay texts.
 *
 * References such as `&#124;` are never read as structure, so they stand for the signs that tables
 * and HTML are made of. What else means something gets a backslash. Addresses are broken where a
 * reader of Markdown would make links of them by itself.
 */
import { escapeControls } from '../diagnostics/quote.js';

const references: Readonly<Record<string, string>> = {
  '|': '&#124;',
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '@': '&#64;',
};

/**
 * Signs that mean something anywhere; the colon and the dot of an address; and what opens a list or
 * underlines a heading at the beginning of a line.
 */
const meaningful =
  /[|<>&@\\`*_{}[\]()#!~$^]|:(?=\/\/)|(?<=\bwww)\.|(?<=^\s*)[-+=]|(?<=^\s*\d+)\./gi;

/** The text on one line, as the text of a paragraph or of a cell. */
export function markdownText(text: string): string {
  return escapeControls(text).replace(meaningful, (sign) => references[sign] ?? `\\${sign}`);
}

/** The lines of a table. */
export function markdownTable(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  numbersFrom = head.length,
): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, column) => (column < numbersFrom ? '---' : '---:'));
  return [line(head), line(rule), ...Array.from(rows, line)];
}
