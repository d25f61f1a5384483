/** Goes through the input and the journal side by side, as long as they agree. */
import { setImmediate as turn } from 'node:timers/promises';
import { headOf, type JournalRecord, parseLine } from '../journal/records.js';
import { linesOf, type ScannedLine } from '../journal/scan-lines.js';
import type { Block, Item } from '../plan.js';
import type { RunInput } from '../run.js';
import { blocksOf, opensFile } from '../sources/blocks.js';
import { sameRoom } from '../sources/open-file.js';
import { readBlock } from '../sources/read-block.js';
import type { ReadRules } from '../sources/read-lines.js';
import { contentOf } from '../workers/content-of.js';
import { folderOf } from '../workflow/workflow-key.js';
import type { RowPlaces } from './run-made.js';

export class InputWalk {
  /** Of the workflows that were met. */
  readonly keys = new Set<string>();
  private readonly lines: Generator<ScannedLine>;
  /** Of the file that is read, from 1 on. */
  private nextLine = 1;

  /** What is met goes into `rows`, with folders by `spread`. */
  constructor(
    journal: string,
    private readonly spread: boolean,
    private readonly rows: RowPlaces,
  ) {
    this.lines = linesOf(journal);
  }

  /** Whether each workflow has its line; `isOver` is asked now and then. */
  async goThrough({ plan, request }: RunInput, isOver: () => boolean): Promise<boolean> {
    const rules = { maxBytes: request.maxBytes, allot: sameRoom() };
    for (const block of blocksOf(plan)) {
      if (isOver() || !this.isBlockSame(block, rules)) return false;
      // Somebody may want to stop.
      await turn();
    }
    return true;
  }

  /** What else the journal knows; to be asked for when the input is at its end. */
  *others(): Generator<JournalRecord> {
    for (const { bytes } of this.lines) {
      const record = parseLine(bytes);
      if (record !== null) yield record;
    }
  }

  close(): void {
    this.lines.return(undefined);
  }

  private isBlockSame(block: Block, rules: ReadRules): boolean {
    let isSame = true;
    const firstLine = opensFile(block) ? 1 : this.nextLine;
    const { lines } = readBlock(block, rules, (item) => {
      const line = item.line === undefined ? undefined : firstLine + item.line;
      isSame &&= this.isItemSame(item, line);
    });
    this.nextLine = firstLine + lines;
    return isSame;
  }

  private isItemSame(item: Item, line: number | undefined): boolean {
    const key = 'bytes' in item ? this.nextFor(contentOf(item.source, item.bytes)) : null;
    if (key === null) return false;
    this.rows.add(this.keys.size, line, folderOf(key, this.spread));
    this.keys.add(key);
    return true;
  }

  /** The key in the next line, if it is of this content. */
  private nextFor(content: string): string | null {
    const { value, done } = this.lines.next();
    const head = done === true ? null : headOf(value.bytes);
    return head?.kind === 'done' && head.content === content ? head.key : null;
  }
}
