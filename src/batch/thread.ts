/** The entry of a thread. */
import { Tinypool } from 'tinypool';
import type { Item } from './items.js';
import { type Outcome, Work, type WorkSetup } from './work.js';

let work: Work | null = null;

/** The setup was passed when the thread started. */
export function doItems(items: readonly Item[]): Promise<(Outcome | null)[]> {
  work ??= new Work(Tinypool.workerData as WorkSetup);
  return work.do(items);
}
