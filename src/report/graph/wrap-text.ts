/** Breaks a label into the few lines that there is room for. */
import { plainText } from './plain-text.js';
import { joinsBefore, textWidth } from './text-width.js';

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
