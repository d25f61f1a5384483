/** What runs in a thread of a run: one worker that does block after block. */
import { threadId } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import type { BlockOutcome, BlockTask, RunSetup } from './setup.js';
import { BlockWorker } from './workers/worker.js';

let worker: BlockWorker | null = null;

/** The setup came when the thread was opened. */
export function doBlocks(task: BlockTask): Promise<BlockOutcome[]> {
  worker ??= new BlockWorker(Tinypool.workerData as RunSetup, threadId);
  return worker.run(task);
}
