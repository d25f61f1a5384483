/** Counts the workflows of a file of lines, as far as it matters. */
import type { Source } from '../plan.js';
import { blocksOf } from './blocks.js';
import { sameRoom } from './open-file.js';
import { readBlock } from './read-block.js';

/** Longer lines are counted without being held. */
const maxBytes = 64 * 1024;

export interface LineCount {
  /** Lines that are not blank; at least `enough` where there are more. */
  readonly lines: number;
  /** Why there may be more. */
  readonly failure: { readonly code: string; readonly message: string } | null;
}

/** Once there are `enough` lines, the rest of the file is not read. */
export function countLines(source: Source, enough: number): LineCount {
  const rules = { maxBytes, allot: sameRoom() };
  let lines = 0;
  let failure: LineCount['failure'] = null;
  for (const block of blocksOf({ sources: [source], faults: [], spread: false })) {
    readBlock(block, rules, (item) => {
      if ('bytes' in item || item.failure.code === 'batch/too-large') lines += 1;
      else failure = item.failure;
    });
    if (lines >= enough || failure !== null) break;
  }
  return { lines, failure };
}
