/**
 * How texts of the source are shown inside messages: short, on one line, unable to steer a
 * terminal. Values of headers are never shown at all, so no message takes one.
 */

const limit = 60;

/**
 * Controls, line and paragraph separators, marks that change the direction of what follows,
 * characters without width, and halves of surrogate pairs.
 */
const unsafe =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** A text of the source in “quotes”, at most 60 characters of it, with controls escaped. */
export function quote(text: string): string {
  return `“${escapeControls(shorten(text, limit))}”`;
}

/** Several texts in quotes, “a”, “b” and “c”; after five the rest is only counted. */
export function quoteAll(texts: readonly string[], word: 'and' | 'or' = 'and'): string {
  const shown = texts.length > 6 ? texts.slice(0, 5) : texts;
  const parts = shown.map(quote);
  if (shown.length < texts.length) parts.push(`${texts.length - shown.length} more`);
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} ${word} ${last}`;
}

/** Node ids as a walk, “a” → “b” → “c”; a long one shows its beginning and its end. */
export function quoteWalk(ids: readonly string[]): string {
  const parts = ids.map(quote);
  if (parts.length > 8) parts.splice(4, parts.length - 7, '…');
  return parts.join(' → ');
}

/** A text as it is but for controls, which are written as escapes. */
export function escapeControls(text: string): string {
  return text.replace(unsafe, (found) => named[found] ?? unicodeEscape(found));
}

/** The text, or its beginning and an ellipsis where it is longer than `length`. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = length - 1;
  const splitsPair = isHighSurrogate(text.charCodeAt(end - 1));
  return `${text.slice(0, splitsPair ? end - 1 : end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
