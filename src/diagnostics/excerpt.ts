/**
 * One line of a source with a mark below it, in terminal columns; secrets are hidden. The line is
 * divided into cells, one for each character or hidden value. The mark is as wide as the cells above
 * it, so it stays aligned below tabs, wide characters and hidden values.
 *
 *     { "apiKey": "••••", "to": "colect" }
 *                               ^^^^^^^^
 */
import { isSecretName, placeWithin, secretsOfAddress } from '../compiler/ir/secrets.js';
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
/** How far back to search for the key of a value that the excerpt shows. */
const reach = 20_000;

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

function cellsOf(text: string, { start, end }: Range): Cell[] {
  const secrets = secretRanges(text, start, end);
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

/**
 * The values of keys that authenticate, between two places. The text may be broken or cut, so in
 * doubt a value is hidden. The search begins at the start of a line if one is near enough, because
 * JSON strings never contain line breaks; otherwise the text before the first quote may be a secret.
 */
function secretRanges(text: string, from: number, to: number): Range[] {
  const lineBreak = from <= reach ? -1 : text.indexOf('\n', from - reach);
  const inside = from > reach && (lineBreak === -1 || lineBreak >= from);
  const start = from <= reach ? 0 : inside ? from - reach : lineBreak + 1;
  const region = text.slice(start, to);
  const ranges: Range[] = [];
  if (inside) ranges.push({ start: 0, end: `${region}"`.indexOf('"') });
  const tokens = /"((?:[^"\\\n]|\\.)*)(?:"|$|(?=\n))\s*(:?)\s*|[[\]{}]/gu;
  // Where the members stand, and the key of the next value.
  let [within, last] = [placeWithin('other', ''), ''];
  const around: (typeof within)[] = [];
  let isPair = false; // Whether the current pair has a name that authenticates.
  for (let token = tokens.exec(region); token !== null; token = tokens.exec(region)) {
    const { 0: sign, 1: quoted = '', 2: colon, index } = token;
    const name = unescaped(quoted);
    if (colon !== ':') {
      if (/^[\]}]/.test(sign)) within = around.pop() ?? 'other';
      else if (/^[[{]/.test(sign)) within = placeWithin(around[around.push(within) - 1]!, last);
      if (secretsOfAddress(name).length > 0) ranges.push({ start: index, end: tokens.lastIndex });
      last = '';
      continue;
    }
    last = name;
    const rest = region.slice(tokens.lastIndex, tokens.lastIndex + nearby);
    const [, called = ''] = /^"((?:[^"\\\n]|\\.)*)"/u.exec(rest) ?? [];
    if (/^(?:key|name)$/.test(name)) isPair = isSecretName(unescaped(called), within);
    const isNaming = name === 'key' && /^"[^"]*"\s*,\s*"value"/.test(rest);
    if (name !== 'value' && (isNaming || !isSecretName(name, within))) continue;
    const end = valueEnd(region, tokens.lastIndex);
    const [, behind = ''] = pairName.exec(region.slice(end, end + nearby)) ?? [];
    if (name === 'value' && !isPair && !isSecretName(unescaped(behind), within)) continue;
    if (name === 'value') isPair = false;
    ranges.push({ start: tokens.lastIndex, end });
    tokens.lastIndex = end;
  }
  return ranges.map((range) => ({ start: range.start + start, end: range.end + start }));
}

/** The name of a pair behind its value. */
const pairName = /^\s*,\s*"(?:key|name)"\s*:\s*"((?:[^"\\\n]|\\.)*)"/u;

/** The text with its `\\u` escapes decoded. */
function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/** The end of the value that starts at `start`; the end of the region if it is not closed. */
function valueEnd(region: string, start: number): number {
  let depth = 0;
  const tokens = /"(?:[^"\\\n]|\\.)*(?:"|$|(?=\n))|[[{]|[\]}]|,|[^\s",[\]{}]+/gu;
  tokens.lastIndex = start;
  for (let token = tokens.exec(region); token !== null; token = tokens.exec(region)) {
    const [found] = token;
    if (depth === 0 && /^[,\]}]/.test(found)) return token.index;
    if (/^[[{]/.test(found)) depth++;
    if (/^[\]}]/.test(found)) depth--;
    if (depth === 0) return tokens.lastIndex;
  }
  return region.length;
}
