/** Goes through the input and the journal side by side, as long as they agree. */
import { setImmediate as turn } from 'node:timers/promises';
import { type DoneRecord, type JournalRecord, parseLine } from '../journal/records.js';
import { linesOf, type ScannedLine } from '../journal/scan-lines.js';
import { areUntouched } from '../output/untouched.js';
import type { Block, Item } from '../plan.js';
import type { RunInput } from '../run.js';
import { blocksOf, opensFile } from '../sources/blocks.js';
import { sameRoom } from '../sources/open-file.js';
import { readBlock } from '../sources/read-block.js';
import type { ReadRules } from '../sources/read-lines.js';
import { journalIn } from '../state/state-folder.js';
import { contentOf } from '../workers/content-of.js';
import { type Pages, RowPlaces } from './run-made.js';

export class UnchangedWalk {
  /** Of the workflows that were met. */
  readonly keys = new Set<string>();
  private readonly lines: Generator<ScannedLine>;
  private readonly rows: RowPlaces;
  private index = 0;
  /** Of the file that is read, from 1 on. */
  private nextLine = 1;

  constructor(
    private readonly out: string,
    state: string,
    pages: Pages,
  ) {
    this.lines = linesOf(journalIn(state));
    this.rows = new RowPlaces(out, pages);
  }

  /** Whether each workflow has its line, and its files are untouched. */
  async goThrough({ plan, request }: RunInput, stop: AbortSignal): Promise<boolean> {
    const rules = { maxBytes: request.maxBytes, allot: sameRoom() };
    for (const block of blocksOf(plan)) {
      if (stop.aborted || !this.isBlockSame(block, rules)) return false;
      // Somebody may want to stop.
      await turn();
    }
    return true;
  }

  /** The hash of the places of all that were met. */
  places(): string {
    return this.rows.digest();
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
    const record = 'bytes' in item ? this.nextFor(contentOf(item.source, item.bytes)) : null;
    if (record === null || !areUntouched(`${this.out}/${record.folder}`, record.files))
      return false;
    this.keys.add(record.key);
    this.rows.add(this.index, line, record.folder);
    this.index += 1;
    return true;
  }

  /** The next line, if it is of this content. */
  private nextFor(content: string): DoneRecord | null {
    const { value, done } = this.lines.next();
    const record = done === true ? null : parseLine(value.bytes);
    const isIt = record?.kind === 'done' && record.content === content;
    return isIt ? record : null;
  }
}
