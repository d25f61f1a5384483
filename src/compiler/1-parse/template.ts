/**
 * The variables that a text of the source reads.
 *
 * In: a text. Out: every read of a variable that the text does not assign itself, in text order
 * with exact offsets, and every fault of its Liquid. Guarantees: `value.slice(start, end)` is the
 * name; uses never overlap; nothing is rendered and nothing is thrown.
 *
 * A name that `assign`, `capture`, `increment` or `decrement` sets is the text's own from there
 * on, also where the tag stands in a branch; `for` and `tablerow` own theirs in their body.
 *
 * Most texts have no Liquid or bare names, and most other Liquid is a plain path: only the rest
 * costs liquidjs.
 */
import type { Use } from '../ir/workflow.js';
import { readPiece } from './liquid.js';
import { cutPieces, type Piece, type TemplateFault } from './template-pieces.js';
import { liquidWords, readPlain } from './template-plain.js';

export type { TemplateFault } from './template-pieces.js';

/** What the Liquid of a text reads and what is wrong with it. */
export interface TemplateReading {
  readonly uses: readonly Use[];
  readonly faults: readonly TemplateFault[];
}

/** Reads the Liquid of a text; see the head of this file. */
export function readTemplate(value: string): TemplateReading {
  const plain = readPlain(value);
  return plain === null ? readPieces(value) : { uses: plain, faults: none };
}

function readPieces(value: string): TemplateReading {
  const { pieces, faults } = cutPieces(value);
  const assigned = new Set<string>();
  const uses: Use[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'silent') continue;
    const plain = piece.kind === 'output' ? readPlainOutput(value, piece) : null;
    if (plain) {
      if (!assigned.has(plain.name)) uses.push(plain);
      continue;
    }
    const text = value.slice(piece.start, piece.end);
    if (emptyOutput.test(text)) {
      faults.push({ fault: 'syntax', offset: piece.start, reason: 'empty' });
      continue;
    }
    const reading = readPiece(text, piece.start, assigned);
    if (reading.fault) faults.push(reading.fault);
    for (const use of reading.uses) uses.push(use);
  }
  return { uses, faults: faults.sort((a, b) => a.offset - b.offset) };
}

/** The text with another name at the given uses, and nothing else changed. */
export function renameUses(value: string, uses: readonly Use[], to: string): string {
  let renamed = '';
  let at = 0;
  for (const { start, end } of [...uses].sort((a, b) => a.start - b.start)) {
    renamed += value.slice(at, start) + to;
    at = end;
  }
  return renamed + value.slice(at);
}

const none: readonly TemplateFault[] = Object.freeze([]);

const emptyOutput = /^\{\{-?\s*-?\}\}$/;

/** The read of an output that is a plain path with plain filters; null for any other output. */
function readPlainOutput(value: string, { start, end }: Piece): Use | null {
  plainOutput.lastIndex = start;
  const match = plainOutput.exec(value);
  if (!match || plainOutput.lastIndex !== end) return null;
  const [, opening = '', name = '', path = ''] = match;
  if (liquidWords.has(name)) return null;
  const at = start + opening.length;
  return { name, nested: path !== '', start: at, end: at + name.length };
}

/** `{{ a.b[0]["c"] | filter: "x", 1 | filter }}`; liquidjs itself allows more. */
const plainOutput = (() => {
  const blank = '[ \\t\\r\\n]*';
  const string = `"[^"\\\\]*"|'[^'\\\\]*'`;
  const key = `\\.[A-Za-z_]\\w*|\\[(?:\\d+|"[^"\\\\\\]]*"|'[^'\\\\\\]]*')\\]`;
  const argument = `${blank}(?:${string}|-?\\d+(?:\\.\\d+)?)`;
  const filter = `${blank}\\|${blank}[A-Za-z_]\\w*(?:${blank}:${argument}(?:${blank},${argument})*)?`;
  return new RegExp(
    `(\\{\\{-?${blank})([A-Za-z_]\\w*)((?:${key})*)(?:${filter})*${blank}-?\\}\\}`,
    'y',
  );
})();
