/**
 * How texts of the source are shown: short, on one line, without control characters that a terminal
 * would obey, and within its columns. Messages never contain values of headers.
 */
import { escapeControls } from '../text/escape.js';

/** The text in “quotes”, cut to 60 characters, with control characters escaped. */
export function quote(text: string): string {
  return `“${escapeControls(shorten(text, 60))}”`;
}

/** Several texts in quotes, “a”, “b” and “c”. */
export function quoteAll(texts: readonly string[], word: 'and' | 'or' = 'and'): string {
  return enumerate(texts.map(quote), word);
}

/** `a, b and c`; of more than six, the first five and the number of the others. */
export function enumerate(all: readonly string[], word: 'and' | 'or' = 'and'): string {
  const parts = all.slice(0, all.length > 6 ? 5 : 6);
  if (parts.length < all.length) parts.push(`${all.length - parts.length} more`);
  const last = parts.pop() ?? 'nothing';
  return parts.length === 0 ? last : `${parts.join(', ')} ${word} ${last}`;
}

/** Node ids as a walk, “a” → “b” → “c”; a long walk is shortened in the middle. */
export function quoteWalk(ids: readonly string[]): string {
  if (ids.length <= 8) return ids.map(quote).join(' → ');
  return [...ids.slice(0, 4).map(quote), '…', ...ids.slice(-3).map(quote)].join(' → ');
}

/** The text, or its beginning and an ellipsis if it is longer; surrogate pairs are never split. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The number of terminal columns that the text takes. */
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

/** The text in lines that fit, broken between words; a word that is too wide is split. */
export function linesWithin(text: string, room: number): string[] {
  const fitting = (word: string) =>
    textWidth(word) <= room ? [word] : joined([...word], '', room);
  return joined(text.split(' ').flatMap(fitting), ' ', room);
}

/** The parts, joined into lines that fit. */
function joined(parts: readonly string[], by: string, room: number): string[] {
  const found: string[] = [];
  let line = '';
  for (const part of parts) {
    const longer = line === '' ? part : line + by + part;
    const isFull = line !== '' && textWidth(longer) > room;
    if (isFull) found.push(line);
    line = isFull ? part : longer;
  }
  return [...found, line];
}
