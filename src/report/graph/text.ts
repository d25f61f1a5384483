/** Texts of documents as a picture shows them: harmless, measured, in the few lines that there is room for. */

export interface Room {
  readonly width: number;
  /** Of the font. */
  readonly size: number;
  readonly lines: number;
  /** What goes where there is too much: names often differ at their end. */
  readonly cut: 'middle' | 'end';
}

/** Letters of some scripts have three marks; texts with dozens are a prank on the lines around. */
const moreMarks = /(\p{M}{3})\p{M}+/gu;

/** However narrow its characters are, a line has no more than these. */
const longestLine = 120;

/**
 * The lines. One ends at a space, or inside of a word behind a sign that joins words, or where a word
 * is wider than the room, anywhere.
 */
export function wrapText(text: string, room: Room): string[] {
  const most = room.lines * longestLine * 4;
  // What lies between the beginning and the end of a very long text is never shown.
  const part = text.length > 2 * most ? text.slice(0, most) + text.slice(-most) : text;
  let rest = [...plainText(part).replace(moreMarks, '$1')];
  const lines: string[] = [];
  while (rest.length > 0 && lines.length < room.lines) {
    const isLast = lines.length === room.lines - 1;
    const end = lineEnd(rest, room);
    lines.push(isLast && end < rest.length ? shorten(rest, room) : textOf(rest.slice(0, end)));
    rest = isLast ? [] : [...textOf(rest.slice(end)).trimStart()];
  }
  return lines;
}

function textOf(characters: readonly string[]): string {
  return characters.join('').trimEnd();
}

/** How many characters the next line takes; at least one. */
function lineEnd(characters: readonly string[], { width, size }: Room): number {
  let used = 0;
  let breakAt = 0;
  for (const [index, character] of characters.entries()) {
    used += textWidth(character, size);
    if (character === ' ') breakAt = index;
    const full = used > width || index >= longestLine;
    if (full && character !== ' ' && !isJoined(character)) {
      return breakAt > 0 ? breakAt : Math.max(index, 1);
    }
    if (index > 2 * longestLine) return index;
    if (/^[-_/.,:;·]$/.test(character)) breakAt = index + 1;
  }
  return characters.length;
}

/** As much of both ends, or of the beginning, as a line takes beside `…`. */
function shorten(characters: readonly string[], { width, size, cut }: Room): string {
  const room = width - textWidth('…', size);
  const start = textOf(fitting(characters, cut === 'middle' ? room / 2 : room, size));
  if (cut === 'end') return `${start}…`;
  const end = fitting([...characters].reverse(), room / 2, size).reverse();
  // A mark without its letter would stand on the sign before it.
  while (end[0] !== undefined && isJoined(end[0])) end.shift();
  return `${start}…${end.join('').trimStart()}`;
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

/** Widths of the ASCII characters in thousandths of the font's size, from the space on. */
const ascii = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** Marks that are drawn on the character before, joiners, and what is not drawn at all. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** East Asian letters and signs, and pictures. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** Of scripts other than ours a width that most of their letters keep. */
function unitsOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return 0;
  if (code < 0x7f) return ascii[code - 0x20]!;
  if (zeroWidth.test(character)) return 0;
  if (wide.test(character)) return 1150;
  return code < 0x250 ? 680 : 860;
}

export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += unitsOf(character);
  return (units * size * spare) / 1000;
}

/** Whether a character belongs to the one before it, so that no line may end between them. */
function isJoined(character: string): boolean {
  return zeroWidth.test(character) || /^[\p{Mc}\p{Emoji_Modifier}]$/u.test(character);
}

const unshown =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/**
 * A text of a document on one line, without controls, characters that XML does not allow, halves of
 * surrogate pairs, and the marks that change the order of what follows.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unshown, '').trim();
}

/** The beginning of a text as it may be shown; one that is longer ends in `…`. */
export function beginning(text: string, length: number): string {
  const characters = [...plainText(text.slice(0, 4 * length))];
  if (characters.length <= length && text.length <= 4 * length) return characters.join('');
  return `${textOf(characters.slice(0, length))}…`;
}
