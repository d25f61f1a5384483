/** Breaks texts into lines that fit the columns of a terminal. */
import { widthOf } from './width.js';

/** The columns that the text takes. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width;
}

/** The text on one line, broken between words to fit the room; a word that is wider is cut. */
export function linesWithin(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const word of text.split(' ').flatMap((each) => piecesOf(each, room))) {
    const wide = textWidth(word);
    if (line !== '' && width + 1 + wide > room) {
      lines.push(line);
      line = '';
    }
    width = line === '' ? wide : width + 1 + wide;
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A word, in pieces that fit the room. */
function piecesOf(word: string, room: number): string[] {
  if (word.length * 2 <= room || textWidth(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of word) {
    const wide = widthOf(character);
    if (width + wide > room && piece !== '') {
      pieces.push(piece);
      [piece, width] = ['', 0];
    }
    piece += character;
    width += wide;
  }
  return [...pieces, piece];
}
