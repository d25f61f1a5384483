/**
 * Reads blocks, and tells what is left to do of them: what is known, with its files as they were
 * written, has its line already.
 */

import type { Known } from '../journal/known.js';
import { type DoneRecord, noContent } from '../journal/records.js';
import type { OutcomeBuilder } from '../outcomes/outcome-builder.js';
import { areUntouched } from '../output/untouched.js';
import type { Block, Item } from '../plan.js';
import { type BlockTask, madeBy, type RunSetup, type Verdict } from '../setup.js';
import { isOfShard } from '../shard/shard.js';
import { readBlock } from '../sources/read-block.js';
import { folderOf } from '../workflow/workflow-key.js';
import { contentOf } from './content-of.js';

/** An item that has to be done. */
export interface Todo {
  readonly index: number;
  readonly item: Item;
  readonly content: string;
  readonly verdict: Verdict | null;
}

export class BlockReader {
  constructor(
    private readonly setup: RunSetup,
    private readonly known: Known,
  ) {}

  /** What is left to do of a block. */
  read(block: Block, only: BlockTask['only'], outcome: OutcomeBuilder): Todo[] {
    const todo: Todo[] = [];
    const { lines } = readBlock(block, this.setup, (item) => {
      const index = outcome.add(item.line ?? -1);
      if (only !== undefined && !only.has(index)) return;
      const content = 'bytes' in item ? contentOf(item.source, item.bytes) : noContent;
      if (only === undefined && this.isKnown(index, content, outcome)) return;
      todo.push({ index, item, content, verdict: only?.get(index) ?? null });
    });
    outcome.lines = lines;
    return todo;
  }

  /** Whether nothing has to be done for this content. */
  private isKnown(index: number, content: string, outcome: OutcomeBuilder): boolean {
    const found = content === noContent ? null : this.known.byContent(content);
    if (found === null) return false;
    const { entry, record } = found;
    const { shard, only } = this.setup;
    if (shard !== null && !isOfShard(record.key, shard)) return true;
    if (record.failure === 'batch/same-key') {
      outcome.claim(index, record.key);
      return true;
    }
    const isLeft = only !== null && record.status !== only;
    if (!isLeft && !this.isUnchanged(record)) return false;
    outcome.putKnown(index, this.known.lineOf(entry), this.known.keyNumbersOf(entry), record);
    return true;
  }

  private isUnchanged({ key, folder, files, made }: DoneRecord): boolean {
    const { out, spread, made: hashes } = this.setup;
    if (made !== madeBy(hashes, key) || folder !== folderOf(key, spread)) return false;
    return areUntouched(`${out}/${folder}`, files);
  }
}
