/**
 * Untrusted texts in Markdown: nothing in them is markup, starts a block or controls a terminal.
 *
 * A text on one line becomes a code span, one on several lines a fenced block; the fence is longer than
 * any run of backticks in the text. Control characters are written as escapes.
 */
import { escapeControls } from '../text/controls.js';

/** The text as a code span; line ends are shown as escapes. */
export function codeSpan(text: string): string {
  const plain = escapeControls(text);
  const fence = '`'.repeat(longestRun(plain) + 1);
  // Markdown removes one space on both sides.
  const padded = /^[` ]|[` ]$|^$/.test(plain) ? ` ${plain} ` : plain;
  return `${fence}${padded}${fence}`;
}

/** The text as a fenced block, indented to stay in its list item. */
export function codeBlock(text: string, indent: string): string {
  const lines = text.split(/\r\n|\n|\r/).map(escapeControls);
  const longest = lines.reduce((most, line) => Math.max(most, longestRun(line)), 2);
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, ...lines, fence].map((line) => `${indent}${line}`.trimEnd()).join('\n');
}

export function hasLines(text: string): boolean {
  return /[\r\n]/.test(text);
}

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
