/** What runs in a thread of a run. */
import { Tinypool } from 'tinypool';
import type { Item } from './items.js';
import { type Outcome, Work, type WorkSetup } from './work.js';

let work: Work | null = null;

/** The setup came when the thread was opened. */
export function doItems(items: readonly Item[]): Promise<(Outcome | null)[]> {
  work ??= new Work(Tinypool.workerData as WorkSetup);
  return work.do(items);
}
