/**
 * A system message taken apart: its opening, its numbered steps, and what can happen at any time.
 *
 * In: a squad with its source map. Out: sections of pieces; a piece is a text of the source, or
 * words of the compiler's own. The source map tells them apart, so a text of the source that looks
 * like a heading is none. Joining the sections gives the message again.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { SourceMapEntry } from '../compiler/ir/result.js';
import { valueAt } from './squad-tracks.js';

export interface Piece {
  readonly text: string;
  /** The rule that wrote the piece; `wording` for fixed words, null for what is not synthesized. */
  readonly rule: string | null;
  /** Places of the source that it comes from. */
  readonly from: readonly JsonPointer[];
}

export type Section = readonly Piece[];

export interface Sections {
  readonly opening: Section;
  /** Without their headings, so that inserting one renumbers the others. */
  readonly steps: readonly Section[];
  readonly closing: Section;
}

/** Fixed words of the compiler's. */
export function wording(text: string): Piece {
  return { text, rule: 'wording', from: [] };
}

/** The pieces of the texts of a squad, by place. */
export function readPieces(
  output: Json,
  sourceMap: readonly SourceMapEntry[],
): ReadonlyMap<JsonPointer, readonly Piece[]> {
  const pieces = new Map<JsonPointer, Piece[]>();
  const sorted = [...sourceMap].sort((a, b) => (a.range?.[0] ?? 0) - (b.range?.[0] ?? 0));
  for (const { output: at, range, origin } of sorted) {
    const text = valueAt(output, at);
    if (typeof text !== 'string') continue;
    const [start, end] = range ?? [0, text.length];
    const from = 'at' in origin ? [origin.at] : 'from' in origin ? origin.from : [];
    const rule = origin.kind === 'synthesized' ? origin.rule : null;
    const piece = { text: text.slice(start, end), rule, from };
    pieces.set(at, [...(pieces.get(at) ?? []), piece]);
  }
  return pieces;
}

export function readSections(pieces: readonly Piece[]): Sections {
  const sections: Piece[][] = [[]];
  let closing: Piece[] | null = null;
  for (const piece of pieces) {
    let rest = piece.text;
    const keep = (text: string): void => {
      if (text !== '') (closing ?? sections.at(-1))?.push({ ...piece, text });
    };
    while (piece.rule === 'wording' && closing === null) {
      const [heading, at] = nextHeading(rest, sections.length);
      if (at < 0) break;
      keep(rest.slice(0, at));
      if (heading === anyTime) closing = [];
      else sections.push([]);
      rest = rest.slice(heading === anyTime ? at : at + heading.length);
    }
    keep(rest);
  }
  const [opening = [], ...steps] = sections;
  return { opening, steps, closing: closing ?? [] };
}

const anyTime = '\nAt any time\n';

function nextHeading(text: string, step: number): [heading: string, at: number] {
  const heading = headingOf(step);
  const at = text.indexOf(heading);
  return at >= 0 ? [heading, at] : [anyTime, text.indexOf(anyTime)];
}

function headingOf(step: number): string {
  return `\nStep ${step}\n`;
}

export function joinSections({ opening, steps, closing }: Sections): string {
  const numbered = steps.flatMap((step, index) => [wording(headingOf(index + 1)), ...step]);
  return joinPieces([...opening, ...numbered, ...closing]);
}

export function joinPieces(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/**
 * The sections with other numbers wherever their own words lead to a step; `of` is the number of
 * the step that the words stand in, 0 elsewhere.
 */
export function renumber(
  sections: Sections,
  numberOf: (step: number, of: number) => number,
): Sections {
  return mapPieces(sections, (piece, of) => {
    if (piece.rule !== 'wording') return piece;
    const text = piece.text.replaceAll(
      /(\bgo to step |, begin at step )(\d+)(?=\.?\n)/g,
      (_, words: string, step: string) => `${words}${numberOf(Number(step), of)}`,
    );
    return { ...piece, text };
  });
}

/** The sections with other pieces; `of` is the number of their step, 0 elsewhere. */
export function mapPieces(
  { opening, steps, closing }: Sections,
  change: (piece: Piece, of: number) => Piece,
): Sections {
  return {
    opening: opening.map((piece) => change(piece, 0)),
    steps: steps.map((step, index) => step.map((piece) => change(piece, index + 1))),
    closing: closing.map((piece) => change(piece, 0)),
  };
}

/**
 * A step cut in two behind what it tells to find out, which stands behind its line and its
 * instruction; `node` is the place of the node.
 */
export function cutAfterCaptures(step: Section, node: JsonPointer): [Section, Section] {
  const captures = step.findLastIndex(({ rule }) => rule === 'type');
  if (captures >= 0) return cutAtLineEnd(step, captures, '\n');
  const quotes = (field: string): number =>
    step.findIndex(({ from }) => from.includes(`${node}/${field}`));
  const instruction = quotes('systemPrompt');
  if (instruction >= 0) return cutAtLineEnd(step, instruction, '\n');
  // The line of an assistant's first node is not in its prompt, or further below.
  return quotes('firstMessage') === 1 ? cutAtLineEnd(step, 1, '"\n') : [[], step];
}

/** Cuts behind the first line end of the compiler's own after the piece at this index. */
function cutAtLineEnd(step: Section, after: number, end: string): [Section, Section] {
  const at = step.findIndex(
    ({ rule, text }, index) => index > after && rule === 'wording' && text.startsWith(end),
  );
  const piece = step[at];
  if (piece === undefined) return [step, []];
  const rest = piece.text.slice(end.length);
  return [
    [...step.slice(0, at), wording(end)],
    [...(rest === '' ? [] : [wording(rest)]), ...step.slice(at + 1)],
  ];
}

/** The document with other texts at some places. */
export function withTexts(document: Json, texts: ReadonlyMap<JsonPointer, string>): Json {
  const copy = structuredClone(document) as Json;
  for (const [at, text] of texts) {
    const parent = at.slice(0, at.lastIndexOf('/'));
    const holder = valueAt(copy, parent) as Record<string, Json>;
    holder[
      at
        .slice(parent.length + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~')
    ] = text;
  }
  return copy;
}
