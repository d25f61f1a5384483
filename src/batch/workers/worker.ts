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

import { Known } from '../journal/known.js';
import { numbersOfKey } from '../journal/records.js';
import { OutcomeBuilder } from '../outcomes/outcome-builder.js';
import type { Block, Item } from '../plan.js';
import type { BlockOutcome, BlockTask, RunSetup, Verdict } from '../setup.js';
import { isOfShard } from '../shard/shard.js';
import { failedWorkflow, type MadeWorkflow } from '../workflow/made-workflow.js';
import { workflowKey } from '../workflow/workflow-key.js';
import { BlockReader, type Todo } from './block-reader.js';
import { type PlannedWorkflow, WorkflowWriter } from './workflow-writer.js';

/** The compiler and its reader, which are not even loaded where nothing has changed. */
type Maker = Pick<typeof import('../workflow/read-item.js'), 'readItem'> &
  Pick<typeof import('../workflow/compile-workflow.js'), 'makeWorkflow'>;

export class BlockWorker {
  private readonly known: Known;
  private readonly reader: BlockReader;
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
    this.reader = new BlockReader(setup, this.known);
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
    const todo = this.reader.read(block, only, outcome);
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
    import('../workflow/read-item.js'),
    import('../workflow/compile-workflow.js'),
  ]);
  return { readItem, makeWorkflow };
}

/** What could not be read has its place for a name. */
function placeOf({ source, line }: Item, block: number) {
  const place = line === undefined ? null : Buffer.from(`${block}:${line}`);
  return { source, name: null, key: workflowKey(source, undefined, place) };
}
