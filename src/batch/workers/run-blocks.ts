/** Gives all blocks to the threads, and the workflows of a block of which one dies one by one. */
import { messageOf } from '../faults.js';
import type { Block } from '../plan.js';
import type { BlockOutcome, BlockTask, Verdict } from '../setup.js';
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

/**
 * Does the blocks in any order. After a stop, those that were begun are still waited for. The result
 * is the blocks that a thread had when it died: what it wrote of them is in its journal alone.
 */
export async function runBlocks(
  blocks: Iterable<Block>,
  workers: BlockWorkers,
  { stop, jobs, atOnce, done }: Watching,
): Promise<Block[]> {
  const queue = blocks[Symbol.iterator]();
  const lost: Block[] = [];
  const work = async (): Promise<void> => {
    while (!stop.aborted) {
      const taken = take(queue, atOnce);
      if (taken.length === 0) return;
      const outcomes = await workers.run({ blocks: taken }).catch(() => null);
      if (outcomes === null) lost.push(...taken);
      outcomes?.forEach((outcome, at) => {
        done(taken[at] as Block, [outcome]);
      });
    }
  };
  await Promise.all(Array.from({ length: jobs * perThread }, work));
  return lost;
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

/** Does a block of which a thread may die; the outcomes are of the whole, then of its parts. */
export async function runCarefully(block: Block, workers: BlockWorkers): Promise<BlockOutcome[]> {
  try {
    return await workers.run({ blocks: [block] });
  } catch {
    return runInParts(block, workers);
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
      unseen: true,
    };
    return workers.run({ blocks, only: new Map([[item, verdict]]) });
  }
}
