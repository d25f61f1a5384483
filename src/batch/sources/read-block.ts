/**
 * Reads the workflows of a block, one after the other, without giving way: for worker threads.
 *
 * What cannot be read is an item too, so that nothing that was found is lost without a word.
 */
import type { Block, BlockEnd, Item } from '../plan.js';
import { readDocument } from './read-document.js';
import { type ReadRules, readLines } from './read-lines.js';

/** Visits each workflow; with room of their own, its bytes stay as they are after the visit. */
export function readBlock(block: Block, rules: ReadRules, visit: (item: Item) => void): BlockEnd {
  if (block.kind === 'lines') return { lines: readLines(block, rules, visit) };
  const { maxBytes } = rules;
  for (const { name, path } of block.sources) {
    const read = readDocument(path, maxBytes);
    visit(
      read instanceof Uint8Array ? { source: name, bytes: read } : { source: name, failure: read },
    );
  }
  return { lines: 0 };
}
