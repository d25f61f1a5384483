/** Cuts a text to the columns of a terminal, in the middle: beginnings and ends tell texts apart. */
import { textWidth } from '../diagnostics/quote.js';

/** Made at first use: it loads the tables of Unicode. */
let characters: Intl.Segmenter | undefined;

/** The text, or its beginning and its end around an ellipsis, no wider than `room`. */
export function cutMiddle(text: string, room: number): string {
  if (textWidth(text) <= room) return text;
  characters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  const shown = Array.from(characters.segment(text), ({ segment }) => segment);
  const half = Math.max(0, room - 1) / 2;
  const end = fitting(shown.toReversed(), Math.floor(half)).reverse();
  const begin = fitting(shown, room - 1 - textWidth(end.join('')));
  return `${begin.join('')}…${end.join('')}`;
}

/** As many of the characters as fit, from the first on. */
function fitting(shown: readonly string[], room: number): string[] {
  const taken: string[] = [];
  let left = room;
  for (const each of shown) {
    left -= textWidth(each);
    if (left < 0) break;
    taken.push(each);
  }
  return taken;
}
