/**
 * A text of the squad, line by line, with where each piece of a line came from.
 *
 * In: the text, and the entries of the source map for its place. An entry without a range is about
 * all of it. Guarantees: the pieces of all lines, joined, are the text, whatever the ranges are.
 */
import type { Origin, SourceMapEntry } from '../../index.js';

export interface Piece {
  readonly text: string;
  /** Null where the source map says nothing. */
  readonly origin: Origin | null;
}

export type Line = readonly Piece[];

export function promptLines(text: string, entries: readonly SourceMapEntry[]): Line[] {
  const lines: Piece[][] = [[]];
  for (const { text: part, origin } of piecesOf(text, entries)) {
    const [first = '', ...others] = part.split('\n');
    if (first !== '') lines.at(-1)!.push({ text: first, origin });
    for (const other of others) lines.push(other === '' ? [] : [{ text: other, origin }]);
  }
  // A line end at the end begins no line.
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}

/** Ranges in order; where one begins before the end of the other, it begins there. */
function piecesOf(text: string, entries: readonly SourceMapEntry[]): Piece[] {
  const whole = entries.find(({ range }) => range === undefined)?.origin ?? null;
  const pieces: Piece[] = [];
  let position = 0;
  const take = (end: number, origin: Origin | null): void => {
    if (end > position) pieces.push({ text: text.slice(position, end), origin });
    position = Math.max(position, end);
  };
  for (const { range, origin } of rangedEntries(text, entries)) {
    take(range[0], whole);
    take(range[1], origin);
  }
  take(text.length, whole);
  return pieces;
}

/**
 * Ranges lead to the end of the text. Where they do not, they are of another one: a secret in it is
 * masked, or somebody changed the squad.
 */
function rangedEntries(text: string, entries: readonly SourceMapEntry[]) {
  const ranged = entries
    .flatMap(({ range, origin }) => (range === undefined ? [] : [{ range, origin }]))
    .sort((a, b) => a.range[0] - b.range[0] || a.range[1] - b.range[1]);
  const end = ranged.reduce((last, { range }) => Math.max(last, range[1]), 0);
  return end === text.length ? ranged : [];
}

/**
 * What a line is said to come from: its pieces of the source and of answers; the compiler's own
 * wording only where there is nothing else.
 */
export function originsOf(line: Line): Origin[] {
  const all = line.flatMap(({ origin }) => (origin === null ? [] : [origin]));
  const telling = all.filter((origin) => origin.kind !== 'synthesized' || origin.from.length > 0);
  const kept = telling.length > 0 ? telling : all;
  return [...new Map(kept.map((origin) => [JSON.stringify(origin), origin])).values()];
}
