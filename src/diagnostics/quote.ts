/**
 * How texts of the source are shown: short, on one line, unable to steer a terminal, and within the
 * columns that it has. Values of headers are never shown at all, so no message takes one.
 */

/**
 * Controls, line and paragraph separators, marks that change the direction of what follows,
 * characters without width, and halves of surrogate pairs.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text of the source in “quotes”, at most 60 characters of it, with controls escaped. */
export function quote(text: string): string {
  return `“${escapeControls(shorten(text, 60))}”`;
}

/** Several texts in quotes, “a”, “b” and “c”. */
export function quoteAll(texts: readonly string[], word: 'and' | 'or' = 'and'): string {
  return enumerate(texts.map(quote), word);
}

/** `a, b and c`; after five the rest is only counted. */
export function enumerate(all: readonly string[], word: 'and' | 'or' = 'and'): string {
  const parts = all.slice(0, all.length > 6 ? 5 : 6);
  if (parts.length < all.length) parts.push(`${all.length - parts.length} more`);
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} ${word} ${last}`;
}

/** Node ids as a walk, “a” → “b” → “c”; a long one shows its beginning and its end. */
export function quoteWalk(ids: readonly string[]): string {
  if (ids.length <= 8) return ids.map(quote).join(' → ');
  return [...ids.slice(0, 4).map(quote), '…', ...ids.slice(-3).map(quote)].join(' → ');
}

/** A text as it is but for controls, which are written as escapes. */
export function escapeControls(text: string): string {
  return text.replace(
    unsafe,
    (found) => escapes[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The text, or its beginning and an ellipsis where it is longer; no character is cut in half. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The columns of a terminal that the text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

const wide =
  /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

function widthOf(character: string): number {
  if (/[\p{Mn}\p{Me}]/u.test(character)) return 0;
  return wide.test(character) && !/[\uff61-\uffdc]/u.test(character) ? 2 : 1;
}

/** The text, broken between words to fit the room; a word that is wider is cut. */
export function linesWithin(text: string, room: number): string[] {
  const fitting = (word: string) =>
    textWidth(word) <= room ? [word] : joined([...word], '', room);
  return joined(text.split(' ').flatMap(fitting), ' ', room);
}

/** The parts, joined as far as they fit the room together. */
function joined(parts: readonly string[], by: string, room: number): string[] {
  const found: string[] = [];
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : line + by + part;
    if (line !== '' && textWidth(longer) > room) {
      found.push(line);
      line = part;
    } else {
      line = longer;
    }
  }
  return [...found, line];
}
