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
 * Most texts have no Liquid or bare names, and most other Liquid is plain paths, decisions and
 * loops: only the rest costs liquidjs.
 */
import type { Use } from '../ir/workflow.js';
import { readPiece } from './liquid.js';
import { readBlocks } from './template-blocks.js';
import { readPlainOutput } from './template-outputs.js';
import { cutPieces, type TemplateFault } from './template-pieces.js';
import { readPlain } from './template-plain.js';

export type { TemplateFault } from './template-pieces.js';

/** What the Liquid of a text reads and what is wrong with it. */
export interface TemplateReading {
  readonly uses: readonly Use[];
  readonly faults: readonly TemplateFault[];
}

/** Reads the Liquid of a text; see the head of this file. */
export function readTemplate(value: string): TemplateReading {
  const uses = readQuickly(value);
  return uses === null ? readPieces(value) : { uses, faults: none };
}

/** The reads of a text that has no fault, as nearly all have none; null for the slow half. */
export function readQuickly(value: string): readonly Use[] | null {
  return readPlain(value) ?? readBlocks(value);
}

/** The slow half, for texts that the quick one does not read. */
export function readPieces(value: string): TemplateReading {
  const { pieces, faults } = cutPieces(value);
  const assigned = new Set<string>();
  const uses: Use[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'silent') continue;
    const plain = piece.kind === 'output' ? readPlainOutput(value, piece.start) : null;
    if (plain?.end === piece.end) {
      if (plain.use !== null && !assigned.has(plain.use.name)) uses.push(plain.use);
      continue;
    }
    const quick = piece.kind === 'block' ? readBlocks(value, piece.start, piece.end) : null;
    if (quick !== null) {
      for (const use of quick) if (!assigned.has(use.name)) uses.push(use);
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
