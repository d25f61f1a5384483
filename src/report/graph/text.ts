/** Texts of a document as a picture shows them: harmless, measured, and cut to the room they have. */

export interface Room {
  readonly width: number;
  /** Size of the font. */
  readonly size: number;
  readonly lines: number;
  /** What is left out of a long text. Names often differ at their end. */
  readonly cut: 'middle' | 'end';
}

/** A letter has up to three marks in real scripts; more would run over the lines around. */
const moreMarks = /(\p{M}{3})\p{M}+/gu;

/** Characters in a line, however narrow they are. */
const longestLine = 120;

/** Breaks lines at spaces, after signs that join words, or inside a word that is too wide. */
export function wrapText(text: string, room: Room): string[] {
  const most = room.lines * longestLine * 4;
  // The middle of a very long text is never shown.
  const part = text.length > 2 * most ? text.slice(0, most) + text.slice(-most) : text;
  let rest = [...plainText(part).replace(moreMarks, '$1')];
  const lines: string[] = [];
  while (rest.length > 0 && lines.length < room.lines) {
    const end = lineEnd(rest, room);
    if (lines.length === room.lines - 1 && end < rest.length)
      return [...lines, shorten(rest, room)];
    lines.push(textOf(rest.slice(0, end)));
    rest = [...textOf(rest.slice(end)).trimStart()];
  }
  return lines;
}

function textOf(characters: readonly string[]): string {
  return characters.join('').trimEnd();
}

/** How many characters fit in the next line; at least one. */
function lineEnd(characters: readonly string[], { width, size }: Room): number {
  let used = 0;
  let breakAt = 0;
  for (const [index, character] of characters.entries()) {
    used += textWidth(character, size);
    if (character === ' ') breakAt = index;
    const isFull = used > width || index >= longestLine;
    if (isFull && character !== ' ' && !isJoined(character)) return breakAt || Math.max(index, 1);
    if (index > 2 * longestLine) return index;
    if (/^[-_/.,:;·]$/.test(character)) breakAt = index + 1;
  }
  return characters.length;
}

/** As much of the beginning, or of both ends, as fits in a line with `…`. */
function shorten(characters: readonly string[], { width, size, cut }: Room): string {
  const room = width - textWidth('…', size);
  if (cut === 'end') return `${textOf(fitting(characters, room, size))}…`;
  const end = fitting(characters.toReversed(), room / 2, size).reverse();
  // A mark without its letter would stand on the `…`.
  while (end[0] !== undefined && isJoined(end[0])) end.shift();
  return `${textOf(fitting(characters, room / 2, size))}…${end.join('').trimStart()}`;
}

function fitting(characters: readonly string[], width: number, size: number): string[] {
  let used = 0;
  const over = characters.findIndex((character) => {
    used += textWidth(character, size);
    return used > width;
  });
  return characters.slice(0, over === -1 ? characters.length : Math.max(over, 1));
}

/** Fonts differ a little. */
const spare = 1.14;

/** Widths of the ASCII characters from the space on, in thousandths of the font's size. */
const ascii = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** Marks on the character before, joiners, and characters that are not drawn. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** East Asian letters and signs, and pictures. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code >= 0x20 && code < 0x7f) units += ascii[code - 0x20]!;
    else if (code < 0x20 || zeroWidth.test(character)) units += 0;
    else if (wide.test(character)) units += 1150;
    else units += code < 0x250 ? 680 : 860;
  }
  return (units * size * spare) / 1000;
}

/** Whether no line may end before this character. */
function isJoined(character: string): boolean {
  return zeroWidth.test(character) || /^[\p{Mc}\p{Emoji_Modifier}]$/u.test(character);
}

const unshown =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/**
 * The text on one line, without controls, characters that XML forbids, lone surrogates, and marks
 * that change the order of the text after them.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unshown, '').trim();
}

/** At most so many characters of the text; if there were more, it ends in `…`. */
export function beginning(text: string, length: number): string {
  const characters = [...plainText(text.slice(0, 4 * length))];
  const isWhole = characters.length <= length && text.length <= 4 * length;
  return isWhole ? characters.join('') : `${textOf(characters.slice(0, length))}…`;
}
