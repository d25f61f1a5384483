/**
 * Texts from anybody that stay texts: on a terminal, and in Markdown.
 *
 * In Markdown, the characters of tables and HTML are written as references such as `&#124;`; other
 * characters with a meaning get a backslash. Addresses are broken up, because some readers make links
 * of them. As code, a text on one line becomes a span, one on several lines a fenced block; the fence
 * is longer than any run of backticks in the text.
 */

/**
 * Control characters, line and paragraph separators, marks that change the direction of the text,
 * characters without width, and lone surrogates.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with its control characters written as escapes. */
export function escapeControls(text: string): string {
  return text.replace(
    unsafe,
    (found) => escapes[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

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

function longestRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
}
