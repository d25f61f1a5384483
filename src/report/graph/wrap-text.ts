/** Breaks a label into the few lines that there is room for. */

export interface Room {
  readonly width: number;
  /** Of the font. */
  readonly size: number;
  readonly lines: number;
}

/** Letters of some scripts have three marks; texts with dozens are a prank on the lines around. */
const moreMarks = /(\p{M}{3})\p{M}+/gu;

/** However narrow its characters are, a line has no more than these. */
const longestLine = 120;

/**
 * The lines; what does not fit ends in `…`. A line ends at a space, or inside of a word behind a
 * sign that joins words, or where a word is wider than the room, anywhere.
 */
export function wrapText(text: string, room: Room): string[] {
  const lines: string[] = [];
  // More than this is never shown, however long the text is.
  let rest = [...plainText(text.slice(0, room.lines * longestLine * 4)).replace(moreMarks, '$1')];
  while (rest.length > 0 && lines.length < room.lines) {
    const end = lineEnd(rest, room);
    lines.push(rest.slice(0, end).join('').trimEnd());
    rest = rest.slice(end);
    while (rest[0] === ' ') rest.shift();
  }
  const last = lines.pop();
  if (last === undefined) return [];
  return [...lines, rest.length === 0 ? last : shorten(last, room)];
}

/** How many characters the next line takes; at least one. */
function lineEnd(characters: readonly string[], { width, size }: Room): number {
  let used = 0;
  let breakAt = 0;
  for (const [index, character] of characters.entries()) {
    used += textWidth(character, size);
    if (character === ' ') breakAt = index;
    const full = used > width || index >= longestLine;
    if (full && character !== ' ' && !joinsBefore(character)) {
      return breakAt > 0 ? breakAt : Math.max(index, 1);
    }
    if (index > 2 * longestLine) return index;
    if (/^[-_/.,:;·]$/.test(character)) breakAt = index + 1;
  }
  return characters.length;
}

function shorten(line: string, { width, size }: Room): string {
  const characters = [...line];
  let used = textWidth('…', size);
  let end = 0;
  for (; end < characters.length; end += 1) {
    used += textWidth(characters[end]!, size);
    if (used > width) break;
  }
  return `${characters.slice(0, Math.max(end, 1)).join('').trimEnd()}…`;
}

const margin = 1.14;

/** ASCII, from the space on. */
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

/** The width of one character; of other scripts a width that most of their letters keep. */
function unitsOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return 0;
  if (code < 0x7f) return ascii[code - 0x20]!;
  if (zeroWidth.test(character)) return 0;
  if (wide.test(character)) return 1150;
  // Many scripts have letters that are wider than ours.
  return code < 0x250 ? 680 : 860;
}

export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += unitsOf(character);
  return (units * size * margin) / 1000;
}

/** Whether a character belongs to the one before it, so that no line may end between them. */
function joinsBefore(character: string): boolean {
  return zeroWidth.test(character) || /^[\p{Mc}\p{Emoji_Modifier}]$/u.test(character);
}

/**
 * A text of a document as it may be shown: on one line, and without what would steer the display.
 *
 * Controls, characters that XML does not allow, halves of surrogate pairs, and the marks that change
 * the order of what follows are left out.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unshown, '').trim();
}

const unshown =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** The beginning of a text as it may be shown; one that is longer ends in `…`. */
export function beginning(text: string, length: number): string {
  const characters = [...plainText(text.slice(0, 4 * length))];
  if (characters.length <= length && text.length <= 4 * length) return characters.join('');
  return `${characters.slice(0, length).join('').trimEnd()}…`;
}
