/** The parts of a run, and whether they belong together by what stands above their rows. */
import type { SummaryHead, Totals } from './model.js';
import type { ListedFile } from './read-summary.js';

/** Why summaries cannot be put together. */
export class CannotMerge extends Error {
  override readonly name = 'CannotMerge';
}

export interface Part {
  readonly name: string;
  readonly head: Head;
  readonly summary: ListedFile;
  readonly sarif: ListedFile;
}

export interface Head extends SummaryHead {
  readonly totals: Totals;
}

/** Parts of one version, with the same options; every shard once. */
export function checkHeads(parts: readonly Part[]): void {
  const [first, ...others] = parts;
  if (first === undefined) throw new CannotMerge('there is nothing to merge');
  for (const { name, head } of others) {
    if (head.squadc !== first.head.squadc) {
      throw new CannotMerge(
        `${first.name} was made by squadc ${first.head.squadc}, ${name} by ${head.squadc}`,
      );
    }
    if (JSON.stringify(head.options) !== JSON.stringify(first.head.options)) {
      throw new CannotMerge(`${first.name} and ${name} were made with different options`);
    }
  }
  checkShards(parts);
}

/** Every shard once, where they say which they are. */
function checkShards(parts: readonly Part[]): void {
  const count = parts[0]?.head.shard?.count;
  const found = new Map<number, string>();
  for (const { name, head } of parts) {
    if (head.shard?.count !== count) {
      throw new CannotMerge(`${parts[0]?.name} and ${name} are not parts of one run`);
    }
    if (head.shard === undefined) continue;
    const twin = found.get(head.shard.index);
    if (twin !== undefined) {
      throw new CannotMerge(`${twin} and ${name} are both shard ${head.shard.index} of ${count}`);
    }
    found.set(head.shard.index, name);
  }
  for (let index = 1; index <= (count ?? 0); index += 1) {
    if (!found.has(index)) throw new CannotMerge(`shard ${index} of ${count} is missing`);
  }
}
