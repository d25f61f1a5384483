/**
 * One line of a source with a mark below it, in columns of a terminal.
 *
 * The line is cut into cells: a cell is what is shown for one character or one hidden value, with
 * its width. The mark is as wide as the cells that it lies under, so it stays in place below
 * tabs, wide characters and hidden values.
 */
import { type Range, secretRanges } from './secrets.js';
import { widthOf } from './width.js';

/** A place in a text; line and column count from 1, column and length in UTF-16 units. */
export interface Place {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A line as it is shown, and the mark below it. */
export interface Excerpt {
  readonly line: string;
  readonly mark: string;
}

interface Cell {
  readonly shown: string;
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

/** Columns that a line may take, if the terminal has them. */
const readable = 100;
/** Far more units than can be shown; what is further away from the mark is not looked at. */
const nearby = 400;

/** The line of a place, cut to the columns or to 100, with carets below the place. */
export function excerpt({ text, line, column, length }: Place, columns = readable): Excerpt {
  const { start, end } = lineRange(text, line);
  const from = Math.min(start + column - 1, end);
  const to = Math.min(from + Math.max(1, length), Math.max(end, from + 1));
  const near = { start: Math.max(start, from - nearby), end: Math.min(end, from + nearby) };
  const cells = cellsOf(text, near);
  const cut = { left: near.start > start, right: near.end < end };
  const shown = windowed(cells, from, cut, Math.max(10, Math.min(columns, readable)));
  return marked(shown, from, to);
}

/** The units of a line without its end; lines end, and a byte order mark counts, as in the reader of JSON. */
function lineRange(text: string, line: number): Range {
  const ends = /\r\n|\n|\r/g;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  ends.lastIndex = start;
  for (let passed = 1; passed < line; passed++) {
    if (ends.exec(text) === null) return { start: text.length, end: text.length };
    start = ends.lastIndex;
  }
  return { start, end: ends.exec(text)?.index ?? text.length };
}

function cellsOf(text: string, { start, end }: Range): Cell[] {
  const hidden = secretRanges(text, start, end);
  const cells: Cell[] = [];
  let at = start;
  while (at < end) {
    const secret = hidden.find((range) => range.start <= at && at < range.end);
    const cell = secret ? hiddenCell(at, secret.end) : cellAt(text, at);
    cells.push(cell);
    at = cell.end;
  }
  return cells;
}

function hiddenCell(start: number, end: number): Cell {
  return { shown: '"••••"', width: 6, start, end };
}

function cellAt(text: string, start: number): Cell {
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0xfffd);
  const shown = visible(character);
  return { shown, width: widthOf(shown), start, end: start + character.length };
}

/** Controls as their pictures; marks of direction and halves of pairs as a replacement. */
function visible(character: string): string {
  if (character === '\t') return '    ';
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) ? '\ufffd' : character;
}

/** The cells that fit, with an ellipsis where some are left out. */
function windowed(
  cells: Cell[],
  from: number,
  cut: { left: boolean; right: boolean },
  columns: number,
): Cell[] {
  if (!cut.left && !cut.right && totalWidth(cells) <= columns) return cells;
  const focus = cells.findIndex(({ end }) => end > from);
  let first = focus === -1 ? cells.length : focus;
  // Before the mark stands what leads to it, after it rather more.
  for (let room = Math.floor(columns * 0.4); first > 0; first--) {
    room -= cells[first - 1]?.width ?? 0;
    if (room < 0) break;
  }
  let last = first;
  for (let room = columns - 2; last < cells.length; last++) {
    room -= cells[last]?.width ?? 0;
    if (room < 0) break;
  }
  const shown = cells.slice(first, last);
  if (cut.left || first > 0) shown.unshift(ellipsis);
  if (cut.right || last < cells.length) shown.push(ellipsis);
  return shown;
}

const ellipsis: Cell = { shown: '…', width: 1, start: -1, end: -1 };

function marked(cells: readonly Cell[], from: number, to: number): Excerpt {
  const line = cells.map(({ shown }) => shown).join('');
  const under = cells.filter(({ start, end }) => end > from && start < to && end !== -1);
  const [first] = under;
  const lead = totalWidth(first === undefined ? cells : cells.slice(0, cells.indexOf(first)));
  const carets = Math.max(1, totalWidth(under));
  return { line: line.trimEnd(), mark: ' '.repeat(lead) + '^'.repeat(carets) };
}

function totalWidth(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0);
}
