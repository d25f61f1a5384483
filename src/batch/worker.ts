/**
 * Does blocks of work: reads workflows, compiles those that are not known, writes their files.
 *
 * In: blocks, one after the other. Out: for each of its workflows where its line stands in a
 * journal; no workflow and no row crosses from thread to thread.
 *
 *     read ─▶ known and unchanged? ─yes─▶ its old line
 *               │no
 *             compile ─▶ files, and a new line
 */
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { Known } from './journal/known.js';
import { type DoneRecord, noContent, numbersOfKey } from './journal/records.js';
import { failedWorkflow, type MadeWorkflow } from './made-workflow.js';
import { OutcomeBuilder } from './outcome-builder.js';
import type { Block, Item } from './plan.js';
import { type BlockOutcome, type BlockTask, madeBy, type RunSetup, type Verdict } from './setup.js';
import { isOfShard } from './shard.js';
import { readBlock } from './sources/read-block.js';
import { folderOf, workflowKey } from './workflow-key.js';
import { type PlannedWorkflow, WorkflowWriter } from './workflow-writer.js';

/** The compiler and its reader, which are not even loaded where nothing has changed. */
type Maker = Pick<typeof import('./read-item.js'), 'readItem'> &
  Pick<typeof import('./compile-workflow.js'), 'makeWorkflow'>;

/** An item that has to be done. */
interface Todo {
  readonly index: number;
  readonly item: Item;
  readonly content: string;
  readonly verdict: Verdict | null;
}

export class BlockWorker {
  private readonly known: Known;
  private readonly writer: WorkflowWriter;
  private readonly stop: Int32Array;
  private maker: Maker | null = null;

  /** `thread` is a number that no other worker of the run has. */
  constructor(
    private readonly setup: RunSetup,
    thread: number,
  ) {
    this.stop = new Int32Array(setup.stop);
    this.known = new Known(setup.known);
    this.writer = new WorkflowWriter(setup, this.known, thread);
  }

  /** Does blocks in their order; after a stop, none that was not begun. */
  async run({ blocks, only }: BlockTask): Promise<BlockOutcome[]> {
    const outcomes: BlockOutcome[] = [];
    for (const block of blocks) {
      if (Atomics.load(this.stop, 0) !== 0) break;
      outcomes.push(await this.runBlock(block, only));
    }
    return outcomes;
  }

  private async runBlock(block: Block, only: BlockTask['only']): Promise<BlockOutcome> {
    const outcome = new OutcomeBuilder(block.index, this.writer.journal.path);
    const todo = this.read(block, only, outcome);
    if (todo.length > 0) {
      this.maker ??= await loadMaker();
      this.writer.commit(this.make(todo, this.maker, outcome), outcome);
    }
    return outcome.finish();
  }

  close(): void {
    this.writer.close();
    this.known.close();
  }

  /** What is left to do of a block. */
  private read(block: Block, only: BlockTask['only'], outcome: OutcomeBuilder): Todo[] {
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

  /** One look at each file. */
  private isUnchanged({ key, folder, files, made }: DoneRecord): boolean {
    const { out, spread, made: hashes } = this.setup;
    if (made !== madeBy(hashes, key) || folder !== folderOf(key, spread)) return false;
    return Object.entries(files).every(([name, [size, , modified]]) => {
      const stats = statSync(`${out}/${folder}/${name}`, { throwIfNoEntry: false });
      return stats?.size === size && stats.mtimeMs === modified;
    });
  }

  private make(
    todo: readonly Todo[],
    maker: Maker,
    outcome: OutcomeBuilder,
  ): readonly PlannedWorkflow[] {
    const planned: PlannedWorkflow[] = [];
    for (const each of todo) {
      const { index, content, verdict } = each;
      const workflow = this.makeOne(each, maker, outcome);
      if (workflow === null) continue;
      if (outcome.hasKey(workflow.key) && verdict === null) {
        outcome.claim(index, workflow.key);
        continue;
      }
      outcome.setKey(index, workflow.key);
      planned.push(this.writer.plan(index, content, workflow, outcome));
    }
    return planned;
  }

  /** Null where the workflow is not one of this run. */
  private makeOne(
    { index, item, verdict }: Todo,
    maker: Maker,
    outcome: OutcomeBuilder,
  ): MadeWorkflow | null {
    const { shard, only, spread } = this.setup;
    if ('failure' in item || verdict?.unseen) {
      const place = placeOf(item, outcome.index);
      if (shard !== null && !isOfShard(place.key, shard)) return null;
      outcome.unread.push(item.source);
      const failure = 'failure' in item ? item.failure : (verdict as Verdict);
      return failedWorkflow(place, failure, spread);
    }
    const read = maker.readItem(item.source, item.bytes, item.line !== undefined);
    if (shard !== null && !isOfShard(read.key, shard)) return null;
    if (verdict !== null) return failedWorkflow(read, verdict, spread);
    if (only !== null && !this.isWanted(index, read.key, only, outcome)) return null;
    return maker.makeWorkflow(read, this.setup, spread);
  }

  /** With `--only`: whether the workflow ended so the last time; else its old row stays. */
  private isWanted(index: number, key: string, only: string, outcome: OutcomeBuilder): boolean {
    const last = this.known.lastDone(key);
    if (last === null) return false;
    if (last.record.status === only) return true;
    outcome.putKnown(index, last.line, numbersOfKey(key), last.record);
    return false;
  }
}

async function loadMaker(): Promise<Maker> {
  const [{ readItem }, { makeWorkflow }] = await Promise.all([
    import('./read-item.js'),
    import('./compile-workflow.js'),
  ]);
  return { readItem, makeWorkflow };
}

function contentOf(source: string, bytes: Uint8Array): string {
  return createHash('sha256').update(source).update('\0').update(bytes).digest('hex');
}

/** What could not be read has its place for a name. */
function placeOf({ source, line }: Item, block: number) {
  const place = line === undefined ? null : Buffer.from(`${block}:${line}`);
  return { source, name: null, key: workflowKey(source, undefined, place) };
}
