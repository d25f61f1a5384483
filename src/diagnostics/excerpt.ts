/**
 * One line of a source with a mark below it, in terminal columns; secrets are hidden. The line is
 * divided into cells, one for each character or hidden value. The mark is as wide as the cells above
 * it, so it stays aligned below tabs, wide characters and hidden values.
 *
 *     { "apiKey": "••••", "to": "colect" }
 *                               ^^^^^^^^
 */
import { ownerOf, placeWithin, secretsOfAddress } from '../compiler/ir/secrets.js';
import { textWidth } from './quote.js';

/** A place in a text; line and column count from 1, column and length in UTF-16 units. */
export interface Place {
  readonly text: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A part of a text, in UTF-16 units. */
interface Range {
  readonly start: number;
  readonly end: number;
}

type Cell = Range & { readonly shown: string };

/** The most columns of a line, however wide the terminal is. */
const readable = 100;
/** Units before and after the mark that are considered; far fewer fit into a line. */
const nearby = 400;

/** The line of a place, cut to the columns (at most 100), with carets below the place. */
export function excerpt(place: Place, columns = readable): { line: string; mark: string } {
  const { text, line, column, length } = place;
  const { start, end } = lineRange(text, line);
  const from = Math.min(start + column - 1, end);
  const to = Math.min(from + Math.max(1, length), Math.max(end, from + 1));
  const near = { start: Math.max(start, from - nearby), end: Math.min(end, from + nearby) };
  const cut = { left: near.start > start, right: near.end < end };
  const cells = windowed(cellsOf(text, near), from, cut, Math.min(columns, readable));
  const marked = cells.filter((cell) => cell.end > from && cell.start < to);
  const lead = marked[0] ? cells.slice(0, cells.indexOf(marked[0])) : cells;
  const carets = '^'.repeat(Math.max(1, textWidth(shownBy(marked))));
  return { line: shownBy(cells).trimEnd(), mark: ' '.repeat(textWidth(shownBy(lead))) + carets };
}

function shownBy(cells: readonly Cell[]): string {
  return cells.map(({ shown }) => shown).join('');
}

/** The units of a line without its line break and without a byte order mark. */
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

/** Many excerpts are of one text. */
let latest: { readonly text: string; readonly secrets: readonly Range[] } | null = null;

function cellsOf(text: string, { start, end }: Range): Cell[] {
  if (latest?.text !== text) latest = { text, secrets: secretRanges(text) };
  const { secrets } = latest;
  const cells: Cell[] = [];
  for (let at = start; at < end; at = cells.at(-1)!.end) {
    const secret = secrets.find((range) => range.start <= at && at < range.end);
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const shown = secret === undefined ? visible(character) : '"••••"';
    cells.push({ shown, start: at, end: secret?.end ?? at + character.length });
  }
  return cells;
}

/** Control characters as their pictures; others that cannot be shown as a replacement character. */
function visible(character: string): string {
  if (character === '\t') return '    ';
  if (character < ' ') return String.fromCharCode(0x2400 + character.charCodeAt(0));
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(character) ? '\ufffd' : character;
}

/** The cells that fit around the mark, with an ellipsis in place of the others. */
function windowed(
  cells: readonly Cell[],
  from: number,
  cut: { left: boolean; right: boolean },
  columns: number,
): readonly Cell[] {
  const room = Math.max(10, columns);
  if (!cut.left && !cut.right && textWidth(shownBy(cells)) <= room) return cells;
  const focus = cells.findIndex(({ end }) => end > from);
  const before = cells.slice(0, focus === -1 ? cells.length : focus);
  // 40 % of the columns are for what precedes the mark.
  const first = before.length - fitting(before.toReversed(), Math.floor(room * 0.4));
  const last = first + fitting(cells.slice(first), room - 2);
  const ellipsis = { shown: '…', start: -1, end: -1 };
  return [
    ...(cut.left || first > 0 ? [ellipsis] : []),
    ...cells.slice(first, last),
    ...(cut.right || last < cells.length ? [ellipsis] : []),
  ];
}

/** The number of cells that fit. */
function fitting(cells: readonly Cell[], room: number): number {
  let left = room;
  for (const [count, { shown }] of cells.entries()) {
    left -= textWidth(shown);
    if (left < 0) return count;
  }
  return cells.length;
}

/** An object or a list, what is known of its members, and the one that is being read. */
interface Frame {
  readonly place: Parameters<typeof ownerOf>[2];
  readonly members: Record<string, string | null>;
  value: { readonly key: string; start: number; end: number } | null;
}

const tokens = /"((?:[^"\\\n]|\\.)*)(?:"|$|(?=\n))(\s*:)?|[[\]{},]|[^\s",[\]{}]+/gu;

/**
 * The values that authenticate, and texts that contain such a value. The text may be broken or cut,
 * so brackets need not match, and a value extends to the next comma, key or bracket.
 */
function secretRanges(text: string): Range[] {
  const addresses: Range[] = [];
  const values: (readonly [Frame, NonNullable<Frame['value']>])[] = [];
  const open: Frame[] = [{ place: 'other', members: {}, value: null }];
  for (const { 0: token, 1: quoted, 2: colon, index: start } of text.matchAll(tokens)) {
    const frame = open.at(-1)!;
    const end = start + token.length;
    const words = quoted === undefined ? null : unescaped(quoted);
    if (colon !== undefined) {
      frame.value = { key: words!, start: end, end };
      frame.members[words!] = null;
      values.push([frame, frame.value]);
    } else if (token === ',') frame.value = null;
    else if (/^[\]}]/.test(token)) {
      if (open.length > 1) open.pop();
      if (open.at(-1)!.value !== null) open.at(-1)!.value!.end = end;
    } else {
      const { key = '' } = frame.value ?? {};
      const isOpening = /^[[{]/.test(token);
      if (isOpening) open.push({ place: placeWithin(frame.place, key), members: {}, value: null });
      if (words !== null && secretsOfAddress(words).length > 0) addresses.push({ start, end });
      if (frame.value === null) continue;
      if (frame.value.start === frame.value.end) frame.value.start = start;
      frame.value.end = isOpening ? text.length : end;
      frame.members[key] ??= words;
    }
  }
  const secret = values.filter(([it, { key }]) => ownerOf(key, it.members, it.place) !== null);
  return [...secret.map(([, range]) => range), ...addresses];
}

/** The text with its `\\u` escapes decoded. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
}
