/**
 * Whether an input without a name is one document or lines of them, told by looking.
 *
 * One JSON value is a document, however many lines it has. Several lines that begin with a value
 * of their own are JSONL. Where something is broken, a line that is an object by itself, from its
 * first character on, tells: in a document that is laid out, such lines are parts of it and
 * indented.
 */
import type { Item, Source } from '../plan.js';
import { blocksOf } from './blocks.js';
import { readBlock } from './read-block.js';
import { readDocument } from './read-document.js';

/** The form of a file; `source` says that it is lines. */
export function formByLooking(source: Source, maxBytes: number): Source['form'] {
  const lines = linesOf(source, maxBytes);
  const first = lines.next();
  const isValue = first.done !== true && isJson(first.value);
  if (isValue) return lines.next().done === true ? 'document' : 'lines';
  const whole = readDocument(source.path, maxBytes);
  if (whole instanceof Uint8Array && isJson(whole)) return 'document';
  for (const line of lines) if (line?.[0] === openingBrace && isJson(line)) return 'lines';
  return 'document';
}

const openingBrace = 0x7b;

/** The lines that are not blank; null for one that cannot be held. */
function* linesOf(source: Source, maxBytes: number): Generator<Uint8Array | null> {
  for (const block of blocksOf({ sources: [source], faults: [], spread: false })) {
    const items: Item[] = [];
    readBlock(block, { maxBytes }, (item) => items.push(item));
    for (const item of items) yield 'bytes' in item ? item.bytes : null;
  }
}

function isJson(bytes: Uint8Array | null): boolean {
  if (bytes === null) return false;
  try {
    JSON.parse(new TextDecoder().decode(bytes));
    return true;
  } catch {
    return false;
  }
}
