/** Gives all blocks to the threads, and those of which one dies one by one. */
import { messageOf } from './faults.js';
import type { Block } from './plan.js';
import type { BlockOutcome, BlockTask, Verdict } from './setup.js';
import type { Workers } from './worker-pool.js';

export type BlockWorkers = Workers<BlockTask, BlockOutcome[]>;

export interface Watching {
  /** No block is begun after it. */
  readonly stop: AbortSignal;
  readonly jobs: number;
  /** Blocks that a thread gets at once. */
  readonly atOnce: number;
  /** Called for each block that is done; with several outcomes where it was done in parts. */
  done(block: Block, outcomes: readonly BlockOutcome[]): void;
}

/** So that no thread waits for the next blocks. */
const perThread = 2;

/** Does the blocks in any order. After a stop, those that were begun are still waited for. */
export async function runBlocks(
  blocks: Iterable<Block>,
  workers: BlockWorkers,
  { stop, jobs, atOnce, done }: Watching,
): Promise<void> {
  const queue = blocks[Symbol.iterator]();
  const work = async (): Promise<void> => {
    while (!stop.aborted) {
      const taken = take(queue, atOnce);
      if (taken.length === 0) return;
      await runTaken(taken, workers, stop, done);
    }
  };
  await Promise.all(Array.from({ length: jobs * perThread }, work));
}

function take(queue: Iterator<Block>, most: number): Block[] {
  const taken: Block[] = [];
  while (taken.length < most) {
    const next = queue.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

async function runTaken(
  blocks: readonly Block[],
  workers: BlockWorkers,
  stop: AbortSignal,
  done: Watching['done'],
): Promise<void> {
  const outcomes = await workers.run({ blocks }).catch(() => null);
  if (outcomes !== null) {
    outcomes.forEach((outcome, at) => {
      done(blocks[at] as Block, [outcome]);
    });
    return;
  }
  // A thread has died of one of them. What it did of the others is known when they are done again.
  for (const block of blocks) {
    if (stop.aborted) return;
    const parts = await runInParts(block, workers);
    if (parts.length > 0) done(block, parts);
  }
}

/** The whole first, with none of its items done, then one by one: one of them is to blame. */
async function runInParts(block: Block, workers: BlockWorkers): Promise<BlockOutcome[]> {
  const blocks = [block];
  const parts = await workers.run({ blocks, only: new Map() });
  const { items } = parts[0] ?? { items: 0 };
  for (let item = 0; item < items; item += 1) {
    parts.push(...(await runItem(block, item, workers)));
  }
  return parts;
}

async function runItem(block: Block, item: number, workers: BlockWorkers): Promise<BlockOutcome[]> {
  const blocks = [block];
  try {
    return await workers.run({ blocks, only: new Map([[item, null]]) });
  } catch (error) {
    const verdict: Verdict = {
      code: 'batch/internal-error',
      message: `the thread that worked on it ended: ${messageOf(error)}`,
    };
    return workers.run({ blocks, only: new Map([[item, verdict]]) });
  }
}
