/**
 * Texts from anybody, in Markdown, where they stay texts.
 *
 * The characters of tables and HTML are written as references such as `&#124;`; other characters with
 * a meaning get a backslash. Addresses are broken up, because some readers make links of them.
 */
import { escapeControls } from './controls.js';

const references: Readonly<Record<string, string>> = {
  '|': '&#124;',
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '@': '&#64;',
};

/**
 * Characters with a meaning anywhere; `:` and `.` in addresses; and what opens a list or underlines a
 * heading at the beginning of a line.
 */
const meaningful =
  /[|<>&@\\`*_{}[\]()#!~$^]|:(?=\/\/)|(?<=\bwww)\.|[-+=](?<=^\s*.)|\.(?<=^\s*\d+.)/gi;

/** The text on one line, for a paragraph or a cell. */
export function markdownText(text: string): string {
  return escapeControls(text).replace(meaningful, (sign) => references[sign] ?? `\\${sign}`);
}

/** The lines of a table; columns from `numbersFrom` on are aligned to the right. */
export function markdownTable(
  head: readonly string[],
  rows: Iterable<readonly (string | number)[]>,
  numbersFrom = head.length,
): string[] {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;
  const rule = head.map((_, column) => (column < numbersFrom ? '---' : '---:'));
  return [line(head), line(rule), ...Array.from(rows, line)];
}
